//! The arguments of `co secret`.

use clap::{Args, Subcommand};

/// `co secret`
#[derive(Subcommand, Debug)]
pub enum Secret {
    /// Store a value in the keyring: asked for without echo, or read from standard input
    #[command(after_help = SET_HELP)]
    Set {
        /// Its name, as `staging-token`
        name: String,
        /// Never here: every program can read a command line
        #[arg(hide = true, num_args = 0.., allow_hyphen_values = true, trailing_var_arg = true)]
        value: Vec<std::ffi::OsString>,
    },
    /// Print a value
    Get {
        /// Its name
        name: String,
    },
    /// List the names in the keyring, never the values
    List,
    /// Remove a value from the keyring
    Rm {
        /// Its name
        name: String,
    },
    /// Show which secrets the identity mentions, and which of them this laptop lacks
    Status {
        /// Exit 1 when one is missing
        #[arg(long)]
        exit_code: bool,
    },
    /// Find tokens, keys and passwords in files, and in what is committed already
    #[command(after_help = SCAN_HELP)]
    Scan(Scan),
}

const SET_HELP: &str = "The value is in the keyring of this laptop (service `co-cli`, user the name), where `secret-tool lookup service co-cli\nusername NAME` finds it, too. It never travels; the identity only mentions {{secret:NAME}}. CO_SECRET_NAME in the\nenvironment wins over the keyring (`staging-token` is CO_SECRET_STAGING_TOKEN).\n\nExamples:\n  co secret set staging-token              asks\n  pass show staging | co secret set staging-token";

const SCAN_HELP: &str = "Without a path it is the identity. Exit 1 when something was found. `co help secrets` lists the rules. With --history every\nversion in every commit, branch, tag and stash is read, and what was found comes with the steps that remove it.";

/// `co secret scan`
#[derive(Args, Debug)]
pub struct Scan {
    /// A file or folder; with --history a path in the identity
    pub path: Option<String>,
    /// Every version in every commit, instead of the files
    #[arg(long)]
    pub history: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

/// `--allow-secret`, wherever the guard stands.
#[derive(Args, Debug, Clone, Default)]
pub struct Allow {
    /// Let pass what this rule of the secret scanner finds; may be given several times
    #[arg(long = "allow-secret", value_name = "RULE")]
    pub rules: Vec<String>,
}
