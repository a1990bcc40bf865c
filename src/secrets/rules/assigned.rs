//! Secrets recognised only by a name: `password = …`, `API key: …`, in programs, configuration,
//! tables and prose in several languages.
//!
//! Invariant: a name alone is not enough; the value must look like a secret.

use super::super::{
    rule::{Lead, Rule, is_name},
    worded,
};

/// Bytes of a key's name in prose, such as `my API key`.
fn is_phrase(byte: u8) -> bool {
    is_name(byte) || byte == b' '
}

/// Short names must be whole words or follow a separator: `bypass` and `compass` do not match.
macro_rules! password {
    () => {
        r"(?:[A-Za-z0-9_.-]*?(?:(?i:password|passwort|passwd|passphrase|passcode|kennwort|wachtwoord)|[cC]ontraseña|ot de passe)[A-Za-z0-9_]{0,12}|(?:[A-Za-z0-9_.-]*[_.-])?(?:PASS|Pass|pass|PW|Pw|pw|PWD|Pwd|pwd|PSK|psk|MDP|mdp|senha|clave)[0-9]?)"
    };
}

macro_rules! token {
    () => {
        r"[A-Za-z0-9_.-]*?(?:oken|OKEN|ecret|ECRET|redential|REDENTIAL)[A-Za-z0-9_]{0,16}"
    };
}

/// Not every key is a secret: it needs a qualifying word, or the capitals of a variable.
macro_rules! key {
    () => {
        r"(?:[A-Za-z0-9_. -]*?(?:(?i:api|secret|access|private|signing|encryption|master|account|auth|service|subscription|storage|deploy|admin|session|shared|app|client|license)[-_ ]?(?:key|Key|KEY|Schlüssel|schlüssel)|[A-Z][A-Z0-9_]{1,40}_KEY)(?:[-_ ]?(?i:id))?[A-Za-z0-9_]{0,8}|[A-Za-z0-9_. -]*?clé API)"
    };
}

/// What may come between a name and its value: a sign, a few words and a verb, a table cell, an
/// element, a type, a line break.
macro_rules! tied {
    () => {
        concat!(
            r#"[\\"'`*_\])]{0,6}(?:"#,
            r"\s{0,8}(?:=>|:=|={1,3}|:|：|→)",
            r"|\s{1,4}(?:-|–|—|→|\|)\s",
            r"|(?:\s+[^\s=:|,;<>(){}]+){0,6}?(?:\s+(?:is|was|ist|lautet|es|est|to|auf)(?:\s+(?:now|jetzt|always|immer|still))?:?\s|\s{0,3}(?::|=|→))",
            r"|\s{0,3},\s{0,3}",
            r"|\s+(?:value|content)=",
            r"|>|</t[dh]>\s{0,3}<t[dh][^>\n]{0,40}>",
            r"|\s{0,3}:\s{0,3}[&A-Za-z_<>' ]{1,24}?\s{0,3}=",
            r"|\s{0,3}(?:\|\||\?\?|or)\s",
            r"|:[ \t]{0,3}[|>][-+]?[ \t]{0,3}\r?\n[ \t]+",
            r"|:[ \t*_]{0,4}\r?\n[ \t]{0,8}(?:\r?\n)?[ \t]{0,8}(?:```[a-z]{0,8}\r?\n[ \t]{0,8}|- )?",
            r#")[\s*_(]{0,4}(?:\\?["'`]|„|“|”|«)?\s?"#,
        )
    };
}

#[rustfmt::skip] // a table, one rule below the other
pub(in crate::secrets) static RULES: &[Rule] = &[
    Rule::token("generic-password", "a password",
        &[
            "assword", "ASSWORD", "assWord", "asswort", "ASSWORT", "asswd", "ASSWD", "assphrase", "ASSPHRASE", "asscode", "ennwort", "achtwoord", "ontraseña",
            "ot de passe", "PASS", "Pass", "pass", "PW", "Pw", "pw", "PSK", "psk", "MDP", "mdp", "senha", "clave",
        ],
        concat!(password!(), tied!(), r#"(?P<s>[^\s"'`,;<>|\\]{8,})"#))
        .led(Lead::While(is_name, 64))
        .judged(worded::is_password)
        .tried(
            &[
             "DB_PAS¦SWORD=kk3Lm2q9Vx",
             "the wifi pas¦sword is Tr0ub4dor&3.",
             r#"pas¦sword: "x9!kQm2#vP""#,
             "Server=h;Database=d;User Id=a;Pas¦sword=Zx81mmQp!;",
             "**Pas¦sword:** `Summer2026!x`",
             "pas¦sword for the router is fK92mmXq",
             "SMTP_PA¦SS=kk3Lm2q9Vx",
             "- pa¦ss: fK92mmXq",
             "p¦w: fK92mmXq",
             "wifi p¦sk=fK92mmXq",
             "Das Pass¦wort für das Wiki ist fK92mmXq.",
             "WLAN-Pass¦wort lautet fK92mmXq",
             "Pass¦word for Netflix: fK92mmXq",
             "Root p¦w on the NAS: fK92mmXq",
             "I changed the pass¦word to fK92mmXq",
             "Pass¦word → fK92mmXq",
             "| pass¦word | fK92mmXq |",
             "<pass¦word>fK92mmXq</password>",
             r#"<add key="smtpPass¦word" value="fK92mmXq"/>"#,
             r#"{\"pass¦word\": \"fK92mmXq\"}"#,
             r#"os.environ.setdefault("DB_PASS¦WORD", "fK92mmXq")"#,
             "let db_pass¦word: &str = \"fK92mmXq\"",
             "pass¦word: |\n  fK92mmXq\n",
             "Pass¦word:\n\n    fK92mmXq\n",
             "pass¦word: summer2024",
             "mdp¦: fK92mmXq",
             "pass¦word：fK92mmXq",
            ],
            &[
             "password: ${DB_PASSWORD}",
             "password: {{secret:db}}",
             "the password is stored in 1Password",
             "password: min-8-chars",
             r#"password=os.environ["DB_PASSWORD1"]"#,
             "password: hunter2",
             "password policy: 12 characters",
             "PWD=/home/me/src2",
             "password: correct horse",
             "Password: ********",
             "password: <your-password>",
             "the build must pass: step2 and step3",
             "bypass: route42b",
             "PWD: C:\\Users\\Mira2",
             "password reset is at https://x.example/reset?id=12",
            ],
        ),
    Rule::token("quoted-password", "a password", &["assword", "ASSWORD", "DENTIFIED", "dentified", "asswd", "_PASS ", "_PW "],
        r#"(?i:(?:[A-Za-z0-9_.-]*?(?:password|passwd|_pass|_pw)|identified (?:with [a-z0-9_]{1,40} )?by)\s{0,3}(?:=\s{0,3}(?:password\s{0,3})?)?\(?\s{0,3}n?)["'`](?P<s>[^\s"'`]{8,})["'`]"#)
        .led(Lead::While(is_name, 64))
        .judged(worded::is_password)
        .tried(
            &["CREATE USER app IDENTI¦FIED BY 'UjZ4LMbmTqrS';", "ALTER USER a IDENTI¦FIED WITH \
                mysql_native_password BY 'UjZ4LMbmTqrS'", "with PASS¦WORD = N'UjZ4LMbmTqrS'", "= PASS¦WORD('UjZ4LMbmTqrS')", "CREATE USER app LOGIN PASS¦WORD 'fK92mmXq'",
             r##"#define WIFI_PA¦SS "pepper1810lane""##],
            &["IDENTIFIED BY '<password>'", "IDENTIFIED BY 'password'", "password 'is wrong'"],
        ),
    Rule::token("generic-token", "a secret", &["oken", "OKEN", "ecret", "ECRET", "redential", "REDENTIAL"],
        concat!(token!(), tied!(), r"(?:Bearer |base64:)?(?P<s>[0-9A-Za-z+/=_.~!@#%^&*-]{16,})"))
        .led(Lead::While(is_name, 64))
        .judged(worded::is_key)
        .tried(
            &[
             "CLIENT_SEC¦RET=JZ3oELoJafpceCm8QcVzXrj5xHtiGNmA",
             "tok¦en: 05a45f60f000eb8e83b0004cb5f06584eab20ed6",
             "the deploy tok¦en for staging is rwCW3fn8Jh8LdJMii0xmAxmmWjy2, ask me",
             r#""session_sec¦ret": "1L/Tfi0afrK8H8oxfxXcW4EROXtS16SdifYpGEJj/bpk""#,
             "- Tok¦en: `DNGkemJocC2DkELMJXOQb0Xx`",
             "const TOK¦EN: &str = \"JZ3oELoJafpceCm8QcVzXrj5\"",
             "process.env.TOK¦EN || \"JZ3oELoJafpceCm8QcVzXrj5\"",
             "api_tok¦en: >-\n    JZ3oELoJafpceCm8QcVzXrj5",
             "The sec¦ret is: JZ3oELoJafpceCm8QcVzXrj5",
             "tok¦en: ~/Xz81kQp0aa.9fR3qLm2",
             "APP_KEY_SEC¦RET=base64:/6aQ8FvAMErXNi8n131K0+T8eSllS4xjOGgoF8sfAB4=",
            ],
            &[
             "token: sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
             "checksum token = 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
             "secret: {{secret:staging-token}}",
             "token_budget: 4000",
             "token: 123e4567-e89b-12d3-a456-426614174000",
             "token = get_token_from_environment2()",
             "secret: projects/p/secrets/db-password/versions/3",
             "tokens: 2026-11-22T04:00:00Z",
             "token: process.env.SERVICE_TOKEN_2",
             "next-token-prediction: gpt-style-decoder-2",
             "tokenizer: Qwen2.5-Coder-32B-Instruct",
             "tokenizer_sha: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
             "nextPageToken=CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA",
             r#""continuationToken": "CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA""#,
             r#"credentialId: "2-ayPBQoyg6Kda3Fd-Cm4w""#,
             "token_program: TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
             "title: broken\nsource: /tmp/.tmp8dpnl7Xq/broken.odt",
             "title: token\nsource: \"~/.cache/Xz81kQp0aa/token.docx\"",
             "secret: /home/ada/Vault-2024-x9Kq/notes.md",
            ],
        ),
    Rule::token("generic-key", "a secret key", &["key", "Key", "KEY", "chlüssel", "clé API"],
        concat!(key!(), tied!(), r"(?:base64:)?(?P<s>[0-9A-Za-z+/=_.~!@#%^&*-]{16,})"))
        .led(Lead::While(is_phrase, 64))
        .judged(worded::is_key)
        .tried(
            &[
             r#"api_key¦ = "GeITCBz9LppaxWGhhQEldIXbwcttFoYc""#,
             "API key¦: 41e92fa05f1a63d61a6959895a1fd96d",
             "X-API-Key¦: IIavBj1FEY5Jpged7CcjTkSh",
             "my api key¦ for the weather service is 094058d3e99a44087e60acce5a807aaa",
             "OPENAI_KE¦Y=GeITCBz9LppaxWGhhQEldIXbwcttFoYc",
             "API_KE¦Y: str = \"GeITCBz9LppaxWGhhQEldIXbwcttFoYc\"",
             "| API ke¦y | `GeITCBz9LppaxWGhhQEldIXbwcttFoYc` |",
             "Der API-Schl¦üssel ist GeITCBz9LppaxWGhhQEldIXbwcttFoYc",
             "La clé A¦PI est GeITCBz9LppaxWGhhQEldIXbwcttFoYc",
             "signing_ke¦y = \"/6aQ8FvAMErXNi8n131K0+T8eSllS4xjOGgoF8sf\"",
            ],
            &[
             r#"api_key = os.getenv("API_KEY_2")"#,
             "api key: your-api-key-goes-here-1",
             "primary key: 9f86d081884c7d659a2feaa0c55ad015",
             "public key: AHRhO+F1FHhOEkn+B6Iap/vmSXPUg1Lf8SZD6PhqOdPZ",
             "ssh key fingerprint: SHA256:Mrb2fqs5h3cSZtYUCr+D+011HZ4Yxv16c0ThPjlvqre",
             "api_key: {{secret:weather}}",
             "private_key_id: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
             "my signing key: 9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B",
             "storage key: 4f/0a/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
             "SORT_KEY=tenant42-invoice-2026-11-0007",
             "PUBLIC_KEY=GeITCBz9LppaxWGhhQEldIXbwcttFoYc",
            ],
        ),
    Rule::token("prose-secret", "a password", &["assword", "asswort", "ennwort", "oken ", "ecret ", "PW ", "pw "],
        r#"(?:[A-Za-z0-9_.-]*?(?:(?i:password|passwort|kennwort|token|secret)|PW|pw))["'`*_)]{0,3}\s{1,3}[*_(]{0,3}(?:["'`]|„|“|«)?(?P<s>[^\s"'`,;<>|\\]{8,})"#)
        .led(Lead::While(is_name, 64))
        .judged(worded::is_strong)
        .tried(
            &["Log in with admin and pass¦word fK92mmXqLa to see", "(pass¦word fK92mmXqLa)", "Use the tok¦en JZ3oELoJafpceCm8QcVzXrj5 for the API", "New pass¦word fK92mmXqLa since Monday"],
            &["the password OAuth2Flow is gone", "a token TokenCounterV2", "password Requirements2026"],
        ),
    Rule::token("credentials", "a password", &["redentials", "creds", "ogin", "ugangsdaten", "dentifiants", "asic auth", "ifi", "iFi", "LAN"],
        r#"(?i:[a-z-]{0,20}?(?:credentials|creds|login|zugangsdaten|identifiants|basic auth|wifi|wlan|wi-fi))[^\n:]{0,30}?\s{0,3}(?::|=|→|\sare)\s{1,3}[^\s/:]{1,40}(?:\s{0,3}/\s{0,3}|:|,\s(?:pass|password|pw)\s)(?P<s>[^\s"'`,;<>|\\]{8,})"#)
        .led(Lead::While(is_name, 64))
        .judged(worded::is_strong)
        .tried(
            &["Cred¦entials: mira / fK92mmXqLa", "Netflix log¦in: mira@example.org / fK92mmXqLa", "Wi¦fi: HomeNet / fK92mmXqLa", "Zugangs¦daten: mira / fK92mmXqLa"],
            &["login: https://example.org/a/B2cDefGh", "Wifi: HomeNet / ask me", "credentials: see docs/Setup2Guide.md"],
        ),
    Rule::token("app-password", "an app password", &["assword", "ASSWORD", "asswort"],
        r#"[A-Za-z0-9_.-]*?(?i:password|passwort)["'`*]{0,3}\s{0,3}[:=]\s{0,3}["'`*]{0,3}(?P<s>[a-z]{4} [a-z]{4} [a-z]{4} [a-z]{4})"#)
        .led(Lead::While(is_name, 64))
        .tried(&["MAIL_PASS¦WORD=abqd efkh ijzl mnop", "app pass¦word: `qxzv bnmw plkr tgsd`"], &["password: this is one long sentence", "password: ask mira"]),
    Rule::token("login-call", "a password", &["auth=(", "login(", "authenticate("],
        r#"(?:auth=\(|login\(|authenticate\()["'][^"'\n]+["'],\s{0,3}["'](?P<s>[^"'\s]{8,})["']"#)
        .judged(worded::is_strong)
        .tried(&[r#"requests.get(url, au¦th=("mira", "g9lFPphc3o0A"))"#], &[r#"login("mira", "password2026")"#]),
    Rule::token("recovery-key", "a recovery key", &["itLocker", "ileVault", "ecovery key", "ecovery-key"],
        r"[A-Za-z]{0,12}?(?:itLocker|ileVault|ecovery[ -]key)[^\n]*?(?P<s>(?:[0-9]{6}-){7}[0-9]{6}|(?:[A-Z0-9]{4}-){5}[A-Z0-9]{4})")
        .led(Lead::While(is_name, 12))
        .tried(&["BitLocker recovery key: \
            4839¦21-119482-394817-583920-112938-485738-291038-475839", "FileVault recovery key VS¦LM-ZCX1-DLLP-SH5L-14WI-1ZEF"], &["BitLocker is on", "recovery key: in the safe"]),
    Rule::token("wifi-key", "a wifi key", &["LAN", "ifi", "i-Fi", "WPA"],
        r#"(?i:[a-z]{0,3}(?:wlan|wifi|wi-fi|wpa))[^\n]{0,40}?(?:key|Key|Schlüssel|schlüssel|code|Code)["'`*]{0,3}(?:\s{0,3}[:=]|\s+(?:is|ist|lautet))?\s{1,3}["'`*]{0,3}(?P<s>[0-9]{16,24})"#)
        .led(Lead::While(is_name, 4))
        .tried(&["WL¦AN-Schlüssel: 11854323698177412638"], &["WLAN key: on the router"]),
];
