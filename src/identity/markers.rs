//! The markers that git leaves where two texts conflict.
//!
//! Invariant: pure.

/// Line (from 1) of a conflict. Needs all three markers in order: a lone `=======` does not count.
pub fn marker_line(blob: &[u8]) -> Option<usize> {
    memchr::memmem::find(blob, b"<<<<<<< ")?;
    let text = String::from_utf8_lossy(blob);
    let mut open = None;
    let mut middle = false;
    for (number, line) in text.lines().enumerate() {
        match line {
            _ if line.starts_with("<<<<<<< ") => (open, middle) = (Some(number + 1), false),
            "=======" => middle = open.is_some(),
            _ if line.starts_with(">>>>>>> ") && middle => return open,
            _ => {}
        }
    }
    None
}
