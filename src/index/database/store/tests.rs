//! A vector belongs to one text, and a writer waits for no other.

use super::*;
use crate::index::database::{
    Searchable, TextRow,
    tests::{key, vector},
};

#[test]
fn a_vector_is_kept_only_for_the_text_that_it_is_of() {
    let writer = Writer::in_memory(&key()).expect("an index");
    let text = TextRow { text: 7, ..TextRow::default() };
    let text = Searchable { row: text, ..Searchable::default() };
    let row = FileRow { path: "a.md".into(), searchable: vec![text], ..FileRow::default() };
    writer.insert(Unit::Facts, row).expect("inserted");
    let index = writer.finish(&[], &vector).expect("finished");
    let [row] = index.reads(Unit::Facts).unencoded(9).expect("rows")[..] else { panic!("one") };
    let file = Path::new("unused");
    let update = Writer::update(file, &key(), &Call::default());
    assert!(update.expect("no error").is_none());
    assert_eq!((row.text, row.id), (7, 0));
}
