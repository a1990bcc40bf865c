//! A secret that is nobody's, for what must not get in or out.

/// A GitHub token with a right checksum, put together here so that no scanner takes this file for
/// one.
pub fn token() -> String {
    ["ghp_", "zQWBuTSOoRi4A9sp", "HcVY5ncnsDkxkJ0mLq17"].concat()
}
