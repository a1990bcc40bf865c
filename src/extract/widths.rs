//! Rewrites the glyph widths of a PDF into the only form that its reader knows.
//!
//! Invariant: the widths stay the same. `first last width` gives a range of glyphs one width (ISO
//! 32000-1, 9.7.4.3); the PDF library ignores that form and would misplace all following glyphs.

use pdf_extract::{Document, Object};

/// No font has a larger range.
const MAX: i64 = 0xffff;

/// Lists every glyph of each range.
pub(super) fn write_out(document: &mut Document) {
    let of_font = |object: &Object| {
        let widths = object.as_dict().ok()?.get(b"W").ok()?;
        written_out(document.dereference(widths).ok()?.1.as_array().ok()?)
    };
    let of_fonts = document.objects.iter().filter_map(|(id, font)| Some((*id, of_font(font)?)));
    for (id, widths) in of_fonts.collect::<Vec<_>>() {
        if let Ok(Object::Dictionary(font)) = document.get_object_mut(id) {
            font.set("W", widths);
        }
    }
}

/// `None` if there is no range, or if it is not a list of widths.
fn written_out(widths: &[Object]) -> Option<Vec<Object>> {
    let mut rest = widths;
    let (mut all, mut has_range) = (Vec::new(), false);
    while let [first, second, after @ ..] = rest {
        all.push(first.clone());
        if second.as_array().is_ok() {
            all.push(second.clone());
            rest = after;
            continue;
        }
        let [width, after @ ..] = after else { return None };
        let count = second.as_i64().ok()? - first.as_i64().ok()? + 1;
        let count = usize::try_from(count.clamp(0, MAX)).ok()?;
        all.push(Object::Array(vec![width.clone(); count]));
        (rest, has_range) = (after, true);
    }
    has_range.then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_letter_of_a_range_has_its_width() {
        let number = Object::Integer;
        let list = |widths: &[i64]| Object::Array(widths.iter().map(|w| number(*w)).collect());
        let widths = [number(0), list(&[600]), number(3), number(5), number(318)];
        let expected = vec![number(0), list(&[600]), number(3), list(&[318, 318, 318])];
        assert_eq!(written_out(&widths), Some(expected));
        assert_eq!(written_out(&widths[..2]), None);
        assert_eq!(written_out(&widths[..4]), None);
    }
}
