//! The list of operations, a line each: which lines a question has to parse. The line of an import
//! or a sync names every file that it wrote, and parsing all of them takes longer than most
//! commands.
//!
//! Invariant: a line is passed over only if its head says that it does not matter. The number is
//! the first field of every line, and the files are the last; a line that does not look so is
//! parsed.

use super::operation::Operation;
use memchr::{memchr_iter, memmem::Finder};
use std::{collections::BTreeMap, iter};

/// What is before the number in a line of co's own, and what comes after all fields but the files.
const NUMBER: &[u8] = b"{\"op\":";
const FILES: &[u8] = b",\"files\":[";
const END: &[u8] = b"]}";

/// Those of the lines that may matter, oldest first; unreadable ones are skipped. Of two lines with
/// the same number, the second counts.
pub(super) fn read(list: &[u8], may_matter: impl Fn(&[u8]) -> bool) -> Vec<Operation> {
    let parsed = each(list)
        .filter(|line| may_matter(line))
        .filter_map(|line| serde_json::from_str::<Operation>(&String::from_utf8_lossy(line)).ok());
    let by_number: BTreeMap<u64, Operation> = parsed.map(|one| (one.op, one)).collect();
    by_number.into_values().collect()
}

/// How many lines there are.
pub(super) fn count(list: &[u8]) -> usize {
    memchr_iter(b'\n', list).count()
}

/// The operations after this one whose lines may matter.
pub(super) fn read_after(
    list: &[u8],
    op: u64,
    may_matter: impl Fn(&[u8]) -> bool,
) -> Vec<Operation> {
    let mut after = read(list, |line| may_be_after(line, op) && may_matter(line));
    // The head of a line may not have told.
    after.retain(|one| one.op > op);
    after
}

fn may_be_after(line: &[u8], op: u64) -> bool {
    number(line).is_none_or(|number| number > op)
}

/// Finds the lines that have at least one of these fields.
pub(super) struct HasField {
    files: Finder<'static>,
    fields: Vec<Finder<'static>>,
}

impl HasField {
    /// Each field as it is written: a quote in a text has a backslash before it, so nothing else
    /// looks like `"client":`.
    pub(super) fn one_of<const N: usize>(fields: [&'static str; N]) -> HasField {
        HasField { files: Finder::new(FILES), fields: fields.map(Finder::new).into() }
    }

    pub(super) fn may_be_in(&self, line: &[u8]) -> bool {
        let looks_so = line.starts_with(NUMBER) && line.ends_with(END);
        let Some(end) = self.files.find(line).filter(|_| looks_so) else { return true };
        self.fields.iter().any(|field| field.find(&line[..end]).is_some())
    }
}

fn number(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(NUMBER)?;
    let end = rest.iter().position(|byte| !byte.is_ascii_digit())?;
    std::str::from_utf8(&rest[..end]).ok()?.parse().ok()
}

fn each(list: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut from = 0;
    memchr_iter(b'\n', list).chain(iter::once(list.len())).map(move |end| {
        let line = &list[from..end];
        from = end + 1;
        line
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::oplog::{LoggedFile, OpVerb};

    fn line(op: u64, client: Option<&str>, what: &str) -> String {
        let mut one = Operation::new(OpVerb::Save, what, crate::identity::Stamp::default());
        one.op = op;
        one.client = client.map(str::to_owned);
        one.files = vec![LoggedFile { path: "a\"client\":".to_owned(), before: None, after: None }];
        serde_json::to_string(&one).expect("plain data") + "\n"
    }

    fn numbers(list: &str, may_matter: impl Fn(&[u8]) -> bool) -> Vec<u64> {
        read(list.as_bytes(), may_matter).iter().map(|one| one.op).collect()
    }

    #[test]
    fn only_lines_that_may_matter_are_parsed() {
        let list = line(1, Some("claude"), "a fact")
            + &line(2, None, "says \"client\": nobody,\"files\":[")
            + "damaged, with \"client\":\n"
            + &line(4, None, "another")
            + &line(3, Some("codex"), "late")
            + "{\"at\":\"2026-01-01T00:00:00Z\",\"op\":5,\"verb\":\"save\",\"what\":\"x\",\"files\":[]}";
        assert_eq!(numbers(&list, |_| true), [1, 2, 3, 4, 5]);
        let after = |op| read_after(list.as_bytes(), op, |_| true);
        assert_eq!(after(2).iter().map(|one| one.op).collect::<Vec<_>>(), [3, 4, 5]);
        assert_eq!(after(5).len(), 0, "the number of the last line is found when it is parsed");
        let of_clients = HasField::one_of(["\"client\":"]);
        assert_eq!(numbers(&list, |line| of_clients.may_be_in(line)), [1, 3, 5]);
        let looked_at = each(list.as_bytes()).filter(|line| of_clients.may_be_in(line)).count();
        assert_eq!(looked_at, 4, "two of co's, and two that co did not write");
        assert_eq!(count(list.as_bytes()), 5);
        assert_eq!(numbers("", |_| true), [0; 0]);
    }
}
