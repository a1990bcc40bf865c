//! Rewrites PDF text operators that the PDF library ignores (`'` and `"`) into equivalent ones.
//!
//! Invariant: what a page shows does not change. `string '` and `spacing spacing string "`
//! abbreviate others (ISO 32000-1, table 109), which replace them.

use pdf_extract::{
    Document, Object, ObjectId,
    content::{Content, Operation},
};

/// Expands the short operators on all pages, and in the forms that they show.
pub(super) fn write_out(document: &mut Document) {
    for page in document.get_pages().into_values() {
        let content = document.get_page_content(page).unwrap_or_default();
        if let Some(content) = written_out(&content) {
            // A page that cannot be changed is read as it is.
            let _ = document.change_page_content(page, content);
        }
    }
    for form in forms(document) {
        let Ok(Object::Stream(stream)) = document.get_object_mut(form) else { continue };
        let content = stream.get_plain_content().unwrap_or_default();
        if let Some(content) = written_out(&content) {
            stream.set_plain_content(content);
        }
    }
}

fn forms(document: &Document) -> Vec<ObjectId> {
    let is_form = |object: &Object| {
        let dictionary = object.as_stream().map(|stream| &stream.dict);
        dictionary.is_ok_and(|dictionary| {
            dictionary.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == b"Form")
        })
    };
    let forms = document.objects.iter().filter(|(_, object)| is_form(object));
    forms.map(|(id, _)| *id).collect()
}

/// `None` if there are no short operators.
fn written_out(content: &[u8]) -> Option<Vec<u8>> {
    if !content.contains(&b'\'') && !content.contains(&b'"') {
        return None;
    }
    let content = Content::decode(content).ok()?;
    let is_short = |operation: &Operation| matches!(operation.operator.as_str(), "'" | "\"");
    if !content.operations.iter().any(is_short) {
        return None;
    }
    // Inline images contain no text, and do not always survive re-encoding.
    let kept = content.operations.into_iter().filter(|operation| operation.operator != "BI");
    Content { operations: kept.flat_map(long).collect::<Vec<_>>() }.encode().ok()
}

fn long(operation: Operation) -> Vec<Operation> {
    let Operation { operator, mut operands } = operation;
    let next = || Operation::new("T*", Vec::new());
    match (operator.as_str(), operands.len()) {
        ("'", 1) => vec![next(), Operation::new("Tj", operands)],
        ("\"", 3) => {
            let show = Operation::new("Tj", operands.split_off(2));
            let of_letters = Operation::new("Tc", operands.split_off(1));
            vec![Operation::new("Tw", operands), of_letters, next(), show]
        }
        _ => vec![Operation { operator, operands }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_operators_are_written_out_and_others_stay() {
        let of = |content: &[u8]| {
            let content = written_out(content)?;
            Some(String::from_utf8_lossy(&content).split_whitespace().collect::<Vec<_>>().join(" "))
        };
        assert_eq!(of(b"BT (it's \" a ' text) Tj ET"), None);
        assert_eq!(
            of(b"BT (one) ' 2 0.5 (two) \" ET").as_deref(),
            Some("BT T* (one) Tj 2 Tw 0.5 Tc T* (two) Tj ET")
        );
    }
}
