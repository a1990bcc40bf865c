//! What a merge could not decide: both laptops ask about it until somebody answers on one of them.

use crate::support::{
    Laptop, World,
    pair::{assert_agree, pair, sync},
    terminal::screen,
};
use serde_json::Value;

/// What status names, without the numbers of facts.
fn open(laptop: &Laptop) -> Vec<String> {
    let status = laptop.json(&["status"]);
    let look = status["data"]["git"]["look"].as_array().expect("a list");
    let text = |one: &Value| one.as_str().expect("a text").to_owned();
    let mut open: Vec<String> = look.iter().map(text).collect();
    open.sort();
    open
}

fn asked(laptop: &Laptop) -> Vec<Value> {
    let said = laptop.json(&["review"]);
    let all = said["data"]["proposals"].as_array().expect("proposals");
    all.iter().filter(|one| one["kind"] == "look").cloned().collect()
}

fn handle(laptop: &Laptop, fact: &str) -> String {
    let listed = laptop.json(&["list"])["data"]["memories"].clone();
    let rows = listed.as_array().expect("rows");
    let row = rows.iter().find(|row| row["summary"] == fact).expect("it is there");
    row["handle"].as_str().expect("a handle").to_owned()
}

fn edit(laptop: &Laptop, fact: &str, text: &str) {
    laptop.co(&["edit", &handle(laptop, fact), text]);
}

/// Laptops that met in every way, and what each asks about.
fn met(world: &World) -> (Laptop, Laptop, Vec<String>) {
    let (a, b) = pair(world);
    a.co(&["learn", "Likes trains"]);
    a.write("knowledge/walk.md", "# Walk\n\nMeet at the bridge.\n");
    a.write("knowledge/old plan.md", "# Plan\n\nBuy a boat.\n\nLearn to sail.\n");
    sync(&[&a, &b]);
    edit(&a, "Prefers tabs", "Prefers tabs in Makefiles");
    edit(&b, "Prefers tabs", "Prefers spaces");
    a.co(&["forget", "--yes", "Likes trains"]);
    edit(&b, "Likes trains", "Likes night trains");
    a.edit("profile.md", "America/Los_Angeles", "Europe/Paris");
    b.edit("profile.md", "America/Los_Angeles", "Asia/Tokyo");
    a.edit("knowledge/walk.md", "the bridge", "the old bridge");
    b.edit("knowledge/walk.md", "the bridge", "the station");
    a.co(&["knowledge", "delete", "old plan"]);
    b.edit("knowledge/old plan.md", "Buy a boat.", "Rent a boat.");
    sync(&[&a, &b, &a]);
    assert_agree(&[&a, &b]);
    let pair = [handle(&a, "Prefers tabs in Makefiles"), handle(&a, "Prefers spaces")];
    let trains = handle(&a, "Likes night trains");
    let of_pair = |one: &str, other: &str| format!("{one} and {other} (edited on both laptops)");
    let named = open(&a);
    let both = [of_pair(&pair[0], &pair[1]), of_pair(&pair[1], &pair[0])];
    let pair = both.into_iter().find(|pair| named.contains(pair)).expect("the pair is named");
    let mut all = vec![
        pair,
        format!("{trains} (forgotten and edited)"),
        "Timezone (set on both laptops)".to_owned(),
        "knowledge/walk.md (edited on both laptops)".to_owned(),
        "knowledge/old plan.md (deleted and edited)".to_owned(),
    ];
    all.sort();
    (a, b, all)
}

#[test]
fn both_laptops_ask_until_somebody_answers() {
    let world = World::new();
    let (a, b, all) = met(&world);
    for laptop in [&a, &b] {
        assert_eq!(open(laptop), all, "{}", laptop.name);
        assert_eq!(asked(laptop).len(), 5);
        assert!(laptop.co(&[]).contains("5 to review"), "{}", laptop.co(&[]));
    }
    // Syncs in which nothing meets settle nothing.
    a.co(&["learn", "Sings"]);
    b.co(&["learn", "Dances"]);
    sync(&[&a, &b, &a]);
    for laptop in [&a, &b] {
        assert_eq!(open(laptop), all, "{}", laptop.name);
    }
    // Answered on one laptop, each by its own.
    let mut left = 5;
    for one in asked(&b) {
        let id = one["id"].as_str().expect("an id");
        assert!(b.co(&["review", "accept", id]).contains("1 merge settled"));
        left -= 1;
        assert_eq!((open(&b).len(), asked(&b).len()), (left, left));
    }
    sync(&[&b, &a]);
    assert_agree(&[&a, &b]);
    assert!(open(&a).is_empty() && asked(&a).is_empty());
    assert!(a.co(&["review"]).contains("Nothing to review"));
    // An undo asks again, on both.
    b.co(&["undo", "--yes"]);
    assert_eq!(open(&b).len(), 1);
    sync(&[&b, &a]);
    assert_eq!(open(&a).len(), 1);
}

/// What a question is about, by the words that name it.
fn subject(named: &str) -> &'static str {
    match named {
        _ if named.contains("forgotten and edited") => "a fact",
        _ if named.contains("Timezone") => "a field",
        _ if named.contains("walk.md") => "a document",
        _ if named.contains("old plan.md") => "a deleted document",
        _ => "two facts",
    }
}

#[test]
fn an_act_answers_what_it_is_about_and_nothing_else() {
    type Act<'a> = (&'a str, &'a dyn Fn(&Laptop));
    let some: &[Act<'_>] = &[
        ("two facts", &|it| drop(it.co(&["forget", "--yes", "Prefers spaces"]))),
        ("a fact", &|it| edit(it, "Likes night trains", "Likes sleepers")),
        ("a field", &|it| {
            let is_of_b = it.read("profile.md").contains("Asia/Tokyo");
            let now = if is_of_b { "Asia/Tokyo" } else { "Europe/Paris" };
            it.edit("profile.md", now, "Europe/Rome");
        }),
        ("a deleted document", &|it| drop(it.co(&["knowledge", "delete", "old plan"]))),
    ];
    let others: &[Act<'_>] = &[
        ("two facts", &|it| edit(it, "Prefers tabs in Makefiles", "Prefers tabs, mostly")),
        ("a fact", &|it| drop(it.co(&["forget", "--yes", "Likes night trains"]))),
        ("a document", &|it| it.edit("knowledge/walk.md", "Meet at", "Let us meet at")),
        ("a deleted document", &|it| {
            it.edit("knowledge/old plan.md", "Learn to sail.", "Learn to row.");
        }),
    ];
    for on_a in [true, false] {
        for acts in [some, others] {
            let world = World::new();
            let (a, b, mut left) = met(&world);
            let (here, there) = if on_a { (&a, &b) } else { (&b, &a) };
            for (about, act) in acts {
                act(here);
                left.retain(|one| subject(one) != *about);
                assert_eq!(open(here), left, "{about} on {}", here.name);
            }
            sync(&[here, there, here]);
            assert_agree(&[&a, &b]);
            assert_eq!(open(there), left, "{}", there.name);
        }
    }
}

#[test]
fn a_field_is_asked_about_below_its_own_heading() {
    for key in ["- City: ", "* City: ", "- **City**: ", "* **City**: ", "- __City__: "] {
        let world = World::new();
        let (a, b) = pair(&world);
        let text = format!("# Profile\n\n## Home\n\n{key}Rome\n\n## Work\n\n{key}Paris\n");
        a.write("profile.md", &text);
        sync(&[&a, &b]);
        a.edit("profile.md", "Paris", "Oslo");
        b.edit("profile.md", "Paris", "Bern");
        sync(&[&a, &b, &a]);
        for laptop in [&a, &b] {
            assert_eq!(open(laptop), ["City (set on both laptops)"], "{key}");
        }
        // Another city is no answer.
        b.edit("profile.md", "Rome", "Milan");
        assert_eq!(open(&b).len(), 1, "{key}");
        let now = if b.read("profile.md").contains("Oslo") { "Oslo" } else { "Bern" };
        b.edit("profile.md", now, "Lyon");
        assert!(open(&b).is_empty(), "{key}");
    }
}

/// Set here in one place and there in another: nothing met.
#[test]
fn fields_of_two_headings_do_not_meet() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.write("profile.md", "# Profile\n\n## Home\n\n- City: Rome\n\n## Work\n\n- City: Paris\n");
    sync(&[&a, &b]);
    a.edit("profile.md", "Paris", "Oslo");
    b.edit("profile.md", "Rome", "Bern");
    sync(&[&a, &b, &a]);
    assert_agree(&[&a, &b]);
    assert!(a.read("profile.md").contains("Oslo") && a.read("profile.md").contains("Bern"));
    assert!(open(&a).is_empty() && open(&b).is_empty());
}

#[test]
fn agreeing_to_all_that_agents_propose_settles_no_merge() {
    let world = World::new();
    let (a, _, all) = met(&world);
    a.co(&["review", "accept", "--all"]);
    a.co(&["review", "reject", "--all"]);
    assert_eq!(open(&a), all);
}

#[test]
fn what_a_merge_left_is_settled_and_never_rejected() {
    let world = World::new();
    let (a, _, all) = met(&world);
    let listed = a.co(&["review"]);
    assert!(!listed.contains("review reject"), "{listed}");
    for one in asked(&a) {
        let id = one["id"].as_str().expect("an id");
        let said = a.fails(6, &["review", "reject", id]);
        assert!(said.contains("edit, forget or delete"), "{said}");
    }
    assert_eq!(open(&a), all);
}

/// Each question says what it is about, and a no what ends it.
#[test]
fn a_person_is_told_what_is_asked_and_what_ends_it() {
    let world = World::new();
    let (a, _, all) = met(&world);
    let (tabs, spaces) = (handle(&a, "Prefers tabs in Makefiles"), handle(&a, "Prefers spaces"));
    let trains = handle(&a, "Likes night trains");
    let is_of_b = a.read("profile.md").contains("Asia/Tokyo");
    let dropped = if is_of_b { "Europe/Paris" } else { "Asia/Tokyo" };
    let answers = ["(1/5)", "(2/5)", "(3/5)", "(4/5)", "(5/5)"].map(|place| (place, "n\n"));
    let said = screen(&a, 100, &["review"], &answers);
    let flat: String = said.split_whitespace().collect();
    let has = |text: &str| flat.contains(&text.split_whitespace().collect::<String>());
    let both = [(&tabs, &spaces), (&spaces, &tabs)]
        .map(|(one, other)| format!("Are facts {one} and {other} right as they are?"));
    assert!(both.iter().any(|question| has(question)), "{said}");
    for question in [
        &*format!("Is fact {trains} right as it is?"),
        "Is Timezone right as it is?",
        "Is knowledge/walk.md right as it is?",
        "the other value: Timezone: ",
        dropped,
    ] {
        assert!(has(question), "{question}: {said}");
    }
    let ends = "It is asked again until one of these answers it: ";
    assert!(has(&format!("{ends}`co edit {trains} TEXT`, `co forget {trains}`")), "{said}");
    for handle in [&tabs, &spaces] {
        assert!(has(&format!("`co edit {handle} TEXT`, `co forget {handle}`")), "{said}");
    }
    assert!(has("`co knowledge write knowledge/walk.md TEXT`") || has("knowledge/walk.md' TEXT`"));
    assert_eq!(open(&a), all, "a no ends nothing");
    let asked = asked(&a);
    let field = asked.iter().find(|one| one["named"] == "Timezone (set on both laptops)");
    let values = &field.expect("it is asked about")["other_values"];
    assert_eq!(*values, serde_json::json!([format!("Timezone: {dropped}")]));
}

/// What is listed as `(2/5)` is answered as 2, whatever it asks about.
#[test]
fn each_question_is_answered_by_its_number() {
    for number in 1..=5 {
        let world = World::new();
        let (a, _, _) = met(&world);
        let typed = number.to_string();
        let meant = asked(&a)[number - 1]["id"].clone();
        let said = a.fails(6, &["review", "reject", &typed]);
        assert!(said.contains(meant.as_str().expect("an id")), "{said}");
        assert_eq!(asked(&a).len(), 5);
        assert!(a.co(&["review", "accept", &typed]).contains("1 merge settled"));
        assert_eq!(asked(&a).len(), 4);
        assert!(asked(&a).iter().all(|one| one["id"] != meant), "{number}");
    }
    let world = World::new();
    let (a, _, _) = met(&world);
    for typed in ["0", "6", "-1", "1.5", "99999999999999999999999", ""] {
        let said = a.fails(5, &["review", "accept", "--", typed]);
        assert!(said.contains("numbers and their IDs"), "{typed}: {said}");
    }
    assert!(a.co(&["review", "accept", "1", "5", "3"]).contains("3 merges settled"));
}

/// Whoever rejects is told what to type instead, for everything that a question can be about.
#[test]
fn what_settles_a_merge_is_said_as_a_command() {
    let world = World::new();
    let (a, _, _) = met(&world);
    let one = handle(&a, "Prefers spaces");
    let trains = handle(&a, "Likes night trains");
    let commands = [
        format!("co edit {one} TEXT"),
        format!("co forget {trains}"),
        "profile.md".to_owned(),
        "co knowledge write 'knowledge/walk.md' TEXT".to_owned(),
        "co knowledge delete 'knowledge/old plan.md'".to_owned(),
    ];
    let each: String =
        (1..=5).map(|at| a.fails(6, &["review", "reject", &at.to_string()])).collect();
    let all = ["accept", "reject"].map(|verb| a.co(&["review", verb, "--all"]));
    for said in [&each, &all[0], &all[1]] {
        for command in &commands {
            assert!(said.contains(command.as_str()), "{command}: {said}");
        }
        assert!(!said.contains("Nothing to review"), "{said}");
    }
    // Nothing of it is answered by having been told.
    assert_eq!(asked(&a).len(), 5);
    a.co(&["knowledge", "delete", "knowledge/old plan.md"]);
    a.co(&["knowledge", "write", "knowledge/walk.md", "# Walk\n\nMeet at home.\n"]);
    a.co(&["forget", "--yes", &trains]);
    assert_eq!(asked(&a).len(), 2);
}

/// The other text of a document is where the question says, on both laptops.
#[test]
fn the_other_text_of_a_document_can_be_shown() {
    for path in
        ["knowledge/walk.md", "knowledge/n/e.md", "knowledge/my walk's.md", "knowledge/ü.md"]
    {
        for later_merge in [false, true] {
            let world = World::new();
            let (a, b) = pair(&world);
            a.write(path, "# Walk\n\nMeet at the bridge.\n");
            sync(&[&a, &b]);
            a.edit(path, "the bridge", "the old bridge");
            b.edit(path, "the bridge", "the station");
            sync(&[&a, &b, &a]);
            if later_merge {
                a.co(&["learn", "Sings"]);
                b.co(&["learn", "Dances"]);
                sync(&[&a, &b, &a]);
            }
            for laptop in [&a, &b] {
                let kept = laptop.read(path);
                let is_of_b = kept.contains("the station");
                let dropped = if is_of_b { "the old bridge" } else { "the station" };
                let questions = asked(laptop);
                let commands = questions[0]["other_texts"].as_array().expect("commands");
                let [command] = commands.as_slice() else { panic!("{path}: {questions:?}") };
                let command = command.as_str().expect("a command");
                assert!(laptop.co(&["review"]).contains(command), "{command}");
                let shown = laptop.command_of("sh", &["-c", command]).output().expect("sh runs");
                let shown = String::from_utf8_lossy(&shown.stdout);
                assert!(shown.contains(dropped) && !kept.contains(dropped), "{path}: {shown}");
                let bring_back = questions[0]["bring_back"][0].as_str().expect("a command");
                assert!(laptop.co(&["review"]).contains(bring_back), "{bring_back}");
                let line = bring_back.strip_prefix("co ").expect("co's own");
                let line = format!("{} {line}", env!("CARGO_BIN_EXE_co"));
                let done = laptop.command_of("sh", &["-c", &line]).output().expect("sh runs");
                assert!(done.status.success(), "{line}: {done:?}");
                assert!(laptop.read(path).contains(dropped), "{line}");
                assert!(asked(laptop).is_empty(), "it is answered");
                laptop.co(&["undo", "--yes"]);
            }
        }
    }
}
