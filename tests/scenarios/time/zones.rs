//! Days are the person's days, in the time zone of the profile or else of the laptop, on every
//! screen and in every question.

use crate::support::{Laptop, World, client::Client, git, in_process::ran_apart, web::Site};
use serde_json::json;

/// A day in a time zone, and two moments on it that are on different days in UTC.
struct Day {
    zone: &'static str,
    day: &'static str,
    before: &'static str,
    after: &'static str,
    moments: [&'static str; 2],
    shown: [&'static str; 2],
}

const DAYS: &[Day] = &[
    Day {
        zone: "America/Los_Angeles",
        day: "2026-11-19",
        before: "2026-11-18",
        after: "2026-11-20",
        moments: ["2026-11-19T17:00:00Z", "2026-11-20T03:00:00Z"],
        shown: ["2026-11-19 09:00", "2026-11-19 19:00"],
    },
    Day {
        zone: "Pacific/Kiritimati",
        day: "2026-11-20",
        before: "2026-11-19",
        after: "2026-11-21",
        moments: ["2026-11-19T19:00:00Z", "2026-11-20T05:00:00Z"],
        shown: ["2026-11-20 09:00", "2026-11-20 19:00"],
    },
    Day {
        zone: "Asia/Kathmandu",
        day: "2026-11-20",
        before: "2026-11-19",
        after: "2026-11-21",
        moments: ["2026-11-19T18:15:01Z", "2026-11-20T18:14:59Z"],
        shown: ["2026-11-20 00:00", "2026-11-20 23:59"],
    },
    Day {
        zone: "Pacific/Pago_Pago",
        day: "2026-11-19",
        before: "2026-11-18",
        after: "2026-11-20",
        moments: ["2026-11-19T20:00:00Z", "2026-11-20T10:59:59Z"],
        shown: ["2026-11-19 09:00", "2026-11-19 23:59"],
    },
    Day {
        zone: "Europe/Berlin",
        day: "2026-07-20",
        before: "2026-07-19",
        after: "2026-07-21",
        moments: ["2026-07-19T22:30:00Z", "2026-07-20T18:00:00Z"],
        shown: ["2026-07-20 00:30", "2026-07-20 20:00"],
    },
    Day {
        zone: "America/St_Johns",
        day: "2026-11-19",
        before: "2026-11-18",
        after: "2026-11-20",
        moments: ["2026-11-19T12:30:00Z", "2026-11-20T03:29:59Z"],
        shown: ["2026-11-19 09:00", "2026-11-19 23:59"],
    },
];

fn at(laptop: &Laptop, moment: &str) -> Laptop {
    laptop.with_env("CO_TEST_CLOCK", moment)
}

/// Two facts of the same day, and the laptop at the later moment.
fn of_a_day(laptop: &Laptop, day: &Day) -> Laptop {
    at(laptop, day.moments[0]).learned("Planted tomatoes in the garden");
    let late = at(laptop, day.moments[1]);
    late.co(&["learn", "Watered the garden at night"]);
    late
}

/// What the dates of the two facts add to their scores.
fn dates(laptop: &Laptop, question: &str) -> Vec<f64> {
    let found = laptop.recalled(question);
    let results = found["results"].as_array().expect("results").clone();
    assert_eq!(results.len(), 2, "{question}: {found}");
    results.iter().map(|one| one["signals"]["date"].as_f64().expect("a number")).collect()
}

fn every_screen_has(late: &Laptop, day: &Day) {
    let Day { zone, day, shown, moments, .. } = day;
    let list = late.co(&["list"]);
    assert_eq!(list.matches(&format!("({day})")).count(), 2, "{zone}: {list}");
    let both = late.co(&["show", "1", "2"]);
    assert_eq!(both.matches(&format!("learned {day}")).count(), 2, "{zone}: {both}");
    let found = late.co(&["recall", "garden"]);
    assert_eq!(found.matches(&format!("(created {day})")).count(), 2, "{zone}: {found}");
    let context = late.co(&["context"]);
    assert_eq!(context.matches(&format!("- {day}: ")).count(), 2, "{zone}: {context}");
    let log = late.co(&["log"]);
    for moment in shown {
        assert!(log.contains(moment), "{zone}: {log}");
    }
    assert!(late.co(&["log", "2"]).contains(shown[1]), "{zone}");
    let rows = late.json(&["list"])["data"]["memories"].clone();
    for (at, moment) in moments.iter().enumerate() {
        assert_eq!(rows[at]["date"], *day, "{zone}: {rows}");
        let created = rows[at]["created"].as_str().expect("a stamp");
        assert!(created.starts_with(&moment[..19]) && created.ends_with('Z'), "{zone}: {created}");
    }
    let like = late.json(&["memory", "similar", "1"]);
    let similar = like["data"]["of"]["similar"].as_array().expect("a list").clone();
    assert!(similar.iter().all(|one| one["date"] == *day), "{zone}: {like}");
}

fn every_question_means(late: &Laptop, laptop: &Laptop, day: &Day) {
    let Day { zone, day: name, before, after, .. } = day;
    for question in ["garden today", &format!("garden on {name}"), "garden this week"] {
        let dates = dates(late, question);
        assert!(dates[0] > 0.0 && dates[0] == dates[1], "{zone}: {question}: {dates:?}");
    }
    let next = at(laptop, &day.moments[1].replace(&day.moments[1][..10], &next_of(day)));
    let dates = dates(&next, "garden yesterday");
    assert!(dates[0] > 0.0 && dates[0] == dates[1], "{zone}: {dates:?}");
    let since =
        |day: &str| late.json(&["recall", "garden", "--since", day])["data"]["count"].clone();
    assert_eq!(
        (since(name), since(before), since(after)),
        (json!(2), json!(2), json!(0)),
        "{zone}"
    );
}

/// The day after the later moment in UTC.
fn next_of(day: &Day) -> String {
    let date: u32 = day.moments[1][8..10].parse().expect("a number");
    format!("{}{:02}", &day.moments[1][..8], date + 1)
}

fn past_days_are_found(late: &Laptop, day: &Day) {
    let Day { zone, day, before, shown, .. } = day;
    late.co(&["sync"]);
    let then = late.co(&["list", "--at", day]);
    assert!(then.starts_with(&format!("As it was on {day} (commit ")), "{zone}: {then}");
    assert!(then.contains("Watered"), "{zone}: {then}");
    late.fails(5, &["list", "--at", before]);
    let moment = shown[1].replace(' ', "T");
    late.fails(5, &["list", "--at", &format!("{}T00:00:00", &moment[..10])]);
    let exported = late.co(&["export"]);
    assert!(exported.contains(&format!("co-identity-{day}.tar.gz")), "{zone}: {exported}");
    let archive = format!("co-identity-{day}.tar.gz");
    let review = late.co(&["diff", &archive]);
    assert!(review.contains(shown[1]) && !review.contains("UTC"), "{zone}: {review}");
}

fn models_and_the_page_have(late: &Laptop, day: &Day) {
    let Day { zone, day, .. } = day;
    let mut client = Client::ready_with_env(late);
    let mark = format!("({day})");
    let listed = client.call_ok("list_memories", json!({}));
    assert_eq!(listed.matches(&mark).count(), 2, "{zone}: {listed}");
    let found = client.call_ok("recall_memory", json!({"query": "garden today"}));
    assert_eq!(found.matches(&format!("(created {day})")).count(), 2, "{zone}: {found}");
    let context = client.call_ok("get_context", json!({}));
    assert_eq!(context.matches(&format!("{day}: ")).count(), 2, "{zone}: {context}");
    let site = Site::entered(late, &[]);
    let rows = site.data("list", &json!({}))["memories"].clone();
    assert!((0..2).all(|at| rows[at]["date"] == *day), "{zone}: {rows}");
    assert_eq!(site.data("watch", &json!({"active": false}))["zone"], *zone);
}

#[test]
fn a_laptop_without_a_zone_in_its_profile_has_its_own_days() {
    if ran_apart() {
        return;
    }
    for day in DAYS {
        let world = World::new();
        let a = world.laptop("a").with_env("TZ", day.zone);
        at(&a, day.moments[0]).co(&["init", "--yes"]);
        let late = of_a_day(&a, day);
        every_screen_has(&late, day);
        every_question_means(&late, &a, day);
        models_and_the_page_have(&late, day);
        past_days_are_found(&late, day);
    }
}

#[test]
fn the_zone_of_the_profile_comes_first() {
    if ran_apart() {
        return;
    }
    for (day, other) in DAYS.iter().zip(["UTC", "America/New_York", "UTC", "Asia/Tokyo", "UTC", ""])
    {
        let world = World::new();
        let a = world.laptop("a").with_env("TZ", other);
        at(&a, day.moments[0]).co(&["init", "--yes", "--timezone", day.zone]);
        let late = of_a_day(&a, day);
        every_screen_has(&late, day);
        every_question_means(&late, &a, day);
        models_and_the_page_have(&late, day);
        past_days_are_found(&late, day);
    }
}

#[test]
fn the_zone_of_a_laptop_is_read_as_other_programs_read_it() {
    let moment = "2026-11-20T03:00:00Z";
    for (zone, day) in [
        ("", "2026-11-20"),
        ("UTC0", "2026-11-20"),
        (":America/New_York", "2026-11-19"),
        ("PST8PDT", "2026-11-19"),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-11-19"),
        ("<+14>-14", "2026-11-20"),
        ("XYZ11", "2026-11-19"),
        ("Nowhere/At_All", "2026-11-20"),
    ] {
        let world = World::new();
        let a = at(&world.laptop("a").with_env("TZ", zone), moment);
        a.co(&["init", "--yes"]);
        a.co(&["learn", "Lives in Seattle"]);
        let list = a.co(&["list"]);
        assert!(list.contains(&format!("({day})")), "{zone}: {list}");
    }
}

#[test]
fn a_profile_says_its_zone_in_several_ways() {
    let moment = "2026-11-20T03:00:00Z";
    for (line, day) in [
        ("- Timezone: America/Los_Angeles", "2026-11-19"),
        ("- Time zone: America/Los Angeles", "2026-11-19"),
        ("* **Timezone**: `america/los_angeles`", "2026-11-19"),
        ("- **Time zone:** America/Los_Angeles (PST)", "2026-11-19"),
        ("- TZ: US/Pacific", "2026-11-19"),
        ("- Timezone: Mars/Base", "2026-11-20"),
        ("- Timezone:", "2026-11-20"),
        ("```\n- Timezone: America/Los_Angeles\n```", "2026-11-20"),
    ] {
        let world = World::new();
        let a = at(&world.laptop("a").with_env("TZ", "UTC"), moment);
        a.co(&["init", "--yes"]);
        a.co(&["learn", "Lives in Seattle"]);
        a.write("profile.md", &format!("# Profile\n\n{line}\n"));
        let list = a.co(&["list"]);
        assert!(list.contains(&format!("({day})")), "{line}: {list}");
        let doctor = a.try_co(&["doctor"]).out;
        let is_named = doctor.contains("names an unknown time zone, `Mars/Base`");
        assert_eq!(is_named, line.contains("Mars"), "{line}: {doctor}");
    }
}

#[test]
fn a_bare_day_is_that_day_in_every_zone() {
    for zone in ["America/Los_Angeles", "Pacific/Kiritimati", "Asia/Kathmandu", "UTC", "XYZ11"] {
        let world = World::new();
        let a = at(&world.laptop("a").with_env("TZ", zone), "2026-11-20T12:00:00Z");
        a.co(&["init", "--yes"]);
        for (id, created, text) in [
            (1, "2026-02-09", "Waters the garden in the morning"),
            (2, "2026-02-09T00:00:00Z", "Sold a gnome from the garden"),
            (3, "2026-02-09 00:00:00+00:00", "A garden fence needs paint"),
        ] {
            let text = format!("---\nid: {id}\ncreated: {created}\n---\n\n{text}\n");
            a.write(&format!("knowledge/memories/00{id}-garden.md"), &text);
        }
        let list = a.co(&["list"]);
        assert_eq!(list.matches("(2026-02-09)").count(), 3, "{zone}: {list}");
        let found = a.json(&["recall", "garden on 9 February 2026"]);
        let results = found["data"]["results"].as_array().expect("results").clone();
        let date = |one: &serde_json::Value| one["signals"]["date"].as_f64();
        assert!(results.iter().all(|one| date(one) > Some(0.0)), "{zone}: {found}");
        for (since, count) in [("2026-02-09", 3), ("2026-02-10", 0)] {
            let found = a.json(&["recall", "garden", "--since", since]);
            assert_eq!(found["data"]["count"], count, "{zone}: {found}");
        }
    }
}

#[test]
fn a_day_that_begins_without_a_midnight_is_a_day() {
    if ran_apart() {
        return;
    }
    // Clocks went from 23:59 to 01:00; the day after has a midnight again.
    for (zone, day, first, last) in [
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:30Z", "2018-11-05T01:59:30Z"),
        ("Asia/Beirut", "2022-03-27", "2022-03-26T22:00:30Z", "2022-03-27T20:59:30Z"),
        ("America/Havana", "2023-03-12", "2023-03-12T05:00:30Z", "2023-03-13T03:59:30Z"),
        ("America/Asuncion", "2022-10-02", "2022-10-02T04:00:30Z", "2022-10-03T02:59:30Z"),
        ("Africa/Cairo", "2024-04-26", "2024-04-25T22:00:30Z", "2024-04-26T20:59:30Z"),
    ] {
        let world = World::new();
        let a = world.laptop("a").with_env("TZ", zone);
        let early = at(&a, first);
        early.co(&["init", "--yes"]);
        early.co(&["learn", "Planted tomatoes in the garden"]);
        let late = at(&a, last);
        late.co(&["learn", "Watered the garden at night"]);
        let list = late.co(&["list"]);
        assert_eq!(list.matches(&format!("({day})")).count(), 2, "{zone}: {list}");
        let dates = dates(&late, "garden today");
        assert!(dates[0] > 0.0 && dates[0] == dates[1], "{zone}: {dates:?}");
        late.co(&["sync"]);
        assert!(late.co(&["list", "--at", day]).contains(&format!("on {day}")), "{zone}");
    }
}

/// Claude Code saves a fact.
const SAVES: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","#,
    r#""clientInfo":{"name":"claude-code","version":"1"},"capabilities":{}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
    r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"save_memory","#,
    r#""arguments":{"content":"Prefers tea"}}}"#,
    "\n",
);

#[test]
fn what_agents_wrote_today_is_counted_from_midnight() {
    // 30 minutes after midnight, and an hour and a half before it.
    for (zone, written, asked, is_today) in [
        ("America/Los_Angeles", "2026-11-20T07:00:00Z", "2026-11-20T08:30:00Z", false),
        ("America/Los_Angeles", "2026-11-20T08:10:00Z", "2026-11-20T08:30:00Z", true),
        ("Asia/Kathmandu", "2026-11-19T17:00:00Z", "2026-11-19T18:45:00Z", false),
        ("Pacific/Kiritimati", "2026-11-19T10:10:00Z", "2026-11-20T09:50:00Z", true),
        ("UTC", "2026-11-19T23:00:00Z", "2026-11-20T00:30:00Z", false),
    ] {
        let world = World::new();
        let a = world.laptop("a").with_env("TZ", zone);
        let then = at(&a, written);
        then.co(&["init", "--yes"]);
        std::fs::create_dir_all(a.home.join(".claude")).expect("a folder");
        then.co(&["agent", "install", "claude-code", "--yes"]);
        assert_eq!(then.piped(SAVES, &["mcp"]).code, 0);
        let status = at(&a, asked).json(&["status"]);
        let today: u64 = status["data"]["agents"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|agent| agent["wrote_today"].as_u64())
            .sum();
        assert_eq!(today > 0, is_today, "{zone} {written}: {status}");
    }
}

#[test]
fn a_forgotten_fact_is_named_with_the_day_of_the_person() {
    for day in DAYS {
        let world = World::new();
        let a = world.laptop("a").with_env("TZ", day.zone);
        let late = at(&a, day.moments[1]);
        let first = at(&a, day.moments[0]);
        first.co(&["init", "--yes"]);
        first.co(&["learn", "Planted tomatoes in the garden"]);
        first.co(&["export", "all.tar.gz"]);
        // The moment that is on another day in UTC.
        let is_other = |moment: &&&str| !moment.starts_with(day.day);
        let then = at(&a, day.moments.iter().find(is_other).expect("one"));
        then.co(&["forget", "1"]);
        let review = late.co(&["diff", "all.tar.gz"]);
        let said = format!("forgotten here on {}", day.day);
        assert!(review.contains(&said), "{}: {review}", day.zone);
    }
}

#[test]
fn a_meeting_is_filed_under_the_day_of_the_person() {
    for day in DAYS {
        let world = World::new();
        let a = world.laptop("a").with_env("TZ", day.zone);
        at(&a, day.moments[0]).co(&["init", "--yes"]);
        for (name, moment) in ["standup-one", "standup-two"].into_iter().zip(day.moments) {
            at(&a, moment).co(&["knowledge", "write", name, "--type", "meeting", "We met."]);
        }
        let names = git(&a.identity(), &["ls-files", "-o", "knowledge"]);
        assert_eq!(names.matches(&format!("{}-standup", day.day)).count(), 2, "{names}");
    }
}
