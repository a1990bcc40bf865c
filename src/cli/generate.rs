//! Man pages and completions, from the same definition as the help. They are committed and compared
//! by a test.

use clap_complete::Shell;

/// The completions of a shell.
pub fn completions(shell: Shell) -> String {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut super::definition(), "co", &mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Every man page: file name, text.
pub fn man_pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    collect(&super::definition().name("co").disable_help_flag(false), "co", &mut pages);
    pages
}

fn collect(command: &clap::Command, name: &str, pages: &mut Vec<(String, String)>) {
    let page =
        clap_mangen::Man::new(command.clone().name(name.to_owned()).display_name(name.to_owned()))
            .date("2026-11-21")
            .manual("co manual");
    let mut bytes = Vec::new();
    if page.render(&mut bytes).is_ok() {
        pages.push((format!("{name}.1"), String::from_utf8_lossy(&bytes).into_owned()));
    }
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        collect(sub, &format!("{name}-{}", sub.get_name()), pages);
    }
}

/// The page of co itself.
pub fn main_page() -> String {
    man_pages().into_iter().next().map(|(_, text)| text).unwrap_or_default()
}
