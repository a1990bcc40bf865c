//! What only the words around it give away: URLs, headers, command lines, assignments, prose.
//!
//! Invariant: a keyword begins or stands in every token of its form; examples are made up, their checksums are right.

use super::super::{
    judge,
    rule::{Lead, Rule},
};

/// What a scheme is made of.
fn is_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// What a name in a program or a key of a file is made of.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// What names a key in prose, as `my API key`.
fn is_phrase(byte: u8) -> bool {
    is_name(byte) || byte == b' '
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic()
}

#[rustfmt::skip] // a table, one rule below the other
pub(in super::super) static RULES: &[Rule] = &[
    Rule::token("url-password", "a password in a URL", &["://"],
        r#"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/?#@:'"`<>\\]{0,100}:(?P<s>[^\s/?#@'"`<>\\]{4,200}(?:[@#?][^\s/?#@'"`<>\\]{0,60}){0,2}?)@[A-Za-z0-9\[.%_-]+"#)
        .led(Lead::While(is_scheme, 20))
        .judged(judge::is_url_password)
        .tried(
            &[
             "postgres:/¦/app:Vq7tB2nX@db.internal:5432/app",
             "clone https:/¦/me:s3cretPw9@git.example.org/x.git now",
             "redis:/¦/:p9Kd72mQ@cache:6379/0",
             "mongodb+srv:/¦/u:aZ9kk3Lm2@c0.mongodb.net",
             "amqp:/¦/svc:Wd%2Fq81x@mq",
            ],
            &[
             "postgres://user:password@localhost/db",
             "https://user:${TOKEN}@host",
             "https://host:8080/a@b",
             "ssh://git@host:22/x",
             "https://me:<token>@host",
             "see http://example.org:80 and a@b.c",
             "redis://:{{secret:redis}}@cache",
             "ftp://u:****@h",
             "https://example.org/a:b@c",
            ],
        ),
    Rule::token("url-user-token", "a token in a URL", &["://"], "https?://(?P<s>[0-9A-Za-z_-]{20,200})@[A-Za-z0-9.-]+")
        .led(Lead::While(is_scheme, 20))
        .judged(judge::is_random)
        .tried(
            &["https:/¦/k9Zq2Lm4Xc7Vb1Nn8Ty3@github.com/me/x.git"],
            &["https://organization-name-is-long@dev.azure.com/x"],
        ),
    Rule::token("authorization-header", "a credential in a header", &["uthorization", "UTHORIZATION", "earer ", "EARER "],
        r#"(?i:[a-z-]{0,12}authorization["'`]{0,2}\s{0,3}[:=,]\s{0,3}["'`]{0,2}(?:bearer|basic|token|bot|apikey)?|bearer)\s{1,3}["'`]?(?P<s>[0-9A-Za-z+/=_.~-]{16,2000})"#)
        .led(Lead::While(is_scheme, 20))
        .judged(judge::is_key)
        .tried(
            &[
             r#"curl -H "Aut¦horization: Bea¦rer q8ZrT2mVx7Kp4Ws9Lc3Y""#,
             "Aut¦horization: Basic YWxhZGRpbjpvcGVuc2VzYW1lMTIz",
             "use bea¦rer q8ZrT2mVx7Kp4Ws9Lc3Y for it",
            ],
            &["Authorization: Bearer <token>", "Authorization: Bearer $TOKEN", "the bearer authentication-middleware handles it"],
        ),
    Rule::token("netrc", "a password in a netrc line", &["login "], r"login\s+\S{1,80}\s+password\s+(?P<s>\S{4,200})")
        .judged(judge::is_url_password)
        .tried(
            &["machine h login me pas¦sword kk3Lm2q9"],
            &["login <user> password <password>"],
        ),
    Rule::token("curl-user", "a password on a command line", &["url ", "get "],
        r#"(?:curl|wget)\s[^\n|;]{0,200}?(?:-u|--user)[ =]["']?[^\s:"'$<]{1,80}:(?P<s>[^\s"'`$<]{4,200})"#)
        .led(Lead::While(is_letter, 1))
        .judged(judge::is_url_password)
        .tried(
            &["cu¦rl -s -u admin:kk3Lm2q9 https://h/x"],
            &["curl -u user:password https://h", r#"curl -u "$USER:$PASS" https://h"#],
        ),
    Rule::token("docker-auth", "a registry credential", &[r#""auth""#], r#""auth"\s{0,3}:\s{0,3}"(?P<s>[0-9A-Za-z+/]{20,400}={0,2})""#)
        .judged(judge::is_random)
        .tried(
            &[r#""a¦uth": "YmluOmtrM0xtMnE5Vng4""#],
            &[r#""auth": "required""#],
        ),
    Rule::token("command-line-secret", "a secret on a command line", &["--"],
        r#"--(?:[a-z0-9]+-){0,3}(?:token|password|passwd|secret|api-key|apikey|key|pass|auth)[ =]["']?(?P<s>[0-9A-Za-z+/=_.~!@#%^&*-]{8,512})"#)
        .judged(judge::is_password)
        .tried(
            &["deploy --tok¦en U1k9JcC7YSto4rZuQ4H29hss --yes", "mysql --pas¦sword=kk3Lm2q9Vx"],
            &["deploy --token $TOKEN", "gpg --key my-signing-key-2", "ssh-keygen --password-stdin", "tool --token your-token-1"],
        ),
    Rule::token("query-secret", "a secret in a query", &["?", "&"],
        "[?&](?:access_token|auth_token|token|api_key|apikey|api-key|key|secret|client_secret|password|passwd|private_token|signature|X-Amz-Signature|sig)=(?P<s>[0-9A-Za-z+/_.~%-]{12,1000})")
        .judged(judge::is_key)
        .tried(
            &[
             "https://h/x?api_k¦ey=IkW6vQ9Fe0qo8qjVMGqXJhWaWeCvCVjm&a=1",
             "https://h/x?a=1&access_tok¦en=76889ef8735daad057771e425e2426b51f103a42",
            ],
            &["https://h/x?token=abc", "https://h/x?key=some-long-words-in-a-slug", "https://h/?token=$TOKEN_OF_SERVICE_1"],
        ),
    Rule::token("generic-password", "a password", 
        &["assword", "ASSWORD", "asswd", "ASSWD", "assphrase", "ASSPHRASE", "asscode", "pwd", "PWD", "Pwd", "asswort", "ontraseña", "ot de passe"],
        r#"(?:[A-Za-z0-9_.-]{0,64}?(?:assword|ASSWORD|asswd|ASSWD|assphrase|ASSPHRASE|asscode|pwd|PWD|Pwd|asswort|ontraseña|ot de passe))[A-Za-z0-9_]{0,12}[\]"'`*)]{0,4}(?:(?:\s+[a-zA-Z.]{1,16}){0,4}\s+(?:is|was|ist|es|est)|\s{0,3}(?:=>|:=|==?|:))[\s*_]{0,3}["'`]{0,2}(?P<s>[^\s"'`,;<>|]{8,128})"#)
        .led(Lead::While(is_name, 64))
        .judged(judge::is_password)
        .tried(
            &[
             "DB_PAS¦SWORD=kk3Lm2q9Vx",
             "the wifi pas¦sword is Tr0ub4dor&3.",
             r#"pas¦sword: "x9!kQm2#vP""#,
             "Server=h;Database=d;User Id=a;Pas¦sword=Zx81mmQp!;",
             "**Pas¦sword:** `Summer2026!x`",
             "pas¦sword for the router is fK92mmXq",
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
             "password reset is at https://x.example/reset?id=12",
            ],
        ),
    Rule::token("generic-token", "a secret", &["oken", "OKEN", "ecret", "ECRET", "redential", "REDENTIAL"],
        r#"[A-Za-z0-9_.-]{0,64}?(?:oken|OKEN|ecret|ECRET|redential|REDENTIAL)[A-Za-z0-9_]{0,16}[\]"'`*)]{0,4}(?:(?:\s+[a-zA-Z.]{1,16}){0,4}\s+(?:is|was|ist|es|est)|\s{0,3}(?:=>|:=|==?|:))[\s*_]{0,3}["'`]{0,2}(?:Bearer )?(?P<s>[0-9A-Za-z+/=_.~!@#%^&*-]{16,512})"#)
        .led(Lead::While(is_name, 64))
        .judged(judge::is_key)
        .tried(
            &[
             "CLIENT_SEC¦RET=JZ3oELoJafpceCm8QcVzXrj5xHtiGNmA",
             "tok¦en: 05a45f60f000eb8e83b0004cb5f06584eab20ed6",
             "the deploy tok¦en for staging is rwCW3fn8Jh8LdJMii0xmAxmmWjy2, ask me",
             r#""session_sec¦ret": "1L/Tfi0afrK8H8oxfxXcW4EROXtS16SdifYpGEJj/bpk""#,
             "- Tok¦en: `DNGkemJocC2DkELMJXOQb0Xx`",
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
            ],
        ),
    Rule::token("generic-key", "a secret key", &["key", "Key", "KEY"],
        r#"(?:[A-Za-z0-9_. -]{0,64}?(?i:api|secret|access|private|signing|encryption|master|account|auth|service|subscription|storage|deploy|admin|session|shared|app|client|license)[-_ ]?(?:key|Key|KEY))(?:[-_ ]?(?i:id))?[A-Za-z0-9_]{0,8}[\]"'`*)]{0,4}(?:(?:\s+[a-zA-Z.]{1,16}){0,4}\s+(?:is|was|ist|es|est)|\s{0,3}(?:=>|:=|==?|:))[\s*_]{0,3}["'`]{0,2}(?P<s>[0-9A-Za-z+/=_.~!@#%^&*-]{16,512})"#)
        .led(Lead::While(is_phrase, 64))
        .judged(judge::is_key)
        .tried(
            &[
             r#"api_key¦ = "GeITCBz9LppaxWGhhQEldIXbwcttFoYc""#,
             "API key¦: 41e92fa05f1a63d61a6959895a1fd96d",
             "X-API-Key¦: IIavBj1FEY5Jpged7CcjTkSh",
             "my api key¦ for the weather service is 094058d3e99a44087e60acce5a807aaa",
            ],
            &[
             r#"api_key = os.getenv("API_KEY_2")"#,
             "api key: your-api-key-goes-here-1",
             "primary key: 9f86d081884c7d659a2feaa0c55ad015",
             "public key: AHRhO+F1FHhOEkn+B6Iap/vmSXPUg1Lf8SZD6PhqOdPZ",
             "ssh key fingerprint: SHA256:Mrb2fqs5h3cSZtYUCr+D+011HZ4Yxv16c0ThPjlvqre",
             "api_key: {{secret:weather}}",
            ],
        ),
];
