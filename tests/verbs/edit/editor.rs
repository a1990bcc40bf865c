//! Text typed into an editor is never lost, whatever happens to the fact meanwhile and however the
//! editor ends.

use crate::support::{
    Laptop, World,
    editor::{editor, kept},
    terminal::screen,
};
use std::fs;

fn laptop(world: &World) -> Laptop {
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Prefers tabs"]);
    a
}

const TYPED: &str = "printf 'Typed for minutes\\nin two lines\\n' > \"$1\"";
const TEXT: &str = "Typed for minutes\nin two lines";

#[test]
fn a_text_that_came_meanwhile_costs_no_typed_one() {
    for (answer, fact, files) in [("n\n", "Another text", 1), ("y\n", "Typed for minutes …", 0)] {
        let world = World::new();
        let a = laptop(&world);
        let with = editor(&a, &format!("\"$co\" edit 1 'Another text' >&2\n{TYPED}"));
        let asked = [("Replace that with your text?", answer)];
        let said = screen(&with, 200, &["edit", "1"], &asked);
        assert!(said.contains("It now says:") && said.contains("Another text"), "{said}");
        assert_eq!(said.matches("changed while you were editing it").count(), 1, "{said}");
        assert_eq!(a.facts(), [fact]);
        let kept = kept(&a);
        assert_eq!(kept.len(), files, "{said}");
        for text in kept {
            assert_eq!(text.trim_end(), TEXT);
            assert!(said.contains("your text is in") && said.contains("co edit 1 - <"), "{said}");
        }
    }
}

#[test]
fn another_fact_that_a_program_changed_meanwhile_is_seen() {
    let world = World::new();
    let a = laptop(&world);
    a.co(&["learn", "Prefers tea"]);
    a.co(&["list"]);
    // From then on, the index trusts the times of the files.
    std::thread::sleep(std::time::Duration::from_millis(3_000));
    a.co(&["list"]);
    let other = a.identity().join("knowledge/memories/002-prefers-tea.md");
    // In place: neither the folder nor the index tells.
    let script = format!(
        "sed 's/Prefers tea/Prefers soup/' '{0}' > \"$1.new\"; cat \"$1.new\" > '{0}'\n\
        echo 'Prefers soup' > \"$1\"",
        other.display()
    );
    let asked = [("Edit the text again?", "n\n")];
    let said = screen(&editor(&a, &script), 200, &["edit", "1"], &asked);
    assert!(said.contains("already says this"), "{said}");
    assert_eq!(a.facts().iter().filter(|fact| *fact == "Prefers soup").count(), 1, "{said}");
}

#[test]
fn a_sync_that_brings_another_text_costs_no_typed_one() {
    let world = World::new();
    let (a, b, remote) = (laptop(&world), world.laptop("b"), world.remote());
    a.co(&["identity", "remote", &remote]);
    a.co(&["sync"]);
    b.co(&["init", "--yes", &remote]);
    for (at, theirs) in
        [&["edit", "1", "Said on b"][..], &["forget", "--yes", "1"]].iter().enumerate()
    {
        b.co(&["sync"]);
        b.co(theirs);
        b.co(&["sync"]);
        let with = editor(&a, &format!("\"$co\" sync >&2\n{TYPED}"));
        let asked = [("Replace that with your text?", "\n")];
        let said = screen(&with, 200, &["edit", "1"], if at == 0 { &asked } else { &[] });
        assert!(said.contains("your text is in"), "{said}");
        assert_eq!(kept(&a).len(), at + 1, "{said}");
        assert!(kept(&a).iter().all(|text| text.trim_end() == TEXT));
    }
    // It was forgotten: what is kept becomes a fact by the command of the hint.
    assert!(a.facts().is_empty());
    let file = fs::read_dir(a.config().join("local/unsaved")).expect("a folder").flatten().next();
    let text = fs::read_to_string(file.expect("a file").path()).expect("text");
    assert_eq!(a.piped(&text, &["learn", "-"]).code, 0);
    assert_eq!(a.facts(), ["Typed for minutes …"]);
}

#[test]
fn a_fact_that_was_forgotten_or_said_twice_meanwhile_costs_no_typed_text() {
    for meanwhile in ["\"$co\" forget --yes 1", "\"$co\" learn 'Typed for minutes\nin two lines'"] {
        let world = World::new();
        let a = laptop(&world);
        let with = editor(&a, &format!("{meanwhile} >&2\n{TYPED}"));
        let answers: &[(&str, &str)] =
            if meanwhile.contains("learn") { &[("Edit the text again?", "n\n")] } else { &[] };
        let said = screen(&with, 200, &["edit", "1"], answers);
        assert!(said.contains("your text is in"), "{said}");
        let kept = kept(&a);
        assert!(kept.len() == 1 && kept[0].trim_end() == TEXT, "{kept:?}");
    }
}

#[test]
fn an_editor_that_fails_keeps_what_was_saved_in_it() {
    for end in ["exit 1", "kill -9 $$"] {
        let world = World::new();
        let a = laptop(&world);
        let said = screen(&editor(&a, &format!("{TYPED}\n{end}")), 200, &["edit", "1"], &[]);
        assert!(said.contains("your text is in"), "{said}");
        assert_eq!(kept(&a).len(), 1);
        assert_eq!(a.facts(), ["Prefers tabs"]);
    }
    // Nothing was typed: nothing is kept.
    let world = World::new();
    let a = laptop(&world);
    let said = screen(&editor(&a, "exit 1"), 200, &["edit", "1"], &[]);
    assert!(said.contains("failed") && kept(&a).is_empty(), "{said}");
    // Another encoding is not lost either.
    screen(&editor(&a, "printf 'caf\\351' > \"$1\""), 200, &["edit", "1"], &[]);
    let files = fs::read_dir(a.config().join("local/unsaved")).expect("a folder").count();
    assert_eq!(files, 1);
}

#[test]
fn a_declined_secret_is_kept_for_another_time() {
    let world = World::new();
    let a = laptop(&world);
    let token = format!("ghp_{}", "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5");
    let with = editor(&a, &format!("printf 'Long text: the token is {token}\\n' > \"$1\""));
    let said = screen(&with, 200, &["edit", "1"], &[("Edit the text again?", "n\n")]);
    assert!(said.contains("nothing was saved; your text is in"), "{said}");
    assert_eq!(said.matches("this looks like").count(), 1, "{said}");
    assert!(kept(&a)[0].starts_with("Long text"), "{said}");
    assert_eq!(a.facts(), ["Prefers tabs"]);
}

/// Each refusal of a text, and the sentence about it: on the screen once, before the question.
#[test]
fn what_is_wrong_with_a_text_is_said_once() {
    let token = format!("ghp_{}", "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5");
    let cases = [
        ("Wears hats".to_owned(), "already says this"),
        (format!("The token is {token}"), "this looks like"),
        (format!("First line\\n\\nThe token is {token}"), "this looks like"),
    ];
    for (typed, sentence) in cases {
        for answer in ["n\n", "no\n", "\x04"] {
            let world = World::new();
            let a = laptop(&world);
            a.co(&["learn", "Wears hats"]);
            let with = editor(&a, &format!("printf '{typed}\\n' > \"$1\""));
            let said = screen(&with, 200, &["edit", "1"], &[("Edit the text again?", answer)]);
            assert_eq!(said.matches(sentence).count(), 1, "{said}");
            assert_eq!(said.matches("nothing was saved; your text is in").count(), 1, "{said}");
            assert_eq!(kept(&a).len(), 1, "{said}");
            assert_eq!(a.facts(), ["Prefers tabs", "Wears hats"]);
        }
    }
}

#[test]
fn only_the_last_text_is_named_when_the_editor_fails_the_second_time() {
    let world = World::new();
    let a = laptop(&world);
    let token = format!("ghp_{}", "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5");
    let second = "if grep -q token \"$1\"; then printf 'Second text\\n' > \"$1\"; exit 1; fi";
    let first = format!("printf 'First text: the token is {token}\\n' > \"$1\"");
    let with = editor(&a, &format!("{second}\n{first}"));
    let said = screen(&with, 200, &["edit", "1"], &[("Edit the text again?", "y\n")]);
    assert_eq!(kept(&a), ["Second text\n"], "{said}");
    assert_eq!(said.matches("your text is in").count(), 1, "{said}");
    assert_eq!(a.facts(), ["Prefers tabs"]);
}

#[test]
fn answers_of_a_review_that_are_not_saved_are_kept() {
    let world = World::new();
    let a = laptop(&world);
    let import = a.home.join("facts.txt");
    fs::write(&import, "Sings in a choir\n").expect("written");
    a.co(&["agent", "import", "--from", &import.display().to_string(), "--review"]);
    // Declined at the counts.
    let with = editor(&a, "sed -i 's/a choir/two choirs/' \"$1\"");
    let said = screen(&with, 200, &["review", "--editor"], &[("1 kept: proceed?", "n\n")]);
    assert!(said.contains("Your text is in"), "{said}");
    assert!(kept(&a).iter().any(|text| text.contains("two choirs")), "{said}");
    // A text that cannot be read as answers.
    let with = editor(&a, "printf 'keep zzzzzz\\n  A long text\\n' > \"$1\"");
    let said = screen(&with, 200, &["review", "--editor"], &[("Edit the text again?", "n\n")]);
    assert!(said.contains("Your text is in"), "{said}");
    assert!(kept(&a).iter().any(|text| text.contains("A long text")));
    // One that is answered elsewhere while the editor is open.
    let with = editor(&a, &format!("\"$co\" learn 'Typed for minutes\nin two lines' >&2\n{TYPED}"));
    let said = screen(&with, 200, &["review"], &[("(1/1)", "e\n")]);
    let waits = a.co(&["review"]);
    let is_saved = a.facts().iter().any(|fact| fact.contains("Typed for minutes"));
    let is_kept = kept(&a).iter().any(|text| text.trim_end() == TEXT);
    assert!(is_saved || is_kept, "{said}{waits}");
}

#[test]
fn a_text_that_cannot_be_kept_is_printed() {
    let world = World::new();
    let a = laptop(&world);
    fs::write(a.config().join("local/unsaved"), "in the way\n").expect("written");
    let with = editor(&a, &format!("\"$co\" forget --yes 1 >&2\n{TYPED}"));
    let said = screen(&with, 200, &["edit", "1"], &[]);
    assert!(said.contains("Typed for minutes"), "{said}");
}

#[test]
fn an_emptied_text_is_none_to_keep() {
    for emptied in [": > \"$1\"", "printf '\\n' > \"$1\"", "printf '  \\n\\n' > \"$1\""] {
        let world = World::new();
        let a = laptop(&world);
        let said = screen(&editor(&a, emptied), 200, &["edit", "1"], &[]);
        assert!(!said.contains("your text is in"), "{emptied}: {said}");
        assert!(kept(&a).is_empty(), "{emptied}: {said}");
        assert_eq!(a.facts(), ["Prefers tabs"]);
    }
}

#[test]
fn the_same_text_from_two_sides_is_no_question() {
    let world = World::new();
    let a = laptop(&world);
    let typed = "printf 'Prefers spaces\\n' > \"$1\"";
    let with = editor(&a, &format!("\"$co\" edit 1 'Prefers spaces' >&2\n{typed}"));
    let said = screen(&with, 200, &["edit", "1"], &[]);
    assert!(!said.contains("It now says") && !said.contains("your text is in"), "{said}");
    assert_eq!((a.facts(), kept(&a)), (vec!["Prefers spaces".to_owned()], Vec::new()));
}
