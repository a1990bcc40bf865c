//! Man pages and completions, generated from the same definition as the help. The results are
//! committed and compared by a test.

use super::{complete, environment, verb::Definition};
use crate::cli::failure::Exit;
use clap::ValueEnum;
use clap_complete::env::{Bash, Elvish, EnvCompleter, Fish, Powershell, Zsh};
use std::{io::Write, mem};

/// The shells that completions are made for.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shell {
    Bash,
    Elvish,
    Fish,
    Nushell,
    #[value(name = "powershell")]
    PowerShell,
    Zsh,
}

impl Shell {
    /// The file name that the shell or a packager looks for.
    pub fn file(self) -> &'static str {
        match self {
            Shell::Bash => "co.bash",
            Shell::Elvish => "co.elv",
            Shell::Fish => "co.fish",
            Shell::Nushell => "co.nu",
            Shell::PowerShell => "co.ps1",
            Shell::Zsh => "_co",
        }
    }
}

/// The completion script of a shell for `co`.
pub(super) fn completions(shell: Shell, definition: Definition) -> String {
    let mut bytes = Vec::new();
    let asking: &dyn EnvCompleter = match shell {
        Shell::Bash => &Bash,
        Shell::Elvish => &Elvish,
        Shell::Fish => &Fish,
        Shell::PowerShell => &Powershell,
        Shell::Zsh => &Zsh,
        Shell::Nushell => {
            let nushell = clap_complete_nushell::Nushell;
            let mut definition = definition().mut_args(seen);
            clap_complete::generate(nushell, &mut definition, "co", &mut bytes);
            return String::from_utf8_lossy(&bytes).into_owned();
        }
    };
    asking
        .write_registration(complete::VARIABLE, "co", "co", "co", &mut bytes)
        .expect("because memory takes every byte");
    let script = String::from_utf8_lossy(&bytes).into_owned();
    if shell == Shell::Zsh { script + AUTOLOADED } else { script }
}

/// A file on zsh's fpath is the function itself on its first call, and must complete then too.
const AUTOLOADED: &str = "
if [ \"$funcstack[1]\" = _co ]; then
    _clap_dynamic_completer_co \"$@\"
fi
";

/// Every man page: file name and text.
pub(super) fn man_pages(definition: Definition) -> Vec<(String, String)> {
    let mut pages = Vec::new();
    let mut co = definition().name("co").disable_help_flag(false).mut_args(seen);
    // Each separately: the common options are on co's own page.
    for verb in co.get_subcommands_mut() {
        let typed = format!("co {}", verb.get_name());
        *verb = mem::take(verb).bin_name(typed).disable_help_subcommand(true);
        verb.build();
    }
    collect(&co, "co", "co", &mut pages);
    for (long, short) in long_forms(&co) {
        if let Some((_, page)) = pages.iter_mut().find(|(name, _)| *name == long) {
            *page = format!("{SOURCE}{short}\n");
        }
    }
    pages
}

/// Long forms of short verbs (`memory save` for `learn`), each with the page that it shares: they
/// have the same description and the same arguments.
fn long_forms(co: &clap::Command) -> Vec<(String, String)> {
    let says = |verb: &clap::Command| verb.get_about().map(ToString::to_string);
    let takes = |verb: &clap::Command| -> Vec<String> {
        verb.get_arguments().map(|argument| argument.get_id().to_string()).collect()
    };
    let short_of = |long: &clap::Command| {
        let mut shown = co.get_subcommands().filter(|verb| !verb.is_hide_set());
        shown.find(|short| says(short) == says(long) && takes(short) == takes(long))
    };
    let of_group = |group: &clap::Command| -> Vec<(String, String)> {
        let page = |long: &clap::Command| {
            let short = short_of(long)?.get_name();
            Some((
                format!("co-{}-{}.1", group.get_name(), long.get_name()),
                format!("co-{short}.1"),
            ))
        };
        group.get_subcommands().filter_map(page).collect()
    };
    co.get_subcommands().flat_map(of_group).collect()
}

/// The line with which a page refers to another one.
const SOURCE: &str = ".so man1/";

/// The common options are on one page, and in no command's help.
fn seen(option: clap::Arg) -> clap::Arg {
    option.hide(false)
}

/// The page is named after its file; the typed command has spaces between the words.
fn collect(command: &clap::Command, name: &str, typed: &str, pages: &mut Vec<(String, String)>) {
    let named = command.clone().name(name.to_owned()).display_name(name.to_owned());
    let synopsis = synopsis(&mut named.clone().bin_name(typed));
    let page = clap_mangen::Man::new(named.bin_name(typed)).date("2026-11-21").manual("co manual");
    let mut bytes = Vec::new();
    let ends = |bytes: &mut Vec<u8>| bytes.write_all(endings(name).as_bytes());
    if page.render(&mut bytes).and_then(|()| ends(&mut bytes)).is_ok() {
        let page = String::from_utf8_lossy(&bytes).into_owned();
        pages.push((format!("{name}.1"), in_our_words(&page, &synopsis)));
    }
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let word = sub.get_name();
        collect(sub, &format!("{name}-{word}"), &format!("{typed} {word}"), pages);
    }
}

/// The usage line, which includes the values of options.
fn synopsis(command: &mut clap::Command) -> String {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").lines().map(str::trim);
    usage.map(|line| format!("{}\n.br\n", roff(line))).collect()
}

fn in_our_words(page: &str, synopsis: &str) -> String {
    const SYNOPSIS: &str = ".SH SYNOPSIS\n";
    let page = page.replace(".SH EXTRA\n", ".SH NOTES\n");
    let Some((head, rest)) = page.split_once(SYNOPSIS) else { return page };
    let after = rest.find(".SH ").unwrap_or(rest.len());
    format!("{head}{SYNOPSIS}{}\n{}", synopsis.trim_end_matches("\n.br\n"), &rest[after..])
}

fn endings(name: &str) -> String {
    let exits =
        |(exit, meaning): &(Exit, &str)| format!(".TP\n.B {}\n{}\n", exit.code(), roff(meaning));
    let exits: String = Exit::ALL.iter().map(exits).collect();
    let variables =
        |(names, about): &(&str, &str)| format!(".TP\n.B {}\n{}\n", roff(names), roff(about));
    let variables: String = environment::VARIABLES.iter().map(variables).collect();
    let also = if name == "co" { "git (1)" } else { "co (1), git (1)" };
    format!(
        ".SH \"EXIT STATUS\"\n{exits}{FILES}.SH ENVIRONMENT\n{variables}.SH \"SEE ALSO\"\n{also}\n"
    )
}

const FILES: &str = ".SH FILES\n.TP\n.I ~/.config/co\\-cli/identity\nthe identity, a git repository\n\
                     .TP\n.I ~/.config/co\\-cli/settings.json\nthis laptop's settings\n\
                     .TP\n.I ~/.config/co\\-cli/local\ncaches and the undo history\n\
                     .TP\n.I .co\\-cli\na project's own facts, context and instructions\n";

fn roff(text: &str) -> String {
    text.replace('\\', "\\\\").replace('-', "\\-")
}

/// The page of a command, or of co itself if there are no words.
pub(super) fn page(words: &[String], definition: Definition) -> Option<String> {
    let name = std::iter::once("co".to_owned()).chain(words.iter().cloned());
    let file = format!("{}.1", name.collect::<Vec<String>>().join("-"));
    let pages = man_pages(definition);
    let named = |file: &str| pages.iter().find(|(name, _)| name == file).map(|(_, text)| text);
    let text = named(&file)?;
    let text = text.strip_prefix(SOURCE).and_then(|other| named(other.trim())).unwrap_or(text);
    Some(text.clone())
}
