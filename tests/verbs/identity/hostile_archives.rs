//! Importing archives that were made to do harm: nothing outside the identity changes, the identity
//! stays the same to the byte, and it takes little time and memory.

use crate::support::{Laptop, World, tree};
use std::{fs, io::Write, path::Path, process::Command, time::Instant};
use tar::{EntryType, Header};

/// One entry, written as it is, without the library's checks.
fn raw(kind: EntryType, name: &[u8], size: u64, link: &str, content: &[u8]) -> Vec<u8> {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(0o777);
    header.as_old_mut().name[..name.len().min(100)].copy_from_slice(&name[..name.len().min(100)]);
    header.as_old_mut().linkname[..link.len()].copy_from_slice(link.as_bytes());
    header.set_size(size);
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend_from_slice(content);
    bytes.resize(bytes.len().div_ceil(512) * 512, 0);
    bytes
}

fn file(name: &str, content: &[u8]) -> Vec<u8> {
    raw(EntryType::Regular, name.as_bytes(), content.len() as u64, "", content)
}

fn good() -> Vec<u8> {
    file(
        "co-identity-export/profile.md",
        b"---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Profile\n\n- Name: Eve\n",
    )
}

fn end(mut parts: Vec<u8>) -> Vec<u8> {
    parts.extend([0; 1024]);
    parts
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).expect("compressed");
    encoder.finish().expect("compressed")
}

/// Gigabytes of one byte behind a header, compressed while they are made.
fn bomb(head: &[u8], size: u64, byte: u8) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&head[..512]).expect("compressed");
    let chunk = vec![byte; 1 << 20];
    for _ in 0..size >> 20 {
        encoder.write_all(&chunk).expect("compressed");
    }
    encoder.finish().expect("compressed")
}

fn pax(record: &str) -> Vec<u8> {
    let mut length = record.len() + 3;
    while length != format!("{length} {record}\n").len() {
        length = format!("{length} {record}\n").len();
    }
    let text = format!("{length} {record}\n");
    raw(EntryType::XHeader, b"pax", text.len() as u64, "", text.as_bytes())
}

/// Name, bytes of the archive.
fn archives(target: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = Vec::new();
    let outside = target.display().to_string();
    let with_good = |bad: Vec<u8>| end([good(), bad].concat());
    let mut named = |why: &str, bytes: Vec<u8>| all.push((why.to_owned(), bytes));
    for name in [
        "../evil.md",
        "../../evil.md",
        "co-identity-export/../../evil.md",
        "co-identity-export/knowledge/../../../evil.md",
        "/etc/evil.md",
        &format!("{outside}/evil.md"),
        "co-identity-export//profile2.md",
        "co-identity-export/./x.md",
        "co-identity-export/knowledge\\..\\..\\evil.md",
        "C:\\evil.md",
    ] {
        named(&format!("traversal {name}"), with_good(file(name, b"evil")));
    }
    for name in [
        "co-identity-export/.git/config",
        "co-identity-export/.git/hooks/pre-commit",
        "co-identity-export/.GIT/config",
        "co-identity-export/knowledge/.git/config",
        "co-identity-export/git~1/config",
        "co-identity-export/.g\u{200c}it/config",
        "co-identity-export/.git",
        "co-identity-export/.git /config",
        "co-identity-export/.git::$INDEX_ALLOCATION/config",
    ] {
        named(
            &format!("git {name}"),
            with_good(file(name, b"[core]\n\tfsmonitor = touch /tmp/evil\n")),
        );
    }
    for name in [
        "settings.json",
        "local/index.db",
        "sessions/1.jsonl",
        "knowledge/x.sqlite",
        "attachments/id_ed25519",
        ".env",
        "cache/x.md",
    ] {
        named(
            &format!("machine state {name}"),
            with_good(file(&format!("co-identity-export/{name}"), b"{}")),
        );
    }
    let below = |name: &str| format!("co-identity-export/{name}").into_bytes();
    for (kind, why) in [
        (EntryType::Symlink, "symlink"),
        (EntryType::Link, "hard link"),
        (EntryType::Char, "character device"),
        (EntryType::Block, "block device"),
        (EntryType::Fifo, "fifo"),
        (EntryType::Continuous, "contiguous file"),
        (EntryType::GNUSparse, "sparse file"),
        (EntryType::GNULongLink, "long link"),
        (EntryType::new(b'Z'), "unknown type"),
    ] {
        named(why, with_good(raw(kind, &below("knowledge/context.md"), 0, &outside, b"")));
    }
    let link_then_file = [
        raw(EntryType::Symlink, &below("knowledge"), 0, &outside, b""),
        file("co-identity-export/knowledge/evil.md", b"x"),
    ]
    .concat();
    named("a link and a file through it", with_good(link_then_file));
    named(
        "a size that lies: more than there is",
        [good(), raw(EntryType::Regular, &below("traits/a.md"), 4096, "", b"short")].concat(),
    );
    named(
        "a size that lies: pax",
        with_good(
            [pax("size=1"), file("co-identity-export/traits/a.md", b"longer than one")].concat(),
        ),
    );
    named(
        "a size of almost everything",
        with_good(raw(EntryType::Regular, &below("traits/a.md"), u64::MAX / 4, "", b"")),
    );
    named(
        "a pax path that leaves",
        with_good(
            [pax("path=../../evil.md"), file("co-identity-export/traits/a.md", b"x")].concat(),
        ),
    );
    named(
        "a pax link",
        with_good(
            [pax(&format!("linkpath={outside}")), file("co-identity-export/traits/a.md", b"x")]
                .concat(),
        ),
    );
    named(
        "a pax sparse file",
        with_good(
            [pax("GNU.sparse.realsize=99999999999"), file("co-identity-export/traits/a.md", b"x")]
                .concat(),
        ),
    );
    named(
        "a long name that leaves",
        with_good(
            [
                raw(EntryType::GNULongName, b"././@LongLink", 14, "", b"../../evil.md\0"),
                file("x", b"x"),
            ]
            .concat(),
        ),
    );
    named(
        "a long name without end",
        end(raw(EntryType::GNULongName, b"././@LongLink", 1 << 30, "", b"")),
    );
    named(
        "a folder with content",
        with_good(raw(EntryType::Directory, &below("traits/"), 4, "", b"evil")),
    );
    named(
        "a name that is not UTF-8",
        with_good(raw(EntryType::Regular, b"co-identity-export/traits/\xff.md", 1, "", b"x")),
    );
    named("one file twice", with_good(good()));
    named(
        "files that differ in case",
        with_good(
            [
                file("co-identity-export/traits/A.md", b"x"),
                file("co-identity-export/traits/a.md", b"y"),
            ]
            .concat(),
        ),
    );
    named(
        "a file that is a folder",
        with_good(
            [file("co-identity-export/traits", b"x"), file("co-identity-export/traits/a.md", b"y")]
                .concat(),
        ),
    );
    named(
        "a name of 300 letters",
        with_good(
            [
                pax(&format!("path=co-identity-export/traits/{}.md", "a".repeat(300))),
                file("x", b"x"),
            ]
            .concat(),
        ),
    );
    named(
        "a manifest that names another content",
        with_good(file(
            "co-identity-export/manifest.md",
            format!("---\nmemory_count: 1\n---\n\n- sha256:{} 5 profile.md\n", "0".repeat(64))
                .as_bytes(),
        )),
    );
    named(
        "a manifest that names a missing file",
        with_good(file(
            "co-identity-export/manifest.md",
            format!("---\nmemory_count: 1\n---\n\n- sha256:{} 5 traits/gone.md\n", "0".repeat(64))
                .as_bytes(),
        )),
    );
    named("no archive", b"this is not an archive, but a text of some length".to_vec());
    named("nothing", Vec::new());
    named("only an end", end(Vec::new()));
    named("gzip cut short", {
        let whole = gzip(&end(good()));
        whole[..whole.len() / 2].to_vec()
    });
    named("gzip with a flipped bit", {
        let mut whole =
            gzip(&end([good(), file("co-identity-export/traits/a.md", &[b'x'; 5000])].concat()));
        let at = whole.len() - 6;
        whole[at] ^= 0x40;
        whole
    });
    named(
        "a file of 4 GiB",
        bomb(&raw(EntryType::Regular, &below("attachments/a.bin"), 4 << 30, "", b""), 4 << 30, 0),
    );
    named(
        "a memory of 9 MiB",
        bomb(
            &raw(EntryType::Regular, &below("knowledge/memories/001-a.md"), 9 << 20, "", b""),
            9 << 20,
            b'a',
        ),
    );
    named(
        "a long name of 1 GiB",
        bomb(&raw(EntryType::GNULongName, b"././@LongLink", 1 << 30, "", b""), 1 << 30, b'a'),
    );
    named(
        "a pax header of 1 GiB",
        bomb(&raw(EntryType::XHeader, b"pax", 1 << 30, "", b""), 1 << 30, b'a'),
    );
    named("many large files", {
        let one = raw(EntryType::Regular, &below("attachments/a00.bin"), 32 << 20, "", b"");
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let chunk = vec![0; 1 << 20];
        for n in 0..12 {
            let mut header = Header::from_byte_slice(&one).clone();
            header.as_old_mut().name[31] = b'a' + n;
            header.set_cksum();
            encoder.write_all(header.as_bytes()).expect("compressed");
            (0..32).for_each(|_| encoder.write_all(&chunk).expect("compressed"));
        }
        encoder.finish().expect("compressed")
    });
    named("a million folders", {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let folder = raw(EntryType::Directory, &below("traits/"), 0, "", b"");
        (0..1_000_000).for_each(|_| encoder.write_all(&folder).expect("compressed"));
        encoder.finish().expect("compressed")
    });
    named("an archive in an archive's skin", gzip(&gzip(&end(good()))));
    all
}

fn import(laptop: &Laptop, archive: &Path, verb: &[&str]) -> (i32, String) {
    let co = laptop.command(&[]);
    let mut command = Command::new("bash");
    // 300 MB of address space: more than that would end in a failed allocation, not in a refusal.
    command
        .args(["-c", "ulimit -v 307200; exec \"$0\" \"$@\""])
        .arg(co.get_program())
        .args(["identity"])
        .args(verb)
        .arg(archive);
    command.current_dir(&laptop.home);
    for (name, value) in co.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let output = command.output().expect("bash runs");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn hostile_archives_change_nothing() {
    let world = World::new();
    let laptop = world.laptop("a");
    laptop.co(&["init", "--yes", "--name", "Bin"]);
    laptop.co(&["learn", "Mine"]);
    let archive = laptop.home.join("in.tar.gz");
    let all = archives(&world.path("outside"));
    assert!(all.len() >= 40, "{} archives", all.len());
    fs::create_dir_all(world.path("outside")).expect("a folder");
    let before = (tree(&laptop.identity()), tree(&world.path("outside")));
    for (why, bytes) in &all {
        fs::write(&archive, bytes).expect("written");
        for verb in [&["import", "--yes"][..], &["import", "--replace", "--yes"], &["diff"]] {
            let began = Instant::now();
            let (code, said) = import(&laptop, &archive, verb);
            assert_eq!(code, 6, "{why}: {verb:?}: {said}");
            assert!(
                said.contains("hint:") && !said.contains('\u{1b}') && !said.contains('\u{202e}'),
                "{why}: {said:?}"
            );
            assert!(began.elapsed().as_secs() < 10, "{why}: {:?}", began.elapsed());
        }
        assert_eq!((tree(&laptop.identity()), tree(&world.path("outside"))), before, "{why}");
        assert!(!world.path("evil.md").exists() && !laptop.home.join("evil.md").exists(), "{why}");
    }
    // The same way in takes a good archive, so the refusals are about what is in the bad ones.
    fs::write(
        &archive,
        gzip(&end([
            good(),
            file("co-identity-export/.gitattributes", b"*.md filter=evil\n"),
            file("co-identity-export/.DS_Store", b"x"),
        ]
        .concat())),
    )
    .expect("written");
    let attributes = laptop.read(".gitattributes");
    assert_eq!(import(&laptop, &archive, &["import", "--yes"]).0, 0);
    assert!(laptop.read("profile.md").contains("Eve") || laptop.read("profile.md").contains("Bin"));
    assert_eq!(laptop.read(".gitattributes"), attributes, "git's own files never come in");
}

#[test]
fn folders_with_links_or_state_are_refused() {
    let world = World::new();
    let laptop = world.laptop("a");
    laptop.co(&["init", "--yes"]);
    let source = world.path("source");
    fs::create_dir_all(source.join("traits")).expect("a folder");
    fs::write(world.path("secret"), "the key").expect("written");
    std::os::unix::fs::symlink(world.path("secret"), source.join("traits/a.md")).expect("linked");
    let before = laptop.tree();
    let source_text = source.display().to_string();
    let said = laptop.fails(6, &["identity", "import", "--yes", &source_text]);
    assert!(said.contains("link"), "{said}");
    fs::remove_file(source.join("traits/a.md")).expect("removed");
    fs::write(source.join("traits/a.md"), "x").expect("written");
    fs::write(source.join("settings.json"), "{}").expect("written");
    laptop.fails(6, &["identity", "import", "--yes", &source_text]);
    assert_eq!(laptop.tree(), before);
}
