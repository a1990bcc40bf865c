//! The search index from outside: its files, and a process that keeps it open.

use super::Laptop;
use serde_json::json;
use std::{
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

/// Its lock, its log and what else SQLite puts next to it.
pub fn beside(a: &Laptop, end: &str) -> PathBuf {
    let mut name = a.index().into_os_string();
    name.push(end);
    name.into()
}

/// Questions, one by one, to one process, which keeps the index open.
pub struct Batch {
    process: Child,
    asked: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Batch {
    pub fn start(a: &Laptop, arguments: &[&str]) -> Batch {
        let mut command = a.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("co runs");
        let asked = process.stdin.take().expect("a pipe");
        let answers = BufReader::new(process.stdout.take().expect("a pipe"));
        Batch { process, asked, answers }
    }

    pub fn ask(&mut self, question: &str) -> String {
        let asked = writeln!(self.asked, "{}", json!({ "query": question }));
        assert!(asked.is_ok(), "it is gone: {:?}", self.process.try_wait());
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("text");
        assert!(!answer.is_empty(), "no answer: {:?}", self.process.wait());
        answer
    }

    pub fn end(self) {
        let Batch { mut process, asked, .. } = self;
        drop(asked);
        assert!(process.wait().expect("co ends").success());
    }
}
