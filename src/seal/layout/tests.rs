//! Trees of a sealed remote, and trees that are none.

use super::*;

/// A tree of these paths; each file's id is its path, and its size 100.
fn survey(paths: &[&str]) -> Result<Survey, LayoutFault> {
    Survey::of(paths.iter().map(|path| Found { path, id: path, size: 100 }))
}

fn packs(numbers: std::ops::RangeInclusive<u64>) -> Survey {
    let paths: Vec<String> = numbers.map(|number| pack_path(number, 0)).collect();
    survey(&paths.iter().map(String::as_str).collect::<Vec<_>>()).expect("a sound tree")
}

#[test]
fn a_path_is_a_number() {
    for (sequence, part, path) in [
        (1, 0, "packs/00/00/01.age"),
        (100, 0, "packs/00/01/00.age"),
        (12_345, 0, "packs/01/23/45.age"),
        (12_345, 1, "packs/01/23/45.age.01"),
        (99_999_999, 19, "packs/9999/99/99.age.19"),
    ] {
        assert_eq!(pack_path(sequence, part), path);
        assert_eq!(pack_at(path), Some((sequence, part)));
    }
    for path in [
        "packs/00/00/00.age",
        "packs/0/00/01.age",
        "packs/00/00/1.age",
        "packs/00/00/01.age.00",
        "packs/00/00/01.age.1",
        "packs/00/00/01.age.x",
        "packs/00/00/01.AGE",
        "packs/00/00/01",
        "packs/00/00/+1.age",
        "packs/00/00/01.age/01.age",
        "packs/00/001.age",
        "packs//00/01.age",
        "packs/00/../01.age",
        "/packs/00/00/01.age",
        "packs/4294967296/00/01.age",
    ] {
        assert_eq!(pack_at(path), None, "{path}");
    }
    let name = KeyName::random([0x1f; 16]);
    assert_eq!(key_at(&key_path(&name)), Some(name));
    assert_eq!(key_at("keys/atlas.age"), None);
}

#[test]
fn a_pack_is_cut_and_put_together() {
    let sealed = vec![7; PART_MAX + 3];
    let files: Vec<(String, usize)> =
        parts(5, &sealed).map(|(path, bytes)| (path, bytes.len())).collect();
    let own = [("packs/00/00/05.age", PART_MAX), ("packs/00/00/05.age.01", 3)];
    assert_eq!(files, own.map(|(path, size)| (path.to_owned(), size)));
    let found = |size: [usize; 2]| {
        let sizes = own.iter().zip(size);
        Survey::of(sizes.map(|((path, _), size)| Found {
            path,
            id: path,
            size: u64::try_from(size).expect("small"),
        }))
    };
    let whole = found([PART_MAX, 3]).expect("a sound tree");
    let size: u64 = whole.packs[&5].iter().map(|part| part.size).sum();
    assert_eq!(size, u64::try_from(PART_MAX + 3).expect("small"));
    let paths: Vec<&str> = whole.packs[&5].iter().map(|part| part.path.as_str()).collect();
    assert_eq!(paths, ["packs/00/00/05.age", "packs/00/00/05.age.01"]);
    assert_eq!(found([PART_MAX - 1, 3]), Err(LayoutFault::PartsMissing(5)));
    let large = found([PART_MAX + 1, 3]);
    assert!(matches!(large, Err(LayoutFault::TooBig { .. })), "{large:?}");
    assert_eq!(survey(&["packs/00/00/05.age.01"]), Err(LayoutFault::PartsMissing(5)));
}

#[test]
fn a_tree_is_surveyed_as_a_whole() {
    let key = key_path(&KeyName::random([2; 16]));
    let paths = ["README.md", &key, "packs/00/00/01.age", "packs/00/00/02.age"];
    let whole = survey(&paths).expect("a sound tree");
    assert_eq!(whole.ends(), Some((1, 2)));
    let mixed = survey(&[&paths[..], &["LICENSE", "packs/x", "keys/atlas.age"]].concat());
    assert_eq!(mixed, Ok(whole));
    assert_eq!(survey(&["profile.md", "README.md"]).expect("a tree").ends(), None);
    let gap = survey(&["packs/00/00/01.age", "packs/00/00/04.age"]);
    assert_eq!(gap, Err(LayoutFault::PackMissing(3)));
    let large = Survey::of([Found { path: &key, id: "x", size: 1 << 40 }]);
    assert!(matches!(large, Err(LayoutFault::TooBig { .. })));
    let many: Vec<String> = (0..=FILES_MAX).map(|number| format!("x{number}")).collect();
    let many = survey(&many.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(many, Err(LayoutFault::TooManyFiles));
}

#[test]
fn what_is_new_and_what_was_lost() {
    let taken = packs(1..=5);
    let new = |now: &Survey| now.since(Some(&taken)).map(|new| new.into_iter().collect::<Vec<_>>());
    assert_eq!(new(&packs(1..=5)), Ok(vec![]));
    assert_eq!(new(&packs(1..=7)), Ok(vec![6, 7]));
    assert_eq!(new(&packs(1..=3)), Err(LayoutFault::Lost { first: 4, last: 5 }));
    assert_eq!(new(&packs(3..=7)), Err(LayoutFault::Lost { first: 1, last: 2 }));
    assert_eq!(new(&Survey::default()), Err(LayoutFault::Lost { first: 1, last: 5 }));
    assert_eq!(new(&packs(6..=7)), Ok(vec![6, 7]), "a repack, which the chain judges");
    let mut replaced = packs(1..=7);
    replaced.packs.get_mut(&2).expect("pack 2")[0].id = "another blob".to_owned();
    assert_eq!(new(&replaced), Err(LayoutFault::Replaced(2)));
    let all: Vec<u64> = packs(1..=3).since(None).expect("a first join").into_iter().collect();
    assert_eq!(all, [1, 2, 3]);
}

#[test]
fn the_readme_says_how_to_open_it_and_names_nobody() {
    for word in ["age --decrypt", "git", "keys/", "packs", "tail -n +2"] {
        assert!(README.contains(word), "{word}");
    }
    assert!(README.is_ascii());
}
