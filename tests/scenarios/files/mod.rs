//! Files of the identity that are unusual, stay on this laptop, or change meanwhile.

mod edited_meanwhile;
mod spelling;
mod unavailable;
mod unsynced;
mod unusual;
