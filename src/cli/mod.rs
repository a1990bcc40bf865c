//! The command line: arguments in, verbs called, reports rendered, exit codes out.
//!
//! Invariant: standard output is data, standard error everything else; no verb is implemented here:
//! that is the rooms of verbs.

mod agent;
mod ago;
mod agreement;
mod args;
mod batch;
mod commands;
mod complete;
mod config;
mod context;
mod deferred;
mod doctor;
mod environment;
mod exclusion;
mod explain;
mod failure;
mod generate;
mod handle;
mod handoff;
mod help;
mod home;
mod hook;
mod identity;
mod init;
mod json;
mod knowledge;
mod layer;
mod layer_help;
mod layer_option;
mod mcp;
mod memory;
mod mistyped;
mod of_layer;
mod output;
mod own_documents;
mod profile;
mod progress;
mod prompt;
mod propose;
mod remotes;
mod review;
mod seal;
mod secret;
mod skill;
mod status;
mod style;
mod times;
mod top_help;
mod topics;
mod typed;
mod upgrade;
mod verb;
mod version;
mod web;
mod wrap;

use crate::documents::hot;
use crate::foreign::{Foreign, said};
use crate::machine::{
    Context, SystemError,
    context::Overrides,
    env::{self, Env},
    git_env,
    settings::{Concern, Fault, Section},
};
use crate::secrets::redact;
use crate::workspace::Workspace;
use failure::{Exit, Failure};
pub use generate::Shell;
use output::Form;
use style::{Color, Style};
use verb::{Cli, Needs, Verb};

use clap::{
    CommandFactory, Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};
use serde_json::json;
use std::{
    ffi::OsString,
    io::{self, IsTerminal},
    process::ExitCode,
    sync::Arc,
};

pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if let Some(version) = version::answered(&arguments)
        && !env::is_set(complete::VARIABLE)
    {
        return ExitCode::from(output::of_clap(io::stdout(), &version).code());
    }
    if let Err(error) = git_env::reexec_without_git_env(&arguments) {
        output::say(&said!("error: co cannot be started without git's variables: {}\n", error));
        return ExitCode::from(Exit::Other.code());
    }
    let env = Env::read().map(Arc::new);
    if env.as_ref().is_ok_and(|env| complete::answered(env, &arguments, definition)) {
        return ExitCode::from(Exit::Done.code());
    }
    let arguments = exclusion::kept(arguments, definition);
    match commands::Cli::read(&arguments, verb(&arguments).as_deref()) {
        Ok(cli) => ExitCode::from(carry_out(cli, env).code()),
        // It quotes nothing, and suggests nothing.
        Err(version) if version.kind() == ErrorKind::DisplayVersion => {
            ExitCode::from(refuse(&version, &arguments).code())
        }
        Err(error) => {
            // Messages quote the arguments, so these are made safe to display.
            let error = commands::Cli::try_parse_from(shown(&arguments)).err().unwrap_or(error);
            ExitCode::from(refuse(&with_suggestion(error, &arguments), &arguments).code())
        }
    }
}

/// Maximum characters of an argument quoted in a message.
const QUOTED: usize = 200;

/// Arguments without anything that could drive a screen or fill it.
fn shown(arguments: &[OsString]) -> impl Iterator<Item = OsString> {
    arguments.iter().map(|argument| {
        let argument = argument.to_string_lossy();
        Foreign(&argument).line().chars().take(QUOTED).collect::<String>().into()
    })
}

/// Verbs that say the same to everybody, and so may run under sudo.
const OF_NOBODY: [&str; 3] = ["help", "man", "completions"];

fn context_of(env: Arc<Env>, overrides: &Overrides, name: &str) -> Result<Context, SystemError> {
    let context = Context::read(env, overrides)?.for_one_answer();
    if OF_NOBODY.contains(&name) { Ok(context) } else { context.not_raised() }
}

fn carry_out(typed: commands::Cli, env: Result<Arc<Env>, SystemError>) -> Exit {
    let (common, command) = (typed.common, typed.command.unwrap_or(commands::Command::HOME));
    let name = command.name();
    let overrides = Overrides { identity: common.identity, directory: common.directory };
    let needs = command.needs();
    let read = |env: Arc<Env>| -> Result<Context, Failure> {
        let context = context_of(env, &overrides, name)?;
        if let Needs::These(sections) = needs {
            context.require(sections)?;
        }
        layer_option::chosen(context, &common.layers, name)
    };
    let context = match env.map_err(Failure::from).and_then(read) {
        Ok(context) => context,
        Err(error) => {
            let (out, err) = styles(common.color, None);
            let form = Form { json: common.json, quiet: common.quiet, out, err, pager: None };
            return output::print(name, Err(error), form);
        }
    };
    let (style, err) = styles(common.color, Some(&context));
    let asks = context.interactive && !common.json;
    let chatty = asks && !common.quiet;
    // git's hooks run in the middle of git's own work.
    let of_git = name.starts_with("hook");
    // Nothing is resumed if the identity may be elsewhere, or for a verb that needs no settings.
    let begins = !of_git && needs != Needs::Nothing && context.require(&[Section::Place]).is_ok();
    let (ws, restored) =
        if begins { Workspace::at_start(context) } else { (Workspace::unrecovered(context), None) };
    let is_open = of_git || layer_option::is_open(name, needs);
    let whose = if is_open { Ok(()) } else { ws.decided().map_err(Failure::from) };
    let mut result = whose.and_then(|()| {
        command.run(&Cli {
            ws: &ws,
            style,
            err,
            asks,
            chatty,
            verbose: common.verbose,
            layers: &common.layers,
            definition: commands::Cli::command,
            overview: commands::OVERVIEW,
        })
    });
    result = of_layer::named(result, &ws, name);
    // Reindexing says so itself.
    if common.verbose && name != "knowledge reindex" {
        result = result.map(|output| output.noting(ws.noted()));
    }
    match (&mut result, restored) {
        (Ok(output), Some(restored)) => output.warnings.push(restored),
        (Err(_), Some(restored)) => output::say(&said!("warning: {}\n", restored)),
        (_, None) => {}
    }
    if let (Ok(output), Needs::Defaults | Needs::These(_)) = (&mut result, needs) {
        output.warnings.extend(ws.settings.unusable().map(meanwhile));
    }
    if let (Ok(_), false, Some(tool)) = (&result, asks, tool(name)) {
        hot::note(&ws, tool);
    }
    let pager = (asks && !common.no_pager).then_some(ws.context());
    let form = Form { json: common.json, quiet: common.quiet, out: style, err, pager };
    let exit = output::print(name, result, form);
    ended(ws, exit)
}

/// Leaves what is open to the end of the process, which closes it sooner than one by one.
fn ended(ws: Workspace, exit: Exit) -> Exit {
    std::mem::forget(ws);
    exit
}

/// What a value that cannot be used means for a verb that goes on without it.
fn meanwhile(fault: &Fault) -> String {
    match fault.concern {
        Concern::Everything => format!("{fault}; the defaults are used"),
        _ => format!("{fault}; its default is used"),
    }
}

/// How standard output and standard error are styled.
fn styles(color: Color, context: Option<&Context>) -> (Style, Style) {
    (
        Style::for_stream(&io::stdout(), color, context),
        Style::for_stream(&io::stderr(), color, context),
    )
}

/// The name of the MCP tool for a verb.
fn tool(verb: &str) -> Option<&'static str> {
    Some(match verb {
        "memory save" => "save_memory",
        "memory recall" => "recall_memory",
        "memory list" => "list_memories",
        "knowledge search" => "knowledge_search",
        "knowledge write" => "knowledge_write",
        "knowledge list" => "knowledge_list",
        "knowledge delete" => "knowledge_delete",
        _ => return None,
    })
}

/// Suggests the command of a group for a misplaced name (`co export`), and never one that deletes
/// for a mistyped name.
fn with_suggestion(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let typed = error.get(ContextKind::InvalidSubcommand).map(ToString::to_string);
    let is_first = typed == verb(arguments);
    if let Some(tip) = typed.as_deref().filter(|_| is_first).and_then(mistyped::tip) {
        error.remove(ContextKind::SuggestedSubcommand);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        return error;
    }
    let learns = |verb: &str| matches!(verb, "learn" | "remember" | "save" | "memory");
    let option = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    let option = option.filter(|_| verb(arguments).is_some_and(|verb| learns(&verb)));
    if let Some(tip) = option.as_deref().and_then(mistyped::tip_for_learning) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
        return error;
    }
    let deletes = |name: &String| name.ends_with(" rm") || name.ends_with(" forget");
    let whole = typed.as_deref().and_then(|typed| top_help::whole_name(&definition(), typed));
    if let Some(whole) = whole.filter(|whole| !deletes(whole)) {
        let suggested = ContextValue::Strings(vec![whole]);
        error.insert(ContextKind::SuggestedSubcommand, suggested);
        return error;
    }
    if let Some(ContextValue::Strings(names)) = error.get(ContextKind::SuggestedSubcommand) {
        // An alias of a command of `co` may be the name of one in a group.
        let definition = definition();
        let typed = typed.as_deref().unwrap_or_default();
        let group = top_help::group_of(&definition, typed, arguments);
        let own = top_help::own_names(group, names);
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(own));
    }
    let suggested = error.get(ContextKind::SuggestedSubcommand).map(ToString::to_string);
    if suggested.is_some_and(|names| names.contains("forget") || names.contains("rm")) {
        error.remove(ContextKind::SuggestedSubcommand);
    }
    error
}

/// Prints what clap reports; help and version are not errors.
fn refuse(error: &clap::Error, arguments: &[OsString]) -> Exit {
    if !error.use_stderr() {
        let of_co = error.kind() == ErrorKind::DisplayHelp && verb(arguments).is_none();
        let seen = io::stdout().is_terminal() && !crate::machine::terminal::is_plain();
        let is_help = error.kind() == ErrorKind::DisplayHelp;
        let more = if is_help { format!("\n{}", top_help::OPTIONS) } else { String::new() };
        let text = match (of_co, seen) {
            (true, _) => top_help::shown(definition(), commands::OVERVIEW),
            (false, true) => format!("{}{more}", error.render().ansi()),
            (false, false) => format!("{}{more}", error.render()),
        };
        let asks_json = arguments.iter().any(|argument| argument == "--json");
        let text = match (asks_json, error.kind()) {
            (true, ErrorKind::DisplayVersion) => {
                json::success("version", json!({ "version": env!("CARGO_PKG_VERSION") }), &[])
            }
            (true, _) => json::success("help", json!({ "text": text }), &[]),
            (false, _) => text,
        };
        return output::of_clap(io::stdout(), &text);
    }
    // A hook never exits with 2, which agents interpret as "block"; global options may precede it.
    let exit = if verb(arguments).as_deref() == Some("hook") { Exit::Other } else { Exit::Usage };
    if arguments.iter().any(|argument| argument == "--json") {
        let message = error.to_string();
        let message = redact(&message);
        let lines = message.lines().take_while(|line| !line.is_empty());
        let first = lines.map(str::trim).collect::<Vec<&str>>().join(" ");
        let failure = Failure::new(exit, first.trim_start_matches("error: ")).hint(
            match error.get(ContextKind::Suggested) {
                Some(ContextValue::StyledStrs(tips)) => {
                    let tips: Vec<String> = tips.iter().map(ToString::to_string).collect();
                    redact(&tips.join("; ")).into_owned()
                }
                _ => "see `co help` and `co COMMAND --help`".to_owned(),
            },
        );
        let command = verb(arguments).unwrap_or_default();
        let text = json::failure(&command, &serde_json::Value::Null, &[], &failure);
        output::of_clap(io::stdout(), &text);
        return exit;
    }
    let seen = io::stderr().is_terminal() && !crate::machine::terminal::is_plain();
    let text = error.render();
    let text = if seen { text.ansi().to_string() } else { text.to_string() };
    // The message quotes the arguments, which may contain a secret value.
    output::of_clap(io::stderr(), &redact(&text));
    exit
}

/// The verb that was typed: the first word that is neither an option nor an option's value.
fn verb(arguments: &[OsString]) -> Option<String> {
    let mut words = arguments.iter().skip(1).map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        match word.as_ref() {
            "-C" | "--identity" | "--color" | "--layer" => drop(words.next()),
            option if option.starts_with('-') => {}
            verb => return Some(verb.to_owned()),
        }
    }
    None
}

/// The whole command line, for help and completions.
fn definition() -> clap::Command {
    let mut definition = commands::Cli::command();
    definition.build();
    definition
}

/// The completion script of a shell for `co`.
pub fn completions(shell: Shell) -> String {
    generate::completions(shell, commands::Cli::command)
}

/// Every man page: file name and text.
pub fn man_pages() -> Vec<(String, String)> {
    generate::man_pages(commands::Cli::command)
}
