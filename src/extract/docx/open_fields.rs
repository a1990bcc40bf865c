//! The fields of a DOCX that are open at one place of the text.
//!
//! Invariant: only marks count that no tracked change deleted.

use crate::extract::xml::attribute;
use roxmltree::Node;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Code,
    Result,
    /// That of a control of a form: what it shows is read where it begins.
    Shown,
}

/// The fields that are open: each is a code, and then its result.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) open: Vec<Phase>,
    /// The code of each of them.
    pub(super) codes: Vec<String>,
    /// Whether every field that begins also ends.
    are_closed: bool,
}

impl Fields {
    pub(super) fn find(root: Node<'_, '_>) -> Fields {
        let is_gone = |node: &Node<'_, '_>| {
            node.ancestors().any(|above| matches!(above.tag_name().name(), "del" | "moveFrom"))
        };
        let marks = root.descendants().filter(|node| node.tag_name().name() == "fldChar");
        let kinds: Vec<&str> = marks
            .filter(|mark| !is_gone(mark))
            .filter_map(|mark| attribute(mark, "fldCharType"))
            .collect();
        let count = |of: &str| kinds.iter().filter(|kind| **kind == of).count();
        let are_closed = count("begin") == count("end");
        Fields { are_closed, ..Fields::default() }
    }

    pub(super) fn mark(&mut self, kind: Option<&str>) {
        match kind {
            Some("begin") => {
                self.open.push(Phase::Code);
                self.codes.push(String::new());
            }
            Some("separate") => {
                if let Some(last) = self.open.last_mut().filter(|last| **last == Phase::Code) {
                    *last = Phase::Result;
                }
            }
            Some("end") => {
                self.open.pop();
                self.codes.pop();
            }
            _ => {}
        }
    }

    pub(super) fn add_code(&mut self, code: &str) {
        if let (Some(Phase::Code), Some(of_field)) = (self.open.last(), self.codes.last_mut()) {
            of_field.push_str(code);
        }
    }

    /// The innermost field shows what is not its result.
    pub(super) fn show(&mut self) {
        if let Some(last) = self.open.last_mut() {
            *last = Phase::Shown;
        }
    }

    /// Whether a text is the result of a field within the code of another, which nobody sees, or
    /// was read already.
    pub(super) fn hides(&self) -> bool {
        let around = &self.open[..self.open.len().saturating_sub(1)];
        self.are_closed && (around.contains(&Phase::Code) || self.open.contains(&Phase::Shown))
    }
}
