//! What strace writes, as calls: which changed something, and how each is found again.
//!
//! Invariant: a call is named by its program, its system call and how many of that kind the program
//! made before it; that is what strace counts as well.

use std::collections::HashMap;

/// All calls that change files or bring them to the disk. With a question mark those that not every
/// machine has.
const CHANGING: &str = "?open,openat,?openat2,?creat,write,pwrite64,writev,pwritev,?pwritev2,\
    ?rename,renameat,?renameat2,?link,linkat,?unlink,unlinkat,?rmdir,?mkdir,mkdirat,?symlink,\
    symlinkat,fsync,fdatasync,?syncfs,sync,?sync_file_range,truncate,ftruncate,?fallocate,\
    ?copy_file_range,?chmod,fchmod,fchmodat,?fchmodat2";

/// The options with which strace lists them. `-y` gives the path of each open file.
pub fn options(log: &str) -> Vec<String> {
    let trace = format!("trace={CHANGING}");
    let all = ["-qq", "-y", "-s", "16", "-e", "signal=none", "-e", &trace, "-o", log];
    all.map(str::to_owned).into()
}

/// A changing call of one program.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// `co`, or a git as the shim counts it: `fetch.1`.
    pub program: String,
    pub name: String,
    /// Counted from 1, among the calls of this name in this program.
    pub nth: usize,
    /// The files, without what differs from run to run.
    pub files: String,
}

/// One line of a log.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    pub name: &'a str,
    /// Between the parentheses.
    pub arguments: &'a str,
    pub result: &'a str,
}

impl<'a> Line<'a> {
    pub fn read(line: &'a str) -> Option<Line<'a>> {
        let (name, rest) = line.split_once('(')?;
        let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let (arguments, result) = rest.rsplit_once(") = ").or_else(|| {
            // Short calls are padded.
            let (arguments, result) = rest.rsplit_once(" = ")?;
            Some((arguments.trim_end().strip_suffix(')')?, result))
        })?;
        is_name(name).then_some(Line { name, arguments, result: result.trim() })
    }

    pub fn failed(&self) -> bool {
        self.result.starts_with("-1")
    }

    /// Whether a fault of ours struck here. A killed call has no result.
    pub fn is_struck(&self) -> bool {
        self.result.starts_with('?') || self.result.contains("(INJECTED)")
    }

    /// Whether it writes to an open file.
    pub fn is_write(&self) -> bool {
        self.name.contains("write")
    }

    pub fn opens(&self) -> bool {
        self.name.starts_with("open") || self.name == "creat"
    }

    /// Whether it changes a file or folder, or brings one to the disk.
    pub fn changes(&self) -> bool {
        let files = self.files();
        let is_file = files.first().is_some_and(|file| is_file(file));
        if self.opens() {
            let makes = ["O_CREAT", "O_TRUNC"].iter().any(|flag| self.arguments.contains(flag));
            return is_file && (makes || self.name == "creat");
        }
        // Not what goes through pipes and to terminals.
        is_file || !self.is_write()
    }

    /// The paths among the arguments, as given; relative ones behind the folder they are relative
    /// to, where strace says it. Of a call on an open file, that file's.
    pub fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        let mut folder = None;
        let mut rest = self.arguments;
        while let Some(at) = rest.find(['"', '<']) {
            let (open, tail) = (rest.as_bytes()[at], &rest[at + 1..]);
            let close = if open == b'"' { '"' } else { '>' };
            let Some(end) = tail.find(close) else { break };
            let text = &tail[..end];
            match open {
                b'<' if self.takes_paths() => folder = Some(text),
                b'<' => files.push(text.to_owned()),
                _ if !self.takes_paths() => {}
                _ => files.push(match folder.take().filter(|_| !text.starts_with('/')) {
                    Some(folder) => format!("{folder}/{text}"),
                    None => text.to_owned(),
                }),
            }
            rest = &tail[end + 1..];
        }
        files
    }

    /// Whether its files are named, not open.
    fn takes_paths(&self) -> bool {
        let named = ["rename", "link", "unlink", "rmdir", "mkdir", "symlink", "chmod", "truncate"];
        self.opens() || named.iter().any(|name| self.name.starts_with(name))
    }
}

/// Whether it is a path, and not that of a device.
fn is_file(path: &str) -> bool {
    let is_special = path.starts_with("/dev/") || path.starts_with("/proc/");
    !path.contains(':') && (path.starts_with("/dev/shm/") || !is_special)
}

/// The changing calls in the log of a program.
pub fn calls(program: &str, log: &str) -> Vec<Call> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut calls = Vec::new();
    for line in log.lines().filter_map(Line::read) {
        let nth = counts.entry(line.name).or_default();
        *nth += 1;
        if !line.failed() && line.changes() {
            let files = steady(&line.files());
            calls.push(Call {
                program: program.to_owned(),
                name: line.name.to_owned(),
                nth: *nth,
                files,
            });
        }
    }
    calls
}

/// Paths without what is different in each run: random names, process ids, hashes.
pub fn steady(files: &[String]) -> String {
    let files = files.iter().map(|file| file.split('/').map(steady_name).collect::<Vec<_>>());
    files.map(|parts| parts.join("/")).collect::<Vec<_>>().join(" → ")
}

fn steady_name(name: &str) -> String {
    const RANDOM: &[&str] = &[
        ".co-tmp-aside-",
        ".co-tmp-",
        ".tmp",
        "tmp_objdir-incoming-",
        "tmp_obj_",
        "tmp_pack_",
        "tmp_idx_",
        "tmp_rev_",
        "index.new-",
    ];
    if name.starts_with(".co-tmp-aside-") {
        return name.to_owned();
    }
    if let Some(head) = RANDOM.iter().find(|head| name.starts_with(**head)) {
        return format!("{head}*");
    }
    let stem = name.trim_start_matches("pack-");
    let hex = stem.chars().take_while(char::is_ascii_hexdigit).count();
    let is_object = hex == stem.len() && matches!(hex, 2 | 38);
    if is_object || hex >= 38 { name.replacen(&stem[..hex], "*", 1) } else { name.to_owned() }
}
