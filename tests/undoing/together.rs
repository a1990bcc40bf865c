//! The end of a story: everybody syncs until nothing changes any more.
//!
//! Invariant: the laptops are identical to the byte, every fact is there once, what was undone
//! stays away, and what nobody undid is there.

use super::{
    Wrong,
    stores::{Place, Stores, shown},
    story::{Deed, Story},
};
use crate::support::acts::Act;
use std::collections::{BTreeMap, BTreeSet};

/// So many rounds are enough for two laptops, and one to spare.
const ROUNDS: usize = 5;

pub fn end(story: &mut Story) -> Result<(), Wrong> {
    // What an editor left half done stays on its laptop until somebody mends it.
    for who in 0..story.people.len() {
        story.does(who, Place::Identity, &Act::Mend)?;
    }
    let remote = story.world.path("remote.git").display().to_string();
    if story.people.len() == 1 {
        story.run(0, Place::Identity, &["identity", "remote", &remote]);
        story.people[0].has_remote = true;
        settle(story)?;
        story.joins("b", &["init", "--yes", &remote]);
    }
    let last: Vec<Stores> = story.people.iter().map(|who| Stores::of(&who.laptop)).collect();
    settle(story)?;
    agree(story)?;
    facts(story)?;
    fields(story, &last)?;
    checked(story)
}

/// Syncs all round until a round changes nothing.
fn settle(story: &mut Story) -> Result<(), Wrong> {
    for round in 0..ROUNDS {
        let before = everything(story);
        for who in 0..story.people.len() {
            story.syncs(who, &["sync", "--accept-deletions"])?;
        }
        // In the first round the last one's push has reached nobody yet.
        if round > 0 && everything(story) == before {
            return Ok(());
        }
    }
    Err(Wrong::of("syncs do not come to an end", ""))
}

fn everything(story: &Story) -> Vec<Vec<(String, Vec<u8>)>> {
    story.people.iter().map(|who| who.laptop.tree()).collect()
}

fn agree(story: &Story) -> Result<(), Wrong> {
    let of = |who: usize| Stores(story.people[who].laptop.tree().into_iter().collect());
    let (a, b) = (of(0), of(1));
    if a != b {
        return Err(Wrong::of("the laptops differ", shown(&a, &b)));
    }
    Ok(())
}

/// Every fact once; nothing lost that nobody took back; nothing back that was taken back.
fn facts(story: &Story) -> Result<(), Wrong> {
    let stores = Stores::of(&story.people[0].laptop);
    let twice: Vec<String> = stores.twice().into_iter().collect();
    let all = stores.facts(Place::Identity);
    let origins: BTreeMap<String, Option<String>> =
        all.into_iter().map(|(_, fact)| (fact.body, fact.origin)).collect();
    let there: BTreeSet<String> = origins.keys().cloned().collect();
    if let Some(body) = twice.iter().find(|body| there.contains(*body)) {
        return Err(Wrong::of("a fact stands twice at the end", body.clone()));
    }
    for (body, deeds) in &story.deeds {
        let is_standing = deeds.iter().all(|(_, deed)| *deed != Deed::Removed);
        if is_standing && !there.contains(body) {
            return Err(Wrong::of("a fact is lost at the end", format!("`{body}`: {deeds:?}")));
        }
        // Where one laptop alone had to do with it, its last word counts.
        let is_of_one = deeds.iter().all(|(who, _)| *who == deeds[0].0);
        let is_gone = deeds.last().is_some_and(|(_, deed)| *deed == Deed::Removed);
        // Of a fact that another laptop edited before it heard of that both texts stay, this one as
        // a fact of its own.
        let is_apart = origins.get(body).is_some_and(|at| story.is_apart(body, at, deeds[0].0));
        if is_of_one && is_gone && there.contains(body) && !is_apart {
            return Err(Wrong::of("a fact is back at the end", format!("`{body}`: {deeds:?}")));
        }
    }
    Ok(())
}

/// Documents that one laptop alone wrote are as it left them.
fn fields(story: &Story, last: &[Stores]) -> Result<(), Wrong> {
    let end = Stores::of(&story.people[0].laptop);
    for (path, who) in &story.touched {
        let is_document = path.starts_with("identity/") && !path.ends_with("forgotten.md");
        // What another laptop wrote before it heard of a move is in the document at its new place.
        let mut came_from = story.moved.iter().filter(|(_, to)| to == path).map(|(from, _)| from);
        let is_of_one = came_from.all(|from| story.touched.get(from).is_none_or(|all| all == who));
        let is_of_one = is_of_one && who.len() == 1;
        let Some(who) = who.first().filter(|_| is_of_one && is_document) else { continue };
        let Some(left) = last.get(*who) else { continue };
        let view = |stores: &Stores| -> BTreeSet<String> {
            let prefix = format!("{path}: ");
            stores.view().into_iter().filter(|line| line.starts_with(&prefix)).collect()
        };
        if view(left) != view(&end) {
            let text = format!("{:?}\nbecame {:?}", view(left), view(&end));
            return Err(Wrong::of("a document is not as its only writer left it", text));
        }
    }
    Ok(())
}

fn checked(story: &mut Story) -> Result<(), Wrong> {
    for who in 0..story.people.len() {
        let said = story.run(who, Place::Identity, &["check"]);
        if said.code != 0 {
            return Err(Wrong::of("check finds errors at the end", said.out + &said.err));
        }
    }
    Ok(())
}
