//! The terminal: its width, and the user's editor.

use super::{Context, SystemError, error::At, files, platform, process::Process};
use crate::foreign::Foreign;
use crate::identity::incoming;
use std::{
    fs,
    io::{BufRead, Write},
    path::{Path, PathBuf},
    time::Duration,
};

/// In columns; 80 if the terminal does not report it.
pub fn width() -> usize {
    size().map(|(columns, _)| columns).filter(|columns| *columns > 0).unwrap_or(80)
}

/// In lines; 24 if the terminal does not report it.
fn height() -> usize {
    size().map(|(_, lines)| lines).filter(|lines| *lines > 0).unwrap_or(24)
}

fn size() -> Option<(usize, usize)> {
    let of_out = terminal_size::terminal_size_of(std::io::stdout());
    let (width, height) = of_out.or_else(|| terminal_size::terminal_size_of(std::io::stderr()))?;
    Some((usize::from(width.0), usize::from(height.0)))
}

/// Whether the environment disables colours; for use before [`Context`] is read.
pub fn is_plain() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Reads a line from a person; `None` at the end of the input. The terminal stays in its normal
/// mode, so that it does the editing, and Ctrl-C leaves nothing behind.
///
/// Invalid UTF-8 is replaced.
pub fn line() -> Option<String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().read_until(b'\n', &mut bytes).ok()?;
    (read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// Shows a text in `PAGER`, else the system's pager; `false` if the caller has to print it.
pub fn page(context: &Context, text: &str) -> bool {
    let pager =
        context.env("CO_PAGER").or(context.env("PAGER")).unwrap_or(platform::PAGER).to_owned();
    // The shell quotes a command that it cannot start, unescaped.
    if pager == "cat" || !Foreign(&pager).is_seen_whole() || text.lines().count() < height() {
        return false;
    }
    let mut process = Process::shell(&pager, &[]);
    process.input(text.as_bytes().to_vec());
    if context.env("LESS").is_none() {
        process.env("LESS", "FRX");
    }
    // 127: the shell found no such program.
    process.foreground().is_ok_and(|status| status.code() != Some(127))
}

/// Keeps what a person typed and what could not be saved, in a file for the user alone.
pub fn keep(context: &Context, typed: &[u8]) -> Result<PathBuf, SystemError> {
    let folder = context.config_dir.join("local").join("unsaved");
    files::make_dir(&folder)?;
    let mut named = tempfile::Builder::new();
    let mut file =
        named.prefix("co-edit-").suffix(".md").tempfile_in(&folder).at("write", &folder)?;
    file.write_all(typed).at("write", &folder)?;
    let (_, path) = file.keep().map_err(|error| error.error).at("write", &folder)?;
    Ok(path)
}

/// How long `man` may take to format a page.
const FORMATTING: Duration = Duration::from_secs(10);

/// A man page as `man` formats it for this width; `None` where there is no `man`, or one that does
/// not format what it is given.
pub fn formatted(page: &str, width: usize) -> Option<String> {
    let mut man = Process::new("man");
    man.args(["-l", "-"]).input(page.as_bytes().to_vec()).deadline(FORMATTING);
    man.env("MANWIDTH", width.to_string()).env("MANPAGER", "cat").env("PAGER", "cat");
    // Else it keeps what makes a printer write bold.
    man.env_remove("MAN_KEEP_FORMATTING");
    let formatted = man.run().ok().filter(|man| man.end.is_success())?;
    let text = String::from_utf8(formatted.stdout).ok()?;
    text.lines().any(|line| line == "NAME").then_some(text)
}

/// `None` if the text was left unchanged.
pub fn edit(context: &Context, text: &str) -> Result<Option<String>, SystemError> {
    let editor =
        context.env("VISUAL").or(context.env("EDITOR")).unwrap_or(platform::EDITOR).to_owned();
    if !Foreign(&editor).is_seen_whole() {
        return Err(SystemError::Editor { command: editor, kept: None });
    }
    let file = tempfile::Builder::new()
        .prefix("co-edit-")
        .suffix(".md")
        .tempfile()
        .at("write", Path::new("a temporary file"))?;
    file.as_file().write_all(text.as_bytes()).at("write", file.path())?;
    // The variable may contain arguments (`code --wait`), so a shell splits it, as git does.
    let edited = Process::shell(&editor, &[file.path()]).foreground();
    let status = edited.at("start", Path::new(&editor))?;
    let edited = fs::read(file.path()).at("read", file.path())?;
    if !status.success() {
        let is_typed = edited != text.as_bytes();
        let kept = is_typed.then(|| keep(context, &edited).ok()).flatten();
        return Err(SystemError::Editor { command: editor, kept });
    }
    let edited = match String::from_utf8(edited) {
        Ok(edited) => edited,
        Err(error) => {
            let path = keep(context, error.as_bytes())?;
            return Err(SystemError::Damaged { path, reason: "not UTF-8".into() });
        }
    };
    // Some editors save with a byte order mark, or with other line ends.
    let edited = incoming::plain(&edited).into_owned();
    Ok((edited.trim_end() != text.trim_end()).then_some(edited))
}
