//! Situations of facts in time: the moment, the facts, and whether each holds then. Here for the
//! function that decides, and in the tests of every door for what a person, a model and a program
//! are shown.
//!
//! Invariant: a fact is `TEXT CREATED KEY=VALUE…`, with the texts of the facts that it replaces;
//! what is said of it is `+` if it holds and `-` if not, its text, and what a line says of its
//! time. Must not know: who reads it.

/// A date of these tables as a file has it: `14` is a day of November 2026, `14T09` an hour of it
/// in UTC, and anything longer is as it is written.
pub(super) fn in_file(text: &str) -> String {
    match text.len() {
        2 => format!("2026-11-{text}"),
        5 => format!("2026-11-{text}:00:00Z"),
        _ => text.to_owned(),
    }
}

/// The moment, the facts, and what is said of each.
pub(super) type Situation = (&'static str, &'static [&'static str], &'static [&'static str]);

pub(super) const OF_BOUNDS: &[Situation] = &[
    ("20", &["a 01"], &["+a"]),
    // Until: the last day is a whole one.
    ("14T00", &["a 01 until=14"], &["+a until 14 Nov 2026"]),
    ("14T23", &["a 01 until=14"], &["+a until 14 Nov 2026"]),
    ("15T00", &["a 01 until=14"], &["-a until 14 Nov 2026"]),
    ("2026-11-14T16:59:59Z", &["a 01 until=14T17"], &["+a until 2026-11-14 17:00"]),
    ("14T18", &["a 01 until=14T17"], &["-a until 2026-11-14 17:00"]),
    ("2028-02-29T23:59:59Z", &["a 01 until=2028-02-29"], &["+a until 29 Feb 2028"]),
    ("2028-03-01T00:00:00Z", &["a 01 until=2028-02-29"], &["-a until 29 Feb 2028"]),
    // A moment without a zone is one in UTC.
    ("2026-11-14T16:59:59Z", &["a 01 until=2026-11-14T17:00"], &["+a until 2026-11-14 17:00"]),
    ("14T18", &["a 01 until=2026-11-14T17:00"], &["-a until 2026-11-14 17:00"]),
    // From: the first day is a whole one.
    ("13T23", &["a 01 from=14"], &["-a from 14 Nov 2026"]),
    ("14T00", &["a 01 from=14"], &["+a"]),
    ("13T23", &["a 01 from=14 until=20"], &["-a from 14 Nov 2026, until 20 Nov 2026"]),
    ("14T00", &["a 01 from=14 until=14"], &["+a until 14 Nov 2026"]),
    // An end before the beginning: at no time.
    ("14T00", &["a 01 from=15 until=13"], &["-a from 15 Nov 2026, until 13 Nov 2026"]),
    ("16T00", &["a 01 from=15 until=13"], &["-a until 13 Nov 2026"]),
    // To be checked.
    ("14T23", &["a 01 stale=14"], &["+a"]),
    ("15T00", &["a 01 stale=14"], &["+a unchecked since November 2026"]),
    ("15T00", &["a 2025-03-09T08:00:00Z stale=14"], &["+a unchecked since March 2025"]),
    (
        "15T00",
        &["a 2025-03-09T08:00:00Z verified=2025-08-30 stale=14"],
        &["+a unchecked since August 2025"],
    ),
    ("20", &["a 01 stale=14 verified=16"], &["+a"]),
    ("20", &["a 01 stale=14 updated=16T09"], &["+a"]),
    ("20", &["a 01 stale=14 until=16"], &["-a until 16 Nov 2026"]),
    // Another zone than that of the reader.
    ("15T04", &["a 01 until=2026-11-14T23:30:00-05:00"], &["+a until 2026-11-15 04:30"]),
    ("15T05", &["a 01 until=2026-11-14T23:30:00-05:00"], &["-a until 2026-11-15 04:30"]),
    ("14T09", &["a 01 stale=14T08"], &["+a unchecked since November 2026"]),
    ("20", &["a 01 stale=14 until=26"], &["+a until 26 Nov 2026, unchecked since November 2026"]),
];

pub(super) const OF_REPLACED: &[Situation] = &[
    ("20", &["a 01", "b 02 replaces=a"], &["-a replaced by b", "+b"]),
    // Nothing has that text.
    ("20", &["b 02 replaces=gone"], &["+b"]),
    // One that replaced it is forgotten.
    ("20", &["a 01"], &["+a"]),
    // Twice: by one after the other, and by two.
    (
        "20",
        &["a 01", "b 02 replaces=a", "c 03 replaces=b"],
        &["-a replaced by b", "-b replaced by c", "+c"],
    ),
    ("20", &["a 01", "b 02 replaces=a", "c 03 replaces=a"], &["-a replaced by c", "+b", "+c"]),
    ("20", &["a 01", "b 02", "c 03 replaces=a,b"], &["-a replaced by c", "-b replaced by c", "+c"]),
    // Munich, then Hamburg, then Munich.
    ("20", &["munich 01 updated=05", "hamburg 03 replaces=munich"], &["+munich", "+hamburg"]),
    (
        "20",
        &["munich 01 updated=05 replaces=hamburg", "hamburg 03 replaces=munich"],
        &["+munich", "-hamburg replaced by munich"],
    ),
    ("20", &["munich 01 verified=05", "hamburg 03 replaces=munich"], &["+munich", "+hamburg"]),
    (
        "20",
        &["munich 01 updated=05 replaces=hamburg", "hamburg 03 updated=07 replaces=munich"],
        &["-munich replaced by hamburg", "+hamburg"],
    ),
    // Circles never hide all.
    (
        "20",
        &["a 01 replaces=b", "b 02 replaces=c", "c 03 replaces=a"],
        &["-a replaced by c", "+b", "+c"],
    ),
    ("20", &["a 01 replaces=a"], &["+a"]),
    ("20", &["a 01 replaces=b", "b 01 replaces=a"], &["+a", "+b"]),
    // A tie replaces nothing.
    ("20", &["a 02", "b 02 replaces=a"], &["+a", "+b"]),
    ("20", &["a 01 updated=02", "b 02 replaces=a"], &["+a", "+b"]),
    // What replaces it need not hold, but must have begun.
    ("20", &["a 01", "b 02 replaces=a until=10"], &["-a replaced by b", "-b until 10 Nov 2026"]),
    ("20", &["a 01", "b 02 replaces=a from=25"], &["+a", "-b from 25 Nov 2026"]),
    ("25", &["a 01", "b 02 replaces=a from=25"], &["-a replaced by b", "+b"]),
    ("05", &["a 01", "b 10 replaces=a from=03"], &["-a replaced by b", "+b"]),
    // A day in the past, at which it was not known yet.
    ("05", &["a 01", "b 10 replaces=a"], &["+a", "+b"]),
    // A clock that was days ahead, or behind.
    ("20", &["a 01", "b 23 replaces=a"], &["+a", "+b"]),
    ("23", &["a 01", "b 23 replaces=a"], &["-a replaced by b", "+b"]),
    ("20", &["a 10", "b 08 replaces=a"], &["+a", "+b"]),
    ("20", &["a 10", "b 08 replaces=a updated=12"], &["-a replaced by b", "+b"]),
    // It was learned after the one that replaces it.
    ("20", &["a 05", "b 02 replaces=a"], &["+a", "+b"]),
    // Confirmed on two laptops: the later one counts.
    ("20", &["a 01 verified=05T09", "b 02 replaces=a verified=05T10"], &["-a replaced by b", "+b"]),
    ("20", &["a 01 verified=05T10", "b 02 replaces=a verified=05T09"], &["+a", "+b"]),
    // Edited elsewhere: another text, which stays.
    ("20", &["a2 01 updated=06", "b 02 replaces=a"], &["+a2", "+b"]),
    // Over and replaced.
    ("20", &["a 01 until=10", "b 02 replaces=a"], &["-a until 10 Nov 2026", "+b"]),
    ("20", &["a 01 stale=10", "b 02 replaces=a"], &["-a replaced by b", "+b"]),
    // Only a fact of the same place or a nearer one replaces.
    ("20", &["a 01 near=0", "b 02 near=1 replaces=a"], &["-a replaced by b", "+b"]),
    ("20", &["a 01 near=1", "b 02 near=0 replaces=a"], &["+a", "+b"]),
    (
        "20",
        &["a 01 near=1", "a 01 near=0", "b 02 near=0 replaces=a"],
        &["+a", "-a replaced by b", "+b"],
    ),
    // Where the one in the middle is forgotten, its successor replaces nothing of what it replaced.
    ("20", &["a 01", "c 03 replaces=b"], &["+a", "+c"]),
    // One replaces the first, one the last of two.
    (
        "20",
        &["a 01", "b 02 replaces=a", "c 03", "d 04 replaces=c,b"],
        &["-a replaced by b", "-b replaced by d", "-c replaced by d", "+d"],
    ),
    // Both begin later, on different days.
    (
        "23",
        &["a 01", "b 02 replaces=a from=22", "c 03 replaces=a from=25"],
        &["-a replaced by b", "+b", "-c from 25 Nov 2026"],
    ),
    ("25", &["a 01", "b 02 replaces=a from=25T09"], &["+a", "-b from 2026-11-25 09:00"]),
];
