//! The terminal: its width, and the user's editor.

use super::{Context, SystemError, error::At, process::Process};
use crate::foreign::Foreign;
use std::{
    fs,
    io::{BufRead, Write},
    path::Path,
};

/// In columns; 80 if the terminal does not report it.
pub fn width() -> usize {
    size().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0).unwrap_or(80)
}

/// In lines; 24 if the terminal does not report it.
fn height() -> usize {
    size().map(|size| usize::from(size.ws_row)).filter(|lines| *lines > 0).unwrap_or(24)
}

fn size() -> Option<rustix::termios::Winsize> {
    let out = rustix::termios::tcgetwinsize(rustix::stdio::stdout());
    out.or_else(|_| rustix::termios::tcgetwinsize(rustix::stdio::stderr())).ok()
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

/// Shows a text in `PAGER`, else `less`; `false` if the caller has to print it.
pub fn page(context: &Context, text: &str) -> bool {
    let pager = context.env("CO_PAGER").or(context.env("PAGER")).unwrap_or("less").to_owned();
    // The shell quotes a command that it cannot start, unescaped.
    if pager == "cat" || !Foreign(&pager).is_seen_whole() || text.lines().count() < height() {
        return false;
    }
    let mut process = Process::new("sh");
    process.arg("-c").arg(&pager).input(text.as_bytes().to_vec());
    if context.env("LESS").is_none() {
        process.env("LESS", "FRX");
    }
    // 127: the shell found no such program.
    process.foreground().is_ok_and(|status| status.code() != Some(127))
}

/// `None` if the text was left unchanged.
pub fn edit(context: &Context, text: &str) -> Result<Option<String>, SystemError> {
    let editor = context.env("VISUAL").or(context.env("EDITOR")).unwrap_or("vi").to_owned();
    if !Foreign(&editor).is_seen_whole() {
        return Err(SystemError::Editor { command: editor });
    }
    let file = tempfile::Builder::new()
        .prefix("co-edit-")
        .suffix(".md")
        .tempfile()
        .at("write", Path::new("a temporary file"))?;
    file.as_file().write_all(text.as_bytes()).at("write", file.path())?;
    // The variable may contain arguments (`code --wait`), so a shell splits it, as git does.
    let status = Process::new("sh")
        .arg("-c")
        .arg(format!("{editor} \"$@\""))
        .arg("co")
        .arg(file.path())
        .foreground()
        .at("start", Path::new(&editor))?;
    if !status.success() {
        return Err(SystemError::Editor { command: editor });
    }
    let edited = fs::read_to_string(file.path()).at("read", file.path())?;
    Ok((edited.trim_end() != text.trim_end()).then_some(edited))
}
