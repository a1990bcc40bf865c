//! `co review --stale`: facts that may no longer hold are asked about, an answer is in the fact
//! itself, counts on every laptop, and is taken back by one undo.

use crate::support::{
    Laptop, World,
    by_hand::{at, fact},
    ready::laptop,
    terminal::screen,
    web::Site,
    whole::whole,
};
use serde_json::{Value, json};

const NOW: &str = "2026-11-16T12:00:00Z";
/// What was said just before has begun.
const LATER: &str = "2026-11-16T13:00:00Z";
const NEXT_WEEK: &str = "2026-11-23T12:00:00Z";

fn asked(laptop: &Laptop, option: &str) -> Vec<Value> {
    let said = laptop.json(&["review", option]);
    said["data"]["proposals"].as_array().expect("proposals").clone()
}

fn stale(laptop: &Laptop) -> Vec<Value> {
    asked(laptop, "--stale")
}

/// The ID of the only question.
fn only(laptop: &Laptop) -> String {
    let asked = stale(laptop);
    assert_eq!(asked.len(), 1, "{asked:?}");
    asked[0]["id"].as_str().expect("an ID").to_owned()
}

/// One fact that is unchecked, one that is over soon, one whose date has passed.
fn doubtful(world: &World) -> Laptop {
    let a = at(&laptop(world, "a"), NOW);
    fact(&a, 1, "stale_after: 2026-11-10\n", "Pays for the gym");
    fact(&a, 2, "valid_until: 2026-11-20\n", "On call this week");
    fact(&a, 3, "", "Flies to Lisbon on 2026-11-12");
    a
}

/// A fact that should have been checked.
fn unchecked(world: &World) -> Laptop {
    let a = at(&laptop(world, "a"), NOW);
    fact(&a, 1, "stale_after: 2026-11-10\n", "Lives in Munich");
    a
}

#[test]
fn what_may_no_longer_hold_is_asked_about() {
    let world = World::new();
    let a = doubtful(&world);
    fact(&a, 4, "valid_until: 2026-12-24\n", "Works from Oslo");
    fact(&a, 5, "valid_until: 2026-11-10\n", "Was in the office");
    fact(&a, 6, "stale_after: 2026-11-10\nverified: 2026-11-12\n", "Plays chess");
    fact(&a, 7, "valid_until: 2026-11-20\nverified: 2026-11-15\n", "Borrows a bicycle");
    fact(&a, 8, "stale_after: 2026-12-10\n", "Rents a garage");
    let told = |one: &Value| (one["kind"].clone(), one["why"].clone(), one["fact"]["id"].clone());
    let asked: Vec<_> = stale(&a).iter().map(told).collect();
    let wanted = [
        (json!("check"), json!("unchecked since November 2026"), json!(1)),
        (json!("check"), json!("holds until 20 Nov 2026"), json!(2)),
        (json!("check"), json!("2026-11-12 has passed"), json!(3)),
    ];
    assert_eq!(asked, wanted);
    let said = a.co(&["review", "--stale"]);
    assert!(said.contains("Pays for the gym") && said.contains("(it still holds)"), "{said}");
    // None of it is a proposal.
    assert!(a.co(&["review"]).contains("Nothing to review"));
    for other in ["--scan", "--editor"] {
        assert_eq!(a.try_co(&["review", "--stale", other]).code, 2);
    }
}

#[test]
fn what_no_agent_read_for_long_is_asked_about_until_somebody_says_that_it_holds() {
    let world = World::new();
    let a = laptop(&world, "a");
    let winter = at(&a, "2026-01-05T12:00:00Z");
    winter.co(&["learn", "Likes oolong tea"]);
    winter.co(&["learn", "Runs marathons in the mountains"]);
    winter.co(&["learn", "Plays the cello"]);
    winter.co(&["pin", "3"]);
    winter.co(&["recall", "-n", "1", "marathons"]);
    // The log does not go back far enough.
    assert!(stale(&at(&a, "2026-07-01T12:00:00Z")).is_empty());
    at(&a, "2026-11-15T12:00:00Z").co(&["recall", "-n", "1", "oolong tea"]);
    let now = at(&a, NOW);
    let found = stale(&now);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["fact"]["id"], 2);
    assert_eq!(found[0]["why"], "not recalled for 180 days");
    now.co(&["review", "accept", &only(&now)]);
    assert!(stale(&now).is_empty() && asked(&now, "--scan").is_empty());
}

#[test]
fn each_key_does_what_it_says() {
    for columns in [100, 40] {
        let world = World::new();
        let a = doubtful(&world);
        let answers = [
            ("(1/3)", "?\n"),
            ("q  stop here", "y\n"),
            ("(2/3)", "o\n"),
            ("Over since when", "31 Feb\n"),
            ("Over since when (Enter leaves it)?", "soon\n"),
            ("`soon` is not a date", "yesterday\n"),
            ("(3/3)", "f\n"),
        ];
        let said = screen(&a, columns, &["review", "--stale"], &answers);
        for told in ["Fact 1 still holds", "Fact 2 is over", "Forgot fact 3"] {
            let flat = said.split_whitespace().collect::<Vec<&str>>().join(" ");
            assert!(flat.contains(told), "{told}: {said}");
        }
        let gym = a.read("knowledge/memories/001-by-hand.md");
        // Eight days were between its origin and when it was due.
        assert!(gym.contains("stale_after: 2026-11-24"), "{gym}");
        assert!(gym.contains("verified: 2026-11-16T12:00:00"), "{gym}");
        let call = a.read("knowledge/memories/002-by-hand.md");
        assert!(call.contains("valid_until: 2026-11-14"), "{call}");
        assert_eq!(a.facts(), ["Pays for the gym"]);
        assert!(a.co(&["review", "--stale"]).contains("No fact needs a check."));
        assert!(!a.try_co(&["check"]).out.contains("valid_until"));
        // All answers are one operation.
        let before = a.co(&["log"]);
        assert!(before.contains("1 forgotten, 1 confirmed, 1 over"), "{before}");
        a.co(&["undo"]);
        assert_eq!((stale(&a).len(), a.facts().len()), (3, 3));
        a.co(&["redo"]);
        assert!(stale(&a).is_empty());
    }
}

/// What cannot be read is asked for again, until it can be or nothing is typed.
#[test]
fn a_slip_leads_out_of_no_question() {
    let world = World::new();
    let a = doubtful(&world);
    let answers = [
        ("(1/3)", "r\n"),
        ("Replaced by which", "99\n"),
        ("there is no fact 99", "\n"),
        ("Replaced by which fact (Enter leaves it)? \nStill true?", "o\n"),
        ("Over since when", "32 nov\n"),
        ("Over since when (Enter leaves it)?", "\n"),
        ("Over since when (Enter leaves it)? \nStill true?", "q\n"),
    ];
    let said = screen(&a, 100, &["review", "--stale"], &answers);
    assert!(said.contains("No answers were saved."), "{said}");
    assert_eq!(stale(&a).len(), 3);
}

#[test]
fn a_fact_whose_successor_is_over_is_asked_about() {
    let world = World::new();
    let a = at(&laptop(&world, "a"), NOW);
    fact(&a, 1, "", "Lives in Munich");
    a.co(&["learn", "Lives in Hamburg", "--until", "2026-11-20", "--replaces", "1"]);
    assert!(stale(&a).iter().all(|one| one["fact"]["id"] != 1), "{:?}", stale(&a));
    let later = at(&a, NEXT_WEEK);
    assert!(later.facts().is_empty());
    let asked = stale(&later);
    assert_eq!(asked.len(), 1, "{asked:?}");
    assert_eq!(asked[0]["why"], "2 replaced it, until 20 Nov 2026");
    let id = only(&later);
    let said = later.co(&["review", "accept", &id]);
    assert!(said.contains("Fact 1 still holds"), "{said}");
    assert_eq!(later.facts(), ["Lives in Munich"]);
    assert!(stale(&later).is_empty());
    // It is over as well, or something else replaces both.
    later.co(&["undo"]);
    let id = only(&later);
    later.co(&["review", "accept", &id, "--replaced-by", "Lives in Kiel"]);
    assert_eq!(at(&later, "2026-11-23T13:00:00Z").facts(), ["Lives in Kiel"]);
    assert!(stale(&later).is_empty());
    later.co(&["undo"]);
    // Where the successor has one of its own, that one holds.
    later.co(&["learn", "Lives in Bremen", "--replaces", "2"]);
    assert!(stale(&later).is_empty(), "{:?}", stale(&later));
}

#[test]
fn what_replaces_a_fact_from_a_later_day_on_still_will() {
    let world = World::new();
    let a = at(&laptop(&world, "a"), NOW);
    fact(&a, 1, "", "Lives in Munich");
    a.co(&["learn", "Lives in Hamburg", "--until", "2026-11-20", "--replaces", "1"]);
    at(&a, LATER).co(&["learn", "Lives in Kiel", "--from", "2026-12-01", "--replaces", "1"]);
    let later = at(&a, NEXT_WEEK);
    later.co(&["review", "accept", &only(&later)]);
    assert_eq!(later.facts(), ["Lives in Munich"]);
    assert_eq!(at(&a, "2026-12-01T12:00:00Z").facts(), ["Lives in Kiel"]);
}

#[test]
fn what_is_skipped_is_asked_again_and_an_end_of_input_saves_what_was_said() {
    let world = World::new();
    let a = doubtful(&world);
    let answers = [("(1/3)", "s\n"), ("(2/3)", "n\n"), ("f  forget it", "y\n"), ("(3/3)", "q\n")];
    let said = screen(&a, 100, &["review", "--stale"], &answers);
    assert!(said.contains("Fact 2 still holds"), "{said}");
    let left: Vec<Value> = stale(&a).iter().map(|one| one["fact"]["id"].clone()).collect();
    assert_eq!(left, [json!(1), json!(3)]);
}

#[test]
fn another_fact_or_a_new_one_replaces_it() {
    for (typed, replacing) in [
        ("2", "Lives in Hamburg"),
        ("Moved to Kiel for good", "Moved to Kiel for good"),
        ("Lives in Hamburg", "Lives in Hamburg"),
    ] {
        for by_script in [true, false] {
            let world = World::new();
            let a = unchecked(&world);
            fact(&a, 2, "", "Lives in Hamburg");
            a.edit("knowledge/memories/001-by-hand.md", "id: 1\n", "id: 1\ntags: [home]\n");
            let check = stale(&a).into_iter().find(|one| one["kind"] == "check").expect("asked");
            if by_script {
                let id = check["id"].as_str().expect("an ID");
                a.co(&["review", "accept", id, "--replaced-by", typed]);
            } else {
                let typed = format!("{typed}\n");
                let answers =
                    [("Still true?", "r\n"), ("Replaced by which", &*typed), ("/2)", "q\n")];
                let asks = if stale(&a).len() == 1 { &answers[..2] } else { &answers[..] };
                screen(&a, 120, &["review", "--stale"], asks);
            }
            let a = at(&a, LATER);
            let facts = a.facts();
            assert!(facts.contains(&replacing.to_owned()), "{facts:?}");
            assert!(!facts.contains(&"Lives in Munich".to_owned()), "{facts:?}");
            let all = a.co(&["list", "--all"]);
            assert!(all.contains("Lives in Munich") && all.contains("replaced by "), "{all}");
            if replacing.contains("Kiel") {
                let kiel = a.read(&a.file_of("Moved to Kiel"));
                assert!(kiel.contains("tags: [home]") && kiel.contains("supersedes: ["), "{kiel}");
            }
            a.co(&["undo"]);
            assert!(a.facts().contains(&"Lives in Munich".to_owned()));
        }
    }
}

#[test]
fn an_end_is_typed_as_a_person_says_it() {
    for (typed, until) in [
        ("2026-11-05", "valid_until: 2026-11-04"),
        ("yesterday", "valid_until: 2026-11-14"),
        ("3 days ago", "valid_until: 2026-11-12"),
        ("1 Nov", "valid_until: 2026-10-31"),
        ("2026-11-16T09:00:00Z", "valid_until: 2026-11-16T08:59:59+00:00"),
        ("", "valid_until: 2026-11-16T11:59:59"),
    ] {
        let world = World::new();
        let a = unchecked(&world);
        a.co(&["review", "accept", &only(&a), "--over-since", typed]);
        let file = a.read("knowledge/memories/001-by-hand.md");
        assert!(file.contains(until), "{typed}: {file}");
        assert!(a.facts().is_empty() && stale(&a).is_empty(), "{typed}");
        assert!(!a.try_co(&["check"]).out.contains("valid_until"), "{typed}");
        a.co(&["undo"]);
        assert_eq!(a.facts(), ["Lives in Munich"]);
    }
}

#[test]
fn what_makes_no_sense_changes_nothing() {
    let world = World::new();
    let a = unchecked(&world);
    a.edit("knowledge/memories/001-by-hand.md", "stale", "valid_from: 2026-11-02\nstale");
    let id = only(&a);
    let before = a.tree();
    // Numbers are those of `co review`.
    a.fails(5, &["review", "accept", "1"]);
    a.fails(6, &["review", "reject", &id]);
    a.fails(2, &["review", "accept", &id, "--over-since", "31 Feb"]);
    for options in [&[&*id, "--replaced-by", "1"][..], &["--all"]] {
        let typed = [&["review", "accept", "--over-since", "1 Nov"][..], options].concat();
        assert_eq!(a.try_co(&typed).code, 2, "{typed:?}");
    }
    let named = |said: &str| whole(&said.replace(&*id, "[question]"));
    let said = a.fails(6, &["review", "accept", &id, "--over-since", "1 Nov"]);
    insta::assert_snapshot!(named(&said), @"
    error: [question] was not accepted: it would be over before it begins, on 2026-11-02
    hint: `co review --stale` asks about it again
    ");
    let said = a.fails(6, &["review", "accept", &id, "--replaced-by", "1"]);
    insta::assert_snapshot!(named(&said), @"
    error: [question] was not accepted: a fact cannot replace itself
    hint: `co review --stale` asks about it again
    ");
    a.fails(5, &["review", "accept", &id, "--replaced-by", "99"]);
    let token = "the token is ghp_9xKq2LmV7RtZ4WcY8NbJ3HdF6GsP1Qe05AuT";
    let said = a.fails(6, &["review", "accept", &id, "--replaced-by", token]);
    assert!(!said.contains("ghp_9xKq2LmV7"), "{said}");
    insta::assert_snapshot!(named(&said), @"
    error: [question] was not accepted: this looks like a GitHub token (rule github-pat, line 1: `ghp_9xK…`)
    hint: `co review --stale` asks about it again
    ");
    assert_eq!(a.tree(), before);
    // The fact changed meanwhile.
    a.co(&["edit", "1", "Lives in München"]);
    a.fails(5, &["review", "accept", &id]);
}

#[test]
fn what_replaces_a_fact_from_a_later_day_on_still_does() {
    let world = World::new();
    let a = unchecked(&world);
    let hash = a.json(&["show", "1"])["data"]["hash"].as_str().expect("a hash").to_owned();
    let keys = format!("valid_from: 2026-12-01\nsupersedes: [{hash}]\n");
    fact(&a, 2, &keys, "Moved to the coast");
    a.co(&["review", "accept", &only(&a)]);
    assert_eq!(a.facts(), ["Lives in Munich"]);
    assert_eq!(at(&a, "2026-12-02T12:00:00Z").facts(), ["Moved to the coast"]);
}

/// Two facts that contradict each other.
fn contradicting(world: &World) -> Laptop {
    let a = at(&laptop(world, "a"), NOW);
    fact(&a, 1, "", "The rent is 900 euros");
    fact(&a, 2, "", "The rent is 1200 euros");
    a
}

#[test]
fn of_two_that_contradict_the_newer_replaces_the_older() {
    for option in ["--stale", "--scan"] {
        let world = World::new();
        let a = contradicting(&world);
        let found = asked(&a, option);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((&found[0]["kind"], &found[0]["older"]["id"]), (&json!("replace"), &json!(1)));
        // Said again since, the older one is still replaced.
        a.co(&["edit", "1", "--tag", "home"]);
        a.co(&["review", "accept", found[0]["id"].as_str().expect("an ID")]);
        assert_eq!(a.facts(), ["The rent is 1200 euros"]);
        assert!(asked(&a, option).is_empty());
        let all = a.co(&["list", "--all"]);
        assert!(all.contains("900 euros") && all.contains("replaced by 2"), "{all}");
        assert!(a.co(&["forget", "2", "--yes"]).contains("Fact 1 counts again"));
        a.co(&["undo", "--yes"]);
        a.co(&["undo", "--yes"]);
        assert_eq!((a.facts().len(), asked(&a, option).len()), (2, 1));
    }
}

#[test]
fn that_both_of_two_hold_or_the_older_is_wrong_is_said_by_a_key() {
    for (key, facts) in [("n\n", 2), ("f\n", 1)] {
        let world = World::new();
        let a = contradicting(&world);
        screen(&a, 100, &["review", "--stale"], &[("Does 2 replace 1?", key)]);
        assert_eq!(a.facts().len(), facts);
        assert!(stale(&a).is_empty() && asked(&a, "--scan").is_empty());
        assert_eq!(a.co(&["list", "--all"]).contains("900 euros"), facts == 2);
    }
}

#[test]
fn an_answer_counts_on_every_laptop() {
    type Check = fn(&Laptop);
    let holds: Check = |laptop| assert_eq!(laptop.facts(), ["Lives in Munich"]);
    let gone: Check = |laptop| assert!(laptop.facts().is_empty(), "{:?}", laptop.facts());
    let moved: Check = |laptop| assert_eq!(laptop.facts(), ["Lives in Hamburg"]);
    for (options, check) in [
        (&[][..], holds),
        (&["--over-since", "yesterday"][..], gone),
        (&["--replaced-by", "Lives in Hamburg"][..], moved),
    ] {
        let world = World::new();
        let (a, remote) = (unchecked(&world), world.remote());
        a.co(&["identity", "remote", &remote]);
        a.co(&["sync"]);
        let b = world.laptop("b");
        b.co(&["init", &remote, "--yes"]);
        let b = at(&b, NEXT_WEEK);
        let id = only(&a);
        assert_eq!(only(&b), id, "the question is the same");
        a.co(&[&["review", "accept", id.as_str()][..], options].concat());
        a.co(&["sync"]);
        b.co(&["sync"]);
        assert!(stale(&b).is_empty(), "{options:?}");
        check(&b);
        // Taken back here, it is taken back there.
        a.co(&["undo", "--yes"]);
        a.co(&["sync"]);
        b.co(&["sync"]);
        holds(&b);
        let file = b.read(&b.file_of("Munich"));
        assert!(!file.contains("verified") && !file.contains("valid_until"), "{file}");
    }
}

#[test]
fn two_laptops_answer_at_once_and_both_answers_are_there() {
    let world = World::new();
    let (a, remote) = (unchecked(&world), world.remote());
    a.co(&["identity", "remote", &remote]);
    a.co(&["sync"]);
    let b = world.laptop("b");
    b.co(&["init", &remote, "--yes"]);
    let b = at(&b, NEXT_WEEK);
    a.co(&["review", "accept", &only(&a)]);
    b.co(&["review", "accept", &only(&b)]);
    for laptop in [&a, &b, &a] {
        laptop.co(&["sync"]);
    }
    // The later check wins, with the day that follows from it.
    for laptop in [&a, &b] {
        let file = laptop.read(&laptop.file_of("Munich"));
        assert!(file.contains("verified: 2026-11-23T12:00:00"), "{file}");
        assert!(file.contains("stale_after: 2026-12-01"), "{file}");
        assert!(laptop.co(&["review"]).contains("Nothing to review"));
        assert!(stale(laptop).is_empty());
    }
}

#[test]
fn the_state_counts_what_holds_and_names_what_is_unchecked() {
    let world = World::new();
    let a = unchecked(&world);
    fact(&a, 2, "valid_until: 2026-11-10\n", "Was in the office");
    fact(&a, 3, "", "Plays chess");
    insta::assert_snapshot!(whole(&a.co(&[])), @r#"
    Your identity · 2 facts and 1 that does not hold now · 3 files to commit, no remote: `co identity remote URL`
    agents   none connected: `co agent install --all`
    check    1 fact is unchecked: `co review --stale` asks about it
    next     co learn "…"   co recall "…"   co sync   (`co --help` lists all)
    "#);
    insta::assert_snapshot!(whole(&a.co(&["status"])), @"
    [indented]
      identity  ~/.config/co-cli/identity
      contains  2 facts, 2 traits, 0 documents
                1 more fact does not hold now: `co list --all`
                1 fact is unchecked: `co review --stale` asks about it
           git  own repository, branch main
        remote  none; `co identity remote URL` sets one
          sync  3 files to commit: `co sync`
        agents  none connected; `co agent install --all`
    ");
    // A sync counts all files of facts: what is beside those that hold is said.
    insta::assert_snapshot!(whole(&a.co(&["sync"])), @"
    Committed on this laptop.
      learned here    + 1    Lives in Munich
      learned here    + 2    Was in the office
      learned here    + 3    Plays chess
    3 facts. Undo: `co undo`.
    ");
    insta::assert_snapshot!(whole(&a.co(&[])), @r#"
    Your identity · 2 facts and 1 that does not hold now · no remote: `co identity remote URL`
    agents   none connected: `co agent install --all`
    check    1 fact is unchecked: `co review --stale` asks about it
    next     co learn "…"   co recall "…"   co sync   (`co --help` lists all)
    "#);
    insta::assert_snapshot!(whole(&a.co(&["status"])), @"
    [indented]
      identity  ~/.config/co-cli/identity
      contains  2 facts, 2 traits, 0 documents
                1 more fact does not hold now: `co list --all`
                1 fact is unchecked: `co review --stale` asks about it
           git  own repository, branch main
        remote  none; `co identity remote URL` sets one
          sync  everything is committed, nothing pushed
        agents  none connected; `co agent install --all`
    ");
    let data = a.json(&["status"])["data"].clone();
    assert_eq!((&data["counts"]["memories"], &data["unreadable"]), (&json!(2), &json!(0)));
    assert_eq!((&data["not_held"], &data["unchecked"]), (&json!(1), &json!(1)));
    // Without an index, too.
    a.co(&["config", "set", "recall.catalog", "false"]);
    assert_eq!(a.json(&["status"])["data"]["unchecked"], 1);
    a.co(&["config", "unset", "recall.catalog"]);
    a.co(&["review", "accept", &only(&a)]);
    insta::assert_snapshot!(whole(&a.co(&[])), @r#"
    Your identity · 2 facts and 1 that does not hold now · 1 file to commit, no remote: `co identity remote URL`
    agents   none connected: `co agent install --all`
    next     co learn "…"   co recall "…"   co sync   (`co --help` lists all)
    "#);
    insta::assert_snapshot!(whole(&a.co(&["status"])), @"
    [indented]
      identity  ~/.config/co-cli/identity
      contains  2 facts, 2 traits, 0 documents
                1 more fact does not hold now: `co list --all`
           git  own repository, branch main
        remote  none; `co identity remote URL` sets one
          sync  1 file to commit: `co sync`
        agents  none connected; `co agent install --all`
    ");
}

#[test]
fn the_page_asks_the_same_and_takes_the_same_answers() {
    for (said, text, facts) in [
        ("yes", "", &["Lives in Munich"][..]),
        ("over-since", "yesterday", &[]),
        ("over-since", "", &[]),
        ("replaced-by", "Moved to the coast", &["Moved to the coast"]),
        ("replaced-by", "2", &["Moved to the coast"]),
        ("forget", "", &[]),
    ] {
        let world = World::new();
        let a = unchecked(&world);
        if said == "replaced-by" {
            fact(&a, 2, "", "Moved to the coast");
        }
        let site = Site::entered(&a, &[]);
        let waits = || site.data("stale", &json!({}))["proposals"].clone();
        assert_eq!(waits(), a.json(&["review", "--stale"])["data"]["proposals"]);
        let answer = json!({ "id": waits()[0]["id"], "said": said, "text": text });
        site.data("checked", &answer);
        assert_eq!(a.facts(), facts, "{said}");
        assert_eq!(waits(), json!([]));
        assert_eq!(site.data("checked", &answer)["answered_before"], true);
        site.data("undo", &json!({ "op": null }));
        assert!(a.facts().contains(&"Lives in Munich".to_owned()));
        assert_eq!(waits()[0]["id"], answer["id"]);
    }
}

#[test]
fn the_page_shows_what_holds_and_on_demand_the_rest() {
    let world = World::new();
    let a = contradicting(&world);
    let site = Site::entered(&a, &[]);
    let id = site.data("stale", &json!({}))["proposals"][0]["id"].clone();
    site.data("checked", &json!({ "id": id, "said": "yes" }));
    let list = |which: &str| site.data("list", &json!({ "which": which }))["memories"].clone();
    assert_eq!(list("current").as_array().map(Vec::len), Some(1));
    assert_eq!(list("all"), a.json(&["list", "--all"])["data"]["memories"]);
    assert_eq!(list("all")[0]["marks"], json!(["replaced by 2"]));
    let recalled = |which: &str| {
        let fields = json!({ "query": "rent", "limit": 9, "which": which });
        site.data("recall", &fields)["results"].as_array().map(Vec::len)
    };
    assert_eq!((recalled("current"), recalled("all")), (Some(1), Some(2)));
    let newer = list("current")[0]["hash"].clone();
    let done = site.data("forget", &json!({ "handle": newer, "scope": "identity" }));
    assert_eq!(done["counts_again"][0]["handle"], "1", "{done}");
}

#[test]
fn joining_two_facts_keeps_what_they_replaced() {
    let world = World::new();
    let a = at(&laptop(&world, "a"), NOW);
    fact(&a, 1, "", "Drinks black coffee at breakfast");
    let hash = a.json(&["show", "1"])["data"]["hash"].as_str().expect("a hash").to_owned();
    let keys = format!("supersedes: [{hash}]\n");
    fact(&a, 2, &keys, "Likes oolong tea in the early morning");
    fact(&a, 3, "", "Likes oolong tea in the early mornings");
    let join = asked(&a, "--scan").into_iter().find(|one| one["kind"] == "join").expect("alike");
    a.co(&["review", "accept", join["id"].as_str().expect("an ID")]);
    assert_eq!(a.facts(), ["Likes oolong tea in the early mornings"]);
}

#[test]
fn what_is_over_only_later_is_not_said_to_be_over() {
    for (typed, said) in [
        ("yesterday", "Fact 1 is over: Lives in Munich"),
        ("", "Fact 1 is over: Lives in Munich"),
        ("tomorrow", "Fact 1 holds until 16 Nov 2026: Lives in Munich"),
        ("next friday", "Fact 1 holds until 19 Nov 2026: Lives in Munich"),
        ("2027", "Fact 1 holds until 31 Dec 2026: Lives in Munich"),
    ] {
        let world = World::new();
        let a = unchecked(&world);
        let answer = a.co(&["review", "accept", &only(&a), "--over-since", typed]);
        assert!(answer.contains(said), "{typed}: {answer}");
    }
}
