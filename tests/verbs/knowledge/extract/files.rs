//! `co knowledge add` of files that other programs made, and of web pages: their text becomes an
//! article, and damaged or hostile files give a text or an error within bounds.

use crate::support::{
    World, client::Client, files_containing, ready::laptop, report_skipped, require_tool,
    whole::whole,
};
use serde_json::json;
use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

/// One row of the table beside the files.
struct Sample {
    file: PathBuf,
    has_text: bool,
    phrases: Vec<String>,
    never: Vec<String>,
}

fn samples() -> Vec<Sample> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let table = fs::read_to_string(folder.join("MANIFEST.tsv")).expect("the table");
    let words = |cell: Option<&str>| {
        let words = cell.unwrap_or_default().split('|').filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    let sample = |line: &str| {
        let mut cells = line.split('\t');
        let file = folder.join(cells.next().expect("a file"));
        let has_text = cells.nth(1) == Some("text");
        Sample { file, has_text, phrases: words(cells.next()), never: words(cells.next()) }
    };
    table.lines().skip(1).map(sample).collect()
}

/// Letters alone: blanks, markup and compatibility forms differ between programs.
fn letters(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfkc().filter(|letter| !letter.is_whitespace() && !"*_\\`".contains(*letter)).collect()
}

/// No file takes longer, on a machine that does other things as well.
const LONGEST: Duration = Duration::from_secs(12);

#[test]
fn files_of_many_programs_become_articles() {
    let world = World::new();
    let a = laptop(&world, "a");
    let samples = samples();
    assert!(samples.len() >= 60, "{}", samples.len());
    for (at, sample) in samples.iter().enumerate() {
        let (file, topic) = (sample.file.display().to_string(), format!("articles/sample-{at}"));
        let begun = Instant::now();
        let said = a.try_co(&["knowledge", "add", &file, "--topic", &topic, "--json"]);
        assert!(begun.elapsed() < LONGEST, "{file}");
        if !sample.has_text {
            assert_eq!(said.code, 6, "{file}: {}", said.out);
            assert!(said.out.contains("it was not added"), "{file}: {}", said.out);
            assert!(!a.identity().join(format!("knowledge/{topic}.md")).exists());
            continue;
        }
        assert_eq!(said.code, 0, "{file}: {}", said.out);
        let text = a.read(&format!("knowledge/{topic}.md"));
        for phrase in &sample.phrases {
            assert!(letters(&text).contains(&letters(phrase)), "{file} lacks {phrase}: {text}");
        }
        for word in &sample.never {
            assert!(!text.contains(word), "{file} has {word}: {text}");
        }
        // The original is there byte for byte, unless the text is all of it.
        let said: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        if let Some(kept) = said["data"]["documents"][0]["attachment"].as_str() {
            assert_eq!(
                fs::read(kept).expect("kept"),
                fs::read(&sample.file).expect("a file"),
                "{file}"
            );
        } else {
            assert!(
                ["text", "markdown", "code"]
                    .contains(&said["data"]["documents"][0]["format"].as_str().expect("a format"))
            );
        }
    }
    assert_eq!(a.try_co(&["check"]).code, 0, "{}", a.try_co(&["check"]).out);
}

/// Cut, filled with zeros, with flipped bytes, with a part twice.
fn damaged(bytes: &[u8], how: usize) -> Vec<u8> {
    let (length, mut bytes) = (bytes.len(), bytes.to_vec());
    match how {
        0 => bytes.truncate(length * 2 / 3),
        1 => bytes[length / 3..length / 2].fill(0),
        2 => bytes.iter_mut().skip(64).step_by(97).for_each(|byte| *byte ^= 0x55),
        _ => {
            let part = bytes[length / 4..length / 2].to_vec();
            bytes.splice(length / 2..length / 2, part);
        }
    }
    bytes
}

#[test]
fn damaged_files_give_text_or_an_error_in_time() {
    let world = World::new();
    let a = laptop(&world, "a");
    let kinds = ["pdf", "docx", "epub", "html", "odt", "pptx", "xlsx", "xls", "ods"];
    let of = |kind: &str| {
        let samples = samples().into_iter().filter(|sample| sample.has_text);
        let of_kind =
            samples.filter(|sample| sample.file.extension().is_some_and(|end| end == kind));
        of_kind.take(3).map(|sample| sample.file).collect::<Vec<_>>()
    };
    let files: Vec<PathBuf> = kinds.iter().flat_map(|kind| of(kind)).collect();
    assert!(files.len() * 4 >= 40, "{}", files.len());
    for file in files {
        let bytes = fs::read(&file).expect("a file");
        for how in 0..4 {
            let broken =
                world.path(&format!("broken.{}", file.extension().expect("one").display()));
            fs::write(&broken, damaged(&bytes, how)).expect("written");
            let begun = Instant::now();
            let said = a.try_co(&[
                "knowledge",
                "add",
                broken.to_str().expect("a path"),
                "--topic",
                "articles/x",
            ]);
            assert!(begun.elapsed() < LONGEST, "{} {how}", file.display());
            assert!(matches!(said.code, 0 | 6), "{} {how}: {}", file.display(), said.err);
            assert!(said.code == 0 || said.err.contains("hint:"), "{}", said.err);
            a.try_co(&["knowledge", "delete", "articles/x"]);
        }
    }
}

#[test]
fn hostile_files_are_bounded() {
    let world = World::new();
    let a = laptop(&world, "a");
    // HTML within HTML within HTML; a zip of a hundred megabytes of zeros is made of such members.
    let deep = world.path("deep.html");
    fs::write(&deep, "<div><blockquote><ul><li>".repeat(100_000)).expect("written");
    let wide = world.path("wide.html");
    fs::write(&wide, format!("<table>{}", "<tr><td>x</td>".repeat(400_000))).expect("written");
    for file in [deep, wide] {
        let begun = Instant::now();
        let said = a.try_co(&["knowledge", "add", file.to_str().expect("a path")]);
        assert!(begun.elapsed() < Duration::from_secs(20), "{}", file.display());
        assert!(matches!(said.code, 0 | 2 | 6), "{}: {}", file.display(), said.err);
    }
    let fifo = world.path("fifo");
    Command::new("mkfifo").arg(&fifo).status().expect("mkfifo");
    a.fails(5, &["knowledge", "add", fifo.to_str().expect("a path")]);
    a.fails(5, &["knowledge", "add", "/nowhere/at-all.pdf"]);
    let large = world.path("large.txt");
    fs::File::create(&large).expect("a file").set_len(21 * 1024 * 1024).expect("long");
    assert!(a.fails(6, &["knowledge", "add", large.to_str().expect("a path")]).contains("20 MiB"));
    let secret = world.path("secret.html");
    let token = format!("the token is ghp_{}", "9xKq2LmV7RtZ4WcY8NbJ3HdF6GsP1Qe05AuT");
    fs::write(&secret, format!("<p>{token}</p>")).expect("written");
    let said = a.fails(6, &["knowledge", "add", secret.to_str().expect("a path")]);
    assert!(said.contains("github-pat"), "{said}");
    assert!(files_containing(&a.config(), "9xKq2LmV7RtZ4").is_empty(), "nothing is left behind");
}

#[test]
fn an_article_is_updated_by_its_source_and_goes_with_its_original() {
    let world = World::new();
    let a = laptop(&world, "a");
    let page = world.path("page.html");
    let write = |text: &str| {
        fs::write(&page, format!("<title>Tea &amp; me</title><p>{text}</p>")).expect("written");
    };
    write("oolong");
    let path = page.to_str().expect("a path");
    a.co(&["knowledge", "add", path, "--tags", "tea,drinks"]);
    let text = a.read("knowledge/articles/tea-me.md");
    for line in [
        "title: Tea & me",
        "tags: [tea, drinks]",
        &format!("source: \"{path}\""),
        "attachment: attachments/tea-me.html",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(a.co(&["knowledge", "add", path]).contains("is unchanged"));
    write("sencha");
    // Another file of this name is another article.
    let other = world.path("elsewhere");
    fs::create_dir_all(&other).expect("a folder");
    fs::write(other.join("page.html"), "<title>Tea &amp; me</title><p>of others</p>")
        .expect("written");
    let elsewhere = other.join("page.html").display().to_string();
    a.co(&["knowledge", "add", &elsewhere]);
    assert!(a.read("knowledge/attachments/tea-me.html").contains("oolong"));
    assert!(a.read("knowledge/attachments/tea-me-2.html").contains("of others"));
    a.co(&["knowledge", "delete", "articles/tea-me-2"]);
    // The same file updates its own, wherever that is.
    a.co(&["knowledge", "move", "articles/tea-me", "drinks/tea"]);
    let updated = a.co(&["knowledge", "add", path]);
    assert!(updated.contains("Updated drinks/tea"), "{updated}");
    a.co(&["undo"]);
    a.co(&["knowledge", "move", "drinks/tea", "articles/tea-me"]);
    a.co(&["knowledge", "add", path, "--topic", "articles/tea-me"]);
    assert!(a.read("knowledge/attachments/tea-me.html").contains("sencha"));
    // A text that somebody worked on is not replaced.
    a.edit("knowledge/articles/tea-me.md", "sencha", "sencha, my favourite");
    write("matcha");
    let said = a.fails(6, &["knowledge", "add", path, "--topic", "articles/tea-me"]);
    assert!(said.contains("was changed since it was added"), "{said}");
    a.edit("knowledge/articles/tea-me.md", "sencha, my favourite", "sencha");
    // What a person wrote is not replaced by what came from nowhere.
    a.co(&["knowledge", "write", "people/sarah", "Sarah"]);
    let said = a.piped("other text", &["knowledge", "add", "-", "--topic", "people/sarah"]);
    assert!(
        said.code == 6 && a.read("knowledge/people/sarah.md").contains("Sarah"),
        "{}",
        said.err
    );
    for text in ["first", "second"] {
        a.piped(text, &["knowledge", "add", "-"]);
    }
    assert!(a.read("knowledge/articles/standard-input.md").contains("first"));
    assert!(a.read("knowledge/articles/standard-input-2.md").contains("second"));
    // Another source with the same title is another article.
    let said = a.piped(
        "# Tea & me\n\nmatcha",
        &["knowledge", "add", "-", "--name", "x.md", "--source", "https://example.org/x"],
    );
    assert!(said.out.contains("Added articles/tea-me-2"), "{}{}", said.out, said.err);
    assert!(a.read("knowledge/articles/tea-me-2.md").contains("source: https://example.org/x"));
    assert!(a.read("knowledge/articles/tea-me-2.md").contains("fetched: 2"));
    assert!(a.co(&["knowledge", "search", "sencha"]).contains("## articles/tea-me"));
    a.co(&["knowledge", "delete", "articles/tea-me"]);
    assert!(!a.identity().join("knowledge/attachments/tea-me.html").exists());
    a.co(&["undo"]);
    assert!(a.read("knowledge/attachments/tea-me.html").contains("sencha"));
    // Two articles of one name have an original each.
    for folder in ["a", "b"] {
        write(folder);
        a.co(&["knowledge", "add", path, "--topic", &format!("{folder}/page")]);
        assert!(
            a.read(&format!("knowledge/attachments/{folder}-page.html"))
                .contains(&format!("<p>{folder}</p>"))
        );
    }
    // An export has both, and an import brings both.
    let archive = world.path("all.tar.gz").display().to_string();
    a.co(&["identity", "export", &archive]);
    let b = laptop(&world, "b");
    b.co(&["identity", "import", "--yes", &archive]);
    assert_eq!(b.read("knowledge/articles/tea-me.md"), a.read("knowledge/articles/tea-me.md"));
    assert!(b.read("knowledge/attachments/tea-me.html").contains("sencha"));
}

fn zipped(text: &str) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(text.as_bytes()).expect("in memory");
    packer.finish().expect("in memory")
}

/// A server of pages: `/page`, `/moved` and `/beside` to it, `/loop`, pages that are too large, cut
/// or packed, `/gone`.
fn serve() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
            let first = lines.next().and_then(Result::ok).unwrap_or_default();
            let asked = lines.map_while(Result::ok).take_while(|line| !line.is_empty());
            let heads: Vec<String> = asked.collect();
            assert!(!heads.iter().any(|head| head.to_lowercase().starts_with("cookie")));
            let to = |place: &str| {
                let head = format!("HTTP/1.1 302 Found\r\nLocation: {place}\r\n");
                [head.as_bytes(), b"Content-Length: 0\r\n\r\n"].concat()
            };
            let sent = |heads: &str, length: usize, body: &[u8]| {
                let head = format!("HTTP/1.1 200 OK\r\n{heads}Content-Length: {length}\r\n\r\n");
                [head.as_bytes(), body].concat()
            };
            let page = "<title>Served</title><main><p>oolong from the web</p></main>";
            let html = "Content-Type: text/html; charset=utf-8\r\n";
            let much = "x".repeat(22 * 1024 * 1024);
            let packed = format!("{html}Content-Encoding: gzip\r\n");
            let answer = match first.split(' ').nth(1).unwrap_or_default() {
                "/page" => sent(html, page.len(), page.as_bytes()),
                "/moved" => to("/page"),
                "/a/beside?x=|" => to("../page#part"),
                "/file" => to("file:///etc/passwd"),
                "/login" => to("http://me:password@127.0.0.1/"),
                "/loop" => to("/loop"),
                "/large" => [b"HTTP/1.1 200 OK\r\n\r\n".as_slice(), much.as_bytes()].concat(),
                "/announced" => sent("", much.len(), b""),
                "/bomb" => sent(&packed, zipped(&much).len(), &zipped(&much)),
                "/packed" => sent(&packed, zipped(page).len(), &zipped(page)),
                "/cut" => sent(html, page.len() + 1, page.as_bytes()),
                "/silent" => Vec::new(),
                "/odd" => b"220 mail.example.org ESMTP\r\n".to_vec(),
                _ => b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec(),
            };
            let _ = stream.write_all(&answer);
        }
    });
    port
}

#[test]
fn pages_of_the_web_are_fetched_with_care() {
    let world = World::new();
    let a = laptop(&world, "a");
    let port = serve();
    let url = |path: &str| format!("http://127.0.0.1:{port}{path}");
    for place in [
        url("/page"),
        format!("http://localhost:{port}/page"),
        format!("http://2130706433:{port}/page"),
    ] {
        let said = a.fails(6, &["knowledge", "add", &place]);
        assert!(said.contains("on this laptop") && said.contains("--allow-private"), "{said}");
    }
    let add = |path: &str| a.try_co(&["knowledge", "add", &url(path), "--allow-private"]);
    let said = add("/moved");
    insta::assert_snapshot!(whole(&(said.out + &said.err)), @r#"
    ✓ Added articles/served
      "Served"  html, 19 bytes of text  original ~/.config/co-cli/identity/knowledge/attachments/served.html
    "#);
    let text = a.read("knowledge/articles/served.md");
    assert!(text.contains(&format!("source: {}", url("/page"))), "{text}");
    assert!(text.contains("fetched: 2") && text.contains("oolong from the web"), "{text}");
    assert!(a.read("knowledge/attachments/served.html").contains("<title>Served"));
    for (path, code, word) in [
        ("/loop", 8, "redirects"),
        ("/gone", 8, "404"),
        ("/large", 6, "MiB"),
        ("/file", 2, "not an http"),
        ("/announced", 6, "MiB"),
        ("/bomb", 6, "MiB"),
        ("/login", 2, "login"),
        ("/cut", 8, "/cut: "),
        ("/silent", 8, "/silent: "),
        ("/odd", 8, "/odd: "),
    ] {
        let said = add(path);
        assert!(said.code == code && said.err.contains(word), "{path}: {} {}", said.code, said.err);
        assert!(!said.err.contains("me:password"), "{}", said.err);
    }
    // Both are the page that was added.
    for path in ["/a/beside?x=|", "/page#part"] {
        let said = add(path);
        assert_eq!(said.code, 0, "{path}: {}", said.err);
        assert_eq!(a.read("knowledge/articles/served.md"), text, "{path}");
    }
    let packed = url("/packed");
    a.co(&["knowledge", "add", &packed, "--allow-private", "--topic", "articles/packed"]);
    assert!(a.read("knowledge/articles/packed.md").contains("oolong from the web"));
    let said = a.fails(2, &["knowledge", "add", "http://me:password@example.org/"]);
    assert!(!said.contains("me:password"), "{said}");
    a.fails(2, &["knowledge", "add", "ftp://example.org/x"]);
    a.fails(8, &["knowledge", "add", "http://no-such-host.invalid/"]);
    // A proxy would look the name up again: none is used, whatever the environment says.
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("it").port();
    let proxy = format!("http://127.0.0.1:{closed}");
    let behind = a.with_env("http_proxy", &proxy).with_env("ALL_PROXY", &proxy);
    behind.co(&["knowledge", "add", &url("/page"), "--allow-private"]);
    let said = a.fails(8, &["knowledge", "add", &format!("{proxy}/"), "--allow-private"]);
    assert!(said.contains(&proxy), "{said}");
}

/// Words of letters and digits, as they are counted; what is broken at the end of a line is one.
fn counted(text: &str) -> BTreeMap<String, usize> {
    use unicode_normalization::UnicodeNormalization;
    let joined = text.replace("-\n", "").replace("\u{2010}\n", "").replace('\u{ad}', "");
    let plain = joined.nfkc().collect::<String>().to_lowercase();
    let mut counts = BTreeMap::new();
    for word in plain.split(|letter: char| !letter.is_alphanumeric()) {
        *counts.entry(word.to_owned()).or_default() += usize::from(!word.is_empty());
    }
    counts.remove("");
    counts
}

/// The share of some words that others have as well.
fn share(of: &BTreeMap<String, usize>, others: &BTreeMap<String, usize>) -> f64 {
    let had = |(word, count): (&String, &usize)| others.get(word).map_or(0, |has| *has.min(count));
    of.iter().map(had).sum::<usize>() as f64 / of.values().sum::<usize>() as f64
}

/// A PDF of some pages, each with what it paints and whether it has a picture called `I`.
fn pdf(pages: &[(&str, bool)]) -> Vec<u8> {
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned();
    let picture = "<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 \
        /ColorSpace /DeviceGray /Length 1 >>\nstream\n\0\nendstream"
        .to_owned();
    let kids: Vec<String> = (0..pages.len()).map(|at| format!("{} 0 R", 5 + 2 * at)).collect();
    let all = format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len());
    let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned(), all, font, picture];
    for (at, (paints, has_picture)) in pages.iter().enumerate() {
        let pictures = if *has_picture { "/XObject << /I 4 0 R >>" } else { "" };
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R \
             /Resources << /Font << /F 3 0 R >> {pictures} >> >>",
            6 + 2 * at
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{paints}\nendstream", paints.len()));
    }
    let (mut file, mut places) = ("%PDF-1.4\n".to_owned(), Vec::new());
    for (at, object) in objects.iter().enumerate() {
        places.push(format!("{:010} 00000 n \n", file.len()));
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", at + 1));
    }
    let (start, count) = (file.len(), objects.len() + 1);
    let places = places.concat();
    file.push_str(&format!("xref\n0 {count}\n0000000000 65535 f \n{places}"));
    file.push_str(&format!(
        "trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    ));
    file.into_bytes()
}

#[test]
fn scans_are_named_cut_words_are_whole_and_turned_pages_are_read() {
    let world = World::new();
    let a = laptop(&world, "a");
    let file = world.path("report.pdf");
    let text = "BT /F 12 Tf 72 700 Td (The lighthouse keeps its lamps in the ob-) Tj 0 -14 Td \
        (servatory above the harbour.) Tj ET";
    let scan = "q 200 0 0 200 72 500 cm /I Do Q BT /F 12 Tf 300 40 Td (2) Tj ET";
    let turned = "BT /F 12 Tf 0 1 -1 0 300 100 Tm [(Turned te) 20 (xt reads as well as any)] TJ ET";
    fs::write(&file, pdf(&[(text, false), (scan, true), (turned, true), ("", false)]))
        .expect("written");
    let file = file.display().to_string();
    let said = a.try_co(&["knowledge", "add", &file, "--topic", "articles/report"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("page 2 has almost no text; it may be a scan"), "{}", said.err);
    let text = a.read("knowledge/articles/report.md");
    assert!(text.contains("lamps in the observatory above the harbour."), "{text}");
    assert!(text.contains("Turned text reads as well as any"), "{text}");
    let file = world.path("no.pdf");
    fs::write(&file, "no PDF at all").expect("written");
    let said = a.fails(6, &["knowledge", "add", &file.display().to_string()]);
    assert!(said.contains("it has no PDF header"), "{said}");
}

#[test]
fn the_words_of_a_pdf_are_those_that_pdftotext_finds() {
    if !require_tool("pdftotext") {
        return report_skipped("pdftotext");
    }
    let world = World::new();
    let a = laptop(&world, "a");
    let is_pdf =
        |sample: &Sample| sample.has_text && sample.file.extension() == Some("pdf".as_ref());
    let mut compared = 0;
    for (at, sample) in samples().into_iter().filter(is_pdf).enumerate() {
        let (file, topic) = (sample.file.display().to_string(), format!("articles/pdf-{at}"));
        let theirs = Command::new("pdftotext").args([&file, "-"]).output().expect("it runs");
        let theirs = counted(&String::from_utf8_lossy(&theirs.stdout));
        a.co(&["knowledge", "add", &file, "--topic", &topic]);
        let text = a.read(&format!("knowledge/{topic}.md"));
        let ours = counted(text.splitn(3, "---\n").nth(2).unwrap_or_default());
        let (found, right) = (share(&theirs, &ours), share(&ours, &theirs));
        assert!(found >= 0.98 && right >= 0.98, "{file}: {found:.3} {right:.3}");
        compared += 1;
    }
    assert!(compared >= 23, "{compared}");
}

#[test]
fn what_a_file_lacks_is_said_and_what_co_cannot_read_has_a_way() {
    let world = World::new();
    let a = laptop(&world, "a");
    let files = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let add = |file: PathBuf| a.try_co(&["knowledge", "add", file.to_str().expect("a path")]);
    // No screen says where this repository is.
    let copied = |place: &str| {
        let copy = world.path(place.rsplit('/').next().expect("a name"));
        fs::copy(files.join(place), &copy).expect("copied");
        copy
    };
    let said = add(copied("office/lost_chapter.epub"));
    assert_eq!(said.code, 0, "{}", said.err);
    insta::assert_snapshot!(whole(&said.err), @"warning: missing from the file: OPS/two.xhtml; the rest was read");
    assert!(a.read("knowledge/articles/the-heron-ledger.md").contains("seven reeds"));
    let page = world.path("page.html");
    fs::write(&page, "<html><body><h1>Cut</h1><p>The first</p><p>And the sec").expect("written");
    insta::assert_snapshot!(whole(&add(page).err), @"warning: missing from the file: its end; the rest was read");
    let rich = world.path("letter.rtf");
    fs::write(&rich, r"{\rtf1 hello}").expect("written");
    let refused = |file: PathBuf| a.fails(6, &["knowledge", "add", file.to_str().expect("a path")]);
    insta::assert_snapshot!(whole(&refused(copied("bad/old_word.doc"))), @"
    error: [world]/old_word.doc: it is an old Word document (.doc), which co cannot read; save it as .docx; it was not added
    hint: `co knowledge write TOPIC -` takes a text that you supply
    ");
    insta::assert_snapshot!(whole(&refused(copied("bad/plain.zip"))), @"
    error: [world]/plain.zip: it is a zip archive, which co cannot read; unpack it, and add the folder; it was not added
    hint: `co knowledge write TOPIC -` takes a text that you supply
    ");
    insta::assert_snapshot!(whole(&refused(rich)), @"
    error: [world]/letter.rtf: it is rich text (.rtf), which co cannot read; save it as .docx; it was not added
    hint: `co knowledge write TOPIC -` takes a text that you supply
    ");
}

#[test]
fn a_tool_is_told_what_a_page_lacks() {
    let world = World::new();
    let a = laptop(&world, "a");
    let mut client = Client::ready(&a, &["--tools", "save_knowledge"]);
    let lacks = "Note: missing from the file: its end; the rest was read";
    let whole = "<!DOCTYPE html><html><body><p>One</p><p>Two</p></body></html>";
    for (at, (page, is_cut)) in [
        (whole, false),
        ("Just a text that ends", false),
        ("# Markdown\n\nwhose <b>tags", false),
        ("<!DOCTYPE html><html><body><p>The first</p><p>And the sec", true),
        ("<html><body><h1>Cut</h1><p>The first</p><p>And", true),
        ("<html><body><p>The first</p><ul><li>An item</li><li>Anoth", true),
        ("<html><head><title>Cut</title></head><body><p>All of it</p><p>but", true),
        ("<!DOCTYPE html><html><body><table><tr><td>A cell</td><td>half", true),
    ]
    .into_iter()
    .enumerate()
    {
        let title = format!("Page {at}");
        let said = client.call_ok("save_knowledge", json!({ "content": page, "title": title }));
        assert!(said.contains("✓ Added"), "{said}");
        assert_eq!(said.contains(lacks), is_cut, "{page}: {said}");
    }
    client.end();
}
