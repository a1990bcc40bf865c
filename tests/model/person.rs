//! What people do with an identity: save, forget, edit, tag, copy, restore, remove, commit by hand.

use super::truth::What;
use super::world::World;
use co_cli::tested::identity::{
    Blob, ContentHash, Memory, RelPath, Stamp, kind::LEDGER, memory, slug, value::Value,
};
use co_cli::tested::merge::tidy;

/// One action, through co or by hand.
pub fn act(world: &mut World, laptop: usize) {
    if world.timed && world.dice.chance(30) {
        world.finish_interrupted(laptop);
        return say_when(world, laptop);
    }
    match world.dice.below(100) {
        0..35 => {
            world.finish_interrupted(laptop);
            save(world, laptop);
        }
        35..50 => {
            world.finish_interrupted(laptop);
            forget(world, laptop);
        }
        _ => act_by_hand(world, laptop),
    }
}

/// One action with an editor or a shell, as can also happen while co works.
pub fn act_by_hand(world: &mut World, laptop: usize) {
    match world.dice.below(100) {
        0..40 => edit(world, laptop),
        40..50 => tag(world, laptop),
        50..65 => copy(world, laptop),
        65..80 => restore(world, laptop),
        80..95 => remove(world, laptop),
        _ => write_by_hand(world, laptop),
    }
}

fn pick(world: &mut World, laptop: usize) -> Option<Memory> {
    let all = world.memories(laptop);
    let at = world.dice.below(all.len());
    all.into_iter().nth(at)
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

fn new_text(world: &mut World) -> String {
    // A small pool of texts that several laptops learn at once, and words that only one knows.
    if world.dice.chance(30) {
        return format!("shared{}", world.dice.below(4));
    }
    let number = world.dice.next() % 1_000_000;
    if world.dice.chance(30) {
        format!("w{number}a\nw{number}b\nw{number}c\nw{number}d")
    } else {
        format!("w{number}")
    }
}

fn save(world: &mut World, laptop: usize) {
    let text = new_text(world);
    let now = world.clock(laptop);
    let hash = ContentHash::of_body(&text);
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
            None => create(world, laptop, &text, after_forget),
        }
    });
}

pub fn create(world: &mut World, laptop: usize, text: &str, created: Stamp) {
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
fn write_by_hand(world: &mut World, laptop: usize) {
    let text = new_text(world);
    let now = world.clock(laptop).with_fraction(0);
    world.say(format!("laptop {laptop} writes {text:?} by hand"));
    noted(world, laptop, What::EditedAway, Some(ContentHash::of_body(&text)), |world| {
        create(world, laptop, &text, now)
    });
}

fn forget(world: &mut World, laptop: usize) {
    let Some(memory) = pick(world, laptop) else { return };
    let now = world.clock(laptop);
    world.say(format!("laptop {laptop} forgets {:?} ({})", memory.text(), memory.path));
    noted(world, laptop, What::Forgotten, None, |world| {
        let mut ledger = world.laptops[laptop].work.ledger();
        let stamp = tidy::forget_stamp(now, &memory, &ledger);
        let doomed: Vec<Memory> =
            world.memories(laptop).into_iter().filter(|m| m.hash == memory.hash).collect();
        for memory in doomed {
            world.delete(laptop, &memory.path);
            ledger.add(memory.created, memory.hash, stamp);
        }
        if let Some(text) = ledger.write() {
            world.put(laptop, RelPath::known(LEDGER), Blob::from(text.into_bytes()));
        }
    });
}

fn edit(world: &mut World, laptop: usize) {
    let Some(memory) = pick(world, laptop) else { return };
    let number = world.dice.next() % 1_000_000;
    let text = memory.text().to_owned();
    let lines: Vec<&str> = text.lines().collect();
    let at = world.dice.below(lines.len());
    let shared = world.dice.chance(15);
    let new = if shared {
        format!("shared{}", world.dice.below(4))
    } else if lines.len() > 1 {
        let replaced = |(n, line): (usize, &&str)| {
            if n == at { format!("e{number}") } else { (*line).to_owned() }
        };
        lines.iter().enumerate().map(replaced).collect::<Vec<_>>().join("\n")
    } else {
        format!("{text} e{number}")
    };
    world.say(format!("laptop {laptop} edits {text:?} to {new:?} ({})", memory.path));
    noted(world, laptop, What::EditedAway, Some(ContentHash::of_body(&new)), |world| {
        let edited = memory.edited(|document| document.set_body(format!("\n{new}\n")));
        world.put(laptop, edited.path, edited.blob);
    });
}

fn tag(world: &mut World, laptop: usize) {
    let Some(memory) = pick(world, laptop) else { return };
    let name = format!("t{}", world.dice.below(5));
    world.say(format!("laptop {laptop} tags {} with {name}", memory.path));
    noted(world, laptop, What::EditedAway, Some(memory.hash), |world| {
        let tagged = memory.edited(|document| document.set("tags", Value::List(vec![name])));
        world.put(laptop, tagged.path, tagged.blob);
    });
}

/// The keys of a fact in time that are a day.
const DAYS: [&str; 4] = ["valid_from", "valid_until", "stale_after", "verified"];

/// Says of a fact when it holds, or that it replaces another one, as co writes it.
fn say_when(world: &mut World, laptop: usize) {
    let (Some(memory), Some(other)) = (pick(world, laptop), pick(world, laptop)) else { return };
    let now = world.clock(laptop).max(memory.latest().plus(Stamp::SECOND));
    let key = DAYS.get(world.dice.below(DAYS.len() + 1)).copied();
    let day = format!("2026-0{}-1{}", 1 + world.dice.below(4), world.dice.below(4));
    let (key, value, said) = match key {
        Some(key) => (key, Value::Text(day.clone()), day),
        None => {
            let hash = other.hash.to_string();
            ("supersedes", Value::List(vec![hash.clone()]), hash)
        }
    };
    world.say(format!("laptop {laptop} says {key}: {said} of {}", memory.path));
    world.days.insert((key.to_owned(), said));
    noted(world, laptop, What::EditedAway, Some(memory.hash), |world| {
        let edited = memory.edited(|document| document.set(key, value)).stamped(now);
        world.put(laptop, edited.path, edited.blob);
    });
}

/// What facts say of their time that nobody ever said.
pub fn unsaid(world: &World, memories: &[Memory]) -> Vec<String> {
    let mut unsaid = Vec::new();
    for memory in memories {
        let document = memory.document();
        for key in DAYS.into_iter().chain(["supersedes"]) {
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

fn copy(world: &mut World, laptop: usize) {
    let Some(memory) = pick(world, laptop) else { return };
    let target = if world.dice.chance(20) {
        pick(world, laptop).map(|m| m.path)
    } else {
        Some(RelPath::known(&format!("knowledge/memories/copy-{}.md", world.dice.below(1000))))
    };
    let Some(target) = target else { return };
    world.say(format!("laptop {laptop} copies {} to {target}", memory.path));
    let mut clock = world.laptops[laptop].clock.clone();
    world.truth.copied(laptop, &mut clock, memory.hash);
    world.laptops[laptop].clock = clock;
    noted(world, laptop, What::EditedAway, None, |world| world.put(laptop, target, memory.blob));
    if world.dice.chance(40) {
        edit(world, laptop);
    }
}

fn restore(world: &mut World, laptop: usize) {
    let count = world.laptops[laptop].backups.len();
    let at = world.dice.below(count);
    let Some((path, blob)) = world.laptops[laptop].backups.get(at).cloned() else { return };
    let Ok(memory) = Memory::read(&path, &blob) else { return };
    world.say(format!("laptop {laptop} puts back {path} {:?}", memory.text()));
    noted(world, laptop, What::EditedAway, Some(memory.hash), |world| {
        world.put(laptop, path, blob)
    });
}

fn remove(world: &mut World, laptop: usize) {
    let Some(memory) = pick(world, laptop) else { return };
    world.say(format!("laptop {laptop} removes {} {:?}", memory.path, memory.text()));
    noted(world, laptop, What::Forgotten, None, |world| world.delete(laptop, &memory.path));
}
