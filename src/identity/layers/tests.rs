//! Which layers a place has, as a table.

use super::*;
use crate::identity::project::Project;

fn name(text: &str) -> LayerName {
    LayerName::new(text).expect("a name")
}

fn folder(forms: &[&str]) -> PlacePattern {
    PlacePattern::Folder(forms.iter().map(|form| (*form).to_owned()).collect())
}

fn remote(pattern: &str) -> PlacePattern {
    PlacePattern::Remote(pattern.to_owned())
}

fn rule(text: &str, role: LayerRole, places: Vec<PlacePattern>) -> LayerRule {
    LayerRule { name: name(text), places, role }
}

fn at(folders: &[&str], remotes: &[&str]) -> Place {
    let remotes = remotes.iter().filter_map(|url| Project::of_remote(url)).collect();
    let folders = folders.iter().map(|folder| (*folder).to_owned()).collect();
    Place { folders, remotes: Remotes::Known(remotes) }
}

fn is_active(pattern: PlacePattern, place: &Place) -> bool {
    let rules = [rule("acme", LayerRole::Instead, vec![pattern])];
    active(&rules, place).expect("decided").instead.is_some()
}

#[test]
fn folders_match_with_all_below_them() {
    for (pattern, here, expected) in [
        ("/home/a/work", "/home/a/work", true),
        ("/home/a/work", "/home/a/work/x/y", true),
        ("/home/a/work/", "/home/a/work/x", true),
        ("/home/a/work/**", "/home/a/work", true),
        ("/home/a/work/**", "/home/a/work/x/y", true),
        ("/home/a/work/*", "/home/a/work", false),
        ("/home/a/work/*", "/home/a/work/x/y", true),
        ("/home/a/work", "/home/a/workshop", false),
        ("/home/a/work", "/home/a", false),
        ("/home/a/work", "/home/b/a/work", false),
        ("/home/a/**/acme", "/home/a/x/y/acme/z", true),
        ("/home/a/**/acme", "/home/a/acme", true),
        ("/home/a/**/acme", "/home/a/acmeist", false),
        ("/home/a/acme-*", "/home/a/acme-web/src", true),
        ("/home/a/acme-?", "/home/a/acme-web", false),
        ("/home/a/ünï*", "/home/a/ünïcode", true),
        ("/", "/home/a", true),
    ] {
        assert_eq!(is_active(folder(&[pattern]), &at(&[here], &[])), expected, "{pattern} {here}");
    }
}

#[test]
fn a_folder_is_known_by_its_links_and_by_where_they_lead() {
    let place = at(&["/home/a/link/app", "/data/work/app"], &[]);
    assert!(is_active(folder(&["/home/a/link"]), &place));
    assert!(is_active(folder(&["/data/work"]), &place));
    let typed = at(&["/data/work/app"], &[]);
    assert!(is_active(folder(&["/home/a/link", "/data/work"]), &typed));
    assert!(!is_active(folder(&["/home/a/other"]), &place));
}

#[test]
fn a_remote_has_one_form_whatever_its_protocol() {
    let urls = [
        "git@github.com:acme/app.git",
        "ssh://git@github.com:22/acme/app",
        "https://token@github.com/acme/app.git",
        "https://GitHub.com/Acme/App",
        "ssh://git@ssh.github.com:443/acme/app.git",
    ];
    for url in urls {
        let place = at(&["/x"], &["/srv/mirror.git", url]);
        for pattern in [
            "github.com/acme/*",
            "github.com/acme/**",
            "github.com/acme",
            "github.com/acme/app",
            "git@github.com:acme/*",
            "https://github.com/acme/*",
            "*/app",
        ] {
            assert!(is_active(remote(pattern), &place), "{pattern} {url}");
        }
        for pattern in ["github.com/acm", "gitlab.com/acme/*", "github.com/other/*", "*/ap"] {
            assert!(!is_active(remote(pattern), &place), "{pattern} {url}");
        }
    }
}

#[test]
fn any_of_the_remotes_counts() {
    let place = at(&["/x"], &["git@github.com:me/fork.git", "git@github.com:acme/app.git"]);
    assert!(is_active(remote("github.com/acme/*"), &place));
    assert!(!is_active(remote("github.com/acme/*"), &at(&["/x"], &[])));
}

#[test]
fn the_order_is_that_of_the_list_and_me_comes_last_or_not_at_all() {
    let work = folder(&["/w"]);
    let rules = [
        rule("world", LayerRole::Beside, Vec::new()),
        rule("acme", LayerRole::Beside, vec![work.clone()]),
        rule("job", LayerRole::Instead, vec![work.clone()]),
        rule("crew", LayerRole::Beside, vec![work]),
    ];
    let home = active(&rules, &at(&["/h"], &[])).expect("decided");
    assert_eq!(home, ActiveLayers { instead: None, beside: vec![name("world")] });
    let there = active(&rules, &at(&["/w/app"], &[])).expect("decided");
    let beside = vec![name("acme"), name("crew")];
    assert_eq!(there, ActiveLayers { instead: Some(name("job")), beside });
}

#[test]
fn what_cannot_be_decided_is_never_me() {
    let two = [
        rule("job", LayerRole::Instead, vec![folder(&["/w"])]),
        rule("gig", LayerRole::Instead, vec![remote("github.com/gig/*")]),
    ];
    let both = at(&["/w/app"], &["git@github.com:gig/app.git"]);
    assert_eq!(active(&two, &both), Err(Undecided::Two(name("job"), name("gig"))));
    let unread = Place { folders: vec!["/h".to_owned()], remotes: Remotes::Unreadable };
    assert_eq!(active(&two, &unread), Err(Undecided::Unreadable(name("gig"))));
    // Nobody stands in by its remote: what others wrote is just not read there.
    let team = [rule("acme", LayerRole::Beside, vec![remote("github.com/acme/*")])];
    assert_eq!(active(&team, &unread), Ok(ActiveLayers::default()));
}

#[test]
fn what_cannot_match_anything_is_an_error() {
    for (text, expected) in [
        ("~/work", Ok(Compared::Folder)),
        ("~", Ok(Compared::Folder)),
        ("~/work/**", Ok(Compared::Folder)),
        ("/srv/*/app", Ok(Compared::Folder)),
        ("C:\\work", Ok(Compared::Folder)),
        ("github.com/acme/*", Ok(Compared::Remote)),
        ("git@github.com:acme/*", Ok(Compared::Remote)),
        ("https://github.com/acme", Ok(Compared::Remote)),
        ("work:acme/*", Ok(Compared::Remote)),
        ("*/billing", Ok(Compared::Remote)),
        ("", Err(PatternError::Empty)),
        ("  ", Err(PatternError::Empty)),
        ("~bob/work", Err(PatternError::OfAnother)),
        ("./work", Err(PatternError::Relative)),
        ("../work", Err(PatternError::Relative)),
        ("work", Err(PatternError::NoHost)),
        ("work/**", Err(PatternError::NoHost)),
        ("file:///srv/team.git", Err(PatternError::Local)),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn the_folder_of_a_pattern_is_what_stands_before_a_star() {
    assert_eq!(folder_of("/home/a/work/**"), ("/home/a/work", "/**"));
    assert_eq!(folder_of("/home/a/acme-*/x"), ("/home/a", "/acme-*/x"));
    assert_eq!(folder_of("/home/a/work/"), ("/home/a/work", ""));
}
