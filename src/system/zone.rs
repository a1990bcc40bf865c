//! The time zone in which a person counts days: that of the profile, else that of the laptop (`TZ`,
//! `/etc/localtime`, the settings of Windows).
//!
//! Invariant: an unknown zone is ignored and never stops a command; `co doctor` names it.
//! Must not know: what days are used for.

use super::files;
use crate::identity::{Calendar, calendar, kind::PROFILE};
use jiff::tz::TimeZone;
use std::path::Path;

/// The days of the person whose identity is in this folder.
pub fn calendar(identity: &Path) -> Calendar {
    let named = in_profile(identity).and_then(|name| known(&name));
    Calendar::in_zone(named.unwrap_or_else(TimeZone::system))
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

/// The IANA name of the laptop's zone.
pub fn of_laptop() -> Option<String> {
    TimeZone::system().iana_name().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

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
