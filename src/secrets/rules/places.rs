//! Secrets recognised by where they are: URLs, headers, command lines, netrc and the like.
//!
//! Invariant: every match contains a keyword; examples are made up, with valid checksums.

use super::super::{
    judge,
    rule::{Lead, Rule, is_name},
    worded,
};

fn is_scheme(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic()
}

#[rustfmt::skip] // a table, one rule below the other
pub(in crate::secrets) static RULES: &[Rule] = &[
    Rule::token("url-password", "a password in a URL", &["://"],
        r#"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/?#@:'"`<>\\]*:(?P<s>[^\s/?#@'"`<>\\]{4,}(?:[@#?][^\s/?#@'"`<>\\]*){0,2}?)@[A-Za-z0-9\[.%_-]+"#)
        .led(Lead::While(is_scheme, 20))
        .judged(worded::is_url_password)
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
    Rule::token("url-user-token", "a token in a URL", &["://"], "https?://(?P<s>[0-9A-Za-z_-]{20,})@[A-Za-z0-9.-]+")
        .led(Lead::While(is_scheme, 20))
        .judged(judge::is_url_token)
        .tried(
            &["https:/¦/k9Zq2Lm4Xc7Vb1Nn8Ty3@github.com/me/x.git"],
            &["https://organization-name-is-long@dev.azure.com/x"],
        ),
    Rule::token("authorization-header", "a credential in a header", &["uthorization", "UTHORIZATION", "earer ", "EARER "],
        r#"(?i:[a-z-]{0,12}authorization["'`]{0,2}\s{0,3}[:=,]\s{0,3}["'`]{0,2}(?:bearer|basic|token|bot|apikey)?|bearer)\s{1,3}["'`]?(?P<s>[0-9A-Za-z+/=_.~-]{16,})"#)
        .led(Lead::While(is_scheme, 20))
        .judged(worded::is_key)
        .tried(
            &[
             r#"curl -H "Aut¦horization: Bea¦rer q8ZrT2mVx7Kp4Ws9Lc3Y""#,
             "Aut¦horization: Basic YWxhZGRpbjpvcGVuc2VzYW1lMTIz",
             "use bea¦rer q8ZrT2mVx7Kp4Ws9Lc3Y for it",
            ],
            &["Authorization: Bearer <token>", "Authorization: Bearer $TOKEN", "the bearer authentication-middleware handles it"],
        ),
    Rule::token("netrc", "a password in a netrc line", &["login "], r"login\s+\S+\s+password\s+(?P<s>\S{4,})")
        .judged(worded::is_url_password)
        .tried(
            &["machine h login me pas¦sword kk3Lm2q9"],
            &["login <user> password <password>"],
        ),
    Rule::token("curl-user", "a password on a command line", &["url ", "get "],
        r#"(?:curl|wget)\s[^\n|;]*?(?:-u|--user)[ =]["']?[^\s:"'$<]+:(?P<s>[^\s"'`$<]{4,})"#)
        .led(Lead::While(is_letter, 1))
        .judged(worded::is_url_password)
        .tried(
            &["cu¦rl -s -u admin:kk3Lm2q9 https://h/x"],
            &["curl -u user:password https://h", r#"curl -u "$USER:$PASS" https://h"#],
        ),
    Rule::token("docker-auth", "a registry credential", &[r#""auth""#], r#""auth"\s{0,3}:\s{0,3}"(?P<s>[0-9A-Za-z+/]{20,}={0,2})""#)
        .judged(judge::is_random)
        .tried(
            &[r#""a¦uth": "YmluOmtrM0xtMnE5Vng4""#],
            &[r#""auth": "required""#],
        ),
    Rule::token("command-line-secret", "a secret on a command line", &["-token", "-pass", "-secret", "-api-key", "-apikey", "-key", "-auth"],
        r#"--(?:[a-z0-9]+-){0,3}(?:token|password|passwd|secret|api-key|apikey|key|pass|auth)[ =]["']?(?P<s>[0-9A-Za-z+/=_.~!@#%^&*-]{8,})"#)
        .led(Lead::While(is_name, 40))
        .judged(worded::is_password)
        .tried(
            &["deploy --tok¦en U1k9JcC7YSto4rZuQ4H29hss --yes", "mysql --pas¦sword=kk3Lm2q9Vx"],
            &["deploy --token $TOKEN", "gpg --key my-signing-key-2", "ssh-keygen --password-stdin", "tool --token your-token-1"],
        ),
    Rule::token("query-secret", "a secret in a query", &["?", "&"],
        "[?&](?:access_token|auth_token|token|api_key|apikey|api-key|key|secret|client_secret|password|passwd|private_token|signature|X-Amz-Signature|sig)=(?P<s>[0-9A-Za-z+/_.~%-]{12,})")
        .judged(worded::is_key)
        .tried(
            &[
             "https://h/x?api_k¦ey=IkW6vQ9Fe0qo8qjVMGqXJhWaWeCvCVjm&a=1",
             "https://h/x?a=1&access_tok¦en=76889ef8735daad057771e425e2426b51f103a42",
            ],
            &["https://h/x?token=abc", "https://h/x?key=some-long-words-in-a-slug", "https://h/?token=$TOKEN_OF_SERVICE_1"],
        ),
    Rule::token("command-password", "a password on a command line", &["mysql", "mariadb", "sshpass", "docker login", "redis-cli", "requirepass", "http -a", "https -a"],
        r#"(?:(?:mysql(?:dump|admin)?|mariadb)\s(?:[^\n|;]*?\s)?-p|sshpass\s+-p\s{0,2}|docker\s+login\s[^\n|;&"]*?-p\s|redis-cli\s[^\n|;]*?-a\s|requirepass\s|https?\s-a\s[^\s:]{1,40}:)["']?(?P<s>[^\s"'`$<\[-][^\s"'`$<]{5,})"#)
        .judged(worded::is_url_password)
        .tried(
            &["mys¦ql -u root -pfK92mmXq app", "ssh¦pass -p fK92mmXq ssh h", "docker lo¦gin -u \
                mira -p fK92mmXq", "redis-¦cli -a fK92mmXq ping", "require¦pass fK92mmXq"],
            &["mysql -u root -p", "mysql -h db -p3306", "docker login -u mira --password-stdin", "docker run -p 8080:80 redis"],
        ),
    Rule::token("piped-password", "a password on a command line", &["echo "],
        r#"echo\s{1,2}(?:-n\s)?["']?(?P<s>[^\s"'`$<|]{8,})["']?\s{0,2}\|[^\n]*(?:--password-stdin|sudo -S|passwd|chpasswd)"#)
        .judged(worded::is_password)
        .tried(&["ec¦ho fK92mmXqLa | docker login --password-stdin", "ec¦ho 'fK92mmXqLa' | sudo \
            -S ls"], &["echo $TOKEN | docker login --password-stdin", "echo hello | sudo tee x"]),
    Rule::token("shell-variable", "a secret in a shell variable", &["set -", "setx ", "ENV ", "aws configure set "],
        r#"(?:set -[gUxlf]{1,4}|setx|ENV|aws configure set)\s{1,3}[A-Za-z0-9_]*(?i:pass|password|pw|token|secret|key)[A-Za-z0-9_]{0,20}\s{1,3}["']?(?P<s>[^\s"'`$<]{8,})"#)
        .judged(worded::is_password)
        .tried(&["se¦t -gx MY_API_KEY fK92mmXqLaQ81v", "set¦x DB_PASSWORD fK92mmXqLa", "EN¦V DB_PASSWORD fK92mmXqLa"], &["set -gx EDITOR nvim", "ENV KEY_FILE /run/secrets/key1"]),
    Rule::token("npmrc-auth", "a registry credential", &[":_authToken", ":_auth", ":_password", "_auth"],
        r#":?(?:_authToken|_auth|_password)\s{0,2}=\s{0,2}["']?(?P<s>[0-9A-Za-z+/=_-]{16,})"#)
        .judged(judge::is_random)
        .tried(&["//npm.corp.example/:_auth¦Token=8f3a2b1c-7d6e-4f5a-9b8c-0d1e2f3a4b5c", "_au¦th=bWlyYTpmSzkybW1YcUxh"], &["//npm.corp.example/:_authToken=${NPM_TOKEN}", "_auth=required"]),
    Rule::token("django-key", "a Django key", &["django-insecure-"], r#"django-insecure-(?P<b>[^\s"']{30,})"#)
        .tried(&["SECRET = 'django-ins¦ecure-k#v@)2x8(j$q7wz!m4n6b9c1r5t3y0u8i2o4p6a'"], &["django-insecure-"]),
    Rule::token("wordpress-key", "a WordPress key", &["AUTH_KEY", "AUTH_SALT", "LOGGED_IN_", "NONCE_"],
        r#"(?:SECURE_)?(?:AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)'\s{0,3},\s{0,8}'(?P<s>[^'\n]{32,})'"#)
        .tried(&["define('SECURE_AU¦TH_KEY', 'k3%X(w9~pQ!m2Zr7#Lb5&Vn8^Tc4*Yd6-Hs1+Jg0');"], &["define('AUTH_KEY', 'put your unique phrase here');"]),
    Rule::token("vendor-in-prose", "a cloud key", &["AWS ", "aws ", "Azure DevOps", "azure devops", "Azure PAT", "Cloudflare ", "cloudflare "],
        r#"(?:AWS|aws|[Aa]zure [Dd]ev[Oo]ps|[Aa]zure PAT|[Cc]loudflare)[^\n]*?(?i:secret|key|token|pat)[^\n=:]{0,40}?\s{0,3}(?::|=|→|is)\s{1,3}["'`]?(?P<s>[0-9A-Za-z/+]{40}|[a-z2-7]{52}|[0-9A-Za-z]{76}AZDO[0-9A-Za-z]{4}|[0-9A-Za-z_-]{40})"#)
        .judged(worded::is_key)
        .tried(
            &["AWS sec¦ret for the backup user: kB7vQ2mZ9xT4nR8wL5cY1pF6hJ3dG0sA+eUiOqM/"],
            &["AWS key id: ask the team", "AWS secret rotation commit: \
                9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"],
        ),
    Rule::token("oracle-password", "a password", &["sqlplus ", "oracle:thin:", "htpasswd "],
        r"(?:(?:sqlplus\s(?:-[a-zA-Z]{1,4}\s)?|oracle:thin:)[^\s/@:]{1,40}/|htpasswd\s-[a-zA-Z]{0,3}b[a-zA-Z]{0,3}\s\S+\s\S{1,40}\s)(?P<s>[^\s/@]{6,})")
        .judged(worded::is_url_password)
        .tried(&["jdbc:oracle:¦thin:scott/1RyyNiIxkwSg@db:1521/ORCL", "sql¦plus scott/riWuVbRO46@//db/ORCL", "ht¦passwd -b .htpasswd mira JgjHm26MZzSK"], &["jdbc:oracle:thin:@db:1521/ORCL", "sqlplus / as sysdba"]),
];
