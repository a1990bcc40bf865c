//! The command line, once: help texts, man pages and completions come from these definitions.

mod identity;
mod secret;

pub use identity::*;
pub use secret::*;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Keeps what your AI assistants know about you in one git repository of plain markdown, the same on every laptop.
#[derive(Parser, Debug)]
#[command(name = "co", version, disable_help_subcommand = true, propagate_version = true, max_term_width = 100, after_help = AFTER)]
pub struct Cli {
    /// What is common to all commands.
    #[command(flatten)]
    pub common: Common,
    /// The verb.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER: &str = "First day: `co init`. Second laptop: `co init URL`. Every day: `co learn \"…\"`, `co recall \"…\"`, `co identity sync`.\nTopics: `co help exit-codes`, `co help findings`, `co help secrets`, `co help environment`, `co help portability`.";

/// Options of every command.
#[derive(Args, Debug, Clone, Default)]
pub struct Common {
    /// Use the identity in this folder
    #[arg(long, global = true, value_name = "PATH", help_heading = "Global options")]
    pub identity: Option<PathBuf>,
    /// Work as if started in this folder
    #[arg(short = 'C', global = true, value_name = "DIR", help_heading = "Global options")]
    pub directory: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long, global = true, help_heading = "Global options")]
    pub json: bool,
    /// Print nothing but data and errors
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Global options")]
    pub quiet: bool,
    /// Print why, not only what
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub verbose: bool,
    /// When to use colours (NO_COLOR is honoured)
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Global options")]
    pub color: Color,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The verbs.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Create your identity, adopt a folder, or bring it from another laptop
    Init(Init),
    /// Show identity, repository and remote on one screen
    Status,
    /// Check, sync and look after the identity
    #[command(subcommand)]
    Identity(Identity),
    /// Save, find, change and forget single facts
    #[command(subcommand)]
    Memory(Memory),
    /// Save a fact (short for `co memory save`)
    Learn(Save),
    /// Find facts (short for `co memory recall`)
    Recall(Recall),
    /// Forget a fact (short for `co memory forget`)
    Forget(Forget),
    /// Print what an agent should know at the start of a session
    Context(Context),
    /// List what is known
    Knowledge(Knowledge),
    /// Keep values in the keyring, and tokens out of the identity
    #[command(subcommand)]
    Secret(Secret),
    /// What git and agents call
    #[command(subcommand)]
    Hook(Hook),
    /// Print the completions of a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of co
    Man,
    /// Explain a command or a topic
    Help {
        /// A command (`memory save`) or a topic (`exit-codes`, `findings`, `secrets`, `environment`, `portability`)
        topic: Vec<String>,
    },
}

/// `co init`
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  co init                                   create one, asking a few questions\n  co init git@github.com:me/identity.git    bring yours to this laptop\n  co init ~/Dropbox/co-identity             use a folder that another tool syncs"
)]
pub struct Init {
    /// The URL of your identity's repository, or a folder to use as the identity
    #[arg(value_name = "URL|DIR")]
    pub target: Option<String>,
    /// Your name, for the profile
    #[arg(long)]
    pub name: Option<String>,
    /// Your time zone, as Europe/Berlin
    #[arg(long, value_name = "ZONE")]
    pub timezone: Option<String>,
    /// The git remote of a new identity
    #[arg(long, value_name = "URL")]
    pub remote: Option<String>,
    /// Also install the merge driver and the git hooks (`co identity install`)
    #[arg(long)]
    pub hooks: bool,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
}

/// `co memory`
#[derive(Subcommand, Debug)]
pub enum Memory {
    /// Save a fact
    Save(Save),
    /// Find facts that answer a question
    Recall(Recall),
    /// List all facts
    List(List),
    /// Print one fact
    Show {
        /// Its number (`12`), `12·3fa9` or `sha256:3fa9…`
        handle: String,
        /// Only in this scope
        #[arg(long)]
        scope: Option<ScopeArg>,
    },
    /// Change a fact's text or tags
    Edit(Edit),
    /// Forget a fact, here and with the next sync everywhere
    #[command(after_help = FORGET_HELP)]
    Forget(Forget),
}

const FORGET_HELP: &str = "A number, `12·3fa9` or `sha256:3fa9…` names one fact; anything else is text that the fact contains. Several matches are\nlisted and nothing is deleted without a choice.\n\nForgetting does not erase git's history, and the ledger keeps a hash by which a short fact could be guessed. `co help\nportability` names the recipe that purges.";

/// `co hook`
#[derive(Subcommand, Debug)]
pub enum Hook {
    /// Check what is about to be committed (exit 1 stops the commit)
    PreCommit {
        /// What hook managers append; not used
        #[arg(hide = true)]
        files: Vec<String>,
    },
    /// Put the identity in order after plain git merged
    PostMerge {
        /// What git appends; not used
        #[arg(hide = true)]
        squash: Option<String>,
    },
    /// Put the identity in order after plain git rebased
    PostRewrite {
        /// What git appends; not used
        #[arg(hide = true)]
        what: Option<String>,
    },
    /// Print what an agent should know, at most 10,000 characters
    SessionStart,
    /// Answer git's question for the login of a remote, from sync.username and sync.password in settings.json
    Credential {
        /// What git wants: get, store or erase
        action: String,
    },
    /// Merge one file for git (%O %A %B %L %P)
    MergeDriver {
        /// %O
        base: PathBuf,
        /// %A
        ours: PathBuf,
        /// %B
        theirs: PathBuf,
        /// %L
        marker: usize,
        /// %P
        path: String,
    },
}

/// Where facts are.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeArg {
    /// Travels with you.
    Identity,
    /// `.co-cli/` of the project you stand in.
    Project,
}

/// `co memory save`
#[derive(Args, Debug)]
pub struct Save {
    /// The fact, or `-` to read it from standard input
    #[arg(required = true, value_name = "TEXT")]
    pub text: Vec<String>,
    /// A tag; may be given several times
    #[arg(short, long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Where it belongs (default: the project when inside one)
    #[arg(long)]
    pub scope: Option<ScopeArg>,
    /// Who said it
    #[arg(long, value_name = "SOURCE")]
    pub source: Option<String>,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

/// `co memory recall`
#[derive(Args, Debug)]
#[command(after_help = "Words, \"exact phrases\", OR, and -word to leave out. A fact that holds the whole question comes first.")]
pub struct Recall {
    /// The question
    #[arg(required = true, value_name = "QUERY")]
    pub query: Vec<String>,
    /// At most so many answers
    #[arg(short = 'n', long, default_value_t = 5)]
    pub limit: usize,
    /// Only in this scope
    #[arg(long)]
    pub scope: Option<ScopeArg>,
}

/// `co memory list`
#[derive(Args, Debug)]
pub struct List {
    /// Only facts with this tag; may be given several times
    #[arg(short, long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Only in this scope
    #[arg(long)]
    pub scope: Option<ScopeArg>,
}

/// `co memory edit`
#[derive(Args, Debug)]
pub struct Edit {
    /// Its number (`12`), `12·3fa9` or `sha256:3fa9…`
    pub handle: String,
    /// The new text, or `-` for standard input; without it your editor opens
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,
    /// The new tags, replacing the old ones; may be given several times
    #[arg(short, long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Only in this scope
    #[arg(long)]
    pub scope: Option<ScopeArg>,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

/// `co memory forget`
#[derive(Args, Debug)]
pub struct Forget {
    /// A handle, or words of the fact
    #[arg(required = true, value_name = "HANDLE|TEXT")]
    pub what: Vec<String>,
    /// Only in this scope
    #[arg(long)]
    pub scope: Option<ScopeArg>,
    /// Do not ask before forgetting a single match
    #[arg(short, long)]
    pub yes: bool,
}

/// `co context`
#[derive(Args, Debug)]
pub struct Context {
    /// How it is written
    #[arg(long, default_value = "markdown")]
    pub format: FormatArg,
    /// Cut to about so many tokens
    #[arg(long, value_name = "N")]
    pub token_budget: Option<usize>,
    /// Show each layer with its file, bytes, tokens and what was cut, instead of the text
    #[arg(long)]
    pub explain: bool,
    /// Only this layer; may be given several times
    #[arg(long = "layer", value_name = "NAME")]
    pub layers: Vec<LayerArg>,
    /// Wrap it as agents expect a reminder
    #[arg(long, value_name = "TAG")]
    pub wrap: Option<WrapArg>,
}

/// The forms of a context.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatArg {
    /// As it stands in the files.
    Markdown,
    /// One element per layer.
    Xml,
    /// The JSON envelope.
    Json,
}

/// The wrappers of a context.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrapArg {
    /// `<system-reminder>`
    SystemReminder,
}

/// The layers of a context.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayerArg {
    /// system.md
    System,
    /// personality.md
    Personality,
    /// profile.md and profile/*.md
    Profile,
    /// knowledge/context.md
    GlobalKnowledge,
    /// traits/*.md
    Traits,
    /// .co-cli/knowledge/context.md
    ProjectKnowledge,
    /// .co-cli/instructions.md
    ProjectInstructions,
}

/// `co knowledge`
#[derive(Args, Debug)]
pub struct Knowledge {
    /// List all facts
    #[arg(long, required = true)]
    pub list: bool,
}
