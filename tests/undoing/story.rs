//! One story: what two people on two laptops do, step by step, and what is known of each
//! operation by the bytes before and after it.
//!
//! Invariant: the same seed tells the same story, as commands that a person could type again.

use super::{
    Wrong, acts,
    log::{Entry, Log, Way},
    stores::{self, Bytes, Change, Changes, LEDGER, Place, Stores},
    together,
};
use crate::support::{
    Laptop, Said, World,
    acts::{Act, Listed, Typed},
    dice::Dice,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
};

const STEPS: usize = 14;

/// What an operation did, by the bytes.
pub struct Done {
    pub changes: Option<Changes>,
    /// How many syncs with a remote this laptop had before it.
    pub syncs: usize,
}

/// What somebody did to a fact of an identity themselves, not by a sync.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    Added,
    Changed,
    Removed,
}

pub struct Person {
    pub laptop: Laptop,
    pub has_remote: bool,
    pub done: BTreeMap<u64, Done>,
    /// Files changed by hand since the last sync, with what was there before.
    pending: BTreeMap<String, Option<Bytes>>,
    pub syncs: usize,
    /// As it was after the last command; nobody else writes it.
    log: Log,
    /// As the last sync left them.
    synced: Stores,
    /// Whether the last sync held something back.
    was_held: bool,
}

pub struct Story {
    pub world: World,
    pub people: Vec<Person>,
    /// What happened to each fact, by whom, in order.
    pub deeds: BTreeMap<String, Vec<(usize, Deed)>>,
    /// The facts in which each text was written, by their `created`.
    origins: BTreeMap<String, BTreeSet<String>>,
    /// Who changed each fact.
    editors: BTreeMap<String, BTreeSet<usize>>,
    /// Who changed a document of the identity.
    pub touched: BTreeMap<String, BTreeSet<usize>>,
    /// Documents that were moved: from where, to where.
    pub moved: Vec<(String, String)>,
    pub dice: Dice,
    told: String,
    /// The first thing that was wrong without a reason to end the story.
    pub blemish: Option<Wrong>,
}

pub fn play(seed: u64) -> Result<(), Wrong> {
    // In every third story nothing is published before the end: all comes back byte for byte.
    let mut story = if seed.is_multiple_of(3) { Story::alone(seed) } else { Story::of_two(seed) };
    let played =
        (0..STEPS).try_for_each(|n| story.step(n)).and_then(|()| together::end(&mut story));
    let blemish = story.blemish.take().map_or(Ok(()), Err);
    played.and(blemish).map_err(|wrong| {
        Wrong::of(wrong.kind, format!("{}\nThe story:\n{}", wrong.what, story.told))
    })
}

impl Story {
    fn new(seed: u64) -> Story {
        let world = World::new();
        acts::archive(&world.path("archive"));
        Story {
            world,
            people: Vec::new(),
            deeds: BTreeMap::new(),
            origins: BTreeMap::new(),
            editors: BTreeMap::new(),
            touched: BTreeMap::new(),
            moved: Vec::new(),
            dice: Dice::new(seed),
            told: String::new(),
            blemish: None,
        }
    }

    fn alone(seed: u64) -> Story {
        let mut story = Story::new(seed);
        story.world.remote();
        story.joins("a", &["init", "--yes", "--name", "Bin"]);
        story
    }

    fn of_two(seed: u64) -> Story {
        let mut story = Story::new(seed);
        let remote = story.world.remote();
        story.joins("a", &["init", "--yes", "--name", "Bin", &remote]);
        story.joins("b", &["init", "--yes", &remote]);
        story
    }

    /// A laptop with its identity and projects. The first has something to begin with.
    pub fn joins(&mut self, name: &str, init: &[&str]) {
        let laptop = self.world.laptop(name);
        for place in [Place::Project, Place::Nested] {
            fs::create_dir_all(place.root(&laptop)).expect("a project");
        }
        let has_remote = init.iter().any(|word| word.contains("remote.git"));
        let (done, pending, log) = (BTreeMap::new(), BTreeMap::new(), Log(Vec::new()));
        let synced = Stores::default();
        let (syncs, was_held) = (0, false);
        let person = Person { laptop, has_remote, done, pending, syncs, log, synced, was_held };
        self.people.push(person);
        let who = self.people.len() - 1;
        self.run(who, Place::Identity, init);
        if who == 0 {
            for base in ["Base fact 1", "Base fact 2", "Base fact 3"] {
                self.run(0, Place::Identity, &["learn", base]);
            }
            self.run(0, Place::Project, &["learn", "Base fact 4"]);
            self.run(0, Place::Nested, &["learn", "Base fact 5"]);
            let lines = ["knowledge", "write", "runbook", "Base step 1\n\nBase step 2"];
            self.run(0, Place::Identity, &lines);
        }
        self.run(who, Place::Identity, &["sync"]);
        self.people[who].synced = self.looks(who).0;
    }

    fn tell(&mut self, who: usize, what: &str) {
        let dir = self.world.dir.path().display().to_string();
        let name = &self.people[who].laptop.name;
        let _ = writeln!(self.told, "{name}: {}", what.replace(&dir, "$W"));
    }

    /// Runs a command that is told, whatever it comes to.
    pub fn run(&mut self, who: usize, place: Place, words: &[&str]) -> Said {
        let standing = place.standing(&self.people[who].laptop).display().to_string();
        let at = if place == Place::Identity { &[][..] } else { &["-C", &standing][..] };
        let said = self.people[who].laptop.try_co(&[at, words].concat());
        let line: String =
            at.iter().chain(words).map(|word| format!(" {}", quoted(word))).collect();
        let first = if said.code == 0 { &said.out } else { &said.err };
        let first = first.lines().next().unwrap_or_default().to_owned();
        self.tell(who, &format!("co{line}    # {}: {first}", said.code));
        said
    }

    fn step(&mut self, n: usize) -> Result<(), Wrong> {
        let who = self.dice.below(self.people.len());
        match self.dice.below(13) {
            0..=3 => self.acts(who, n),
            4 => self.works_by_hand(who, n, &[]),
            10 => self.hands_over(who, n),
            5 => self.all_sync(who),
            6 => self.takes_back(who, Way::Undo, None),
            7 => self.takes_back_some(who, Way::Undo),
            8 => self.takes_back(who, Way::Redo, None),
            9 => self.takes_back_some(who, Way::Redo),
            _ => self.provokes(who, n),
        }
    }

    /// Somebody syncs, and in some cases everybody after them.
    fn all_sync(&mut self, who: usize) -> Result<(), Wrong> {
        self.syncs(who, &["sync"])?;
        let others = if self.dice.below(2) == 0 { 0..self.people.len() } else { 0..0 };
        others.filter(|other| *other != who).try_for_each(|other| self.syncs(other, &["sync"]))
    }

    /// An edit; in some cases a sync takes it up as an operation, and that is taken back.
    fn works_by_hand(&mut self, who: usize, n: usize, of: &[String]) -> Result<(), Wrong> {
        self.types(who, n, of);
        if of.is_empty() && self.dice.below(2) > 0 {
            return Ok(());
        }
        self.syncs(who, &["sync"])?;
        self.takes_back(who, Way::Undo, None)?;
        self.takes_back(who, Way::Redo, None)
    }

    /// Two people edit the same file one after the other, with a sync between.
    fn hands_over(&mut self, who: usize, n: usize) -> Result<(), Wrong> {
        let shared = self.shared();
        let Some(path) = self.dice.pick(&shared).cloned() else {
            return self.works_by_hand(who, n, &[]);
        };
        let of = [path];
        for other in (0..self.people.len()).filter(|other| *other != who) {
            self.types(other, 100 + n, &of);
            self.syncs(other, &["sync"])?;
            self.syncs(who, &["sync"])?;
        }
        self.works_by_hand(who, n, &of)
    }

    /// Files that are the same in every identity.
    fn shared(&self) -> Vec<String> {
        let stores = self.people.iter().map(|person| Stores::of(&person.laptop));
        let stores: Vec<Stores> = stores.collect();
        let facts = stores[0].facts(Place::Identity).into_iter().map(|(path, _)| path);
        let mut paths: Vec<String> = facts.collect();
        paths.extend(acts::documents(&stores[0], Place::Identity));
        paths.push("identity/profile.md".to_owned());
        paths.retain(|path| stores.iter().all(|other| other.get(path) == stores[0].get(path)));
        paths
    }

    /// A command, and in some cases there and back again.
    pub fn acts(&mut self, who: usize, n: usize) -> Result<(), Wrong> {
        let (place, act) = acts::next(&mut self.dice, &self.people[who].laptop, n);
        self.does(who, place, &act)?;
        if self.dice.below(3) > 0 {
            return Ok(());
        }
        self.takes_back(who, Way::Undo, None)?;
        self.takes_back(who, Way::Redo, None)
    }

    pub fn does(&mut self, who: usize, place: Place, act: &Typed) -> Result<(), Wrong> {
        if let Act::Add(page, text) = act {
            fs::write(page, text).expect("a page to add");
        }
        let (before, log) = self.state(who);
        let words = act.words();
        let said = self.run(who, place, &words);
        let (after, log_after) = self.looks(who);
        let fresh = self.fresh(&log, &log_after)?;
        let is_done = said.code == 0 || (said.code == 1 && words[0] == "check");
        if !is_done && (before != after || !fresh.is_empty()) {
            return Err(Wrong::of("a command failed and wrote", said.err));
        }
        if !is_done && ![2, 3, 5, 6, 7].contains(&said.code) {
            return Err(Wrong::of("a command ended with an odd exit code", said.err));
        }
        if is_done && before != after && fresh.is_empty() {
            return Err(Wrong::of("a change is not in the log", stores::shown(&before, &after)));
        }
        if is_done && before == after && !fresh.is_empty() {
            let wrong = Wrong::of("an operation without a change", format!("{fresh:?}"));
            self.blemish = self.blemish.take().or(Some(wrong));
        }
        let is_there = |fact: &&Listed| is_done && after.get(&fact.path).is_some();
        if let Some(fact) = act.forgotten().into_iter().find(is_there) {
            return Err(Wrong::of("said to be forgotten, but there", fact.path.clone()));
        }
        self.learns(who, &before, &after, &fresh);
        Ok(())
    }

    pub fn state(&self, who: usize) -> (Stores, Log) {
        let person = &self.people[who];
        (Stores::of(&person.laptop), person.log.clone())
    }

    /// The state after a command.
    pub fn looks(&mut self, who: usize) -> (Stores, Log) {
        self.people[who].log = Log::of(&self.people[who].laptop);
        self.state(who)
    }

    /// The operations since; none that was there may be missing, and none occurs twice.
    pub fn fresh(&self, log: &Log, log_after: &Log) -> Result<Vec<Entry>, Wrong> {
        let numbers: BTreeSet<u64> = log_after.0.iter().map(|entry| entry.op).collect();
        if numbers.len() != log_after.0.len() {
            return Err(Wrong::of("a number twice in the log", format!("{log_after:?}")));
        }
        if let Some(lost) = log.0.iter().find(|entry| log_after.find(entry.op).is_none()) {
            return Err(Wrong::of("an operation left the log", format!("{lost:?}")));
        }
        Ok(log_after.since(log))
    }

    /// Keeps what somebody did here: for each operation the files of its store.
    pub fn learns(&mut self, who: usize, before: &Stores, after: &Stores, fresh: &[Entry]) {
        let all = Stores::changes(before, after);
        self.remembers(who, before, after);
        let person = &mut self.people[who];
        for path in all.keys() {
            person.pending.remove(path);
        }
        for entry in fresh {
            let mut own = all.clone();
            own.retain(|path, _| Place::of_path(path) == entry.place);
            // Of two in one store nobody knows which did what.
            let others = fresh.iter().filter(|other| other.place == entry.place).count();
            let changes = Some(own).filter(|_| others == 1);
            person.done.insert(entry.op, Done { changes, syncs: person.syncs });
        }
    }

    /// Whether a text is in another fact than the one it was written in, which somebody else
    /// edited as well.
    pub fn is_apart(&self, body: &str, at: &Option<String>, who: usize) -> bool {
        let Some(origins) = self.origins.get(body) else { return false };
        let mut editors = origins.iter().filter_map(|origin| self.editors.get(origin)).flatten();
        at.as_ref().is_none_or(|at| !origins.contains(at)) && editors.any(|editor| *editor != who)
    }

    fn remembers(&mut self, who: usize, before: &Stores, after: &Stores) {
        let bodies = |stores: &Stores| -> BTreeSet<String> {
            stores.facts(Place::Identity).into_iter().map(|(_, fact)| fact.body).collect()
        };
        for (path, change) in Stores::changes(before, after) {
            let sides = [&change.before, &change.after];
            for content in sides.into_iter().flatten().map(|side| stores::Content::of(&path, side))
            {
                let Some(origin) = content.origin else { continue };
                self.origins.entry(content.body).or_default().insert(origin.clone());
                self.editors.entry(origin).or_default().insert(who);
            }
        }
        let (old, new) = (bodies(before), bodies(after));
        let mut deed = |body: &String, deed| {
            self.deeds.entry(body.clone()).or_default().push((who, deed));
        };
        old.difference(&new).for_each(|body| deed(body, Deed::Removed));
        new.difference(&old).for_each(|body| deed(body, Deed::Added));
        let changes = Stores::changes(before, after);
        let documents = || changes.iter().filter(|(path, _)| !path.contains("/memories/"));
        for (from, _) in documents().filter(|(_, change)| change.after.is_none()) {
            let new = documents().filter(|(_, change)| change.before.is_none());
            self.moved.extend(new.map(|(to, _)| (from.clone(), to.clone())));
        }
        for (path, change) in changes {
            let is_fact = path.contains("/memories/");
            let now = change.after.as_ref().map(|bytes| stores::Content::of(&path, bytes).body);
            match now {
                Some(body) if is_fact && old.contains(&body) => deed(&body, Deed::Changed),
                _ if !is_fact => drop(self.touched.entry(path).or_default().insert(who)),
                _ => {}
            }
        }
    }

    /// A change with an editor, as a command that does the same.
    pub fn types(&mut self, who: usize, n: usize, of: &[String]) {
        let before = Stores::of(&self.people[who].laptop);
        let edit = acts::by_hand(&mut self.dice, &self.people[who].laptop, n, of);
        let (path, bytes) = edit;
        let file = stores::file(&self.people[who].laptop, &path);
        match &bytes {
            Some(bytes) => {
                fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
                fs::write(&file, bytes).expect("written by hand");
                let text = quoted(&String::from_utf8_lossy(bytes));
                self.tell(who, &format!("printf %s {text} > {}", file.display()));
            }
            None => {
                fs::remove_file(&file).expect("removed by hand");
                self.tell(who, &format!("rm {}", file.display()));
            }
        }
        let after = Stores::of(&self.people[who].laptop);
        self.remembers(who, &before, &after);
        if Place::of_path(&path) == Place::Identity {
            self.people[who].pending.entry(path.clone()).or_insert(before.get(&path).cloned());
        }
    }

    pub fn syncs(&mut self, who: usize, words: &[&str]) -> Result<(), Wrong> {
        let (before, log) = self.state(who);
        let said = self.run(who, Place::Identity, words);
        let (after, log_after) = self.looks(who);
        let fresh = self.fresh(&log, &log_after)?;
        // Held back or guarded is an answer; nobody else is at work, and the remote is there.
        if ![0, 6].contains(&said.code) {
            return Err(Wrong::of("a sync ended with an odd exit code", said.err));
        }
        let person = &mut self.people[who];
        if said.code == 0 && !person.has_remote && before.view() != after.view() {
            return Err(Wrong::of("a commit changed facts", stores::shown(&before, &after)));
        }
        // What a merge did beside it is not known file by file.
        // Nor is what an earlier sync had held back, and this one took up.
        let was_held = std::mem::replace(&mut person.was_held, said.code != 0);
        let is_alone =
            fresh.len() == 1 && fresh[0].verb == "by hand" && said.code == 0 && !was_held;
        let mut changes: Changes = BTreeMap::new();
        for (path, before) in std::mem::take(&mut person.pending) {
            let after = after.get(&path).cloned();
            changes.insert(path, Change { before, after });
        }
        // What came and went between two syncs was in no commit.
        let was_there = |path: &String| person.synced.get(path).is_some();
        changes.retain(|path, change| {
            change.before != change.after && (change.after.is_some() || was_there(path))
        });
        // Documents have their lines as well.
        let is_forgotten = |(path, change): (&String, &Change)| {
            path.contains("/knowledge/") && change.after.is_none()
        };
        if changes.iter().any(is_forgotten) {
            let ledger = Stores::changes(&before, &after).remove(LEDGER);
            changes.extend(ledger.map(|change| (LEDGER.to_owned(), change)));
        }
        for entry in &fresh {
            let changes = Some(changes.clone()).filter(|_| is_alone);
            person.done.insert(entry.op, Done { changes, syncs: person.syncs });
        }
        person.syncs += usize::from(person.has_remote);
        person.synced = after;
        Ok(())
    }
}

/// A word as a shell reads it.
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
