//! The elements of a page.
//!
//! Invariant: pure.

use htmd::Element;

/// What an element's attribute says.
pub(super) fn attribute<'e>(element: &'e Element, name: &str) -> Option<&'e str> {
    let attribute = element.attrs.iter().find(|attribute| &*attribute.name.local == name);
    attribute.map(|attribute| &*attribute.value)
}
