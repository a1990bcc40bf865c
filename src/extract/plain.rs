//! Plain text, markdown and code, in any encoding.
//!
//! Invariant: any text encoding gives text; what is not text is identified, not shown.

use super::{Extracted, FileFormat, Hints};
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Extensions of source files, with markdown's name for their language.
const CODE: &[(&str, &str)] = &[
    ("rs", "rust"),
    ("py", "python"),
    ("js", "javascript"),
    ("ts", "typescript"),
    ("tsx", "tsx"),
    ("jsx", "jsx"),
    ("go", "go"),
    ("c", "c"),
    ("h", "c"),
    ("cpp", "cpp"),
    ("hpp", "cpp"),
    ("java", "java"),
    ("kt", "kotlin"),
    ("swift", "swift"),
    ("rb", "ruby"),
    ("php", "php"),
    ("cs", "csharp"),
    ("scala", "scala"),
    ("hs", "haskell"),
    ("lua", "lua"),
    ("pl", "perl"),
    ("r", "r"),
    ("jl", "julia"),
    ("sh", "sh"),
    ("bash", "bash"),
    ("zsh", "zsh"),
    ("fish", "fish"),
    ("ps1", "powershell"),
    ("sql", "sql"),
    ("toml", "toml"),
    ("yaml", "yaml"),
    ("yml", "yaml"),
    ("json", "json"),
    ("ipynb", "json"),
    ("xml", "xml"),
    ("css", "css"),
    ("scss", "scss"),
    ("tex", "latex"),
    ("csv", "csv"),
    ("tsv", "tsv"),
    ("ini", "ini"),
    ("diff", "diff"),
    ("patch", "diff"),
    ("el", "elisp"),
    ("clj", "clojure"),
    ("ex", "elixir"),
    ("erl", "erlang"),
    ("ml", "ocaml"),
    ("nix", "nix"),
    ("proto", "protobuf"),
    ("vim", "vim"),
    ("zig", "zig"),
];

pub(super) fn read(bytes: &[u8], hints: &Hints) -> Extracted {
    let text = decoded(bytes, None);
    let ending = hints.name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    let language = CODE.iter().find(|(known, _)| *known == ending).map(|(_, language)| *language);
    let language = language.or_else(|| text.starts_with("#!").then_some("sh"));
    match (language, ending.as_str()) {
        (Some(language), _) => {
            let text = fenced(language, &text);
            Extracted::new(FileFormat::Code, text)
        }
        (None, "md" | "markdown" | "mdown" | "mkd" | "mdx" | "mdc" | "qmd" | "rmd") => {
            Extracted::new(FileFormat::Markdown, text)
        }
        _ if hints.content_type.as_deref().is_some_and(|kind| kind.contains("markdown")) => {
            Extracted::new(FileFormat::Markdown, text)
        }
        (None, _) => Extracted::new(FileFormat::Text, text),
    }
}

/// In a code block, with as many backticks as the text requires.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", text.trim_end())
}

/// Decodes text: by its byte order mark, the declared encoding, or else by its content.
pub(super) fn decoded(bytes: &[u8], declared: Option<&'static Encoding>) -> String {
    decoded_as(bytes, declared, None)
}

/// Like [`decoded`], for a text in a language such as `en`.
pub(super) fn decoded_as(
    bytes: &[u8],
    declared: Option<&'static Encoding>,
    language: Option<&str>,
) -> String {
    let encoding = Encoding::for_bom(bytes).map(|(encoding, _)| encoding);
    let encoding = encoding
        .or(declared)
        .or_else(|| two_bytes(bytes))
        .unwrap_or_else(|| guess(bytes, language));
    encoding.decode(bytes).0.into_owned()
}

fn guess(bytes: &[u8], language: Option<&str>) -> &'static Encoding {
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let domain = language.map(domain_of);
    detector.guess(domain.map(str::as_bytes), Utf8Detection::Allow)
}

/// Top-level domain hint for encoding detection.
fn domain_of(language: &str) -> &str {
    match language {
        "en" => "uk",
        "cs" => "cz",
        "ja" => "jp",
        "zh" => "cn",
        "ko" => "kr",
        "el" => "gr",
        "uk" => "ua",
        "sv" => "se",
        "da" => "dk",
        same => same,
    }
}

/// UTF-16 without a byte order mark: every other byte of Latin text is zero.
fn two_bytes(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(4096) & !1];
    let zeros = |at: usize| start.iter().skip(at).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, half) = (zeros(0), zeros(1), start.len() / 2);
    match (even * 2 > half, odd * 2 > half) {
        (true, false) => Some(UTF_16BE),
        (false, true) => Some(UTF_16LE),
        _ => None,
    }
}

/// The type of bytes that are not text.
pub(super) fn binary(bytes: &[u8]) -> Option<String> {
    if Encoding::for_bom(bytes).is_some() || two_bytes(bytes).is_some() {
        return None;
    }
    let start = &bytes[..bytes.len().min(8192)];
    let is_control = |byte: &&u8| **byte < 32 && !b"\t\n\r\x0c\x1b".contains(*byte);
    let controls = start.iter().filter(is_control).count();
    let is_garbled = start.contains(&0) || controls * 20 > start.len();
    // Many signatures are two or three letters, with which a text may begin: "BMW", "GIFT".
    if !is_garbled && std::str::from_utf8(bytes).is_ok() {
        return None;
    }
    if let Some(kind) =
        infer::get(bytes).filter(|kind| kind.matcher_type() != infer::MatcherType::Text)
    {
        return Some(format!("{} (.{})", kind.mime_type(), kind.extension()));
    }
    is_garbled.then(|| "a binary file".to_owned())
}
