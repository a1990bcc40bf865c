//! Tokens recognised by a vendor's name near them, and passwords with labels in other scripts.
//!
//! Invariant: every match contains a keyword; examples are made up.

use super::super::{
    rule::{Lead, Rule, is_name},
    worded,
};

#[rustfmt::skip] // a table, one rule below the other
pub(in crate::secrets) static RULES: &[Rule] = &[
    Rule::token("aliyun-key", "an Aliyun access key", &["LTAI"], "LTAI(?P<b>[0-9A-Za-z]{12,24})")
        .tried(&["AccessKeyId=LTA¦I5tQ9xKmV2pR7sW4zB8nJ"], &["LTAI is a prefix", "LTAIxxxxxxxxxxxxxxxx"]),
    Rule::token("okta-token", "an Okta token", &["SSWS"], r"SSWS\s{1,3}(?P<s>00[0-9A-Za-z_-]{38,42})")
        .tried(&["Authorization: SS¦WS 00Qz8LmXv4Tn7Kp2RsWy5Bd9HjFc3Gae6UoIx1Vt0Y"], &["SSWS 00short"]),
    Rule::token("jenkins-token", "a Jenkins token", &["enkins", "ENKINS"],
        r"[A-Za-z0-9_.-]*?(?:enkins|ENKINS)[^\n]{0,40}?[^0-9a-f](?P<s>11[0-9a-f]{32})")
        .led(Lead::While(is_name, 64))
        .tried(&["JENKINS_TOKEN=11a4f0¦c97e3b58d2610f9ce7ab43d8520e"], &["jenkins build 11"]),
    Rule::token("heroku-api-key", "a Heroku key", &["eroku", "EROKU"],
        r"[A-Za-z0-9_.-]*?(?:eroku|EROKU)[^\n]{0,30}?[^0-9a-fA-F](?P<s>[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})")
        .led(Lead::While(is_name, 64))
        .tried(
            &["HE¦ROKU_API_KEY=3f2b8c1e-7d4a-4e9b-a6c5-0d1f2e3a4b5c"],
            &["id: 3f2b8c1e-7d4a-4e9b-a6c5-0d1f2e3a4b5c"],
        ),
    Rule::token("wallet-key-hex", "the private key of a wallet", &["rivate", "RIVATE", "allet", "ALLET"],
        r"[A-Za-z0-9_.-]*?(?:rivate|RIVATE|allet|ALLET)[^\n]{0,40}?0x(?P<s>[0-9a-fA-F]{64})")
        .led(Lead::While(is_name, 64))
        .tried(
            &["PRIVATE_KEY=0x8f2a¦55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63"],
            &["tx 0x8f2a55949038a9610f50fb23b5883af3b4ecb3c3bb792cbcefbd1542c692be63"],
        ),
    Rule::token("django-secret-key", "a Django secret key", &["SECRET_KEY"],
        r#"SECRET_KEY["'\]]{0,2}\s{0,3}[=:]\s{0,3}["'](?P<s>[^"'\n]{40,80})["']"#)
        .tried(
            &["SECRE¦T_KEY = 'a8$kq2^m!v9#r4t&x7z(w1)p6@y3*u5%e0-h+jcbdfgnslo'"],
            &["SECRET_KEY = 'your-secret-key-here'", "SECRET_KEY = os.environ['SECRET_KEY']"],
        ),
    Rule::token("rails-key", "a Rails master key", &["RAILS_MASTER_KEY"],
        r#"RAILS_MASTER_KEY\s{0,3}[=:]\s{0,3}["']?(?P<s>[0-9a-f]{32})"#)
        .tried(&["RAILS_MASTER_KEY=9f0c¦41e7a35bd8620f9ce7ab43d8520e"], &["RAILS_MASTER_KEY=$KEY"]),
    Rule::token("labelled-password", "a password",
        &["密码", "密碼", "口令", "パスワード", "暗証番号", "пароль", "Пароль", "ПАРОЛЬ", "hasło", "Hasło", "비밀번호"],
        r#"(?:密码|密碼|口令|パスワード|暗証番号|пароль|Пароль|ПАРОЛЬ|hasło|Hasło|비밀번호)[\s*_`]{0,4}(?:是|为|は|to|:|：|=|—|-)[\s*_`]{0,4}(?P<s>[!-~]{8,64})"#)
        .judged(worded::is_password)
        .tried(
            &["路由器密¦码：fK92mmXq", "па¦роль: fK92mmXq", "パスワー¦ドは fK92mmXq", "has¦ło to fK92mmXq"],
            &["密码在钥匙串里", "пароль: ********"],
        ),
];
