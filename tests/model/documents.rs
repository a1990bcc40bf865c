//! Random histories of documents and facts on three laptops, through the binary: ordinary notes
//! without stamps, keys that only YAML reads, git rules that match, commits by hand, and laptops
//! whose clocks are days apart. All end up the same, and no fact or appended line is lost.
//!
//! `CO_MODEL_DOCUMENTS=300 cargo test --test it documents_and_facts` plays more of them,
//! `CO_MODEL_SEED=17` repeats one. `CO_MODEL_LAYERED=300 cargo test --test it beside_a_team` plays
//! them while all three have a team's layer, which changes nothing of it.

use crate::support::{
    self, Laptop,
    acts::{Act, Listed},
    chooser::{Mix, PLACES, Sight, Texts},
    dice::Dice,
    files::put,
    stories::{Seeds, Wrong},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    path::PathBuf,
    time::{Duration, SystemTime},
};

const DOCUMENTS: [&str; 3] = ["notes/tea.md", "notes/ideas.md", "projects/boat/plan.md"];
const JOURNAL: &str = "knowledge/journal/day.md";
/// Keys that YAML takes and a reader of lines would not.
const KEYS: [&str; 4] = ["Rating (1-5)", "dc:title", "\"a: b\"", "it's"];

/// What a document says: a word for each key and for each line.
type Words = [String; PLACES];

const MIX: &Mix = &[
    (45, Act::Word((), 0, ())),
    (10, Act::Append(())),
    (12, Act::Learn((), None)),
    (4, Act::Forget((), None)),
    (6, Act::Rule(4)),
    (5, Act::Commit),
    (18, Act::Sync),
];

fn written(words: &Words) -> String {
    let key = |at: usize| format!("{}: {}\n", KEYS[at], words[at]);
    let line = |at: usize| format!("Line {at} says {}.\n\nNothing changes here.\n\n", words[at]);
    let keys: String = (0..KEYS.len()).map(key).collect();
    let lines: String = (KEYS.len()..words.len()).map(line).collect();
    format!("---\n{keys}---\n\n# Notes\n\n{lines}")
}

/// A word in a place of a document, and when its laptop says that it was written.
#[derive(Clone, Debug)]
struct Edit {
    laptop: usize,
    document: usize,
    place: usize,
    word: String,
    at: u64,
    /// Whether the merge that published it kept the word.
    stayed: bool,
}

struct Person {
    laptop: Laptop,
    /// What the clock adds to the time, in seconds.
    skew: i64,
    /// Edits since the last sync.
    edits: Vec<Edit>,
    /// How many edits others had published then.
    seen: usize,
}

struct History {
    dice: Dice,
    people: Vec<Person>,
    /// Edits in the order in which they were published.
    published: Vec<Edit>,
    /// Facts learned, and those of them that were forgotten.
    learned: BTreeSet<String>,
    forgotten: BTreeSet<String>,
    /// Lines appended to the journal.
    appended: BTreeSet<String>,
    now: u64,
    script: Vec<String>,
    broken: Vec<String>,
}

impl History {
    fn begin(world: &support::World, seed: u64) -> History {
        let mut dice = Dice::new(seed.wrapping_mul(6271) ^ 0xD0C5);
        let place = world.path(&format!("h{seed}"));
        fs::create_dir_all(&place).expect("a folder");
        support::git(&place, &["init", "-q", "--bare", "-b", "main", "remote.git"]);
        let remote = place.join("remote.git").display().to_string();
        let laptops = ["a", "b", "c"].map(|name| world.laptop(&format!("h{seed}/{name}")));
        laptops[0].co(&["init", "--yes", "--remote", &remote]);
        laptops[0].write(JOURNAL, "# Day\n");
        let first: Words = std::array::from_fn(|at| format!("first{at}"));
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a time");
        let long_ago = now.as_secs() - 90 * 86_400;
        for document in DOCUMENTS {
            let path = format!("knowledge/{document}");
            laptops[0].write(&path, &written(&first));
            touch(&laptops[0], &path, long_ago);
        }
        laptops[0].co(&["sync"]);
        for laptop in &laptops[1..] {
            laptop.co(&["init", "--yes", &remote]);
        }
        let skew =
            |dice: &mut Dice| (dice.below(9) as i64 - 4) * 86_400 + dice.below(40_000) as i64;
        let people = laptops.into_iter().map(|laptop| Person {
            laptop,
            skew: skew(&mut dice),
            edits: Vec::new(),
            seen: 0,
        });
        let people = people.collect();
        History {
            dice,
            people,
            published: Vec::new(),
            learned: BTreeSet::new(),
            forgotten: BTreeSet::new(),
            appended: BTreeSet::new(),
            now: long_ago + 10 * 86_400,
            script: Vec::new(),
            broken: Vec::new(),
        }
    }

    /// A team's layer that all three have and write to; its repository.
    fn join_team(&self) -> PathBuf {
        let place = self.people[0].laptop.home.parent().expect("a folder").to_owned();
        support::git(&place, &["init", "-q", "--bare", "-b", "main", "team.git"]);
        let team = place.join("team.git");
        for (at, person) in self.people.iter().enumerate() {
            let laptop = &person.laptop;
            laptop.co(&["layer", "add", "acme", &team.display().to_string(), "--write"]);
            laptop.co(&["learn", "--layer", "acme", &format!("Member {at} deploys on Tuesdays")]);
            laptop.co(&["sync", "--layer", "acme"]);
        }
        team
    }

    fn say(&mut self, who: usize, what: &str) {
        self.script.push(format!("{}: {what}", ["a", "b", "c"][who]));
    }

    fn step(&mut self) {
        self.now += 60 + self.dice.below(7_200) as u64;
        let who = self.dice.below(3);
        let kind = self.dice.weighed(MIX);
        let mut sight: Sight<Listed> = Sight::new(Texts::Ruled, Vec::new());
        sight.documents = DOCUMENTS.map(str::to_owned).to_vec();
        if matches!(kind, Act::Forget(..)) {
            let facts = self.people[who].laptop.facts();
            sight.facts = facts.into_iter().map(Listed::by_text).collect();
        }
        match sight.act(kind, &mut self.dice) {
            None => {}
            Some(Act::Word(document, place, word)) => self.edit(who, &document, place, word),
            Some(Act::Append(word)) => self.append(who, word),
            Some(Act::Learn(text, _)) => self.learn(who, text),
            Some(Act::Forget(fact, _)) => self.forget(who, fact.text),
            Some(Act::Rule(at)) => self.rule(who, at),
            Some(Act::Commit) => self.commit_by_hand(who),
            Some(Act::Sync) => self.sync(who),
            Some(other) => unreachable!("{other:?} is not in the mix"),
        }
    }

    /// Time as the laptop tells it.
    fn clock(&self, who: usize) -> u64 {
        self.now.checked_add_signed(self.people[who].skew).expect("a time")
    }

    fn edit(&mut self, who: usize, topic: &str, place: usize, word: String) {
        let document = DOCUMENTS.iter().position(|known| *known == topic).expect("one of them");
        let (path, at) = (format!("knowledge/{topic}"), self.clock(who));
        let laptop = &self.people[who].laptop;
        let mut words = words_of(laptop, &path);
        words[place].clone_from(&word);
        laptop.write(&path, &written(&words));
        touch(laptop, &path, at);
        self.say(who, &format!("writes {word} in place {place} of {path} at {at}"));
        let is_other = |edit: &Edit| (edit.document, edit.place) != (document, place);
        self.people[who].edits.retain(is_other);
        self.people[who].edits.push(Edit { laptop: who, document, place, word, at, stayed: true });
    }

    fn append(&mut self, who: usize, word: String) {
        let at = self.clock(who);
        let laptop = &self.people[who].laptop;
        let text = laptop.read(JOURNAL);
        laptop.write(JOURNAL, &format!("{text}\n- {word}\n"));
        touch(laptop, JOURNAL, at);
        self.say(who, &format!("appends {word}"));
        self.appended.insert(word);
    }

    fn learn(&mut self, who: usize, text: String) {
        let said = self.people[who].laptop.try_co(&["learn", &text]);
        self.say(who, &format!("learns {text} ({})", said.code));
        match said.code {
            // A rule of the identity's own refuses it, and says so.
            6 if text.starts_with("hidden") && said.err.contains(".gitignore") => {}
            0 => drop(self.learned.insert(text)),
            _ => self.broken.push(format!("learn {text}: {}", said.err)),
        }
    }

    fn forget(&mut self, who: usize, fact: String) {
        // Nobody else knows what is hidden.
        if fact.starts_with("hidden") {
            return;
        }
        self.people[who].laptop.co(&["forget", "--yes", "--", &fact]);
        self.say(who, &format!("forgets {fact}"));
        self.forgotten.insert(fact);
    }

    /// A rule that matches what co writes: outside the identity it does not count, inside it does.
    fn rule(&mut self, who: usize, at: usize) {
        let laptop = &self.people[who].laptop;
        let (place, rule) = match at {
            0 => (laptop.home.join(".config/git/ignore"), "*secret*\n*.md\n"),
            1 => (laptop.identity().join(".git/info/exclude"), "knowledge/\n"),
            2 => (laptop.identity().join(".git/info/exclude"), "*notes*\n"),
            _ => (laptop.identity().join("knowledge/memories/.gitignore"), "*hidden*\n"),
        };
        put(&place, rule);
        self.say(who, &format!("has the rule {rule:?} in {}", place.display()));
    }

    fn commit_by_hand(&mut self, who: usize) {
        let at = self.clock(who);
        let person = &self.people[who];
        let changed: BTreeSet<String> = person
            .edits
            .iter()
            .map(|edit| format!("knowledge/{}", DOCUMENTS[edit.document]))
            .collect();
        let mut files: Vec<&str> = changed.iter().map(String::as_str).collect();
        files.retain(|file| !person.laptop.git(&["status", "--porcelain", file]).is_empty());
        if files.is_empty() {
            return;
        }
        person.laptop.git(&[&["add", "-f", "--"][..], &files].concat());
        let date = format!("@{at} +0000");
        person
            .laptop
            .git(&[&["commit", "-qm", "by hand", "--date", &date, "--"][..], &files].concat());
        self.say(who, "commits by hand");
        // git keeps one time for all of them, which is that of the commit.
        let documents: Vec<usize> = (0..DOCUMENTS.len())
            .filter(|at| files.contains(&format!("knowledge/{}", DOCUMENTS[*at]).as_str()))
            .collect();
        for edit in &mut self.people[who].edits {
            if documents.contains(&edit.document) {
                edit.at = at;
            }
        }
    }

    fn sync(&mut self, who: usize) {
        let before: Vec<Words> = DOCUMENTS
            .iter()
            .map(|document| words_of(&self.people[who].laptop, &format!("knowledge/{document}")))
            .collect();
        let said = self.people[who].laptop.try_co(&["sync"]);
        self.say(who, &format!("syncs: {}", said.out));
        if said.code != 0 {
            self.broken.push(format!("sync of {who}: {}{}", said.out, said.err));
            return;
        }
        let seen = self.people[who].seen;
        let theirs: Vec<Edit> = self.published[seen..].to_vec();
        let mut mine = std::mem::take(&mut self.people[who].edits);
        for (document, before) in before.iter().enumerate() {
            self.judge_document(who, document, before, &mine, &theirs, &said.out);
        }
        for edit in &mut mine {
            let path = format!("knowledge/{}", DOCUMENTS[edit.document]);
            let after = words_of(&self.people[who].laptop, &path);
            edit.stayed = after[edit.place] == edit.word;
        }
        self.published.extend(mine);
        self.people[who].seen = self.published.len();
    }

    /// What this sync kept of two texts of a document, and what it said of them.
    fn judge_document(
        &mut self,
        who: usize,
        document: usize,
        before: &Words,
        mine: &[Edit],
        theirs: &[Edit],
        said: &str,
    ) {
        let of = |edits: &[Edit]| -> Vec<Edit> {
            edits.iter().filter(|edit| edit.document == document).cloned().collect()
        };
        let (mine, theirs) = (of(mine), of(theirs));
        let path = format!("knowledge/{}", DOCUMENTS[document]);
        let laptop = self.people[who].laptop.clone();
        let after = words_of(&laptop, &path);
        let last = |edits: &[Edit]| edits.iter().map(|edit| edit.at).max().unwrap_or(0);
        let one_wrote = theirs.iter().all(|edit| edit.stayed && edit.laptop == theirs[0].laptop);
        let mut broken = Vec::new();
        for place in 0..after.len() {
            let touched =
                |edits: &[Edit]| edits.iter().any(|edit| edit.place == place && edit.stayed);
            let theirs_hold =
                |word: &str| theirs.iter().any(|edit| edit.place == place && edit.word == word);
            match (touched(&mine), touched(&theirs)) {
                (true, false) if after[place] != before[place] => {
                    broken.push(format!("{path}, place {place}: {} is lost", before[place]));
                }
                (false, true) if !theirs_hold(&after[place]) => {
                    broken.push(format!("{path}, place {place}: theirs did not arrive"));
                }
                (true, true) => {
                    let kept_mine = after[place] == before[place];
                    if !kept_mine && !theirs_hold(&after[place]) {
                        broken.push(format!("{path}, place {place}: a third word"));
                    }
                    let is_older = if kept_mine {
                        one_wrote && last(&mine) < last(&theirs)
                    } else {
                        last(&mine) > last(&theirs)
                    };
                    if is_older {
                        broken.push(format!("{path}, place {place}: the older word stays"));
                    }
                    let lost = if kept_mine { None } else { Some(&before[place]) };
                    let is_in_git = |word: &String| {
                        !laptop.git(&["log", "--all", "--format=%h", "-S", word]).is_empty()
                    };
                    if !lost.is_none_or(is_in_git) {
                        broken.push(format!("{path}, place {place}: what lost is in no commit"));
                    }
                }
                _ => {}
            }
        }
        let row = |side: &str| {
            said.lines().any(|line| line.contains(DOCUMENTS[document]) && line.contains(side))
        };
        if row("(here, newer") && one_wrote && last(&mine) < last(&theirs) {
            broken.push(format!("{path}: says that the older one here is newer"));
        }
        if row("(there, newer") && last(&mine) > last(&theirs) {
            broken.push(format!("{path}: says that the older one there is newer"));
        }
        self.broken.extend(broken);
    }

    fn end(mut self) -> (Vec<String>, Vec<String>) {
        for who in [0, 1, 2, 0, 1, 2] {
            self.now += 60;
            self.sync(who);
        }
        let trees: Vec<BTreeMap<String, Vec<u8>>> = self
            .people
            .iter()
            .map(|person| {
                let mut tree: BTreeMap<_, _> = person.laptop.tree().into_iter().collect();
                // What a laptop keeps to itself because a rule of the identity says so.
                tree.retain(|path, _| !path.contains("hidden"));
                tree
            })
            .collect();
        if trees[1..].iter().any(|tree| *tree != trees[0]) {
            self.broken.push("the laptops differ".to_owned());
        }
        let journal = self.people[0].laptop.read(JOURNAL);
        for word in &self.appended {
            if journal.matches(&format!("- {word}\n")).count() != 1 {
                self.broken.push(format!("the journal's line {word} is not there once"));
            }
        }
        let known: Vec<Vec<String>> =
            self.people.iter().map(|person| person.laptop.facts()).collect();
        for fact in &self.learned {
            let holders = known.iter().filter(|facts| facts.contains(fact)).count();
            let is_right = match (self.forgotten.contains(fact), fact.starts_with("hidden")) {
                (true, _) => holders == 0,
                (false, false) => holders == 3,
                (false, true) => holders >= 1,
            };
            if !is_right {
                self.broken.push(format!("{fact} is on {holders} laptops"));
            }
        }
        for document in DOCUMENTS {
            let text = self.people[0].laptop.read(&format!("knowledge/{document}"));
            if KEYS.iter().any(|key| text.matches(&format!("{key}: ")).count() != 1) {
                self.broken.push(format!("a key of {document} is gone: {text}"));
            }
        }
        (self.broken, self.script)
    }
}

fn words_of(laptop: &Laptop, path: &str) -> Words {
    let text = laptop.read(path);
    std::array::from_fn(|at| {
        let start =
            if at < KEYS.len() { format!("{}: ", KEYS[at]) } else { format!("Line {at} says ") };
        let line = text.lines().find_map(|line| line.strip_prefix(&start));
        line.unwrap_or("gone").trim_end_matches('.').to_owned()
    })
}

fn touch(laptop: &Laptop, path: &str, at: u64) {
    let file = File::options().write(true).open(laptop.identity().join(path)).expect("opened");
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(at)).expect("a time");
}

fn play(seed: u64) -> Result<(), Wrong> {
    let world = support::World::new();
    let mut history = History::begin(&world, seed);
    for _ in 0..24 + history.dice.below(16) {
        history.step();
    }
    let (broken, script) = history.end();
    judged(&broken, &script)
}

fn judged(broken: &[String], script: &[String]) -> Result<(), Wrong> {
    if broken.is_empty() {
        return Ok(());
    }
    let (broken, script) = (broken.join("\n  "), script.join("\n"));
    Err(Wrong::of("a promise was broken", format!("  {broken}\n{script}")))
}

fn play_beside_a_team(seed: u64) -> Result<(), Wrong> {
    let world = support::World::new();
    let mut history = History::begin(&world, seed);
    let team = history.join_team();
    let laptops: Vec<Laptop> = history.people.iter().map(|person| person.laptop.clone()).collect();
    for _ in 0..24 + history.dice.below(16) {
        history.step();
    }
    let (mut broken, script) = history.end();
    for laptop in &laptops {
        let list = laptop.co(&["list", "--layer", "acme"]);
        if (0..3).any(|at| !list.contains(&format!("Member {at} deploys"))) {
            broken.push(format!("the layer of {}: {list}", laptop.name));
        }
    }
    let published = support::git(&team, &["log", "-p", "--all"]);
    if ["secret w", "hidden w", "# Day"].iter().any(|own| published.contains(own)) {
        broken.push("something of one's own was published to the team".to_owned());
    }
    judged(&broken, &script)
}

#[test]
fn documents_and_facts_through_the_binary() {
    Seeds { how_many: "CO_MODEL_DOCUMENTS", usually: 4, one: "CO_MODEL_SEED" }.play(play);
}

#[test]
fn the_same_beside_a_team() {
    Seeds { how_many: "CO_MODEL_LAYERED", usually: 1, one: "CO_MODEL_SEED" }
        .play(play_beside_a_team);
}
