//! Runs other programs with arguments, stdin, environment and a timeout.
//!
//! Invariant: nothing of a shell; a program that does not answer in time is ended, with all that it
//! started.

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process};
use std::{
    collections::BTreeMap,
    io::{self, BufRead, BufReader, Read, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

/// Whether a process of this number runs, whoever's it is.
pub fn is_running(number: i32) -> bool {
    let Some(process) = Pid::from_raw(number).filter(|_| number > 0) else { return false };
    !matches!(test_kill_process(process), Err(rustix::io::Errno::SRCH))
}

/// Program, arguments, environment, working directory and timeout.
#[derive(Clone, Debug)]
pub struct Invocation {
    pub program: PathBuf,
    pub args: Vec<String>,
    pub environment: ProgramEnv,
    pub folder: Option<PathBuf>,
    pub limit: Duration,
}

/// The environment of a program.
#[derive(Clone, Debug)]
pub enum ProgramEnv {
    /// The inherited environment, plus these variables.
    Ours(BTreeMap<String, String>),
    /// Only these variables.
    Only(BTreeMap<String, String>),
}

/// Output of a program.
#[derive(Clone, Debug, Default)]
pub struct ProgramOutput {
    pub lines: Vec<String>,
    /// What it wrote to standard error, at most a few KiB.
    pub complaint: String,
    /// Whether it had to be ended.
    pub is_late: bool,
}

const MOST_COMPLAINT: u64 = 4096;

/// The program of that name on a PATH.
pub fn find(name: &str, path: &str) -> Option<PathBuf> {
    let folders = std::env::split_paths(path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(|program| is_executable(program))
}

/// Every process with its parent, as `ps` of any Unix lists them; none where it is not there.
pub fn processes() -> Vec<(u32, u32)> {
    let listed = Command::new("ps").args(["-A", "-o", "pid=", "-o", "ppid="]).output();
    let listed = listed.map(|listed| listed.stdout).unwrap_or_default();
    let pair = |line: &str| {
        let mut numbers = line.split_whitespace().map(|number| number.parse().ok());
        Some((numbers.next()??, numbers.next()??))
    };
    String::from_utf8_lossy(&listed).lines().filter_map(pair).collect()
}

/// The memory that a process has, in bytes.
pub fn memory(pid: u32) -> Option<u64> {
    let said = Command::new("ps").args(["-o", "rss=", "-p", &pid.to_string()]).output().ok()?;
    let kib: u64 = String::from_utf8_lossy(&said.stdout).trim().parse().ok()?;
    Some(kib * 1024)
}

pub fn is_executable(program: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(program)
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Starts a program, writes lines, and reads as many lines as are wanted; all it says with `None`.
pub fn ask(
    asked: &Invocation,
    lines: &[String],
    wanted: Option<usize>,
) -> io::Result<ProgramOutput> {
    let mut command = Command::new(&asked.program);
    command.args(&asked.args).process_group(0);
    match &asked.environment {
        ProgramEnv::Ours(more) => command.envs(more),
        ProgramEnv::Only(all) => command.env_clear().envs(all),
    };
    if let Some(folder) = &asked.folder {
        command.current_dir(folder);
    }
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Group(piped.spawn()?);
    let mut input = child.0.stdin.take();
    if let Some(input) = &mut input {
        // A program that has ended says why on standard error.
        let _ = input.write_all(lines.concat().as_bytes()).and_then(|()| input.flush());
    }
    if wanted.is_none() {
        input = None;
    }
    let (sender, complaints) = mpsc::channel();
    if let Some(stream) = child.0.stderr.take() {
        thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stream.take(MOST_COMPLAINT).read_to_end(&mut text);
            let _ = sender.send(String::from_utf8_lossy(&text).into_owned());
        });
    }
    let until = Instant::now() + asked.limit;
    let (said, is_late) = read_lines(&mut child.0, wanted.unwrap_or(usize::MAX), until);
    drop(input);
    if !is_late {
        wait(&mut child.0, until);
    }
    drop(child);
    // One that left its group may keep standard error open.
    let complaint = complaints.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
    Ok(ProgramOutput { lines: said, complaint, is_late })
}

/// Lines as they come, and whether it took too long.
fn read_lines(child: &mut Child, most: usize, until: Instant) -> (Vec<String>, bool) {
    let Some(output) = child.stdout.take() else { return (Vec::new(), false) };
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let mut lines = Vec::new();
    while lines.len() < most {
        let left = until.saturating_duration_since(Instant::now());
        match receiver.recv_timeout(left) {
            Ok(line) => lines.push(line),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => return (lines, true),
        }
    }
    (lines, false)
}

/// Waits for the program to exit.
fn wait(child: &mut Child, until: Instant) {
    while Instant::now() < until && matches!(child.try_wait(), Ok(None)) {
        thread::sleep(Duration::from_millis(2));
    }
}

/// Kills the process group and reaps the child on drop.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        // The group may live on without its leader.
        let pid = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw);
        let _ = pid.map(|pid| kill_process_group(pid, Signal::KILL));
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: u64) -> Invocation {
        Invocation {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            environment: ProgramEnv::Only(BTreeMap::from([("A".into(), "b".into())])),
            folder: None,
            limit: Duration::from_millis(limit),
        }
    }

    #[test]
    fn says_what_it_is_asked_for() {
        let said = ask(
            &shell("read x; echo $x $A; echo more; exec cat", 5_000),
            &["hi\n".into()],
            Some(2),
        );
        assert_eq!(said.expect("started").lines, ["hi b", "more"]);
        let said = ask(&shell("echo bad >&2; exit 3", 5_000), &[], None).expect("started");
        assert_eq!(said.complaint, "bad\n");
    }

    #[test]
    fn does_not_wait_for_ever() {
        let start = Instant::now();
        let said = ask(&shell("sleep 60 & sleep 60", 200), &[], Some(1)).expect("started");
        assert!(said.lines.is_empty() && said.is_late && start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn is_found_on_a_path() {
        assert!(find("sh", "/nowhere:/bin").is_some());
        assert!(find("sh", "relative:").is_none());
    }
}
