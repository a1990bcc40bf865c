//! Each rule's own examples are its test; this tests marks, lines, excerpts and overlaps.

use super::*;

fn bare(text: &str) -> String {
    text.replace('¦', "")
}

#[test]
fn every_rule_finds_its_examples_and_passes_the_others() {
    let mut wrong = Vec::new();
    for rule in all() {
        assert!(!rule.yes.is_empty() && !rule.no.is_empty(), "{} has no examples", rule.id);
        for text in rule.yes.iter().map(|text| bare(text)) {
            let found = hits(text.as_bytes());
            if !found.iter().any(|hit| hit.rule.id == rule.id) {
                wrong.push(format!(
                    "{} misses: {text}  ({:?})",
                    rule.id,
                    found.iter().map(|hit| hit.rule.id).collect::<Vec<_>>()
                ));
            }
        }
        for text in rule.no.iter().map(|text| bare(text)) {
            for hit in hits(text.as_bytes()) {
                wrong.push(format!(
                    "{} example is taken by {} at `{}`: {text}",
                    rule.id,
                    hit.rule.id,
                    &text[hit.start..hit.end]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn names_are_unique_but_for_forms_of_one_thing() {
    let mut seen = BTreeSet::new();
    for rule in all() {
        assert!(seen.insert(rule.id), "{} stands twice", rule.id);
        assert!(
            rule.id
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'),
            "{}",
            rule.id
        );
        assert!(!rule.keywords.is_empty(), "{}", rule.id);
    }
}

const TOKEN: &str = "ghp_¦zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17";

#[test]
fn a_token_ends_where_nothing_belongs_to_it() {
    let token = bare(TOKEN);
    for (before, after) in [
        ("", ""),
        ("(", ")"),
        ("`", "`"),
        ("=", "&x=1"),
        ("\"", "\","),
        ("<", ">"),
        ("_", "_"),
        ("-", "-x"),
        ("\\n", "\\n"),
        ("%3D", "%26"),
        ("„", "“"),
        ("#", "."),
    ] {
        let text = format!("{before}{token}{after}");
        let found = hits(text.as_bytes());
        assert_eq!(
            found.iter().map(|hit| &text[hit.start..hit.end]).collect::<Vec<_>>(),
            vec![token.as_str()],
            "{text}"
        );
    }
    assert!(
        hits(format!("x{token}").as_bytes()).is_empty()
            && hits(format!("{token}x").as_bytes()).is_empty()
    );
}

#[test]
fn it_is_shown_by_its_beginning_only() {
    let token = bare(TOKEN);
    let text = format!("one\nsee {token} there");
    let found = scan(text.as_bytes(), &Allowed::default());
    assert_eq!(
        found,
        vec![Secret {
            rule: "github-pat",
            what: "a GitHub token",
            line: Some(2),
            excerpt: "ghp_zQW…".into()
        }]
    );
    assert_eq!(redact(&text), "one\nsee ghp_zQW… there");
    assert_eq!(redact(&format!("{token} and {token}")), "ghp_zQW… and ghp_zQW…");
    assert_eq!(redact("nothing"), "nothing");
}

#[test]
fn a_mark_or_a_person_lets_it_pass() {
    let token = bare(TOKEN);
    let marked = format!("{token} <!-- co:allow-secret -->\n");
    assert!(scan(marked.as_bytes(), &Allowed::default()).is_empty());
    let next_line = format!("{token}\n<!-- co:allow-secret -->\n");
    assert_eq!(scan(next_line.as_bytes(), &Allowed::default()).len(), 1);
    let allowed = Allowed::rules(&["github-pat".into()]).expect("a rule");
    assert!(scan(token.as_bytes(), &allowed).is_empty());
    assert_eq!(Allowed::rules(&["github".into()]).err(), Some("github".into()));
    assert_eq!(
        marked_text(&format!("a\n{token}\nb"), &allowed),
        format!("a\n{token} <!-- co:allow-secret -->\nb")
    );
}

#[test]
fn windows_files_are_read() {
    let text = format!("\u{feff}one\r\n{}\r\n", bare(TOKEN));
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        let found = scan_file("a.txt", &bytes, &Allowed::default());
        assert_eq!(
            found.iter().map(|secret| (secret.rule, secret.line)).collect::<Vec<_>>(),
            vec![("github-pat", Some(2))]
        );
    }
}

#[test]
fn only_what_is_new_counts_as_new() {
    let token = bare(TOKEN);
    let path = "profile.md";
    let (before, after) = (
        format!("x {token}"),
        format!("y {token}\nnpm_{}", bare("UEuirnhN6qyDNigmWWTIE¦HMNquQHF54FKSCV")),
    );
    let rules =
        |secrets: Vec<Secret>| secrets.into_iter().map(|secret| secret.rule).collect::<Vec<_>>();
    assert_eq!(
        rules(new_in(path, Some(before.as_bytes()), after.as_bytes(), &Allowed::default())),
        vec!["npm-token"]
    );
    assert_eq!(
        rules(new_in(path, None, after.as_bytes(), &Allowed::default())),
        vec!["github-pat", "npm-token"]
    );
    let name = format!("knowledge/{token}.md");
    assert_eq!(rules(scan_file(&name, b"", &Allowed::default())), vec!["github-pat"]);
}

#[test]
fn many_secrets_cost_no_more_than_their_number() {
    let text = format!("{}\n", bare(TOKEN)).repeat(20_000);
    let found = scan(text.as_bytes(), &Allowed::default());
    assert_eq!((found.len(), found.last().and_then(|secret| secret.line)), (20_000, Some(20_000)));
    let one_line = format!("{} ", bare(TOKEN)).repeat(20_000);
    assert_eq!(redact(&one_line).matches("ghp_zQW…").count(), 20_000);
}

#[test]
fn marks_count_on_long_lines_and_as_words() {
    let token = bare(TOKEN);
    let long = format!("{token} {} <!-- co:allow-secret -->", "word ".repeat(2000));
    assert!(scan(long.as_bytes(), &Allowed::default()).is_empty());
    for close in ["co:allow-secretly", "xco:allow-secret", "co:allow-secret-not"] {
        assert_eq!(
            scan(format!("{token} {close}").as_bytes(), &Allowed::default()).len(),
            1,
            "{close}"
        );
    }
}

#[test]
fn long_secrets_are_no_way_out() {
    let random: String = (0u32..40_000)
        .map(|at| {
            char::from(
                b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"
                    [(at.wrapping_mul(2_654_435_761) >> 26) as usize],
            )
        })
        .collect();
    let lines: String = random
        .as_bytes()
        .chunks(64)
        .map(|line| format!("{}\n", String::from_utf8_lossy(line)))
        .collect();
    let begin = "-----BEGIN PGP PRIVATE KEY ";
    let block = format!("{begin}BLOCK-----\n\n{lines}-----END PGP PRIVATE KEY BLOCK-----");
    assert_eq!(hits(block.as_bytes()).first().map(|hit| hit.rule.id), Some("private-key"));
    let open = format!("{begin}BLOCK-----\n{}", &lines[..200]);
    assert_eq!(hits(open.as_bytes()).len(), 1, "its end may be missing");
    assert!(!hits(format!("TOKEN={}", &random[..3000]).as_bytes()).is_empty());
}
