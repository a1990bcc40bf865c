//! The members of a zip archive.
//!
//! Invariant: neither any single member nor all together unpack to more than the limits. Must not
//! know what is in them.

use super::{unreadable::Unreadable, xml};
use crate::unzip::{Fault, Unzip};
use std::{cell::RefCell, collections::HashMap, io::Cursor};

/// Total MiB of the members that are read.
pub(super) const MAX: u64 = 96;

pub(super) struct Archive<'a> {
    zip: RefCell<Unzip<Cursor<&'a [u8]>>>,
    /// The place of each member, by its name as it is compared.
    members: HashMap<String, usize>,
}

impl From<Fault> for Unreadable {
    fn from(fault: Fault) -> Unreadable {
        match fault {
            Fault::Encrypted => Unreadable::Encrypted,
            Fault::TooLarge(limit) => Unreadable::TooLarge(limit),
            Fault::Damaged(why) => Unreadable::Broken("zip", why),
        }
    }
}

impl Unreadable {
    /// The same, and which part of the file is broken.
    pub(super) fn within(self, part: &str) -> Unreadable {
        match self {
            Unreadable::Broken(format, why) if !why.starts_with("its part ") => {
                Unreadable::Broken(format, format!("its part {part} is damaged: {why}"))
            }
            other => other,
        }
    }
}

/// The names of members are compared as programs do that refer to them: `Word\A.XML` is
/// `word/a.xml`.
pub(super) fn compared(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_ascii_lowercase()
}

impl<'a> Archive<'a> {
    pub(super) fn new(zip: Unzip<Cursor<&'a [u8]>>) -> Archive<'a> {
        let names = zip.names().into_iter();
        let members = names.map(|(at, name)| (compared(&name), at)).collect();
        Archive { zip: zip.into(), members }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.members.contains_key(&compared(name))
    }

    /// Fails if all members together are too large, for a reader that has no limit of its own.
    pub(super) fn refuse_large(&self) -> Result<(), Unreadable> {
        let mut zip = self.zip.borrow_mut();
        zip.count_anew();
        for (at, _) in zip.names().into_iter().filter(|(_, name)| !name.ends_with('/')) {
            match zip.read(at) {
                // Whoever reads a broken member reports it.
                Ok(_) | Err(Fault::Damaged(_)) => {}
                Err(fault) => return Err(fault.into()),
            }
        }
        zip.count_anew();
        Ok(())
    }

    /// The title in a member that contains document properties.
    pub(super) fn title(&self, properties: &str) -> Result<Option<String>, Unreadable> {
        let Some(bytes) = self.member(properties)? else { return Ok(None) };
        let text = xml::text(&bytes);
        let document = xml::parsed(&text, "properties").ok();
        let title = document.and_then(|document| {
            Some(xml::own_text(xml::first(document.root_element(), "title")?))
        });
        Ok(title)
    }

    /// `None` if there is no such member.
    pub(super) fn member(&self, name: &str) -> Result<Option<Vec<u8>>, Unreadable> {
        let mut zip = self.zip.borrow_mut();
        let known = zip.place_of(name).or_else(|| self.members.get(&compared(name)).copied());
        let read = known.map(|at| zip.read(at)).transpose();
        read.map_err(|fault| Unreadable::from(fault).within(name))
    }
}

/// Nothing, if a part is broken: it costs only itself.
pub(super) fn unless_broken<T: Default>(read: Result<T, Unreadable>) -> Result<T, Unreadable> {
    match read {
        Err(Unreadable::Broken(..)) => Ok(T::default()),
        read => read,
    }
}
