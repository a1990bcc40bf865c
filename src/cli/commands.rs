//! The verbs of `co`, by what a person wants to do: one row each, with its help text and aliases.
//!
//! Invariant: the overview, help, man pages and completions are made from these rows and from the
//! arguments in each verb's own file.

use super::version::VERSION;
use super::{
    agent::Agent,
    args::Common,
    config::{self, Config},
    context::Context,
    deferred::Deferred,
    doctor::{self, Doctor},
    handoff::{self, Handoff},
    help::{Completions, Help, Man, Version},
    home::Home,
    hook::Hook,
    identity::{
        Identity,
        check::{self, Check},
        diff::{self, Diff},
        export::{self, Export},
        import::{self, Import},
        log::Log,
        sync::{self, Sync},
        undo::{self, Redo, Undo},
    },
    init::Init,
    knowledge::Knowledge,
    layer::Layer,
    mcp::{self, Mcp},
    memory::{
        Memory,
        confirm::{self, Confirm},
        edit::Edit,
        forget::{self, Forget},
        list::{self, List},
        pin::{Pin, Unpin},
        recall::Recall,
        save::Save,
        show::Show,
    },
    profile::{self, Profile},
    propose::{self, Propose},
    review::{self, Review},
    seal::Seal,
    secret::Secret,
    skill::Skill,
    status::Status,
    upgrade::{self, Upgrade},
    verb::group,
    web::{self, Web},
};
use clap::{Args, FromArgMatches, Parser, Subcommand, error::ErrorKind};
use std::ffi::OsString;

/// Keeps what your AI agents know about you in one git repository of plain markdown, the same
/// on every laptop.
#[derive(Parser, Debug)]
#[command(name = "co", version = VERSION, disable_help_subcommand = true, propagate_version = true, max_term_width = 100, after_help = AFTER)]
pub struct Cli {
    /// What is common to all commands.
    #[command(flatten)]
    pub common: Common,
    /// The verb; without one, the current state is shown.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const AFTER: &str = "First day: `co init`. Second laptop: `co init URL`. Every day: `co learn \
    \"…\"`, `co recall \"…\"`, `co sync`.\nTopics: `co help recall`, `co help knowledge`, `co help \
    agents`, `co help skills`, `co help layers`, `co help merging`, `co help time`, `co help \
    dotfiles`, `co help json`, `co help exit-codes`, `co help findings`, `co help secrets`, `co help \
    sealed`, `co help environment`, `co help options`.";

/// The enum of all verbs, and what the overview shows of them.
macro_rules! commands {
    (
        $($heading:literal { $($(#[$row:meta])* $variant:ident($verb:ty),)+ })+
        hidden { $($(#[$hidden_row:meta])* $hidden:ident($hidden_verb:ty),)+ }
    ) => {
        group! {
            /// The verbs.
            pub enum Command {
                $($($(#[$row])* $variant($verb),)+)+
                $($(#[$hidden_row])* $hidden($hidden_verb),)+
            }
        }

        /// What a person wants to do, and the commands for it.
        pub(super) const OVERVIEW: &[(&str, &[&str])] =
            &[$(($heading, &[$(stringify!($variant)),+])),+];
    };
}

commands! {
    "Every day" {
        /// Save a fact
        #[command(aliases = ["remember", "save"])]
        Learn(Deferred<Save>),
        /// Find facts that answer a question
        #[command(aliases = ["find", "search", "ask", "query", "grep"])]
        Recall(Deferred<Recall>),
        /// List all facts
        #[command(after_help = list::HELP)]
        #[command(aliases = ["ls", "memories", "facts"])]
        List(Deferred<List>),
        /// Print one fact
        #[command(aliases = ["cat", "view"])]
        Show(Deferred<Show>),
        /// Change a fact's text, its tags, or when it holds
        #[command(alias = "change")]
        Edit(Deferred<Edit>),
        /// Say that facts still hold
        #[command(after_help = confirm::HELP)]
        Confirm(Deferred<Confirm>),
        /// Keep a fact in every context
        Pin(Deferred<Pin>),
        /// Stop keeping a fact in every context
        Unpin(Deferred<Unpin>),
        /// Forget a fact, here and, with the next sync, everywhere
        #[command(after_help = forget::HELP)]
        Forget(Deferred<Forget>),
        /// Merge with the remote: commit, fetch, merge by fact, push
        #[command(after_help = sync::HELP)]
        #[command(alias = "push")]
        Sync(Deferred<Sync>),
        /// Offer facts to a team's layer, as a branch of its repository
        #[command(after_help = propose::HELP)]
        Propose(Deferred<Propose>),
    }
    "Inspecting and undoing" {
        /// Show identity, repository and remote on one screen
        #[command(aliases = ["st", "info"])]
        Status(Deferred<Status>),
        /// Show what an import, a sync, or your own edits change
        #[command(after_help = diff::HELP)]
        Diff(Deferred<Diff>),
        /// Find problems in the files, and fix what can be fixed
        #[command(after_help = check::HELP)]
        Check(Deferred<Check>),
        /// Review what agents would add to your facts
        #[command(after_help = review::HELP)]
        #[command(alias = "inbox")]
        Review(Deferred<Review>),
        /// Open a page in the browser: facts and their sources, review, undo
        #[command(after_help = web::HELP)]
        Web(Deferred<Web>),
        /// Show what each command changed here, newest first; with a handle, one fact's history
        #[command(aliases = ["history"])]
        Log(Deferred<Log>),
        /// Undo the last operation on this laptop
        #[command(after_help = undo::HELP)]
        Undo(Deferred<Undo>),
        /// Redo the last undone operation
        #[command(after_help = undo::REDO_HELP)]
        Redo(Deferred<Redo>),
    }
    "Setting up" {
        /// Create your identity, clone it from its remote, or use an existing folder
        #[command(aliases = ["clone", "setup"])]
        Init(Deferred<Init>),
        /// Show and change who you are to your agents
        #[command(after_help = profile::HELP)]
        Profile(Deferred<Profile>),
        /// Connect agents and check the connection
        #[command(subcommand)]
        Agent(Deferred<Agent>),
        /// Keep what your agents can do, the same on every laptop
        #[command(subcommand)]
        Skill(Deferred<Skill>),
        /// Read a team's identity beside yours, or another one in your work folders
        #[command(subcommand)]
        Layer(Deferred<Layer>),
        /// Keep values in the keyring, and tokens out of the identity
        #[command(subcommand)]
        Secret(Deferred<Secret>),
        /// Seal the remote, so that nobody else can read it; who has the keys
        #[command(subcommand)]
        Seal(Deferred<Seal>),
        /// Show and change the settings of this laptop
        #[command(after_help = config::HELP)]
        #[command(aliases = ["settings", "preferences", "prefs"])]
        Config(Deferred<Config>),
        /// Find problems on this laptop, and how to fix them
        #[command(after_help = doctor::HELP)]
        Doctor(Deferred<Doctor>),
        /// Say how to upgrade co, for the way in which it was installed
        #[command(after_help = upgrade::HELP)]
        Upgrade(Deferred<Upgrade>),
        /// Check, sync and maintain the identity
        #[command(subcommand)]
        Identity(Deferred<Identity>),
        /// Print the completions for a shell
        Completions(Deferred<Completions>),
    }
    "For agents and git" {
        /// Print what an agent should know at the start of a session
        Context(Deferred<Context>),
        /// Show or leave where a piece of work stands, for the next session
        #[command(after_help = handoff::HELP)]
        Handoff(Deferred<Handoff>),
        /// Save, find, change and forget individual facts
        #[command(subcommand)]
        Memory(Deferred<Memory>),
        /// Write, find and manage documents; update the search index
        Knowledge(Deferred<Knowledge>),
        /// Serve memory and context to an agent over MCP (agents start this themselves)
        #[command(after_help = mcp::HELP)]
        Mcp(Deferred<Mcp>),
        /// Let git merge facts, and check them before each commit
        #[command(subcommand)]
        Hook(Deferred<Hook>),
    }
    "More help" {
        /// Explain a command or a topic
        Help(Deferred<Help>),
        /// Print co's manual page
        Man(Deferred<Man>),
    }
    hidden {
        /// Print the version of co
        #[command(hide = true)]
        Version(Version),
        /// Same as `co identity import`
        #[command(hide = true, after_help = import::HELP)]
        Import(Deferred<Import>),
        /// Same as `co identity export`
        #[command(hide = true, after_help = export::HELP)]
        Export(Deferred<Export>),
        /// Show the status in three lines
        #[command(hide = true)]
        Home(Home),
    }
}

impl Cli {
    /// As [`Parser::try_parse_from`], but usually builds only the verb that was typed: all forty,
    /// each with its copy of the common options, take a sixth of a start.
    pub(super) fn read(arguments: &[OsString], typed: Option<&str>) -> Result<Cli, clap::Error> {
        match Cli::with_one_verb(arguments, typed) {
            Some(Ok(cli)) => Ok(cli),
            Some(Err(shown)) if typed.is_none() && shown.kind() == ErrorKind::DisplayVersion => {
                Err(shown)
            }
            // Help and errors name the other verbs.
            Some(Err(_)) | None => Cli::try_parse_from(arguments),
        }
    }

    /// `None` if there is no such verb.
    fn with_one_verb(
        arguments: &[OsString],
        typed: Option<&str>,
    ) -> Option<Result<Cli, clap::Error>> {
        let alone = clap::Command::new("co").version(VERSION).propagate_version(true);
        let mut definition = Common::augment_args(alone.disable_help_subcommand(true));
        if let Some(typed) = typed {
            let all = Command::augment_subcommands(clap::Command::new("co"));
            definition = definition.subcommand(all.find_subcommand(typed)?.clone());
        }
        let matches = definition.try_get_matches_from(arguments);
        Some(matches.and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches)))
    }
}

impl Command {
    /// The command that runs without a verb.
    pub(super) const HOME: Command = Command::Home(Home {});
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// What was read, or why not.
    fn told(read: Result<Cli, clap::Error>) -> String {
        read.map_or_else(
            |error| format!("{:?}: {error}", error.kind()),
            |cli| format!("{:?} {:?}", cli.common, cli.command),
        )
    }

    fn is_read_alike(line: &str) {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let typed = crate::cli::verb(&words);
        let read = told(Cli::read(&words, typed.as_deref()));
        assert_eq!(read, told(Cli::try_parse_from(&words)), "{line}");
    }

    #[test]
    fn a_verb_alone_is_read_as_among_all_verbs() {
        let definition = Cli::command();
        for verb in definition.get_subcommands() {
            for name in std::iter::once(verb.get_name()).chain(verb.get_all_aliases()) {
                is_read_alike(&format!("co {name} x --color never"));
            }
            is_read_alike(&format!("co --json {}", verb.get_name()));
        }
        for name in ["learn", "ls", "memory", "help", "--json", "-C", "-V", "--help", "", "é"] {
            for line in [
                "co @",
                "co -C list @ x -v",
                "co -qC list @ x y",
                "co @ -V",
                "co @ -h",
                "co @ -- list",
                "co @ x list",
                "co -- @",
                "co @ --nothing",
                "co --nothing @",
                "co @ @",
                "co @x",
                "co --identity @ @",
                "co --color=never @ --tag a x",
                "co -qv @ x",
                "co @ rm x",
            ] {
                is_read_alike(&line.replace('@', name));
            }
        }
        for line in ["co", "co --json", "co -C x", "co --color never -q", "co --version --json"] {
            is_read_alike(line);
        }
    }
}
