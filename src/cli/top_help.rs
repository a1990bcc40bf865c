//! `co --help`: every command, by what a person wants to do.
//!
//! Invariant: names and descriptions come from the rows of `commands`. Must not know: any verb.

use super::{
    args::Common,
    style::{Color, Style},
    verb::Overview,
    wrap,
};
use crate::foreign::{Foreign, Said, said};
use crate::machine::terminal;
use clap::{Args, Command, builder::StyledStr};
use std::{
    ffi::OsString,
    io::{self, IsTerminal},
};

/// The column where the descriptions begin.
const COLUMN: usize = 15;

/// The help of co itself, wrapped at the terminal's width.
pub(super) fn shown(definition: Command, overview: Overview) -> String {
    let color = if terminal::is_plain() { Color::Never } else { Color::Auto };
    let style = Style::for_stream(&io::stdout(), color, None);
    let width = if io::stdout().is_terminal() { terminal::width().min(100) } else { 100 };
    let text = wrap::prose(&text(definition, overview), width);
    let lines: Said = text.lines().map(|line| painted(line, style) + "\n").collect();
    lines.into_string()
}

/// Headings and command names are bold.
fn painted(line: &str, style: Style) -> Said {
    let is_heading = !line.starts_with(' ') && line.ends_with(':');
    match line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')) {
        Some(row) => {
            let (name, about) = row.split_once(' ').unwrap_or((row, ""));
            said!("  {} {}", style.strong(Foreign(name)), about)
        }
        None if is_heading => style.strong(Foreign(line)),
        None => Foreign(line).into(),
    }
}

/// The help of co itself, to be wrapped by the caller.
pub(super) fn text(mut definition: Command, overview: Overview) -> String {
    definition.build();
    let about = definition.get_about().map(StyledStr::to_string).unwrap_or_default();
    let mut text = format!("{about}.\n\nUsage: co [OPTIONS] [COMMAND]\n");
    for (heading, names) in overview {
        text.push_str(&format!("\n{heading}:\n"));
        for name in names.iter().map(|name| name.to_lowercase()) {
            let about = definition.find_subcommand(&name).and_then(Command::get_about);
            let about = about.map(StyledStr::to_string).unwrap_or_default();
            text.push_str(&row(&name, &about));
        }
    }
    let end = definition.get_after_help().map(StyledStr::to_string).unwrap_or_default();
    format!("{text}\n{end}\n")
}

/// The options of every command.
pub(super) fn options() -> String {
    let co = Command::new("co").version(super::version::VERSION);
    let mut common = Common::augment_args(co);
    // Building adds help and version.
    common.build();
    let mut text = "Every command accepts:\n\n".to_owned();
    for option in common.get_arguments().filter(|option| !option.is_positional()) {
        let short = option.get_short().map(|letter| format!("-{letter}"));
        let long = option.get_long().map(|name| format!("--{name}"));
        let names: Vec<String> = short.into_iter().chain(long).collect();
        let value = option.get_value_names().filter(|_| option.get_action().takes_values());
        let value = value.map_or_else(String::new, |names| format!(" {}", names.join(" ")));
        let about = option.get_help().map(StyledStr::to_string).unwrap_or_default();
        text.push_str(&option_row(&format!("{}{value}", names.join(", ")), &about));
    }
    text
}

/// The line in a verb's help that refers to these options.
pub(super) const OPTIONS: &str = "Options of every command: `co help options`.\n";

/// The full name of a command in a group: `identity export` for `export`.
pub(super) fn whole_name(definition: &Command, typed: &str) -> Option<String> {
    let inside = |group: &Command| {
        let known = group.find_subcommand(typed).filter(|command| !command.is_hide_set())?;
        Some(format!("{} {}", group.get_name(), known.get_name()))
    };
    definition.get_subcommands().find_map(inside)
}

/// The group of commands in which a name was typed.
pub(super) fn group_of<'a>(
    definition: &'a Command,
    typed: &str,
    arguments: &[OsString],
) -> &'a Command {
    let words = arguments.iter().skip(1).map(|word| word.to_string_lossy());
    let before = words.take_while(|word| &**word != typed);
    before.fold(definition, |group, word| group.find_subcommand(&*word).unwrap_or(group))
}

/// The canonical, distinct names of a group's commands for names or aliases: the nearest come last.
pub(super) fn own_names(group: &Command, names: &[String]) -> Vec<String> {
    let mut own: Vec<String> = Vec::new();
    for name in names.iter().rev() {
        let known = group.find_subcommand(name).map(|known| known.get_name().to_owned());
        let known = known.unwrap_or_else(|| name.clone());
        if own.len() < 2 && !own.contains(&known) {
            own.push(known);
        }
    }
    own
}

fn row(name: &str, about: &str) -> String {
    format!("  {name:<width$}{about}\n", width = COLUMN - 2)
}

fn option_row(names: &str, about: &str) -> String {
    format!("  {names:<21} {about}\n")
}
