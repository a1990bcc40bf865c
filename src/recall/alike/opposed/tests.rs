//! A table of pairs of facts: those of which the newer may replace the older, and those of which
//! both may be true.

use super::*;

#[test]
fn one_of_two_may_replace_the_other() {
    for (a, b) in [
        // Another value.
        ("The rent is 900 euros", "The rent is 1,200 euros"),
        ("The rent is 900 euros a month", "The rent is 950 euros a month"),
        ("My boss is called Ann", "My boss is called Bob Miller"),
        ("My boss is Ann", "My manager is Bob"),
        ("I report to Ann", "I report to Bob"),
        ("Lives near the lake in Berlin", "Lives near the lake in Bern"),
        ("I live in Munich", "I live in Hamburg"),
        ("Lives in Munich", "I now live in Hamburg"),
        ("I live in Munich", "I moved to Hamburg"),
        ("The user lives in Munich", "The user has moved to Hamburg"),
        ("I'm based in Munich", "I live in Hamburg since May"),
        ("Ich wohne in München", "Ich wohne jetzt in Hamburg"),
        ("Works at Acme", "Works for Globex"),
        ("I work for Acme", "I am employed by Globex"),
        ("The office is in Berlin", "The office is in Bern"),
        ("My favourite editor is vim", "My favourite editor is helix"),
        ("Our database is Postgres", "Our database is SQLite"),
        ("Time zone is CET", "Time zone is UTC"),
        ("Standup is at 9:30", "Standup is at 10"),
        ("Standup starts on Mondays", "Standup starts on Tuesdays"),
        ("Anna's car is red", "Anna's car is blue"),
        ("Has two kids", "Has three kids"),
        ("I am 41 years old", "I am 42 years old"),
        ("Uses Python 3.11 at work", "Uses Python 3.12 at work"),
        ("The port of the server is 8080", "The port of the server is 8081"),
        ("Takes 20 mg in the morning", "Takes 40 mg in the morning"),
        ("Deploys to Fly", "Deploys to AWS"),
        ("Uses vim as editor", "Uses helix as editor"),
        ("Indent with tabs in Go", "Indent with four spaces in Go"),
        ("Married to Anna", "Married to Ben"),
        // The other order.
        ("I prefer tabs over spaces in Go", "I prefer spaces over tabs in Go"),
        ("Prefers tabs to spaces", "I prefer spaces over tabs"),
        ("prefer tabs rather than spaces", "prefer spaces instead of tabs"),
        ("Use tabs, not spaces", "Use spaces, not tabs"),
        ("Anna reports to Ben", "Ben reports to Anna"),
        ("Run the tests before the linter", "Run the linter before the tests"),
        // The opposite.
        ("Likes coriander", "Does not like coriander"),
        ("I love coriander", "I hate coriander"),
        ("Always use tabs", "Never use tabs"),
        ("I am vegetarian", "I'm not vegetarian"),
        ("I drink coffee", "I don’t drink coffee anymore"),
        ("Smokes", "No longer smokes"),
        ("Drinks coffee with milk", "Drinks coffee without milk"),
        ("Has a cat", "Has no cat"),
        ("Ich trinke Kaffee", "Ich trinke keinen Kaffee"),
    ] {
        assert!(opposed_to(b)(a), "{a} / {b}");
        assert!(opposed_to(a)(b), "{b} / {a}");
        assert!(says_otherwise(a, b) && says_otherwise(b, a), "{a} / {b}");
    }
}

#[test]
fn of_two_both_may_be_true() {
    for (a, b) in [
        ("Speaks German", "Speaks French"),
        ("I speak German fluently", "I speak French fluently"),
        ("Likes green tea", "Likes green apples"),
        ("Likes jazz", "Likes chess"),
        ("The rent is 900 euros", "The rent is 900 euros a month"),
        ("Anna works at Acme", "Bernd works at Acme"),
        ("Anna lives in Bern", "I live in Munich"),
        ("I live in Munich", "I also live in Hamburg"),
        ("Works at Acme", "Works at Globex as well"),
        ("Works on billing", "Works on search"),
        ("Works with Anna", "Works with Ben"),
        ("Writes in Rust", "Writes in Python"),
        ("Interested in jazz", "Interested in chess"),
        ("I am allergic to nuts", "I am allergic to pollen"),
        ("Has been to Paris", "Has been to Rome"),
        ("Visited Rome in 2019", "Visited Rome in 2021"),
        ("Lived in Munich", "Lived in Hamburg"),
        ("I lived in Munich", "I live in Hamburg"),
        ("Ran 5 km on Sunday", "Ran 8 km on Sunday"),
        ("My friend is Anna", "My friend is Ben"),
        ("My cat is called Tom", "My cat is called Kim"),
        ("My sister lives in Bern", "My sister lives in Basel"),
        ("Has a cat named Tom", "Has a cat named Kim"),
        ("I am a nurse", "I am a mother"),
        ("Anna is vegan", "Anna is tall"),
        ("The flat is small", "The flat is bright"),
        ("Rows on Tuesdays", "Rows on Fridays"),
        ("Works on ticket 12", "Works on ticket 13"),
        ("Ticket ACME-2782 is closed", "Ticket ACME-2999 is closed"),
        ("Use pytest in this repo", "Use ruff in this repo"),
        ("Speaks German and French", "Speaks French and German"),
        ("Anna and Ben are married", "Ben and Anna are married"),
        ("Lives in Munich", "Lives in Munich, Germany"),
        ("Lives in Munich", "Lives in a small flat"),
        ("Never use tabs", "Don't use tabs"),
        ("Likes coriander", "Loves coriander"),
        ("Prefers pytest over unittest", "Prefers ruff over flake8"),
        ("Plays the piano", "Plays the guitar"),
        ("One of my goals is fitness", "One of my goals is sleep"),
        ("Knows Anna", "Knows Ben"),
        ("Subscribed to Nature", "Subscribed to Science"),
        ("", "Likes tea"),
    ] {
        assert!(!opposed_to(b)(a), "{a} / {b}");
        assert!(!opposed_to(a)(b), "{b} / {a}");
    }
}

#[test]
fn what_is_negated_is_never_the_same() {
    for (a, b) in [
        ("I do not like coriander at all", "I like coriander a lot"),
        ("Never commit on Fridays in this repo", "Commit on Fridays in this repo, please"),
        ("Tests must not touch the network", "Tests may touch the network"),
    ] {
        assert!(says_otherwise(a, b) && says_otherwise(b, a), "{a} / {b}");
    }
    for (a, b) in [
        ("Builds command line tools with typer", "Builds command-line tools using typer"),
        ("Prefers pytest over unittest", "Likes pytest over unittest"),
        ("Never use tabs", "Don't use tabs"),
        ("I prefer async/await over callbacks", "prefers async and await to callbacks"),
    ] {
        assert!(!says_otherwise(a, b) && !says_otherwise(b, a), "{a} / {b}");
    }
}
