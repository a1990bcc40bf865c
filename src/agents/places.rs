//! Where agents keep their files.
//!
//! Invariant: only values; a place is looked up elsewhere.

/// The folder of a project.
pub const HERE: &str = ".";

/// A path in a folder that an environment variable may override.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnvPath {
    pub variable: Option<&'static str>,
    /// With `~` for the home folder, and [`HERE`] for the current one.
    pub otherwise: &'static str,
    pub path: &'static str,
}

/// A file, or a folder that contains files with these extensions, up to this depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ImportSource {
    pub place: EnvPath,
    pub endings: &'static [&'static str],
    pub depth: usize,
}
