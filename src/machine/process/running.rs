//! A running process: its input and output, its limits, its end.
//!
//! Invariant: it is always waited for, and a process that exceeds a limit is killed with all that
//! it started.

use super::{
    awaited::Awaited,
    end::{End, Finished},
    limits::{Limits, ProcessGroup},
    listed::{self, Ps},
    tree,
};
use crate::machine::platform;
use std::{
    io::{Read, Write},
    process::{Child, ChildStdin},
    sync::{
        atomic::Ordering,
        mpsc::{self, Receiver, RecvTimeoutError, SyncSender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// How often the limits are checked while there is no output.
const TICK: Duration = Duration::from_millis(50);
/// How often to poll for the exit of a process that has closed its output.
const POLL: Duration = Duration::from_millis(2);
/// How many chunks of output to buffer.
const WAITING_CHUNKS: usize = 16;
/// Beyond this many bytes, standard error is no sign of life.
const MAX_STDERR: usize = 16 * 1024 * 1024;
/// How many bytes of the beginning of standard error are kept, and of its end, which says why a
/// program failed.
const KEPT_STDERR: usize = 256 * 1024;
/// Ticks without output after the exit before reading stops: last bytes may still be in the pipe.
const SILENT_TICKS: u32 = 8;
/// How much to read after the exit, if what it left running prints on: more chunks than a pipe can
/// hold, and how long.
const AFTER_EXIT: (usize, Duration) = (512, Duration::from_secs(5));

pub(super) struct Running {
    child: Child,
    group: ProcessGroup,
    limits: Limits,
    awaited: Option<Awaited>,
    ps: Ps,
    start: Instant,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// How many bytes of standard error were read.
    stderr_read: usize,
}

enum Chunk {
    Out(Vec<u8>),
    OutEnd,
    Err(Vec<u8>),
}

/// What was read after the exit.
#[derive(Default)]
struct AfterExit {
    chunks: usize,
    since: Option<Instant>,
}

impl AfterExit {
    /// Counts a chunk, and tells whether no more of it can be the program's own.
    fn is_enough(&mut self) -> bool {
        let (chunks, time) = AFTER_EXIT;
        self.chunks += 1;
        self.chunks > chunks || self.since.get_or_insert_with(Instant::now).elapsed() > time
    }
}

impl Running {
    pub(super) fn new(
        child: Child,
        group: ProcessGroup,
        limits: Limits,
        awaited: Option<Awaited>,
        ps: Ps,
    ) -> Running {
        let (stdout, stderr) = (Vec::new(), Vec::new());
        let start = Instant::now();
        Running { child, group, limits, awaited, ps, start, stdout, stderr, stderr_read: 0 }
    }

    /// Writes its input and reads its output until it exits or exceeds a limit.
    pub(super) fn run(mut self, input: Vec<u8>) -> Finished {
        let writer = self.write(input);
        let chunks = self.read();
        let watched = self.watch(&chunks);
        // A server exits once its input is closed.
        drop(writer);
        let end = match watched {
            None => self.wait(),
            Some(End::Enough) => {
                self.drain(&chunks);
                End::Enough
            }
            Some(limit) => limit,
        };
        let is_stuck = matches!(end, End::Silent | End::Late);
        let left = if is_stuck { tree::started_by(self.child.id(), self.ps) } else { Vec::new() };
        if !matches!(end, End::Exited(_)) || self.limits.leaves_nothing {
            self.kill();
        }
        let _ = self.child.wait();
        Finished { end, stdout: self.stdout, stderr: self.stderr, left }
    }

    /// Writes in a separate thread: a program may answer before it has read everything. The input
    /// is closed when the returned handle is dropped, or at once if no lines are awaited.
    fn write(&mut self, bytes: Vec<u8>) -> Option<JoinHandle<Option<ChildStdin>>> {
        let mut stdin = self.child.stdin.take()?;
        let stays_open = self.limits.lines.is_some();
        Some(thread::spawn(move || {
            // A program that exited early has reported why.
            let _ = stdin.write_all(&bytes).and_then(|()| stdin.flush());
            stays_open.then_some(stdin)
        }))
    }

    /// The channel is bounded, so that unread output does not fill memory.
    fn read(&mut self) -> Receiver<Chunk> {
        let (sender, receiver) = mpsc::sync_channel(WAITING_CHUNKS);
        if let Some(mut pipe) = self.child.stdout.take() {
            let sender = sender.clone();
            thread::spawn(move || {
                send_all(&mut pipe, &sender, Chunk::Out);
                let _ = sender.send(Chunk::OutEnd);
            });
        }
        if let Some(mut pipe) = self.child.stderr.take() {
            thread::spawn(move || send_all(&mut pipe, &sender, Chunk::Err));
        }
        receiver
    }

    /// Collects the output until a limit is exceeded; `None` when the output is complete.
    fn watch(&mut self, chunks: &Receiver<Chunk>) -> Option<End> {
        let mut last = self.start;
        let (mut silent_ticks, mut after) = (0, AfterExit::default());
        let is_server = self.limits.lines.is_some();
        loop {
            match chunks.recv_timeout(TICK) {
                Err(RecvTimeoutError::Disconnected) => return None,
                Ok(Chunk::OutEnd) if is_server => return None,
                Ok(chunk) => {
                    if self.collect(chunk) {
                        last = Instant::now();
                    }
                    silent_ticks = 0;
                    if !is_server && self.has_exited() && after.is_enough() {
                        return None;
                    }
                }
                // A child that it left running may keep the pipes open. A server may be started by
                // a program that exits.
                Err(RecvTimeoutError::Timeout) if !is_server && self.has_exited() => {
                    silent_ticks += 1;
                    if silent_ticks == SILENT_TICKS {
                        return None;
                    }
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let exceeded = self.exceeded_limit(last).or_else(|| self.overdue());
            if exceeded.is_some() {
                return exceeded;
            }
        }
    }

    fn has_exited(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// The limit that has been exceeded, if any.
    fn exceeded_limit(&self, last: Instant) -> Option<End> {
        let Limits { silence, deadline, output, memory, lines, aborted, .. } = self.limits;
        let has_lines = |most: usize| memchr::memchr_iter(b'\n', &self.stdout).count() >= most;
        let is_silent = last.elapsed() > TICK / 2;
        if aborted.is_some_and(|aborted| aborted.load(Ordering::Relaxed)) {
            Some(End::Aborted)
        } else if lines.is_some_and(has_lines) {
            Some(End::Enough)
        } else if output.is_some_and(|most| self.stdout.len() as u64 > most) {
            Some(End::TooMuchOutput)
        } else if deadline.is_some_and(|limit| self.start.elapsed() > limit) {
            Some(End::Late)
        } else if silence.is_some_and(|limit| last.elapsed() > limit) {
            Some(End::Silent)
        } else if is_silent && memory.is_some_and(|most| self.memory() > most) {
            Some(End::TooMuchMemory)
        } else {
            None
        }
    }

    /// Whether it has waited too long for what it started.
    fn overdue(&mut self) -> Option<End> {
        let (number, ps) = (self.child.id(), self.ps);
        let awaited = self.awaited.as_mut()?;
        awaited.is_overdue(|| tree::started_by(number, ps)).then_some(End::Late)
    }

    fn memory(&self) -> u64 {
        listed::memory(self.child.id(), self.ps).unwrap_or(0)
    }

    /// Keeps a chunk of the output; false if there is too much of it to be a sign of life.
    fn collect(&mut self, chunk: Chunk) -> bool {
        match chunk {
            Chunk::Out(bytes) => {
                let has_room = self.limits.kept.is_none_or(|most| self.stdout.len() < most);
                if has_room {
                    self.stdout.extend(bytes);
                }
                has_room
            }
            Chunk::Err(bytes) => {
                self.stderr_read += bytes.len();
                self.stderr.extend(bytes);
                shorten(&mut self.stderr);
                self.stderr_read <= MAX_STDERR
            }
            Chunk::OutEnd => true,
        }
    }

    /// Waits for a server to exit after its last wanted line; discards the rest of its output.
    fn drain(&mut self, chunks: &Receiver<Chunk>) {
        while !self.is_late() && !self.has_exited() {
            match chunks.recv_timeout(POLL) {
                Ok(Chunk::Out(_) | Chunk::OutEnd) | Err(RecvTimeoutError::Timeout) => {}
                Ok(chunk) => {
                    self.collect(chunk);
                }
                Err(RecvTimeoutError::Disconnected) => thread::sleep(POLL),
            }
        }
        while let Ok(chunk) = chunks.try_recv() {
            if matches!(chunk, Chunk::Err(_)) {
                self.collect(chunk);
            }
        }
    }

    fn is_late(&self) -> bool {
        self.limits.deadline.is_some_and(|limit| self.start.elapsed() > limit)
    }

    /// Waits for the exit, at most until the deadline.
    fn wait(&mut self) -> End {
        if self.limits.deadline.is_none() {
            return End::Exited(self.child.wait().ok());
        }
        loop {
            match self.child.try_wait() {
                Ok(None) if self.is_late() => return End::Late,
                Ok(None) => thread::sleep(POLL),
                Ok(status) => return End::Exited(status),
                Err(_) => return End::Exited(None),
            }
        }
    }

    /// Kills it and everything it started: a signing program, ssh, hooks.
    fn kill(&mut self) {
        let below = tree::descendants(self.child.id(), self.ps);
        if self.group == ProcessGroup::Own {
            platform::kill_group(self.child.id());
        }
        let _ = self.child.kill();
        platform::kill(&below);
    }
}

/// Removes whole lines from the middle of what is too long.
fn shorten(text: &mut Vec<u8>) {
    if text.len() < 4 * KEPT_STDERR {
        return;
    }
    let tail = text.len() - KEPT_STDERR;
    let first = memchr::memrchr(b'\n', &text[..KEPT_STDERR]).map_or(KEPT_STDERR, |at| at + 1);
    let last = memchr::memchr(b'\n', &text[tail..]).map_or(tail, |at| tail + at + 1);
    text.drain(first..last);
}

fn send_all(pipe: &mut impl Read, sender: &SyncSender<Chunk>, of: fn(Vec<u8>) -> Chunk) {
    let mut buffer = [0; 8192];
    while let Ok(count @ 1..) = pipe.read(&mut buffer) {
        if sender.send(of(buffer[..count].to_vec())).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_of_a_long_text_are_kept() {
        let line = |number: usize| format!("line {number}\n").into_bytes();
        let mut text = Vec::new();
        for number in 0..400_000 {
            text.extend(line(number));
            shorten(&mut text);
        }
        assert!(text.len() < 4 * KEPT_STDERR && text.starts_with(b"line 0\nline 1\n"));
        assert!(text.ends_with(&[line(399_998), line(399_999)].concat()));
        let is_whole = |line: &[u8]| line.is_empty() || line.starts_with(b"line ");
        assert!(text.split(|byte| *byte == b'\n').all(is_whole));
        // A single line loses its middle.
        let mut text = vec![b'x'; 5 * KEPT_STDERR];
        shorten(&mut text);
        assert_eq!(text.len(), 2 * KEPT_STDERR);
    }
}
