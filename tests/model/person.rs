//! People who act in process: what they see, and how each act changes the files of their laptop and
//! what is true.

use super::truth::What;
use super::world::World;
use crate::support::{
    acts::{Act, CHECK_AFTER, FROM, Fact, Label, UNTIL, VERIFIED},
    chooser::{Mix, Sight, Texts},
};
use co_cli::tested::identity::{
    Blob, ContentHash, Document, Memory, RelPath, Stamp, kind::LEDGER, memory, slug, value::Value,
};
use co_cli::tested::merge::tidy;

/// Through co, or else by hand.
const ACTS: [(usize, Option<Act>); 3] =
    [(35, Some(Act::Learn((), None))), (15, Some(Act::Forget((), None))), (50, None)];

const BY_HAND: &Mix = &[
    (40, Act::Retype((), ())),
    (10, Act::Retag((), ())),
    (15, Act::Copy((), ())),
    (15, Act::Restore(0)),
    (15, Act::Remove(())),
    (5, Act::Note(())),
];

/// When a fact holds, or that it replaces another one.
const TIMES: &Mix = &[
    (1, Act::Edit((), Label::Day(FROM, Some(())))),
    (1, Act::Edit((), Label::Day(UNTIL, Some(())))),
    (1, Act::Edit((), Label::Day(CHECK_AFTER, Some(())))),
    (1, Act::Edit((), Label::Day(VERIFIED, Some(())))),
    (1, Act::Edit((), Label::Replaces(()))),
];

impl Fact for Memory {
    fn text(&self) -> String {
        Memory::text(self).to_owned()
    }

    fn path(&self) -> String {
        self.path.to_string()
    }
}

/// One action, through co or by hand.
pub fn act(world: &mut World, laptop: usize) {
    let kind = if world.timed && world.dice.chance(30) {
        Some(world.dice.weighed(TIMES))
    } else {
        world.dice.weighed(&ACTS)
    };
    let Some(kind) = kind else { return act_by_hand(world, laptop) };
    world.finish_interrupted(laptop);
    act_of(world, laptop, kind);
}

/// One action with an editor or a shell, as can also happen while co works.
pub fn act_by_hand(world: &mut World, laptop: usize) {
    let kind = world.dice.weighed(BY_HAND);
    act_of(world, laptop, kind);
}

fn act_of(world: &mut World, laptop: usize, kind: Act) {
    let mut sight = Sight::new(Texts::Words, world.memories(laptop));
    sight.backups = world.laptops[laptop].backups.len();
    match sight.act(kind, &mut world.dice) {
        None => return,
        // co forgets a text wherever it is.
        Some(Act::Forget(named, _)) => {
            let all = sight.facts.iter().filter(|memory| memory.hash == named.hash);
            forget(world, laptop, &named, &all.cloned().collect::<Vec<Memory>>());
        }
        Some(act) => carry_out(world, laptop, act),
    }
    if matches!(kind, Act::Copy(..)) && world.dice.chance(40) {
        act_of(world, laptop, Act::Retype((), ()));
    }
}

/// Changes the files of a laptop as an act does, and notes what is true from then on.
pub fn carry_out(world: &mut World, laptop: usize, act: Act<Memory, String>) {
    match act {
        Act::Learn(text, _) => save(world, laptop, &text),
        Act::Edit(memory, Label::Text(text)) => edit(world, laptop, &memory, &text),
        Act::Edit(memory, label) => say_when(world, laptop, &memory, label),
        Act::Forget(memory, _) => forget(world, laptop, &memory, std::slice::from_ref(&memory)),
        Act::Retype(memory, text) => retype(world, laptop, &memory, &text),
        Act::Retag(memory, tag) => retag(world, laptop, &memory, tag),
        Act::Copy(memory, to) => copy(world, laptop, memory, &to),
        Act::Restore(at) => restore(world, laptop, at),
        Act::Remove(memory) => remove(world, laptop, &memory),
        Act::Note(text) => write_by_hand(world, laptop, &text),
        other => unreachable!("{other:?} is none of the model's"),
    }
}

pub fn noted(
    world: &mut World,
    laptop: usize,
    gone: What,
    touched: Option<ContentHash>,
    act: impl FnOnce(&mut World),
) {
    let before = world.memories(laptop);
    let work = world.laptops[laptop].work.clone();
    act(world);
    let after = world.memories(laptop);
    // An action that changes no byte is none.
    let touched = touched.filter(|_| world.laptops[laptop].work != work);
    for memory in &after {
        world.texts_of.entry(memory.created).or_default().insert(memory.hash);
    }
    // A removed file whose origin lives on in another one was renamed and edited, as far as anybody
    // can tell.
    let origins = |memories: &[Memory]| {
        memories.iter().map(|m| m.created).collect::<std::collections::BTreeSet<_>>()
    };
    let moved = before
        .iter()
        .any(|m| !after.iter().any(|a| a.hash == m.hash) && origins(&after).contains(&m.created));
    let gone = if moved { What::EditedAway } else { gone };
    for memory in after.iter().filter(|m| !before.iter().any(|b| b.created == m.created)) {
        let hashes = world.texts_of[&memory.created].clone();
        world.truth.soften(laptop, &hashes);
    }
    let mut clock = world.laptops[laptop].clock.clone();
    world.truth.note(laptop, &mut clock, &before, &after, gone, touched);
    world.laptops[laptop].clock = clock;
}

fn save(world: &mut World, laptop: usize, text: &str) {
    let now = world.clock(laptop);
    let hash = ContentHash::of_body(text);
    world.say(format!("laptop {laptop} saves {text:?}"));
    noted(world, laptop, What::EditedAway, Some(hash), |world| {
        let ledger = world.laptops[laptop].work.ledger();
        let known = world.memories(laptop).into_iter().find(|m| m.hash == hash);
        let after_forget =
            ledger.of_text(hash).map_or(now, |stamp| now.max(stamp.plus(Stamp::SECOND)));
        match known {
            Some(memory) => {
                let updated = after_forget.max(memory.latest().plus(Stamp::SECOND));
                let memory = memory.stamped(updated);
                world.put(laptop, memory.path, memory.blob);
            }
            None => create(world, laptop, text, after_forget),
        }
    });
}

fn create(world: &mut World, laptop: usize, text: &str, created: Stamp) {
    let all = world.memories(laptop);
    let id = all.iter().filter_map(|m| m.id).max().unwrap_or(0) + 1;
    let mut created = created;
    while all.iter().any(|m| m.created == created) && created.is_precise() {
        created = created.plus(1);
    }
    let mut path = slug::memory_path(id, text);
    while world.laptops[laptop].work.get(&path).is_some() {
        path = slug::with_suffix(&path, "x");
    }
    let file = memory::new_file(id, created, &[], "user-told", text);
    world.put(laptop, path, Blob::from(file.into_bytes()));
}

/// A file that a person or another tool wrote: whole seconds, perhaps no id.
fn write_by_hand(world: &mut World, laptop: usize, text: &str) {
    let now = world.clock(laptop).with_fraction(0);
    world.say(format!("laptop {laptop} writes {text:?} by hand"));
    noted(world, laptop, What::EditedAway, Some(ContentHash::of_body(text)), |world| {
        create(world, laptop, text, now)
    });
}

/// Forgets all of these; one of them was named.
fn forget(world: &mut World, laptop: usize, named: &Memory, all: &[Memory]) {
    let now = world.clock(laptop);
    world.say(format!("laptop {laptop} forgets {:?} ({})", named.text(), named.path));
    noted(world, laptop, What::Forgotten, None, |world| {
        let mut ledger = world.laptops[laptop].work.ledger();
        let stamp = tidy::forget_stamp(now, named, &ledger);
        for memory in all {
            world.delete(laptop, &memory.path);
            ledger.add(memory.created, memory.hash, stamp);
        }
        if let Some(text) = ledger.write() {
            world.put(laptop, RelPath::known(LEDGER), Blob::from(text.into_bytes()));
        }
    });
}

/// Through co, which keeps its stamps.
fn edit(world: &mut World, laptop: usize, memory: &Memory, text: &str) {
    let updated = world.clock(laptop).max(memory.latest().plus(Stamp::SECOND));
    world.say(format!("laptop {laptop} edits {} to {text:?} with co", memory.path));
    changed(world, laptop, memory, ContentHash::of_body(text), |document| {
        document.set_body(format!("\n{text}\n"));
        document.set_checksum();
        document.set("updated", Value::Text(updated.with_offset()));
    });
}

fn retype(world: &mut World, laptop: usize, memory: &Memory, text: &str) {
    let old = memory.text();
    world.say(format!("laptop {laptop} edits {old:?} to {text:?} ({})", memory.path));
    changed(world, laptop, memory, ContentHash::of_body(text), |document| {
        document.set_body(format!("\n{text}\n"));
    });
}

fn retag(world: &mut World, laptop: usize, memory: &Memory, tag: String) {
    world.say(format!("laptop {laptop} tags {} with {tag}", memory.path));
    changed(world, laptop, memory, memory.hash, |document| {
        document.set("tags", Value::List(vec![tag]));
    });
}

/// Says of a fact when it holds, or that it replaces another one, as co writes it.
fn say_when(world: &mut World, laptop: usize, memory: &Memory, label: Label<Memory, String>) {
    let now = world.clock(laptop).max(memory.latest().plus(Stamp::SECOND));
    let (key, value, said) = match label {
        Label::Day(key, Some(day)) => (key, Value::Text(day.clone()), day),
        Label::Replaces(other) => {
            let hash = other.hash.to_string();
            ("supersedes", Value::List(vec![hash.clone()]), hash)
        }
        other => unreachable!("{other:?} is none of the model's"),
    };
    world.say(format!("laptop {laptop} says {key}: {said} of {}", memory.path));
    world.days.insert((key.to_owned(), said));
    changed(world, laptop, memory, memory.hash, |document| {
        document.set(key, value);
        document.set("updated", Value::Text(now.with_offset()));
    });
}

/// The file of a fact is another one.
fn changed(
    world: &mut World,
    laptop: usize,
    memory: &Memory,
    touched: ContentHash,
    edit: impl FnOnce(&mut Document),
) {
    noted(world, laptop, What::EditedAway, Some(touched), |world| {
        let edited = memory.edited(edit);
        world.put(laptop, edited.path, edited.blob);
    });
}

/// What facts say of their time that nobody ever said.
pub fn unsaid(world: &World, memories: &[Memory]) -> Vec<String> {
    let mut unsaid = Vec::new();
    for memory in memories {
        let document = memory.document();
        for key in [FROM, UNTIL, CHECK_AFTER, VERIFIED, "supersedes"] {
            let Some(value) = document.get(key) else { continue };
            for said in value.list().unwrap_or_default() {
                if !world.days.contains(&(key.to_owned(), said.clone())) {
                    unsaid.push(format!("{key}: {said} of {} is nobody's", memory.path));
                }
            }
        }
    }
    unsaid
}

fn copy(world: &mut World, laptop: usize, memory: Memory, to: &str) {
    world.say(format!("laptop {laptop} copies {} to {to}", memory.path));
    let mut clock = world.laptops[laptop].clock.clone();
    world.truth.copied(laptop, &mut clock, memory.hash);
    world.laptops[laptop].clock = clock;
    let to = RelPath::known(to);
    noted(world, laptop, What::EditedAway, None, |world| world.put(laptop, to, memory.blob));
}

fn restore(world: &mut World, laptop: usize, at: usize) {
    let Some((path, blob)) = world.laptops[laptop].backups.get(at).cloned() else { return };
    let Ok(memory) = Memory::read(&path, &blob) else { return };
    world.say(format!("laptop {laptop} puts back {path} {:?}", memory.text()));
    noted(world, laptop, What::EditedAway, Some(memory.hash), |world| {
        world.put(laptop, path, blob)
    });
}

fn remove(world: &mut World, laptop: usize, memory: &Memory) {
    world.say(format!("laptop {laptop} removes {} {:?}", memory.path, memory.text()));
    noted(world, laptop, What::Forgotten, None, |world| world.delete(laptop, &memory.path));
}
