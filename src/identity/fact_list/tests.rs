//! A row is the view of its fact, however the list is put together and sorted.

use super::*;
use crate::identity::{FactView, RelPath};

fn memory(name: &str, front: &str, text: &str) -> Memory {
    let path = RelPath::known(&format!("knowledge/memories/{name}.md"));
    let text = format!("---\n{front}\n---\n\n{text}\n");
    Memory::read(&path, &text.as_str().into()).expect("readable")
}

fn memories() -> Vec<Memory> {
    let long = "é".repeat(120);
    [
        ("1", "id: 1\ncreated: 2026-02-09", "Short."),
        ("2", "id: 2\ncreated: 2026-02-09T23:30:00Z\ntags: [a, 'b, c', \"\"]", "One\nTwo"),
        ("3", "created: 0987-01-01T00:00:00Z\npinned: true\ntags: [日本]", long.as_str()),
        ("4", "id: 4\ncreated: 2026-01-01T00:00:00Z\nagent: claude\nproject: co", "x"),
        ("5", "id: 4\ncreated: 2026-01-01T00:00:00Z\nproject: co\ntags: [z]", "y"),
        ("6", "id: 4\ncreated: 2026-01-01T00:00:00Z\nagent: codex", ""),
        ("7", "id: 7\ncreated: 2026-01-01\nvalid_until: 2026-02-14\nverified: 2026-01-02", "z"),
    ]
    .map(|(name, front, text)| memory(name, front, text))
    .to_vec()
}

fn views(scope: Scope, folder: &str) -> Vec<FactView> {
    let view = |memory: &Memory| {
        let place = (scope, memory.path.below(Path::new(folder)));
        FactView::of(memory, place, &Calendar::default())
    };
    memories().iter().map(view).collect()
}

fn list(scope: Scope, folder: &str) -> FactList {
    let mut list = FactList::of_store(scope, Path::new(folder), 0);
    for memory in memories() {
        list.push_memory(&memory, &memory.first_line(), &Calendar::default());
    }
    list
}

#[test]
fn a_row_is_the_view_of_its_fact() {
    let all = list(Scope::Identity, "/home/a");
    let rows: Vec<FactView> = all.iter().map(FactRow::view).collect();
    assert_eq!(rows, views(Scope::Identity, "/home/a"));
    assert_eq!(serde_json::to_string(&all).ok(), serde_json::to_string(&rows).ok());
}

#[test]
fn rows_stay_what_they_are_in_another_order_and_beside_others() {
    let mut all = FactList::default();
    let stores = [(Scope::Identity, "/a"), (Scope::Project, "b"), (Scope::Project, "c")];
    stores.iter().for_each(|(scope, folder)| all.append(list(*scope, folder)));
    all.sort_by(|a, b| b.path().cmp(&a.path()));
    all.retain(|row| row.id() != Some(2));
    all.tell_apart(|_, id| (id == Some(4)).into());
    let mut expected: Vec<FactView> =
        stores.iter().flat_map(|(scope, folder)| views(*scope, folder)).collect();
    expected.sort_by(|a, b| b.path.cmp(&a.path));
    expected.retain(|view| view.id != Some(2));
    expected.iter_mut().filter(|view| view.id == Some(4)).for_each(FactView::tell_apart);
    assert_eq!(all.iter().map(FactRow::view).collect::<Vec<FactView>>(), expected);
    // More can follow.
    let before = all.len();
    all.append(list(Scope::Project, "d"));
    let new: Vec<FactView> = all.iter().skip(before).map(FactRow::view).collect();
    assert_eq!(new, views(Scope::Project, "d"));
}
