//! Standard input and output as lines, for a server; standard input as a whole, for a hook.
//!
//! Invariant: lines have a length limit, so that no client can exhaust memory; longer lines are
//! skipped and reported.

use super::files;
use std::{
    io::{self, BufRead, IsTerminal, Read, Write},
    sync::mpsc,
    thread,
    time::Duration,
};

/// A line of standard input.
pub enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// Calls `call` with each line until the input ends, or until it returns false.
pub fn each_line(limit: u64, mut call: impl FnMut(Line) -> bool) {
    let mut input = io::stdin().lock();
    loop {
        let mut bytes = Vec::new();
        let Ok(read) = (&mut input).take(limit).read_until(b'\n', &mut bytes) else { return };
        let is_whole = bytes.last() == Some(&b'\n');
        let line = match (read, is_whole) {
            (0, _) => return,
            (_, false) if read as u64 == limit => {
                skip_line(&mut input);
                Line::TooLong
            }
            _ => Line::Text(bytes),
        };
        if !call(line) {
            return;
        }
    }
}

fn skip_line(input: &mut impl BufRead) {
    loop {
        let Ok(there) = input.fill_buf() else { return };
        let end = memchr::memchr(b'\n', there);
        let count = end.map_or(there.len(), |at| at + 1);
        if count == 0 {
            return;
        }
        input.consume(count);
        if end.is_some() {
            return;
        }
    }
}

/// Writes to standard output and flushes.
pub fn write(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(bytes).and_then(|()| output.flush())
}

/// All of standard input, of at most so many bytes; nothing from a terminal, nor from a program
/// that does not end it within this time.
pub fn told(limit: u64, wait: Duration) -> Vec<u8> {
    if io::stdin().is_terminal() {
        return Vec::new();
    }
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(files::read_stdin(limit)));
    receiver.recv_timeout(wait).ok().and_then(Result::ok).unwrap_or_default()
}
