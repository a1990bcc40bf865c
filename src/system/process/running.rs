//! A process while it runs: what it reads and writes, its limits, its end.
//!
//! Invariant: whatever happens, it is waited for, and what passed a limit is killed with all that it
//! started.

use super::{End, Finished, Group, Limits, tree::descendants};
use crate::system::program;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::{
    io::{Read, Write},
    process::{Child, ChildStdin},
    sync::{
        atomic::Ordering,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// How often the limits are looked at while nothing is written.
const TICK: Duration = Duration::from_millis(50);
/// How often an ended process is waited for whose output is closed.
const POLL: Duration = Duration::from_millis(2);
/// How long the rest of the output may take after the end.
const REST: Duration = Duration::from_secs(1);
/// Silences after the end, in ticks: what was written last may still be on its way.
const SILENT_TICKS: u32 = 8;

pub(super) struct Running {
    child: Child,
    group: Group,
    limits: Limits,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

enum Chunk {
    Out(Vec<u8>),
    Err(Vec<u8>),
}

impl Running {
    pub(super) fn new(child: Child, group: Group, limits: Limits) -> Running {
        Running { child, group, limits, stdout: Vec::new(), stderr: Vec::new() }
    }

    /// Feeds it and reads what it writes until it ends or passes a limit.
    pub(super) fn run(mut self, input: Vec<u8>) -> Finished {
        let writer = self.write(input);
        let chunks = self.read();
        let end = match self.watch(&chunks) {
            Some(end) => end,
            None => self.wait(),
        };
        drop(writer);
        if end == End::Enough {
            // A server ends by itself once its input is closed.
            self.wait();
            self.kill();
            self.rest(&chunks);
        } else if !matches!(end, End::Exited(_)) {
            self.kill();
        }
        let _ = self.child.wait();
        Finished { end, stdout: self.stdout, stderr: self.stderr }
    }

    /// Writes in a thread of its own: a program may answer before it has read all. The input is
    /// closed when what this returns is dropped, or at once where no lines are waited for.
    fn write(&mut self, bytes: Vec<u8>) -> Option<JoinHandle<Option<ChildStdin>>> {
        let mut stdin = self.child.stdin.take()?;
        let stays_open = self.limits.lines.is_some();
        Some(thread::spawn(move || {
            // A program that ended early has said why.
            let _ = stdin.write_all(&bytes).and_then(|()| stdin.flush());
            stays_open.then_some(stdin)
        }))
    }

    fn read(&mut self) -> Receiver<Chunk> {
        let (sender, receiver) = mpsc::channel();
        let read = |mut pipe: Box<dyn Read + Send>, of: fn(Vec<u8>) -> Chunk| {
            let sender = sender.clone();
            thread::spawn(move || {
                let mut buffer = [0; 8192];
                while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                    if sender.send(of(buffer[..count].to_vec())).is_err() {
                        break;
                    }
                }
            });
        };
        if let Some(pipe) = self.child.stdout.take() {
            read(Box::new(pipe), Chunk::Out);
        }
        if let Some(pipe) = self.child.stderr.take() {
            read(Box::new(pipe), Chunk::Err);
        }
        receiver
    }

    /// Collects the output until a limit is passed; `None` when both streams are closed.
    fn watch(&mut self, chunks: &Receiver<Chunk>) -> Option<End> {
        let start = Instant::now();
        let mut last = start;
        let mut silent_ticks = 0;
        loop {
            match chunks.recv_timeout(TICK) {
                Err(RecvTimeoutError::Disconnected) => return None,
                Ok(chunk) => {
                    self.collect(chunk);
                    (last, silent_ticks) = (Instant::now(), 0);
                }
                // A helper that it left running may keep the pipes open.
                Err(RecvTimeoutError::Timeout) if self.has_exited() => {
                    silent_ticks += 1;
                    if silent_ticks == SILENT_TICKS {
                        return None;
                    }
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            let passed = self.passed(start, last);
            if passed.is_some() {
                return passed;
            }
        }
    }

    fn has_exited(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// The limit that is passed by now.
    fn passed(&self, start: Instant, last: Instant) -> Option<End> {
        let Limits { silence, deadline, output, memory, lines, aborted } = self.limits;
        let has_lines = |most: usize| memchr::memchr_iter(b'\n', &self.stdout).count() >= most;
        let is_silent = last.elapsed() > TICK / 2;
        if aborted.is_some_and(|aborted| aborted.load(Ordering::Relaxed)) {
            Some(End::Aborted)
        } else if lines.is_some_and(has_lines) {
            Some(End::Enough)
        } else if output.is_some_and(|most| self.stdout.len() as u64 > most) {
            Some(End::TooMuchOutput)
        } else if deadline.is_some_and(|limit| start.elapsed() > limit) {
            Some(End::Late)
        } else if silence.is_some_and(|limit| last.elapsed() > limit) {
            Some(End::Silent)
        } else if is_silent && memory.is_some_and(|most| self.memory() > most) {
            Some(End::TooMuchMemory)
        } else {
            None
        }
    }

    fn memory(&self) -> u64 {
        program::memory(self.child.id()).unwrap_or(0)
    }

    fn collect(&mut self, chunk: Chunk) {
        match chunk {
            Chunk::Out(bytes) => self.stdout.extend(bytes),
            Chunk::Err(bytes) => self.stderr.extend(bytes),
        }
    }

    /// What is written between a kill and the end of the streams.
    fn rest(&mut self, chunks: &Receiver<Chunk>) {
        let until = Instant::now() + REST;
        while let Ok(chunk) = chunks.recv_timeout(until.saturating_duration_since(Instant::now())) {
            self.collect(chunk);
        }
    }

    /// Waits for the exit, at most until the deadline.
    fn wait(&mut self) -> End {
        let Some(limit) = self.limits.deadline else {
            return End::Exited(self.child.wait().ok());
        };
        let until = Instant::now() + limit;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => thread::sleep(POLL),
                Ok(None) => return End::Late,
                Ok(status) => return End::Exited(status),
                Err(_) => return End::Exited(None),
            }
        }
    }

    /// Kills it and everything it started: a signing program, ssh, hooks.
    fn kill(&mut self) {
        let below = descendants(self.child.id());
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let (Some(pid), Group::Own) = (pid, self.group) {
            // The group may live on without its leader.
            let _ = kill_process_group(pid, Signal::KILL);
        }
        let _ = self.child.kill();
        for pid in below.into_iter().filter_map(|pid| Pid::from_raw(i32::try_from(pid).ok()?)) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}
