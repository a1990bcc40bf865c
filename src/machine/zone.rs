//! The time zone in which a person counts days: that of the profile, else that of the laptop (`TZ`,
//! `/etc/localtime`, the settings of Windows).
//!
//! Invariant: an unknown zone is ignored and never stops a command; `co doctor` names it.
//! Must not know: what days are used for.

use super::{env::Env, files};
use crate::identity::{Calendar, Stamp, calendar, kind::PROFILE};
use jiff::{Timestamp, tz::TimeZone};
use std::{cell::OnceCell, path::Path, sync::Arc};

/// The days of the person whose identity is in this folder.
pub fn calendar(env: &Env, identity: &Path) -> Calendar {
    let named = in_profile(identity).and_then(|name| of_file(env, &name).or_else(|| known(&name)));
    Calendar::in_zone(named.unwrap_or_else(|| of_laptop(env)))
}

fn of_laptop(env: &Env) -> TimeZone {
    from_own_file(env).unwrap_or_else(TimeZone::system)
}

/// The laptop's zone, read once it is needed.
#[derive(Default)]
pub struct LaptopZone {
    /// UTC without it.
    env: Option<Arc<Env>>,
    zone: OnceCell<TimeZone>,
}

impl LaptopZone {
    pub fn of(env: Arc<Env>) -> LaptopZone {
        LaptopZone { env: Some(env), zone: OnceCell::new() }
    }

    /// How far ahead of UTC it is at a moment, in seconds.
    pub fn offset(&self, at: Stamp) -> i32 {
        let read = || self.env.as_ref().map_or(TimeZone::UTC, |env| of_laptop(env));
        let at = Timestamp::from_microsecond(at.micros()).unwrap_or_default();
        self.zone.get_or_init(read).to_offset(at).seconds()
    }
}

/// Where Linux keeps a file for each zone.
const ZONES: &str = "/usr/share/zoneinfo";

/// The zone with exactly this name, from its own file: looking a name up lists every folder of
/// zones first, which takes a millisecond. `None` if it has to be looked up.
fn of_file(env: &Env, name: &str) -> Option<TimeZone> {
    let belongs = |letter: char| letter.is_ascii_alphanumeric() || "/_+-".contains(letter);
    let is_name =
        name.starts_with(|first: char| first.is_ascii_uppercase()) && name.chars().all(belongs);
    if !cfg!(target_os = "linux") || env.has("TZDIR") || !is_name {
        return None;
    }
    let bytes = files::read(&Path::new(ZONES).join(name)).ok()??;
    let zone = TimeZone::tzif(name, &bytes).ok()?;
    Some(if name == "UTC" { TimeZone::UTC } else { zone })
}

/// The zone that `TZ` names, else that to which `/etc/localtime` links. `None` if it takes more to
/// tell it.
fn from_own_file(env: &Env) -> Option<TimeZone> {
    if env.has("TZ") {
        // Without a `/`, it may be a rule: `EST5EDT`.
        let name = env.env("TZ").filter(|name| *name == "UTC" || name.contains('/'))?;
        return of_file(env, name);
    }
    let target = files::link_target(Path::new("/etc/localtime"))?;
    let (_, name) = target.to_str()?.rsplit_once("zoneinfo/")?;
    of_file(env, name)
}

/// What the profile says, whether or not it is a zone.
pub fn in_profile(identity: &Path) -> Option<String> {
    let profile = files::read(&identity.join(PROFILE)).ok()??;
    calendar::zone_in(&profile)
}

/// The zone that a person means: `Europe/Berlin`, `America/Los Angeles`, `Europe/Berlin (CET)`.
fn known(said: &str) -> Option<TimeZone> {
    let joined = said.replace(' ', "_");
    let first = said.split([' ', ',', ';', '(']).next().unwrap_or_default();
    [said, &joined, first].iter().find_map(|name| TimeZone::get(name).ok())
}

pub fn is_known(said: &str) -> bool {
    known(said).is_some()
}

/// Whether it is exactly the name of a zone.
pub fn is_name(name: &str) -> bool {
    TimeZone::get(name).is_ok()
}

/// The zone whose name ends in what a person typed: `Europe/Copenhagen` for `copenhagen`. `None` if
/// there is none, or several.
pub fn ending_in(typed: &str) -> Option<String> {
    let typed = typed.trim().replace(' ', "_");
    let is_of_it = |name: &str| {
        let at = name.len().checked_sub(typed.len()).filter(|at| *at > 0 && !typed.is_empty());
        let ends = at.and_then(|at| Some((name.get(..at)?, name.get(at..)?)));
        ends.is_some_and(|(before, end)| before.ends_with('/') && end.eq_ignore_ascii_case(&typed))
    };
    let names = jiff::tz::db().available().map(|name| name.as_str().to_owned());
    // Some systems list every zone a second and a third time below these.
    let is_copy = |name: &str| name.starts_with("posix/") || name.starts_with("right/");
    let mut found = names.filter(|name| is_of_it(name) && !is_copy(name));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The IANA name of the laptop's zone.
pub fn laptop_zone_name() -> Option<String> {
    TimeZone::system().iana_name().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_from_its_file_is_the_one_that_is_looked_up() {
        let env = Env::read().expect("an environment");
        for name in ["Europe/Berlin", "America/Argentina/Ushuaia", "Etc/GMT+8", "Etc/UTC", "UTC"] {
            if let Some(zone) = of_file(&env, name) {
                assert_eq!(Some(zone), TimeZone::get(name).ok(), "{name}");
            }
        }
        for name in ["europe/berlin", "posix/Europe/Berlin", "Europe", "Mars/Base", ""] {
            assert_eq!(of_file(&env, name), None, "{name}");
        }
        assert_eq!(of_file(&env, "Europe/../Europe/Berlin"), None);
        if let Some(zone) = from_own_file(&env) {
            assert_eq!(zone, TimeZone::system());
        }
    }

    #[test]
    fn a_city_is_answered_with_its_zone() {
        for (typed, zone) in [
            ("Copenhagen", Some("Europe/Copenhagen")),
            (" new york", Some("America/New_York")),
            ("Argentina/Ushuaia", Some("America/Argentina/Ushuaia")),
            // There are two of them.
            ("Louisville", None),
            ("Atlantis", None),
            ("hagen", None),
            ("", None),
            ("\u{e5}", None),
        ] {
            assert_eq!(ending_in(typed).as_deref(), zone, "{typed}");
        }
    }

    #[test]
    fn zones_as_people_write_them() {
        for said in ["Asia/Kathmandu", "asia/kathmandu", "Asia/Kathmandu (UTC+5:45)", "UTC, always"]
        {
            assert!(is_known(said), "{said}");
        }
        assert!(is_known("America/Los Angeles"));
        for said in ["", "Mars/Base", "the west coast", "../../etc/passwd"] {
            assert!(!is_known(said), "{said}");
        }
    }
}
