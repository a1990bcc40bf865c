//! Starts other programs: the only place where a process begins and ends.
//!
//! Invariant: every limit (silence, time, output, memory) is enforced, and a program that exceeds
//! one is killed with all that it started. Standard input is empty unless the caller provides some.
//! Must not know which program it is, nor what its output means.

mod awaited;
mod end;
mod limits;
mod listed;
mod running;
mod tree;

pub use end::{End, Started};

use super::platform;
use awaited::Awaited;
use end::Finished;
use limits::{AwaitedTest, Limits, ProcessGroup};
use running::Running;
use std::{
    ffi::OsStr,
    io::{self, Write},
    path::Path,
    process::{Command, ExitStatus, Stdio},
    sync::atomic::AtomicBool,
    time::Duration,
};

/// A program with its arguments, environment and limits.
pub struct Process {
    command: Command,
    input: Option<Vec<u8>>,
    limits: Limits,
    group: ProcessGroup,
    awaited: Option<Awaited>,
}

impl Process {
    pub fn new(program: impl AsRef<OsStr>) -> Process {
        let (limits, group) = (Limits::default(), ProcessGroup::Terminal);
        Process { command: Command::new(program), input: None, limits, group, awaited: None }
    }

    /// Runs a line of a person's shell, such as `code --wait`, followed by further arguments.
    pub fn shell(line: &str, rest: &[&Path]) -> Process {
        let mut process = Process::new(platform::SHELL);
        platform::shell_line(&mut process.command, line, rest);
        process
    }

    pub fn arg(&mut self, arg: impl AsRef<OsStr>) -> &mut Process {
        self.command.arg(arg);
        self
    }

    pub fn args<A: AsRef<OsStr>>(&mut self, args: impl IntoIterator<Item = A>) -> &mut Process {
        self.command.args(args);
        self
    }

    pub fn env(&mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> &mut Process {
        self.command.env(name, value);
        self
    }

    pub fn env_remove(&mut self, name: impl AsRef<OsStr>) -> &mut Process {
        self.command.env_remove(name);
        self
    }

    /// Starts the child with only those variables that no program of this system can do without.
    pub fn env_clear(&mut self) -> &mut Process {
        self.command.env_clear();
        for name in platform::NEEDED_VARIABLES {
            if let Some(value) = std::env::var_os(name) {
                self.command.env(name, value);
            }
        }
        self
    }

    pub fn current_dir(&mut self, folder: impl AsRef<Path>) -> &mut Process {
        self.command.current_dir(folder);
        self
    }

    /// Standard input.
    pub fn input(&mut self, bytes: Vec<u8>) -> &mut Process {
        self.input = Some(bytes);
        self
    }

    /// In a separate process group, which does not get the terminal's signals.
    pub fn own_group(&mut self) -> &mut Process {
        self.group = ProcessGroup::Own;
        self
    }

    /// The longest time without output. Output that is too much to be kept is no sign of life.
    pub fn silence(&mut self, limit: Duration) -> &mut Process {
        self.limits.silence = Some(limit);
        self
    }

    pub fn deadline(&mut self, limit: Duration) -> &mut Process {
        self.limits.deadline = Some(limit);
        self
    }

    /// The maximum bytes of standard output.
    pub(super) fn output_limit(&mut self, bytes: u64) -> &mut Process {
        self.limits.output = Some(bytes);
        self
    }

    /// How many bytes of standard output to keep; the rest is discarded.
    pub fn keep_output(&mut self, bytes: usize) -> &mut Process {
        self.limits.kept = Some(bytes);
        self
    }

    /// The longest time that it may wait for one of the processes below it, whatever they print.
    pub fn await_at_most(&mut self, limit: Duration, is_awaited: AwaitedTest) -> &mut Process {
        self.awaited = Some(Awaited::new(limit, is_awaited));
        self
    }

    /// The maximum bytes of memory, for systems that do not limit it themselves.
    pub(super) fn memory_limit(&mut self, bytes: u64) -> &mut Process {
        self.limits.memory = Some(bytes);
        self
    }

    /// For a server: after this many lines of output, its input is closed and its group killed.
    pub fn first_lines(&mut self, lines: usize) -> &mut Process {
        self.limits.lines = Some(lines);
        self
    }

    /// Also kills processes that it started and left running, as far as they are in its group.
    pub fn leave_nothing(&mut self) -> &mut Process {
        self.limits.leaves_nothing = true;
        self.own_group()
    }

    /// Kills the process soon after `aborted` is set.
    pub fn abort_with(&mut self, aborted: &'static AtomicBool) -> &mut Process {
        self.limits.aborted = Some(aborted);
        self
    }

    /// Runs it until it exits or exceeds a limit.
    pub fn run(&mut self) -> io::Result<Finished> {
        let input = self.input.take();
        let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
        self.command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        if self.group == ProcessGroup::Own {
            platform::own_group(&mut self.command);
        }
        let child = self.command.spawn()?;
        let running = Running::new(child, self.group, self.limits, self.awaited.take(), ps);
        Ok(running.run(input.unwrap_or_default()))
    }

    /// Runs it on the terminal; standard input is `input` if one was given, else the keyboard.
    pub(super) fn foreground(&mut self) -> io::Result<ExitStatus> {
        let input = self.input.take();
        if input.is_some() {
            self.command.stdin(Stdio::piped());
        }
        let mut child = self.command.spawn()?;
        if let (Some(mut stdin), Some(bytes)) = (child.stdin.take(), input) {
            // Leaving a pager early is not an error.
            let _ = stdin.write_all(&bytes);
        }
        child.wait()
    }

    /// Starts it without waiting for it, apart from the terminal.
    pub fn detached(&mut self) -> io::Result<()> {
        self.command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        platform::detach(&mut self.command);
        self.command.spawn().map(drop)
    }

    /// Replaces this process with the program (`exec`), or ends with it. Returns only on failure.
    pub fn exec(&mut self) -> io::Error {
        platform::exec(&mut self.command)
    }
}

/// Text without control characters, so that it cannot drive a terminal.
pub fn plain(text: &str) -> String {
    text.replace('\r', "\n")
        .chars()
        .filter(|c| *c == '\n' || *c == '\t' || !c.is_control())
        .collect()
}

/// What the `ps` of any Unix prints; empty if there is none.
fn ps(args: &[&str]) -> String {
    let listed = Process::new("ps").args(args).run();
    listed.map_or_else(|_| String::new(), |it| String::from_utf8_lossy(&it.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::program;
    use std::time::Instant;

    fn shell(script: &str) -> Process {
        let mut process = Process::new("/bin/sh");
        process.args(["-c", script]).env_clear().env("A", "b").own_group();
        process
    }

    #[test]
    fn a_server_is_asked_and_ended() {
        let mut server = shell("read x; echo $x $A; echo more; exec cat");
        server.input(b"hi\n".to_vec()).first_lines(2).deadline(Duration::from_secs(5));
        let finished = server.run().expect("started");
        assert_eq!((finished.stdout.as_slice(), finished.end), (&b"hi b\nmore\n"[..], End::Enough));
        let mut closed = shell("exec >&- 2>&-; cat");
        closed.input(b"hi".to_vec()).first_lines(1).deadline(Duration::from_secs(60));
        assert!(
            matches!(closed.run().expect("started").end, End::Exited(_)),
            "its input is closed"
        );
        let mut chatty = shell("echo one; exec yes");
        chatty.input(Vec::new()).first_lines(1).deadline(Duration::from_secs(1));
        let finished = chatty.run().expect("started");
        assert!(finished.end == End::Enough && finished.stdout.len() < 1 << 20, "nothing piles up");
        let finished = shell("echo bad >&2; exit 3").run().expect("started");
        assert!(finished.stderr == b"bad\n" && !finished.end.is_success());
    }

    #[test]
    fn nothing_is_left_where_that_is_asked_for() {
        let finished = shell("sleep 60 & echo $!").leave_nothing().run().expect("started");
        let pid = String::from_utf8_lossy(&finished.stdout).trim().parse().expect("a number");
        let until = Instant::now() + Duration::from_secs(20);
        while program::is_running(pid) && Instant::now() < until && !is_zombie(pid) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!program::is_running(pid) || is_zombie(pid));
    }

    /// Killed, but not yet reaped by the process that adopted it.
    fn is_zombie(pid: u32) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.contains(") Z ")
    }

    #[test]
    fn each_limit_ends_it() {
        let start = Instant::now();
        let short = Duration::from_millis(200);
        let finished = shell("sleep 60 & sleep 60").deadline(short).run().expect("started");
        assert!(finished.stdout.is_empty() && finished.end == End::Late);
        let mut left = finished.left.iter();
        assert!(left.any(|one| one.is_direct && !one.words.is_empty()), "{:?}", finished.left);
        let finished = shell("echo x; sleep 60").silence(short).run().expect("started");
        assert_eq!(finished.end, End::Silent);
        let finished = shell("yes").output_limit(100_000).run().expect("started");
        assert_eq!(finished.end, End::TooMuchOutput);
        static ABORTED: AtomicBool = AtomicBool::new(true);
        let finished = shell("sleep 60").abort_with(&ABORTED).run().expect("started");
        assert_eq!(finished.end, End::Aborted);
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn one_that_prints_without_end_is_ended_like_a_silent_one() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let is_awaited = |started: &[Started]| {
            started.iter().any(|one| one.words.iter().any(|word| word.contains("while :")))
        };
        for printing in ["echo x", "echo x >&2", "echo x; sleep 0.1"] {
            let script = format!("sh -c 'while :; do {printing}; done'; echo never");
            let mut endless = shell(&script);
            endless.keep_output(1000).await_at_most(second, Box::new(is_awaited));
            let finished = endless.run().expect("started");
            assert_eq!(finished.end, End::Late, "{printing}");
            assert!(finished.stdout.len() < 20_000, "{printing}: {}", finished.stdout.len());
            assert!(!finished.left.is_empty(), "{printing}");
        }
        // What is discarded is no sign of life.
        let finished = shell("exec yes").keep_output(1000).silence(second).run().expect("started");
        assert_eq!(finished.end, End::Silent);
        let mut other = shell("for i in 1 2 3; do sleep 0.5; echo x; done; exit 0");
        other.silence(second).await_at_most(second / 10, Box::new(|_: &[Started]| false));
        assert!(other.run().expect("started").end.is_success());
        // What it left behind prints on, and is not waited for.
        let finished = shell("yes & exit 0").run().expect("started");
        assert!(finished.end.is_success());
        assert!(start.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn one_that_takes_too_much_memory_is_ended() {
        if listed::memory(std::process::id(), ps).is_none() {
            eprintln!("skipped: ps is missing");
            return;
        }
        let mut hungry = Process::new("sh");
        hungry.args(["-c", r"x=$(head -c 2000000000 /dev/zero | tr '\0' a)"]);
        hungry.memory_limit(300 << 20).deadline(Duration::from_secs(60));
        assert_eq!(hungry.run().expect("started").end, End::TooMuchMemory);
    }
}
