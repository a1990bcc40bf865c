//! What it costs to say what merges elsewhere dropped: it depends on what is new, not on how many
//! questions there are, nor on the length of history. Counted in processes and in objects read.

use crate::support::{
    Laptop, World,
    calls::calls_of,
    pair::{assert_agree, pair},
    report_skipped, require_tool,
};

const QUESTIONS: usize = 12;

const MERGES: usize = 5;

fn path(number: usize) -> String {
    format!("knowledge/walk-{number}.md")
}

fn write(laptop: &Laptop, place: &str) {
    for number in 0..QUESTIONS {
        laptop.write(&path(number), &format!("# Walk {number}\n\nMeet at {place}.\n"));
    }
}

/// Merges of side branches by git, each with another text of one file, and the blobs of that file.
fn merge_often(laptop: &Laptop, file: &str) -> Vec<String> {
    let branch = laptop.git(&["symbolic-ref", "--short", "HEAD"]);
    let mut blobs = Vec::new();
    for number in 0..MERGES {
        laptop.git(&["checkout", "-q", "-b", "side"]);
        laptop.write(file, &format!("text {number}\n"));
        laptop.git(&["add", file]);
        laptop.git(&["commit", "-q", "--no-verify", "-m", "a side"]);
        laptop.git(&["checkout", "-q", branch.trim()]);
        laptop.git(&["merge", "-q", "--no-ff", "--no-verify", "-m", "a merge", "side"]);
        laptop.git(&["branch", "-q", "-d", "side"]);
        blobs.push(laptop.git(&["rev-parse", &format!("HEAD:{file}")]).trim().to_owned());
    }
    laptop.git(&["push", "-q", "origin", "HEAD"]);
    blobs
}

/// Two laptops that wrote the same documents; the second one has merged them.
fn merged_there(world: &World, before: impl Fn(&Laptop, &Laptop)) -> (Laptop, Laptop) {
    let (a, b) = pair(world);
    // What git fetches is in files of its own, which are opened by their names.
    a.git(&["config", "fetch.unpackLimit", "10000"]);
    write(&a, "home");
    a.co(&["sync"]);
    b.co(&["sync"]);
    before(&a, &b);
    write(&a, "the bridge");
    write(&b, "the station");
    a.co(&["sync"]);
    b.co(&["sync"]);
    (a, b)
}

fn merge_bases(calls: &[String]) -> usize {
    let asked = calls.iter().filter(|call| call.contains("execve("));
    let asked = asked.filter(|call| call.contains("\"merge-base\"") && !call.contains("ENOENT"));
    asked.count()
}

/// The objects among these that co itself has read.
fn read<'a>(calls: &[String], objects: &'a [String]) -> Vec<&'a String> {
    let process = |call: &str| call.split(' ').next().map(str::to_owned);
    let own = calls.first().and_then(|call| process(call)).expect("a call");
    let opened = |object: &&String| {
        let file = format!("objects/{}/{}", &object[..2], &object[2..]);
        calls.iter().any(|call| {
            call.contains(&file) && !call.contains("ENOENT") && process(call).as_ref() == Some(&own)
        })
    };
    objects.iter().filter(opened).collect()
}

#[test]
fn many_questions_are_looked_up_together() {
    if !require_tool("strace") {
        return report_skipped("strace");
    }
    let world = World::new();
    let (a, b) = merged_there(&world, |_, _| {});
    let between = merge_often(&b, "knowledge/log.md");
    a.git(&["fetch", "-q", "origin"]);
    let calls = calls_of(&world, &a, "execve,?open,openat", &["sync"]);
    let asked = merge_bases(&calls);
    assert!(asked < QUESTIONS, "{asked} processes for {QUESTIONS} questions");
    // The last one is what the sync wrote.
    let read = read(&calls, &between[..MERGES - 1]);
    assert!(read.is_empty(), "texts of files that no question is about: {read:?}");
    assert_agree(&[&a, &b]);

    let listed = a.json(&["review"]);
    let proposals = listed["data"]["proposals"].as_array().expect("proposals").clone();
    let with_texts = proposals.iter().filter(|one| one["other_texts"].is_array());
    assert_eq!(with_texts.count(), QUESTIONS, "{listed}");
    let asked = merge_bases(&calls_of(&world, &a, "execve", &["review"]));
    assert!(asked < QUESTIONS, "{asked} processes for {QUESTIONS} questions");
    // Whoever answers is not shown the texts again.
    let id = proposals[0]["id"].as_str().expect("an id");
    let asked = merge_bases(&calls_of(&world, &a, "execve", &["review", "accept", id]));
    assert_eq!(asked, 0);
}

/// What asks about a merge that is not in history any more is looked for only where it can be.
#[test]
fn merges_that_this_laptop_had_are_not_looked_through() {
    if !require_tool("strace") {
        return report_skipped("strace");
    }
    let world = World::new();
    let texts = std::cell::RefCell::new(Vec::new());
    let (a, b) = merged_there(&world, |a, b| {
        merge_often(a, "knowledge/log.md");
        b.co(&["sync"]);
        // The commits and folders of what both laptops have had since.
        let all = a.git(&["log", "--merges", "--format=%T", "-n", &MERGES.to_string()]);
        texts.borrow_mut().extend(all.lines().skip(1).map(str::to_owned));
    });
    // Another laptop squashed the merge into one commit on what this one had published.
    let published = a.git(&["rev-parse", "HEAD"]);
    let squashed =
        b.git(&["commit-tree", "HEAD^{tree}", "-p", published.trim(), "-m", "all in one"]);
    b.git(&["reset", "-q", "--soft", squashed.trim()]);
    b.git(&["push", "-q", "--force", "origin", "HEAD"]);
    let calls = calls_of(&world, &a, "execve,?open,openat", &["sync"]);
    let texts = texts.into_inner();
    assert_eq!(texts.len(), MERGES - 1);
    assert!(read(&calls, &texts).is_empty(), "{:?}", read(&calls, &texts));
    assert_eq!(a.git(&["rev-parse", "HEAD"]), squashed);
    for number in 0..QUESTIONS {
        assert_eq!(a.read(&path(number)), b.read(&path(number)));
    }
}
