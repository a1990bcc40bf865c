//! The formats that are read.
//!
//! Invariant: a name of a format is also the extension of its files, if these are kept.

use serde::{Deserialize, Serialize};

/// What a file turned out to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    Pdf,
    Docx,
    Odt,
    Pptx,
    Odp,
    Xlsx,
    Xls,
    Ods,
    Epub,
    Html,
    Png,
    Jpg,
    Gif,
    Webp,
    Heif,
    Avif,
    Tif,
    Svg,
    /// An SVG that is compressed.
    Svgz,
    Markdown,
    #[default]
    Text,
    Code,
}

impl FileFormat {
    /// Its name in lists.
    pub fn name(self) -> &'static str {
        match self {
            FileFormat::Pdf => "pdf",
            FileFormat::Docx => "docx",
            FileFormat::Odt => "odt",
            FileFormat::Pptx => "pptx",
            FileFormat::Odp => "odp",
            FileFormat::Xlsx => "xlsx",
            FileFormat::Xls => "xls",
            FileFormat::Ods => "ods",
            FileFormat::Epub => "epub",
            FileFormat::Html => "html",
            FileFormat::Png => "png",
            FileFormat::Jpg => "jpg",
            FileFormat::Gif => "gif",
            FileFormat::Webp => "webp",
            FileFormat::Heif => "heif",
            FileFormat::Avif => "avif",
            FileFormat::Tif => "tif",
            FileFormat::Svg => "svg",
            FileFormat::Svgz => "svgz",
            FileFormat::Markdown => "markdown",
            FileFormat::Text => "text",
            FileFormat::Code => "code",
        }
    }

    /// The pictures, whose text is what a person says of them.
    pub(super) const PICTURES: [FileFormat; 9] = [
        FileFormat::Png,
        FileFormat::Jpg,
        FileFormat::Gif,
        FileFormat::Webp,
        FileFormat::Heif,
        FileFormat::Avif,
        FileFormat::Tif,
        FileFormat::Svg,
        FileFormat::Svgz,
    ];

    pub fn is_picture(self) -> bool {
        FileFormat::PICTURES.contains(&self)
    }

    /// The extension of the original kept next to the text; `None` if the text is everything.
    pub fn ending(self) -> Option<&'static str> {
        match self {
            FileFormat::Markdown | FileFormat::Text | FileFormat::Code => None,
            other => Some(other.name()),
        }
    }
}
