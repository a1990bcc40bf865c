//! Two laptops, one with a disk that ignores case and Unicode normalisation, as a Mac's does, and
//! one with a disk that tells every spelling apart.
//!
//! Invariant: a name of which only the spelling changes is one file before and after, on both; of
//! two files whose names are one name on the first disk, no text is lost or doubled. The disk is
//! `support/folding.py`, for which CI has FUSE and `mfusepy`; `CO_TEST_PYTHON` names a Python that
//! can import it. A Mac needs no such disk, so these tests run on Linux only.
#![cfg(target_os = "linux")]

use crate::support::{
    Laptop, Said, World, git,
    pair::{assert_agree, pair},
    report_skipped, tree,
};
use std::{
    fs::{self, File},
    io::Write,
    os::unix::fs::{MetadataExt, symlink},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Names as git and the disks of other systems write them: é as one character, and as two.
const COMPOSED: &str = "knowledge/caf\u{e9}.md";
const DECOMPOSED: &str = "knowledge/cafe\u{301}.md";

/// What a disk takes for one name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Folds {
    CaseAndNormalisation,
    NormalisationOnly,
}

/// The mounted disk. It is unmounted also where a test fails.
struct Disk {
    server: Child,
    at: PathBuf,
    log: PathBuf,
}

impl Disk {
    /// Mounts a disk where laptop a will live; `None` where this machine cannot.
    fn mount(world: &World, how: Folds) -> Option<Disk> {
        // A kernel without FUSE is nothing that CI could install.
        if !Path::new("/dev/fuse").exists() {
            writeln!(std::io::stderr(), "skipped: FUSE is missing").ok();
            return None;
        }
        let (backing, at, log) = (world.path("disk"), world.path("a"), world.path("disk.log"));
        for folder in [&backing, &at] {
            fs::create_dir_all(folder).expect("a folder");
        }
        let device = |path: &Path| fs::metadata(path).map(|meta| meta.dev()).ok();
        let before = device(&at);
        let python = std::env::var("CO_TEST_PYTHON").unwrap_or_else(|_| "python3".into());
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/folding.py");
        let server = Command::new(&python)
            .arg(script)
            .args([&backing, &at])
            .args((how == Folds::NormalisationOnly).then_some("case"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log).expect("a log"))
            .spawn();
        let Ok(server) = server else {
            report_skipped(&python);
            return None;
        };
        let mut disk = Disk { server, at, log };
        let started = Instant::now();
        while device(&disk.at) == before {
            if disk.server.try_wait().expect("a child").is_some() {
                // It says whether FUSE, its library or the module is missing.
                let said = fs::read_to_string(&disk.log).expect("a log");
                let why: Vec<&str> = said.lines().collect();
                report_skipped(&format!("a disk that ignores case ({})", why.join("; ")));
                return None;
            }
            assert!(started.elapsed() < Duration::from_secs(60), "{}", disk.at.display());
            thread::sleep(Duration::from_millis(10));
        }
        Some(disk)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily, so that nothing that still has a file open keeps the disk.
        for (program, how) in [("fusermount3", "-uz"), ("umount", "-l")] {
            let mut command = Command::new(program);
            command.arg(how).arg(&self.at).stdout(Stdio::null()).stderr(Stdio::null());
            if command.status().is_ok_and(|status| status.success()) {
                break;
            }
        }
        self.server.kill().ok();
        self.server.wait().ok();
        let said = fs::read_to_string(&self.log).unwrap_or_default();
        if thread::panicking() && !said.is_empty() {
            writeln!(std::io::stderr(), "the disk said: {said}").ok();
        }
    }
}

/// Two laptops, a on the disk that ignores case and b beside it, with a file of each kind.
struct Two {
    a: Laptop,
    b: Laptop,
    // Dropped in this order: a mounted disk cannot be removed.
    _disk: Disk,
    world: World,
}

impl Two {
    fn new() -> Option<Two> {
        Two::on(Folds::CaseAndNormalisation)
    }

    fn on(how: Folds) -> Option<Two> {
        let world = World::new();
        let disk = Disk::mount(&world, how)?;
        let (a, b) = pair(&world);
        for path in [
            "traits/warm.md",
            "notes.txt",
            "attachments/scan.pdf",
            "knowledge/tea.md",
            "knowledge/projects/billing/one.md",
            "knowledge/projects/billing/two.md",
            COMPOSED,
        ] {
            let head = match path.split_once('/') {
                Some(("traits", _)) => "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n",
                _ => "",
            };
            b.write(path, &format!("{head}# Title\n\nThe text of {path}.\n"));
        }
        b.co(&["identity", "sync"]);
        a.co(&["identity", "sync"]);
        expect_files(&a.tree(), &b.tree(), "before anything happens");
        Some(Two { a, b, _disk: disk, world })
    }
}

/// Renames by git in two steps, because git refuses a folder in one where case is ignored.
fn git_mv(repo: &Path, old: &str, new: &str) {
    git(repo, &["mv", old, "between"]);
    git(repo, &["mv", "between", new]);
}

/// The same files with some paths, and all below them, spelled anew.
fn spelled(files: &[(String, Vec<u8>)], renames: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    let path = |path: &String| {
        let below = |rest: &str| rest.is_empty() || rest.starts_with('/');
        let anew = renames.iter().find_map(|(old, new)| {
            let rest = path.strip_prefix(old).filter(|rest| below(rest))?;
            Some(format!("{new}{rest}"))
        });
        anew.unwrap_or_else(|| path.clone())
    };
    let mut files: Vec<_> = files.iter().map(|(at, bytes)| (path(at), bytes.clone())).collect();
    files.sort();
    files
}

/// Fails with the names where files are missing, with all where only the bytes differ.
fn expect_files(found: &[(String, Vec<u8>)], wanted: &[(String, Vec<u8>)], when: &str) {
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(path, _)| path.escape_default().to_string()).collect()
    };
    assert_eq!(names(found), names(wanted), "{when}");
    assert_eq!(found, wanted, "{when}");
}

#[derive(Clone, Copy)]
enum Renamed {
    /// By git on the laptop whose disk tells names apart.
    OnB,
    /// By git on the laptop whose disk does not.
    OnA,
    /// There, by a file manager: git is not told.
    OnAByHand,
}

/// A name that changes its spelling leaves no line in the ledger, and no error.
fn nothing_is_forgotten(laptops: &[&Laptop]) {
    for laptop in laptops {
        let ledger = fs::read_to_string(laptop.identity().join("knowledge/forgotten.md"));
        assert!(ledger.is_err(), "{}: {}", laptop.name, ledger.unwrap_or_default());
        laptop.co(&["identity", "check"]);
    }
}

/// Paths get another spelling on one laptop; both sync until all is everywhere.
fn renamed(renames: &[(&str, &str)], how: Renamed) {
    let Some(two) = Two::new() else { return };
    let (a, b) = (&two.a, &two.b);
    let (mut facts, mut wanted) = (b.facts(), spelled(&b.tree(), renames));
    let (here, there) = match how {
        Renamed::OnB => (b, a),
        Renamed::OnA | Renamed::OnAByHand => (a, b),
    };
    for (old, new) in renames {
        match how {
            Renamed::OnAByHand => {
                fs::rename(here.identity().join(old), here.identity().join(new)).expect("renamed");
            }
            Renamed::OnB | Renamed::OnA => git_mv(&here.identity(), old, new),
        }
    }
    expect_files(&here.tree(), &wanted, "before any sync");
    // The second sync of the other laptop is the one that publishes what the first one broke.
    for (count, laptop) in [here, there, there, here].into_iter().enumerate() {
        // One rename is taken over as it is, several meet something new.
        if count == 1 && renames.len() > 1 {
            there.co(&["learn", "Learned meanwhile"]);
            let path = there.file_of("Learned meanwhile");
            wanted.push((path.clone(), there.read(&path).into_bytes()));
            wanted.sort();
            facts.push("Learned meanwhile".into());
            facts.sort();
        }
        laptop.co(&["identity", "sync"]);
        expect_files(&laptop.tree(), &wanted, &format!("on {} after sync {count}", laptop.name));
    }
    assert_agree(&[a, b]);
    nothing_is_forgotten(&[a, b]);
    for laptop in [a, b] {
        assert_eq!(laptop.facts(), facts, "{}", laptop.name);
    }
}

macro_rules! renames {
    ($($case:ident: $old:expr => $new:expr;)+) => {
        const EVERY: &[(&str, &str)] = &[$(($old, $new)),+];

        $(
            #[test]
            fn $case() {
                renamed(&[($old, $new)], Renamed::OnB);
            }
        )+
    };
}

renames! {
    a_trait_is_renamed: "traits/warm.md" => "traits/Warm.md";
    an_unknown_file_is_renamed: "notes.txt" => "Notes.txt";
    an_attachment_is_renamed: "attachments/scan.pdf" => "attachments/Scan.PDF";
    a_document_is_renamed: "knowledge/tea.md" => "knowledge/Tea.md";
    a_folder_is_renamed: "knowledge/projects/billing" => "knowledge/projects/Billing";
    a_memory_is_renamed:
        "knowledge/memories/002-prefers-tabs.md" => "knowledge/memories/002-Prefers-Tabs.md";
}

#[test]
fn all_are_renamed_at_once() {
    renamed(EVERY, Renamed::OnB);
}

#[test]
fn all_are_renamed_where_case_is_ignored() {
    renamed(EVERY, Renamed::OnA);
}

#[test]
fn all_are_renamed_by_hand_where_case_is_ignored() {
    renamed(EVERY, Renamed::OnAByHand);
}

/// The names as git has them on a Mac, whatever the disk has.
fn composed(files: &[(String, Vec<u8>)]) -> Vec<(String, Vec<u8>)> {
    let mut files = spelled(files, &[(DECOMPOSED, COMPOSED)]);
    files.sort();
    files
}

/// As [`agree`], for names that a disk may list decomposed: on a Mac git composes them, here it
/// does not and calls them new.
fn agree_composed(a: &Laptop, b: &Laptop) {
    expect_files(&composed(&a.tree()), &composed(&b.tree()), "a and b");
    for laptop in [a, b] {
        laptop.git(&["fsck", "--strict", "--no-dangling"]);
        assert_eq!(laptop.co(&["identity", "sync"]), "Up to date.\n", "{}", laptop.name);
    }
}

/// Which normalisation stays is co's to say; that it is one file with its text is not.
fn decomposed(how: Renamed, changes: bool) {
    decomposed_on(Folds::CaseAndNormalisation, how, changes);
}

fn decomposed_on(folds: Folds, how: Renamed, changes: bool) {
    let Some(two) = Two::on(folds) else { return };
    let (a, b) = (&two.a, &two.b);
    let (here, there) = match how {
        Renamed::OnB => (b, a),
        Renamed::OnA | Renamed::OnAByHand => (a, b),
    };
    match how {
        Renamed::OnAByHand => {
            let at = |path: &str| here.identity().join(path);
            fs::rename(at(COMPOSED), at(DECOMPOSED)).expect("renamed");
        }
        Renamed::OnB | Renamed::OnA => git_mv(&here.identity(), COMPOSED, DECOMPOSED),
    }
    if changes {
        here.edit(DECOMPOSED, "The text", "The new text");
    }
    let wanted = composed(&here.tree());
    for (count, laptop) in [here, there, there, here, there].into_iter().enumerate() {
        laptop.co(&["identity", "sync"]);
        let when = format!("on {} after sync {count}", laptop.name);
        expect_files(&composed(&laptop.tree()), &wanted, &when);
    }
    agree_composed(a, b);
    nothing_is_forgotten(&[a, b]);
}

#[test]
fn a_decomposed_name_is_one_file() {
    decomposed(Renamed::OnB, false);
}

#[test]
fn a_decomposed_name_with_another_text_is_one_file() {
    decomposed(Renamed::OnB, true);
}

#[test]
fn a_name_that_is_decomposed_where_that_is_the_same_is_one_file() {
    decomposed(Renamed::OnA, true);
}

#[test]
fn a_name_that_is_decomposed_by_hand_where_that_is_the_same_is_one_file() {
    decomposed(Renamed::OnAByHand, false);
}

#[test]
fn a_decomposed_name_is_one_file_where_case_counts() {
    decomposed_on(Folds::NormalisationOnly, Renamed::OnB, true);
    decomposed_on(Folds::NormalisationOnly, Renamed::OnA, false);
}

#[test]
fn a_file_with_a_decomposed_name_can_be_deleted() {
    for folds in [Folds::CaseAndNormalisation, Folds::NormalisationOnly] {
        let Some(two) = Two::on(folds) else { return };
        let (a, b) = (&two.a, &two.b);
        let listed = |laptop: &Laptop| -> Vec<String> {
            let names = laptop.tree().into_iter().map(|(path, _)| path);
            names.filter(|path| path.contains("caf")).collect()
        };
        a.write("knowledge/cafe\u{301}-two.md", "# Of a Mac\n");
        for laptop in [a, b] {
            laptop.co(&["identity", "sync"]);
        }
        fs::rename(a.identity().join(COMPOSED), a.identity().join(DECOMPOSED)).expect("renamed");
        // One goes by a verb, the other by what the other laptop did.
        a.co(&["knowledge", "delete", "--yes", "caf\u{e9}"]);
        b.co(&["knowledge", "delete", "--yes", "caf\u{e9}-two"]);
        for laptop in [b, a, b, a] {
            laptop.co(&["identity", "sync"]);
        }
        assert_eq!(listed(a), Vec::<String>::new());
        assert_eq!(listed(b), Vec::<String>::new());
    }
}

#[test]
fn a_file_that_is_renamed_and_changed_is_one() {
    let Some(two) = Two::new() else { return };
    let (a, b) = (&two.a, &two.b);
    for (old, new) in EVERY.iter().filter(|(old, _)| b.identity().join(old).is_file()) {
        git_mv(&b.identity(), old, new);
        let changed = b.read(new).replace("The text", "The new text");
        b.write(new, &changed.replace("Prefers tabs", "Prefers tabs, mostly"));
    }
    b.co(&["identity", "sync"]);
    // As b's own sync stamped it.
    let wanted = b.tree();
    assert_eq!(b.texts().matches("The new text").count(), 4, "{}", b.texts());
    for (count, laptop) in [a, a, b].into_iter().enumerate() {
        laptop.co(&["identity", "sync"]);
        expect_files(&laptop.tree(), &wanted, &format!("on {} after sync {count}", laptop.name));
    }
    assert_agree(&[a, b]);
    nothing_is_forgotten(&[a, b]);
}

#[test]
fn a_file_that_is_renamed_there_and_changed_here_keeps_the_change() {
    let Some(two) = Two::new() else { return };
    let (a, b) = (&two.a, &two.b);
    let changed = ["traits/warm.md", "notes.txt", "knowledge/tea.md"];
    for (old, new) in EVERY.iter().filter(|(old, _)| changed.contains(old)) {
        git_mv(&b.identity(), old, new);
        a.edit(old, "The text", "Changed on a: the text");
    }
    for laptop in [b, a, a, b, a] {
        laptop.co(&["identity", "sync"]);
    }
    for laptop in [a, b] {
        for path in changed {
            let text = format!("Changed on a: the text of {path}.");
            assert_eq!(laptop.texts().matches(&text).count(), 1, "{text} {}", laptop.texts());
        }
    }
    assert_agree(&[a, b]);
    nothing_is_forgotten(&[a, b]);
}

/// Whether a sync went through, or was refused for a reason that it gives.
fn went_through(laptop: &Laptop, said: &Said) -> bool {
    let texts = format!("[{}] exit {}\n{}{}", laptop.name, said.code, said.out, said.err);
    assert!([0, 6, 7].contains(&said.code), "{texts}");
    assert!(said.code == 0 || said.err.contains("hint:"), "{texts}");
    said.code == 0
}

/// A file joins one whose name is the same on a's disk; what a's first sync says to that.
fn joined(first: &str, second: &str) -> Option<String> {
    let two = Two::new()?;
    let (a, b) = (&two.a, &two.b);
    let text = b.read(first);
    let one = text.trim_end().lines().last().expect("a line").to_owned();
    let other = format!("Something else at {}.", second.escape_default());
    b.write(second, &text.replace(&one, &other));
    // By plain git, which asks nobody.
    b.git(&["add", "-A"]);
    b.git(&["commit", "-qm", "by hand"]);
    b.git(&["push", "-q", "origin", "main"]);
    let expect_both = |files: &[(String, Vec<u8>)], when: &str| {
        for text in [&one, &other] {
            let names = files_with(files, text);
            assert!(!names.is_empty(), "{when}: {text:?} is nowhere");
        }
    };
    let mut first_said = None;
    let mut all_went_through = true;
    // Where a folder is spelled in two ways, both have to settle on one.
    for laptop in [a, a, b, a, b, a, b] {
        let before = laptop.tree();
        let said = laptop.try_co(&["identity", "sync"]);
        let when = format!("on {}, which said {}{}", laptop.name, said.out, said.err);
        if went_through(laptop, &said) {
            expect_both(&laptop.tree(), &when);
        } else {
            expect_files(&laptop.tree(), &before, &when);
            all_went_through = false;
        }
        first_said.get_or_insert(format!("{}{}", said.out, said.err));
    }
    expect_both(&b.tree(), "on b at the end");
    // What a new laptop would get.
    git(two.world.dir.path(), &["clone", "-q", "remote.git", "clone"]);
    expect_both(&tree(&two.world.path("clone")), "on the remote");
    if all_went_through {
        // Kept beside each other, and once.
        if second.is_ascii() {
            assert_agree(&[a, b])
        } else {
            agree_composed(a, b)
        }
        for text in [&one, &other] {
            let names = files_with(&b.tree(), text);
            assert_eq!(names.len(), 1, "{text:?} is in {names:?}");
        }
    }
    first_said
}

/// The files that hold a text.
fn files_with(files: &[(String, Vec<u8>)], text: &str) -> Vec<String> {
    let holds = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(text);
    files.iter().filter(|(_, bytes)| holds(bytes)).map(|(path, _)| path.clone()).collect()
}

macro_rules! joins {
    ($($case:ident: $first:expr, $second:expr;)+) => {$(
        #[test]
        fn $case() {
            if let Some(said) = joined($first, $second) {
                let stem = Path::new($second).file_stem().expect("a name").to_string_lossy();
                let (said, stem) = (said.to_lowercase(), stem.to_lowercase());
                assert!(said.contains(&stem), "sync names the file: {said}");
            }
        }
    )+};
}

joins! {
    two_traits_of_one_name_both_stay: "traits/warm.md", "traits/Warm.md";
    two_unknown_files_of_one_name_both_stay: "notes.txt", "Notes.txt";
    two_attachments_of_one_name_both_stay: "attachments/scan.pdf", "attachments/Scan.PDF";
    two_documents_of_one_name_both_stay: "knowledge/tea.md", "knowledge/Tea.md";
    two_memories_of_one_name_both_stay:
        "knowledge/memories/002-prefers-tabs.md", "knowledge/memories/002-Prefers-Tabs.md";
    two_normalisations_of_one_name_both_stay: COMPOSED, DECOMPOSED;
    a_document_in_two_folders_of_one_name_stays_twice:
        "knowledge/projects/billing/one.md", "knowledge/projects/Billing/one.md";
}

#[test]
fn a_folder_that_is_spelled_twice_loses_no_document() {
    joined("knowledge/projects/billing/one.md", "knowledge/projects/Billing/three.md");
}

#[test]
fn a_new_laptop_loses_neither_of_two_files_of_one_name() {
    let Some(two) = Two::new() else { return };
    let b = &two.b;
    b.write("Notes.txt", "Something else.\n");
    b.git(&["add", "-A"]);
    b.git(&["commit", "-qm", "by hand"]);
    b.git(&["push", "-q", "origin", "main"]);
    let c = two.world.laptop("a/c");
    let said = c.try_co(&["init", "--yes", &two.world.path("remote.git").display().to_string()]);
    if went_through(&c, &said) {
        for _ in 0..2 {
            went_through(&c, &c.try_co(&["identity", "sync"]));
        }
    }
    went_through(b, &b.try_co(&["identity", "sync"]));
    let files = b.tree();
    for text in ["The text of notes.txt.", "Something else."] {
        let names = files_with(&files, text);
        assert_eq!(names.len(), 1, "{text:?} is in {names:?}; c said {}{}", said.out, said.err);
    }
}

/// Two laptops whose identity is a folder of a bigger repository, linked from where co looks.
struct Dotfiles {
    two: Two,
    repo_a: PathBuf,
    repo_b: PathBuf,
}

impl Dotfiles {
    fn new() -> Option<Dotfiles> {
        let world = World::new();
        let disk = Disk::mount(&world, Folds::CaseAndNormalisation)?;
        let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
        let repo = |laptop: &Laptop| laptop.home.join("dotfiles");
        let (repo_a, repo_b) = (repo(&a), repo(&b));
        git(&b.home, &["init", "-q", "-b", "main", "dotfiles"]);
        for path in ["README.md", "conf/app.rc", "conf/other.rc"] {
            fs::create_dir_all(repo_b.join(path).parent().expect("a folder")).expect("a folder");
            fs::write(repo_b.join(path), format!("The text of {path}.\n")).expect("written");
        }
        fs::create_dir_all(repo_b.join("co-identity/knowledge/memories")).expect("a folder");
        fs::write(
            repo_b.join("co-identity/profile.md"),
            "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Profile\n\n- Name: Bin\n",
        )
        .expect("written");
        git(&repo_b, &["add", "-A"]);
        git(&repo_b, &["commit", "-qm", "start"]);
        git(&repo_b, &["remote", "add", "origin", &remote]);
        git(&repo_b, &["push", "-qu", "origin", "main"]);
        git(&a.home, &["clone", "-q", &remote, "dotfiles"]);
        for laptop in [&a, &b] {
            fs::create_dir_all(laptop.config()).expect("a folder");
            symlink(repo(laptop).join("co-identity"), laptop.identity()).expect("linked");
            laptop.co(&["learn", &format!("From {}", laptop.name)]);
            laptop.co(&["identity", "sync"]);
        }
        a.co(&["identity", "sync"]);
        Some(Dotfiles { two: Two { a, b, _disk: disk, world }, repo_a, repo_b })
    }

    fn publish(&self, message: &str) {
        git(&self.repo_b, &["add", "-A"]);
        git(&self.repo_b, &["commit", "-qm", message]);
        git(&self.repo_b, &["push", "-q", "origin", "main"]);
    }
}

fn renamed_outside(old: &str, new: &str) {
    let Some(dotfiles) = Dotfiles::new() else { return };
    let (a, b) = (&dotfiles.two.a, &dotfiles.two.b);
    let wanted = spelled(&tree(&dotfiles.repo_b), &[(old, new)]);
    git_mv(&dotfiles.repo_b, old, new);
    dotfiles.publish("spelled anew");
    for (count, laptop) in [a, a, b, a].into_iter().enumerate() {
        laptop.co(&["identity", "sync"]);
        let repo = laptop.home.join("dotfiles");
        expect_files(&tree(&repo), &wanted, &format!("on {} after sync {count}", laptop.name));
        assert_eq!(git(&repo, &["status", "--porcelain"]), "", "{}", laptop.name);
    }
}

#[test]
fn a_file_outside_the_identity_is_renamed() {
    renamed_outside("README.md", "Readme.md");
}

#[test]
fn a_folder_outside_the_identity_is_renamed() {
    renamed_outside("conf", "Conf");
}

#[test]
fn a_change_of_a_renamed_file_outside_the_identity_stays() {
    let Some(dotfiles) = Dotfiles::new() else { return };
    git_mv(&dotfiles.repo_b, "README.md", "Readme.md");
    dotfiles.publish("spelled anew");
    fs::write(dotfiles.repo_a.join("README.md"), "changed here\n").expect("written");
    for _ in 0..2 {
        let said = dotfiles.two.a.try_co(&["identity", "sync"]);
        went_through(&dotfiles.two.a, &said);
        let there = fs::read_to_string(dotfiles.repo_a.join("README.md")).expect("there");
        assert_eq!(there, "changed here\n", "{}{}", said.out, said.err);
    }
    dotfiles.two.b.co(&["identity", "sync"]);
    assert_eq!(files_with(&tree(&dotfiles.repo_b), "The text of README.md."), ["Readme.md"]);
}

#[test]
fn two_files_of_one_name_outside_the_identity_both_stay() {
    let Some(dotfiles) = Dotfiles::new() else { return };
    let (a, b) = (&dotfiles.two.a, &dotfiles.two.b);
    fs::write(dotfiles.repo_b.join("Readme.md"), "Something else.\n").expect("written");
    dotfiles.publish("a second one");
    let said = a.try_co(&["identity", "sync"]);
    let texts = format!("{}{}", said.out, said.err);
    went_through(a, &said);
    assert!(texts.to_lowercase().contains("readme.md"), "sync names the file: {texts}");
    a.co(&["learn", "Afterwards"]);
    for laptop in [a, b, a, b] {
        went_through(laptop, &laptop.try_co(&["identity", "sync"]));
        for text in ["The text of README.md.", "Something else."] {
            let names = files_with(&tree(&dotfiles.repo_b), text);
            assert_eq!(names.len(), 1, "{text:?} is in {names:?}; a said {texts}");
        }
    }
}

/// What macOS leaves in every folder is no part of an identity, wherever it lies.
#[test]
fn what_a_finder_leaves_is_neither_published_nor_multiplied() {
    let world = World::new();
    let (a, b) = pair(&world);
    let left = [".DS_Store", "traits/.DS_Store", "knowledge/memories/.DS_Store", "._notes.md"];
    a.write("notes.md", "# Notes\n");
    for laptop in [&a, &b] {
        for path in left {
            laptop.write(path, &format!("\0\0\0\u{1}Bud1 of {}", laptop.name));
        }
    }
    for laptop in [&a, &b, &a, &b] {
        laptop.co(&["identity", "sync"]);
    }
    let published = git(&world.path("remote.git"), &["ls-tree", "-r", "--name-only", "main"]);
    assert!(published.contains("notes.md"), "{published}");
    assert!(!published.contains("DS_Store") && !published.contains("._"), "{published}");
    for laptop in [&a, &b] {
        let here = laptop.tree();
        assert_eq!(files_with(&here, "Bud1").len(), left.len(), "{:?}", files_with(&here, "Bud1"));
        for path in left {
            assert!(laptop.read(path).ends_with(&laptop.name), "{path} of {}", laptop.name);
        }
        assert_eq!(laptop.co(&["identity", "sync"]), "Up to date.\n");
        laptop.co(&["identity", "check"]);
    }
}

/// Both laptops' volumes tell the two spellings apart; the merge must not make them one file.
#[test]
fn one_name_composed_and_decomposed_with_two_texts_is_two_files() {
    for (folder, extension) in [
        ("knowledge/people", "md"),
        ("knowledge/projects/x", "md"),
        ("traits", "md"),
        ("attachments", "txt"),
        ("knowledge/notes", "csv"),
    ] {
        let world = World::new();
        let (a, b) = pair(&world);
        let path = |name: &str| format!("{folder}/{name}.{extension}");
        a.write(&path("M\u{fc}ller"), "# M\n\nText of a\n");
        b.write(&path("Mu\u{308}ller"), "# M\n\nText of b\n");
        // The same on both, in two spellings, is one file.
        a.write(&path("Caf\u{e9}"), "# C\n\nThe same\n");
        b.write(&path("Cafe\u{301}"), "# C\n\nThe same\n");
        for laptop in [&a, &b, &a, &b, &a] {
            laptop.co(&["sync"]);
        }
        assert_agree(&[&a, &b]);
        let texts = a.texts();
        for text in ["Text of a", "Text of b", "The same"] {
            assert_eq!(texts.matches(text).count(), 1, "{folder}: {text}");
        }
    }
}

/// Names as one laptop types them, and as another's disk decomposes them.
const SPELLINGS: &[(&str, &str)] = &[
    ("people/Zo\u{eb}", "people/Zoe\u{308}"),
    ("people/\u{c5}sa", "people/A\u{30a}sa"),
    ("notes/caf\u{e9}", "notes/cafe\u{301}"),
    ("\u{fc}ber", "u\u{308}ber"),
    ("reference/ma\u{f1}ana", "reference/man\u{303}ana"),
];

#[test]
fn another_normalisation_alone_is_not_told_as_a_move() {
    for (composed, decomposed) in SPELLINGS {
        let world = World::new();
        let (a, b) = pair(&world);
        a.write(&format!("knowledge/{composed}.md"), "# Title\n\nOne.\nTwo.\nThree.\n");
        a.co(&["sync"]);
        b.co(&["sync"]);
        let at = |name: &str| b.identity().join(format!("knowledge/{name}.md"));
        fs::rename(at(composed), at(decomposed)).expect("renamed");
        for said in [b.co(&["sync"]), a.co(&["sync"])] {
            assert!(!said.contains('\u{2192}') && !said.contains("moved"), "{composed}: {said}");
            assert!(!said.contains("deleted"), "{composed}: {said}");
        }
        // With another line it is an edit, said with one path.
        b.write(&format!("knowledge/{composed}.md"), "# Title\n\nOne.\nTwo.\nFour.\n");
        fs::remove_file(at(decomposed)).expect("removed");
        for said in [b.co(&["sync"]), a.co(&["sync"])] {
            assert!(!said.contains('\u{2192}') && !said.contains("moved"), "{composed}: {said}");
            assert!(said.contains("edited"), "{composed}: {said}");
        }
    }
}

#[test]
fn what_another_spelling_displaces_is_told_as_kept() {
    for (composed, decomposed) in SPELLINGS {
        let world = World::new();
        let (a, b) = pair(&world);
        a.write(&format!("knowledge/{composed}.md"), "# One\n\nThe words of one laptop.\n");
        a.co(&["sync"]);
        b.write(&format!("knowledge/{decomposed}.md"), "# Two\n\nEntirely other text.\n");
        b.co(&["sync"]);
        let said = a.co(&["sync"]);
        assert!(!said.contains("deleted") && !said.contains('\u{2192}'), "{composed}: {said}");
        assert!(said.contains("renamed there"), "{composed}: {said}");
        let (_, name) = composed.rsplit_once('/').unwrap_or(("", composed));
        assert!(said.contains(&format!("{name}.md, kept as ")), "{composed}: {said}");
    }
}
