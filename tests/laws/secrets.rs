//! The secret scanner against a corpus made here: tokens in the form that their issuers use, in the
//! places where people write them, and text that only looks like one. The rates are counted over
//! all of them; the formats are written down a second time here, not taken from the scanner's
//! rules.

use crate::support::dice::Dice;
use co_cli::tested::secrets::{Allowed, hits, redact, scan};
use std::{collections::BTreeMap, fs, path::Path};

const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const WORD: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const HEX: &str = "0123456789abcdef";
const DIGITS: &str = "123456789";

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 }
        })
    };
    !bytes.iter().fold(!0, step)
}

fn in_base(mut number: u32, base: u32, width: usize) -> String {
    let digits: Vec<char> = if base == 62 {
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    } else {
        "0123456789abcdefghijklmnopqrstuvwxyz"
    }
    .chars()
    .collect();
    let mut text = String::new();
    while text.len() < width || number > 0 {
        text.insert(0, digits[(number % base) as usize]);
        number /= base;
    }
    text
}

/// Thirty letters and the six that sum them up, as GitHub and npm do.
fn summed(dice: &mut Dice, count: usize) -> String {
    let body = dice.of(ALNUM, count);
    let sum = in_base(crc32(body.as_bytes()), 62, 6);
    format!("{body}{sum}")
}

fn base64(bytes: &[u8], url: bool) -> String {
    let letters: Vec<char> = if url {
        WORD.chars().take(62).chain(['-', '_']).collect()
    } else {
        BASE64.chars().collect()
    };
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let number = chunk
            .iter()
            .chain(&[0, 0])
            .take(3)
            .fold(0u32, |number, byte| number << 8 | u32::from(*byte));
        (0..=chunk.len())
            .for_each(|at| text.push(letters[(number >> (18 - 6 * at) & 63) as usize]));
    }
    text
}

/// One token of every form, by name.
fn tokens(dice: &mut Dice) -> Vec<(&'static str, String)> {
    let d = dice;
    let jwt = format!(
        "{}.{}.{}",
        base64(br#"{"alg":"HS256","typ":"JWT"}"#, true),
        base64(format!(r#"{{"sub":"{}","iat":1763800000}}"#, d.of(LOWER, 9)).as_bytes(), true),
        d.of(WORD, 43)
    );
    let mut macaroon = b"\x02\x01\x08pypi.org\x02\x24".to_vec();
    macaroon.extend(d.of(HEX, 90).bytes());
    let routed = {
        let payload = d.of(ALNUM, 36);
        let head = format!("glpat-{payload}.01.{}", in_base(36, 36, 2));
        format!("{head}{}", in_base(crc32(head.as_bytes()), 36, 7))
    };
    let grafana = {
        let head = format!("glsa_{}", d.of(ALNUM, 32));
        format!("{head}_{:08x}", crc32(head.as_bytes()).swap_bytes())
    };
    let snowflake = d.of(DIGITS, 18);
    vec![
        ("github", format!("ghp_{}", summed(d, 30))),
        ("github oauth", format!("gho_{}", summed(d, 30))),
        ("github app", format!("ghs_{}", summed(d, 30))),
        ("github refresh", format!("ghr_{}", summed(d, 70))),
        ("github fine", format!("github_pat_1{}_{}", d.of(ALNUM, 21), d.of(ALNUM, 59))),
        ("gitlab", format!("glpat-{}", d.of(WORD, 20))),
        ("gitlab routed", routed),
        ("gitlab deploy", format!("gldt-{}", d.of(ALNUM, 20))),
        ("npm", format!("npm_{}", summed(d, 30))),
        ("pypi", format!("pypi-{}", base64(&macaroon, true))),
        ("docker", format!("dckr_pat_{}", d.of(WORD, 27))),
        ("aws id", format!("AKIA{}", d.of(BASE32, 16))),
        ("google", format!("AIza{}", d.of(WORD, 35))),
        ("google oauth", format!("GOCSPX-{}", d.of(WORD, 28))),
        ("google access", format!("ya29.{}", d.of(WORD, 150))),
        ("azure ad", format!("{}8Q~{}", d.of(ALNUM, 3), d.of(WORD, 34))),
        ("azure", format!("{}JQQJ99{}", d.of(ALNUM, 52), d.of(ALNUM, 26))),
        ("digitalocean", format!("dop_v1_{}", d.of(HEX, 64))),
        ("cloudflare origin", format!("v1.0-{}-{}", d.of(HEX, 24), d.of(HEX, 146))),
        ("databricks", format!("dapi{}", d.of(HEX, 32))),
        ("vault", format!("hvs.{}", d.of(WORD, 90))),
        ("openai", format!("sk-proj-{}T3BlbkFJ{}", d.of(WORD, 74), d.of(WORD, 74))),
        ("openai old", format!("sk-{}T3BlbkFJ{}", d.of(ALNUM, 20), d.of(ALNUM, 20))),
        ("anthropic", format!("sk-ant-api03-{}AA", d.of(WORD, 93))),
        ("openrouter", format!("sk-or-v1-{}", d.of(HEX, 64))),
        ("hugging face", format!("hf_{}", d.of(LETTERS, 34))),
        ("groq", format!("gsk_{}", d.of(ALNUM, 52))),
        ("replicate", format!("r8_{}", d.of(ALNUM, 37))),
        (
            "slack bot",
            format!("xoxb-{}-{}-{}", d.of(DIGITS, 12), d.of(DIGITS, 13), d.of(ALNUM, 24)),
        ),
        (
            "slack user",
            format!(
                "xoxp-{}-{}-{}-{}",
                d.of(DIGITS, 12),
                d.of(DIGITS, 12),
                d.of(DIGITS, 13),
                d.of(HEX, 32)
            ),
        ),
        (
            "slack app",
            format!("xapp-1-A{}-{}-{}", d.of(UPPER, 10), d.of(DIGITS, 13), d.of(HEX, 64)),
        ),
        (
            "discord",
            format!("{}.{}.{}", base64(snowflake.as_bytes(), true), d.of(WORD, 6), d.of(WORD, 38)),
        ),
        ("telegram", format!("{}:AA{}", d.of(DIGITS, 10), d.of(WORD, 33))),
        ("sendgrid", format!("SG.{}.{}", d.of(WORD, 22), d.of(WORD, 43))),
        ("mailgun", format!("key-{}", d.of(HEX, 32))),
        ("stripe", format!("sk_live_{}", d.of(ALNUM, 24))),
        ("stripe restricted", format!("rk_live_51{}", d.of(ALNUM, 97))),
        ("shopify", format!("shpat_{}", d.of(HEX, 32))),
        ("linear", format!("lin_api_{}", d.of(ALNUM, 40))),
        ("notion", format!("ntn_{}{}", d.of(DIGITS, 11), d.of(ALNUM, 35))),
        ("airtable", format!("pat{}.{}", d.of(ALNUM, 14), d.of(HEX, 64))),
        ("grafana", grafana),
        ("new relic", format!("NRAK-{}", d.of(UPPER, 27))),
        ("jwt", jwt),
        ("age", format!("AGE-SECRET-KEY-1{}", d.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58))),
        (
            "private key",
            format!(
                "-----BEGIN PRIVATE KEY-----\n{}\n{}\n-----END PRIVATE KEY-----",
                d.of(BASE64, 64),
                d.of(BASE64, 64)
            ),
        ),
    ]
}

/// Secrets that only the words around them give away, each in its own words.
fn worded(d: &mut Dice) -> Vec<(&'static str, String)> {
    let mut password =
        || format!("{}{}{}", d.of("abcdefghijk", 4), d.of(DIGITS, 3), d.of("ABCDEFGHIJK", 3));
    let mut all = vec![
        ("postgres", format!("postgres://app:{}@db.internal:5432/app", password())),
        (
            "mongo",
            format!(
                "mongodb+srv://svc:{}@cluster0.abcde.mongodb.net/?retryWrites=true",
                password()
            ),
        ),
        ("redis", format!("the cache is redis://:{}@cache:6379/0.", password())),
        ("git url", format!("clone https://me:{}@git.example.org/me/x.git there", password())),
        ("env password", format!("export DB_PASSWORD={}", password())),
        ("yaml password", format!("  password: \"{}\"", password())),
        ("prose password", format!("The wifi password is {}.", password())),
        ("bold password", format!("- **Password**: `{}`", password())),
        (
            "ado.net",
            format!("Server=tcp:db;Database=x;User Id=sa;Password={};Encrypt=true", password()),
        ),
        ("netrc", format!("machine git.example.org login me password {}", password())),
        ("curl", format!("curl -u admin:{} https://h.example.org/", password())),
        ("json password", format!("{{\"smtpPassword\": \"{}\"}}", password())),
    ];
    all.extend([
        ("aws secret", format!("aws_secret_access_key = {}", d.of(BASE64, 40))),
        (
            "azure storage",
            format!(
                "AccountName=a;AccountKey={}==;EndpointSuffix=core.windows.net",
                d.of(BASE64, 86)
            ),
        ),
        ("twilio", format!("TWILIO_AUTH_TOKEN={}", d.of(HEX, 32))),
        ("cloudflare", format!("CLOUDFLARE_API_TOKEN={}", d.of(WORD, 40))),
        ("bearer", format!("curl -H 'Authorization: Bearer {}'", d.of(ALNUM, 32))),
        ("client secret", format!("client_secret: {}", d.of(ALNUM, 32))),
        ("api key prose", format!("my api key for the weather service is {}", d.of(HEX, 32))),
        ("header key", format!("X-Api-Key: {}", d.of(ALNUM, 24))),
        ("token prose", format!("The deploy token for staging is {}, ask me.", d.of(ALNUM, 28))),
        ("query", format!("https://h.example.org/x?access_token={}&a=1", d.of(HEX, 40))),
        ("flag", format!("deploy --token {} --yes", d.of(ALNUM, 24))),
        (
            "slack hook",
            format!(
                "https://hooks.slack.com/services/T{}/B{}/{}",
                d.of(UPPER, 9),
                d.of(UPPER, 9),
                d.of(ALNUM, 24)
            ),
        ),
        (
            "discord hook",
            format!("https://discord.com/api/webhooks/{}/{}", d.of(DIGITS, 18), d.of(WORD, 68)),
        ),
    ]);
    all
}

/// The places where people write a token: prose, lists, tables, YAML, JSON, URLs, code, quotes of
/// every kind.
const PLACES: &[(&str, &str)] = &[
    ("prose", "Deploys go out with @@, which Ana rotates in May."),
    ("end of a sentence", "Use @@."),
    ("parentheses", "the staging one (@@) is read-only"),
    ("list", "- staging: @@\n- production: ask"),
    ("bold", "**@@**"),
    ("code span", "run it with `@@`; it is new"),
    ("table", "| staging | @@ | read |"),
    ("yaml", "env:\n  VALUE: @@\n  OTHER: x"),
    ("quoted yaml", "value: '@@'"),
    ("json", "{\"value\": \"@@\", \"n\": 1}"),
    ("json escapes", "{\"text\": \"first\\n@@\\nlast\"}"),
    ("env", "VALUE=@@\nOTHER=1"),
    ("url", "https://h.example.org/x?value=@@&page=2"),
    ("fence", "```sh\nexport VALUE=@@\n```"),
    ("html", "<code>@@</code>"),
    ("link", "[here](https://h.example.org/#@@)"),
    ("frontmatter", "---\nid: 1\nsource: @@\n---\n\nText.\n"),
];

#[test]
fn tokens_are_found_wherever_they_are_written() {
    let mut dice = Dice::new(0x00c0_ffee_1234_5678);
    let (mut all, mut missed) = (0, Vec::new());
    for round in 0..3 {
        for (name, token) in tokens(&mut dice) {
            for (place, text) in PLACES {
                let token = if *place == "json escapes" {
                    token.replace('\n', "\\n")
                } else {
                    token.clone()
                };
                let text = text.replace("@@", &token);
                let found = hits(text.as_bytes());
                all += 1;
                let whole = |hit: &co_cli::tested::secrets::Hit| {
                    text[hit.start..hit.end].contains(&token[..token.len().min(40)])
                };
                if !found.iter().any(whole) {
                    missed.push(format!("{round} {name} in {place}: {text}"));
                } else if redact(&text).contains(&token) {
                    missed.push(format!("{name} in {place} is not redacted: {text}"));
                }
            }
        }
        for (name, text) in worded(&mut dice) {
            for frame in ["@@", "Note:\n@@\n", "> @@\n", "```\n@@\n```"] {
                let text = frame.replace("@@", &text);
                all += 1;
                if hits(text.as_bytes()).is_empty() {
                    missed.push(format!("{round} {name}: {text}"));
                }
            }
        }
    }
    eprintln!("{} of {all} found, missed: {missed:#?}", all - missed.len());
    assert!(
        all >= 150 && missed.len() * 100 <= all,
        "{} of {all} missed:\n{}",
        missed.len(),
        missed.join("\n")
    );
}

/// What looks like a secret and is none.
fn look_alikes(d: &mut Dice) -> Vec<(&'static str, String)> {
    let uuid = |d: &mut Dice| {
        format!(
            "{}-{}-4{}-a{}-{}",
            d.of(HEX, 8),
            d.of(HEX, 4),
            d.of(HEX, 3),
            d.of(HEX, 3),
            d.of(HEX, 12)
        )
    };
    vec![
        ("sha256 line", format!("sha256: {}", d.of(HEX, 64))),
        ("frontmatter", format!("---\nid: 12\ncreated: \
            2026-11-20T09:00:00.123456+01:00\nchecksum: sha256:{}\n---\n\nThe token is rotated.\n", d.of(HEX, 64))),
        ("ledger", format!("- 2026-11-20T09:00:00.123456Z sha256:{} 2026-11-21T09:00:00Z", d.of(HEX, 64))),
        ("commit", format!("fixed in commit {} by Ana", d.of(HEX, 40))),
        ("short commit", format!("see {}..{}", d.of(HEX, 7), d.of(HEX, 7))),
        ("bare sha1", d.of(HEX, 40)),
        ("md5", format!("md5 {}  file.iso", d.of(HEX, 32))),
        ("git log", format!("commit {}\nAuthor: Ana <ana@example.org>\n\n    auth: rotate the \
            token", d.of(HEX, 40))),
        ("uuid", uuid(d)),
        ("uuid of a client", format!("client_id: {}", uuid(d))),
        ("uuid as token", format!("token: {}", uuid(d))),
        ("request id", format!("The request {} failed", uuid(d))),
        ("docker digest", format!("image: postgres@sha256:{}", d.of(HEX, 64))),
        ("npm integrity", format!("\"integrity\": \"sha512-{}==\"", d.of(BASE64, 86))),
        ("cargo lock", format!("checksum = \"{}\"", d.of(HEX, 64))),
        ("go sum", format!("golang.org/x/net v0.1.0 h1:{}=", d.of(BASE64, 43))),
        ("nix hash", format!("hash = \"sha256-{}=\";", d.of(BASE64, 43))),
        ("subresource", format!("<script integrity=\"sha384-{}\">", d.of(BASE64, 64))),
        ("etag", format!("ETag: \"{}\"", d.of(HEX, 32))),
        ("ssh public key", format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{} me@host", d.of(BASE64, 43))),
        ("ssh fingerprint", format!("SHA256:{} me@host (ED25519)", d.of(BASE64, 43))),
        ("host key", format!("key fingerprint is SHA256:{}.", d.of(BASE64, 43))),
        ("certificate", format!("-----BEGIN CERTIFICATE-----\n{}\n{}\n-----END CERTIFICATE-----", d.of(BASE64, 64), d.of(BASE64, 64))),
        ("public key", format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----", d.of(BASE64, 64))),
        ("pgp signature", format!("-----BEGIN PGP SIGNATURE-----\n\n{}\n-----END PGP \
            SIGNATURE-----", d.of(BASE64, 64))),
        ("age recipient", format!("age1{}", d.of("qpzry9x8gf2tvdw0s3jn54khce6mua7l", 58))),
        ("image", format!("![x](data:image/png;base64,iVBORw0KGgo{})", d.of(BASE64, 200))),
        ("ulid", format!("id: 01{}", d.of("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24))),
        ("nanoid", format!("page {}", d.of(WORD, 21))),
        ("youtube", format!("https://www.youtube.com/watch?v={}", d.of(WORD, 11))),
        ("google doc", format!("https://docs.google.com/document/d/1{}/edit", d.of(WORD, 43))),
        ("notion page", format!("https://www.notion.so/Weekly-notes-{}", d.of(HEX, 32))),
        ("figma file", format!("https://www.figma.com/file/{}/App", d.of(ALNUM, 22))),
        ("s3 url", format!("s3://backups/2026/{}.tar.gz", d.of(HEX, 32))),
        ("trace", format!("traceparent: 00-{}-{}-01", d.of(HEX, 32), d.of(HEX, 16))),
        ("mac", "3c:22:fb:a1:b2:c3".into()),
        ("ipv6", "fe80::1ff:fe23:4567:890a%eth0".into()),
        ("iban", format!("DE89 3704 0044 0532 {} 00", d.of(DIGITS, 4))),
        ("isbn", "ISBN 978-3-16-148410-0".into()),
        ("phone", "+49 30 901820 and +1 (415) 555-0132".into()),
        ("semver", "1.2.3-beta.4+build.20261122".into()),
        ("wheel", "numpy-2.1.0-cp313-cp313-manylinux_2_17_x86_64.manylinux2014_x86_64.whl".into()),
        ("ethereum address", format!("0x{}", d.of(HEX, 40))),
        ("color list", "#1a2b3c #4d5e6f #a1b2c3".into()),
        ("bitcoin address", format!("bc1q{}", d.of("qpzry9x8gf2tvdw0s3jn54khce6mua7l", 38))),
        ("placeholder token", "token: <your-token>".into()),
        ("masked", "GITHUB_TOKEN=ghp_************************************".into()),
        ("x'ed", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx".into()),
        ("x'ed openai", "OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx".into()),
        ("dots", "ANTHROPIC_API_KEY=sk-ant-api03-...".into()),
        ("your key", "api_key: your-api-key-here-1234".into()),
        ("alphabet", "ghp_abcdefghijklmnopqrstuvwxyz0123456789".into()),
        ("wrong sum", format!("the old one began with ghp_{}0", d.of(ALNUM, 35))),
        ("docs aws", "AKIAIOSFODNN7EXAMPLE".into()),
        ("docs aws secret", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".into()),
        ("docs github", "Authorization: token gho_16C7e42F292c6912E7710c838347Ae178B4a".into()),
        ("docs stripe", "sk_test_4eC39HqLyjWDarjtT1zdp7dc".into()),
        ("docs slack", "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX".into()),
        (
            "docs jwt",
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c".into(),
        ),
        ("env reference", "password: ${DB_PASSWORD_2}".into()),
        ("shell reference", "curl -H \"Authorization: Bearer $TOKEN\"".into()),
        ("command", "TOKEN=$(pass show staging/token1)".into()),
        ("our reference", "token: {{secret:staging-token}}".into()),
        ("github actions", "token: ${{ secrets.GITHUB_TOKEN }}".into()),
        ("python env", "api_key = os.environ[\"OPENAI_API_KEY_2\"]".into()),
        ("js env", "const token = process.env.SERVICE_TOKEN_V2;".into()),
        ("rust call", "let token = Token::from_environment_v2(&config)?;".into()),
        ("1password", "password: op://vault/item42/password".into()),
        ("vault path", "secret: kv/data/team-7/staging".into()),
        ("prose 1", "I prefer token based authentication over passwords.".into()),
        ("prose 2", "The password manager is 1Password, synced with iCloud.".into()),
        ("prose 3", "Never put an API key into a memory; the key: ask the user first.".into()),
        ("prose 4", "The secret is to fold the dough 12 times at 24 degrees.".into()),
        ("prose 5", "Passwords have at least 16 characters and 2FA is on.".into()),
        ("prose 6", "The access token expires after 3600 seconds, the refresh token after 30 \
            days.".into()),
        ("prose 7", "token: the unit of text, about 4 characters".into()),
        ("prose 8", "Password: none is needed on 192.168.178.1".into()),
        ("prose 9", "key: value pairs go under [tool.uv]".into()),
        ("budget", "token_budget: 4000\nmax_tokens: 8192".into()),
        ("policy", "password: min-12-chars-2-digits".into()),
        ("hash name", "password_hash: argon2id$v=19".into()),
        ("kebab", "sk-learn-contrib/imbalanced-learn-0-12".into()),
        ("task ids", "task-20261122-0001 and risk-adjusted-return".into()),
        ("hf call", "hf_hub_download(repo_id=\"sentence-transformers/all-MiniLM-L6-v2\")".into()),
        ("npm config", "npm_config_registry and npm_package_json_version_number".into()),
        ("gtk", "gsk_renderer_render_texture".into()),
        ("r8", "GL_R8_SNORM and r8_snorm".into()),
        ("url without password", "https://user@example.org:8443/path?x=1".into()),
        ("url with port", "http://localhost:3000 and ssh://git@example.org:22/me/x.git".into()),
        ("url placeholder", "postgres://user:password@localhost:5432/db".into()),
        ("url in prose", "see https://example.org/a:b@c and mailto:me@example.org".into()),
        ("time", "at 10:30:AA or 12:45".into()),
        ("path", "PWD=/home/me/src2/app and key=/etc/ssl/private/server1.pem".into()),
        ("constants", "AUTH_TOKEN: DOT11_AUTH_ALGO_80211_SHARED_KEY".into()),
        ("camel", "accessToken: getAccessTokenFromEnvironmentVariable".into()),
        ("i18n", "password.label: auth.form.password_v2.label".into()),
        ("date", "token: 2026-11-22T04:00:00Z".into()),
        ("key begin in prose", "A file that begins with `-----BEGIN RSA PRIVATE KEY-----` is one.".into()),
        ("key with dots", "-----BEGIN OPENSSH PRIVATE KEY-----\n...\n-----END OPENSSH PRIVATE \
            KEY-----".into()),
        ("regex", "ghp_[A-Za-z0-9]{36} and AKIA[A-Z2-7]{16}".into()),
        ("twilio look", format!("SK{} is a checksum of nothing", d.of(HEX, 32))),
        ("base64 text", base64(b"The quick brown fox jumps over the lazy dog, twice a day.", false)),
    ]
}

#[test]
fn what_looks_like_a_secret_and_is_none_passes() {
    let mut dice = Dice::new(0x5eed_0000_0000_0001);
    let (mut all, mut alarms) = (0, Vec::new());
    for _ in 0..3 {
        for (name, text) in look_alikes(&mut dice) {
            for frame in ["@@", "- @@\n", "Note: @@\n"] {
                let text = frame.replace("@@", &text);
                all += 1;
                for secret in scan(text.as_bytes(), &Allowed::default()) {
                    alarms.push(format!("{name} ({}, {}): {text}", secret.rule, secret.excerpt));
                }
            }
        }
    }
    eprintln!("{} false alarms in {all}: {alarms:#?}", alarms.len());
    assert!(
        all >= 150 && alarms.len() * 100 <= all,
        "{} alarms in {all}:\n{}",
        alarms.len(),
        alarms.join("\n")
    );
}

/// Whatever bytes come, the scanner ends, keeps its hits in order and apart, and redacting twice is
/// redacting once.
#[test]
fn any_bytes_are_scanned() {
    let mut dice = Dice::new(77);
    let pieces = [
        "ghp_",
        "password: ",
        "://a:",
        "@b",
        "-----BEGIN PRIVATE KEY-----\n",
        "sk-",
        "\u{e9}",
        "\u{1f600}",
        "=",
        "\"",
        "\n",
        "eyJ",
        ".",
        "Bearer ",
        "token is ",
    ];
    for _ in 0..400 {
        let mut text = String::new();
        for _ in 0..30 {
            let letters = dice.of(WORD, 12);
            text.push_str(dice.one_of(&pieces));
            if dice.chance(50) {
                text.push_str(&letters);
            }
        }
        let found = hits(text.as_bytes());
        assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start), "{text}");
        let once = redact(&text).into_owned();
        assert!(found.iter().all(|hit| hit.end <= text.len()), "{text}");
        assert!(redact(&once).len() <= once.len(), "{once}");
    }
    let counts: BTreeMap<usize, usize> =
        BTreeMap::from([(0, hits(&[0xff; 5000]).len()), (1, hits(b"").len())]);
    assert!(counts.values().all(|count| *count == 0));
}

#[test]
fn the_source_of_the_scanner_holds_no_secret() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/secrets");
    let mut looked = 0;
    for folder in [folder.clone(), folder.join("rules"), folder.join("words")] {
        let entries = fs::read_dir(folder).expect("a folder");
        for file in entries.map(|entry| entry.expect("an entry").path()).filter(|at| at.is_file()) {
            let text = fs::read_to_string(&file).expect("readable");
            let found: Vec<&str> =
                hits(text.as_bytes()).iter().map(|hit| &text[hit.start..hit.end]).collect();
            assert!(found.is_empty(), "{}: {found:?}", file.display());
            looked += 1;
        }
    }
    assert!(looked > 15, "{looked} files were read");
}
