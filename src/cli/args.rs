//! The top level of the command line. Each verb declares its own arguments in its own file; help,
//! man pages and completions are generated from the assembled definition.

use super::{
    agent::Agent,
    complete,
    config::{self, Config},
    context::Context,
    deferred::Deferred,
    doctor::{self, Doctor},
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
        relocate::{self, Move},
        remote::{self, Remote},
        restore::{self, Restore},
        sync::{self, Sync},
        undo::{self, Redo, Undo},
    },
    init::Init,
    knowledge::Knowledge,
    mcp::{self, Mcp},
    memory::{
        Memory,
        edit::Edit,
        forget::{self, Forget},
        list::List,
        pin::Pin,
        recall::Recall,
        save::Save,
        show::Show,
    },
    review::{self, Review},
    secret::Secret,
    status::Status,
    style::Style,
    verb::group,
};
use crate::cli::failure::{Exit, Failure};
use crate::foreign::{Said, said};
use crate::identity::kind::MAX_MEMORY_BYTES;
use crate::ops::{
    at::{self, Past},
    guard,
    store::Scope,
};
use crate::secrets::Allowed;
use crate::system::files;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::ArgValueCandidates;
use std::path::PathBuf;

/// Keeps what your AI assistants know about you in one git repository of plain markdown, the same
/// on every laptop.
#[derive(Parser, Debug)]
#[command(name = "co", version, disable_help_subcommand = true, propagate_version = true, max_term_width = 100, after_help = AFTER)]
pub struct Cli {
    /// What is common to all commands.
    #[command(flatten)]
    pub common: Common,
    /// The verb; without one, where things stand.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const AFTER: &str = "First day: `co init`. Second laptop: `co init URL`. Every day: `co learn \
    \"…\"`, `co recall \"…\"`, `co sync`.\nTopics: `co help recall`, `co help knowledge`, `co help \
    agents`, `co help merging`, `co help dotfiles`, `co help json`, `co help exit-codes`, `co help \
    findings`, `co help secrets`, `co help environment`, `co help options`.";

/// Options of every command; `co help options` shows them, once.
#[derive(Args, Debug, Clone, Default)]
pub struct Common {
    /// Use the identity in this folder
    #[arg(long, global = true, value_name = "PATH", hide = true, add = complete::paths())]
    pub identity: Option<PathBuf>,
    /// Work as if started in this folder
    #[arg(short = 'C', global = true, value_name = "DIR", hide = true, add = complete::paths())]
    pub directory: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long, global = true, hide = true)]
    pub json: bool,
    /// Print nothing but data and errors
    #[arg(short, long, global = true, conflicts_with = "verbose", hide = true)]
    pub quiet: bool,
    /// Print why, not only what
    #[arg(short, long, global = true, hide = true)]
    pub verbose: bool,
    /// Print at once what is longer than the screen
    #[arg(long, global = true, hide = true)]
    pub no_pager: bool,
    /// When to use colours (NO_COLOR is honoured)
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide = true)]
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
    #[command(aliases = ["clone", "setup", "adopt", "new"])]
    Init(Deferred<Init>),
    /// Show identity, repository and remote on one screen
    #[command(aliases = ["st", "info"])]
    Status(Deferred<Status>),
    /// Save a fact
    #[command(aliases = ["remember", "save", "note"])]
    Learn(Deferred<Save>),
    /// Find facts that answer a question
    #[command(aliases = ["find", "search", "ask", "query", "grep"])]
    Recall(Deferred<Recall>),
    /// List all facts
    #[command(aliases = ["ls", "memories", "facts"])]
    List(Deferred<List>),
    /// Print one fact
    #[command(aliases = ["cat", "view", "read"])]
    Show(Deferred<Show>),
    /// Change a fact's text or tags
    #[command(aliases = ["change", "amend"])]
    Edit(Deferred<Edit>),
    /// Forget a fact, here and with the next sync everywhere
    #[command(after_help = forget::HELP)]
    Forget(Deferred<Forget>),
    /// Keep a fact in every context
    Pin(Deferred<Pin>),
    /// Merge with the remote: commit, fetch, merge by fact, push
    #[command(after_help = sync::HELP)]
    #[command(alias = "push")]
    Sync(Deferred<Sync>),
    /// Show what an import, a sync, or your own edits change
    #[command(after_help = diff::HELP)]
    Diff(Deferred<Diff>),
    /// Answer what agents would add to your facts
    #[command(after_help = review::HELP)]
    #[command(aliases = ["inbox", "pending"])]
    Review(Deferred<Review>),
    /// Find what is wrong with the files, and mend what can be mended
    #[command(after_help = check::HELP)]
    Check(Deferred<Check>),
    /// Show what each command changed here, newest first; with a handle, the life of one fact
    #[command(aliases = ["history"])]
    Log(Deferred<Log>),
    /// Take back the last operation of this laptop
    #[command(after_help = undo::HELP)]
    Undo(Deferred<Undo>),
    /// Take the last undo back
    #[command(after_help = undo::HELP)]
    Redo(Deferred<Redo>),
    /// Print what an agent should know at the start of a session
    Context(Deferred<Context>),
    /// Check, sync and look after the identity
    #[command(subcommand)]
    Identity(Deferred<Identity>),
    /// Save, find, change and forget single facts
    #[command(subcommand)]
    Memory(Deferred<Memory>),
    /// Write, find and keep documents; bring the search index up to date
    Knowledge(Deferred<Knowledge>),
    /// Keep values in the keyring, and tokens out of the identity
    #[command(subcommand)]
    Secret(Deferred<Secret>),
    /// Let git merge facts and check before each commit; what git and agents call
    #[command(subcommand)]
    Hook(Deferred<Hook>),
    /// Show and change the settings of this laptop
    #[command(after_help = config::HELP)]
    #[command(aliases = ["settings", "preferences", "prefs"])]
    Config(Deferred<Config>),
    /// Find problems on this laptop, and how to fix them
    #[command(after_help = doctor::HELP)]
    Doctor(Deferred<Doctor>),
    /// Connect agents and check the connection
    #[command(subcommand)]
    Agent(Deferred<Agent>),
    /// Serve memory and context to an agent over MCP (agents start this themselves)
    #[command(after_help = mcp::HELP)]
    Mcp(Deferred<Mcp>),
    /// Print the version of co
    #[command(hide = true)]
    Version(Version),
    /// As `co identity import`
    #[command(hide = true, after_help = import::HELP)]
    Import(Deferred<Import>),
    /// As `co identity export`
    #[command(hide = true, after_help = export::HELP)]
    Export(Deferred<Export>),
    /// As `co identity remote`
    #[command(hide = true, after_help = remote::HELP)]
    Remote(Deferred<Remote>),
    /// As `co identity restore`
    #[command(hide = true, after_help = restore::HELP)]
    Restore(Deferred<Restore>),
    /// As `co identity move`
    #[command(hide = true, alias = "mv", after_help = relocate::HELP)]
    Move(Deferred<Move>),
    /// Print the completions of a shell
    Completions(Deferred<Completions>),
    /// Print the manual page of co
    Man(Deferred<Man>),
    /// Explain a command or a topic
    Help(Deferred<Help>),
    /// Where things stand, in three lines
    #[command(hide = true)]
    Home(Home),
}

impl Command {
    /// What runs without a verb.
    pub(super) const HOME: Command = Command::Home(Home {});
}

group!(Command {
    Init,
    Status,
    Learn,
    Recall,
    List,
    Show,
    Edit,
    Forget,
    Pin,
    Sync,
    Diff,
    Review,
    Check,
    Log,
    Undo,
    Redo,
    Context,
    Identity,
    Memory,
    Knowledge,
    Secret,
    Hook,
    Config,
    Doctor,
    Agent,
    Mcp,
    Version,
    Import,
    Export,
    Remote,
    Restore,
    Move,
    Completions,
    Man,
    Help,
    Home,
});

/// Where facts are.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeArg {
    /// Travels with you.
    Identity,
    /// `.co-cli/` of the project you stand in.
    Project,
}

pub(super) fn scope(named: Option<ScopeArg>) -> Option<Scope> {
    named.map(|named| match named {
        ScopeArg::Identity => Scope::Identity,
        ScopeArg::Project => Scope::Project,
    })
}

/// `--at`, wherever facts are read.
#[derive(Args, Debug, Clone, Default)]
pub struct At {
    /// As it was then: a day (2026-10-01), a moment, or a revision of git (HEAD~3)
    #[arg(long, value_name = "DATE|REV")]
    pub at: Option<String>,
}

impl At {
    /// The identity of then, if one is named.
    pub(super) fn past(&self, cli: &super::verb::Cli<'_>) -> Result<Option<Past>, Failure> {
        Ok(self.at.as_ref().map(|text| at::past(cli.context, text)).transpose()?)
    }
}

/// What is said first of what was.
pub(super) fn as_of(past: Option<&Past>, style: Style) -> Said {
    let Some(past) = past else { return Said::new() };
    let line = said!("As it was on {} (commit {}):", past.at.date(), past.commit);
    said!("{}\n", style.dim(line))
}

/// `--allow-secret`, wherever the guard stands.
#[derive(Args, Debug, Clone, Default)]
pub struct Allow {
    /// Let pass what this rule of the secret scanner finds; may be given several times
    #[arg(
        long = "allow-secret",
        value_name = "RULE",
        add = ArgValueCandidates::new(complete::rules)
    )]
    pub rules: Vec<String>,
}

impl Allow {
    pub(super) fn rules(&self) -> Result<Allowed, Failure> {
        Ok(guard::allowed(&self.rules)?)
    }
}

/// Text from the command line, or from standard input for `-`.
pub(super) fn text(words: &[String]) -> Result<String, Failure> {
    if words != ["-"] {
        return Ok(words.join(" "));
    }
    let bytes = files::read_stdin(MAX_MEMORY_BYTES)?;
    String::from_utf8(bytes).map_err(|_| {
        Failure::new(Exit::Usage, "standard input is not UTF-8 text").hint("save it as UTF-8")
    })
}
