//! Chat, mail and telephone.
//!
//! Invariant: every match contains a keyword; examples are made up, with valid checksums.

use super::super::{
    judge,
    rule::{Lead, Rule, is_digit, is_name},
    sums,
};

#[rustfmt::skip] // a table, one rule below the other
pub(in crate::secrets) static RULES: &[Rule] = &[
    Rule::token("slack-token", "a Slack token", 
        &["xwfp-", "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xoxo-", "xoxc-", "xoxd-"],
        r"x(?:ox(?:[abceoprsd]-|e\.xox[bp]-)|wfp-)(?P<b>[0-9A-Za-z%-]{20,})")
        .judged(judge::is_random)
        .tried(
            &[
             "SLACK=xoxb-719¦931312883-5732154495298-AVJ2OtDVw7cSSCihSiWtL2uW",
             "xoxp-464¦243776829-528192299287-3232955783959-4b396fa1bda26c81c7886642ccce4b59",
             "(xoxe.xox¦p-1-EzgvVVOGdiYkQx44BM2K8LwCDXgj9rzR7MOYWJ7dHv109PFMo7l4S89BFjBBVnLjOhHX9LDWvpsQAGxidAu7SH3ti1ew144Vr8\
              tCTnkt1b7bZ5aNgiewnpGEMNc5SP6YaIl6iHNogB0q1epVz4)",
            ],
            &["xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx", "xoxb-your-token-goes-here", "xoxp-"],
        ),
    Rule::token("slack-app-token", "a Slack app token", &["xapp-"], "xapp-[0-9]-(?P<b>[0-9A-Z]{9,12}-[0-9]{10,14}-[0-9a-f]{64})")
        .tried(
            &["xapp-1-A¦6NJZH1FOVI-1379491449516-9ec05d3efed6ed38a3278a975345f01a644d936b913f176d38d85250824ca6c6"],
            &["xapp-1-A"],
        ),
    Rule::token("slack-webhook", "a Slack webhook", &["hooks.slack.com/"],
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[0-9A-Za-z]{7,14}/[0-9A-Za-z]{7,20}/[0-9A-Za-z/]{20,})")
        .judged(judge::is_random)
        .tried(
            &["https://hooks.slack.com/services/TI6NRURA¦2/BJ25BG9R6/m1oGN6LV7t8VuULJ6ePgT6SN"],
            &["https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"],
        ),
    Rule::token("discord-token", "a Discord bot token", &["MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"],
        r"[MNO][0-9A-Za-z_-]{22,27}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,40}")
        .judged(sums::is_discord)
        .tried(
            &[
             "bot: ODI1MzUy¦NzAxMTc0NjU5MzI3.TytB9K.Wg0Zt28MHrXZttqYS47I55dKIvQIc_pQFx1ldp",
             r#"DISCORD_TOKEN="NTA0NDUw¦MjIyMTIwOTE3NDI1.qk9QaH.85hzvkhh6CZ43G4_J_BSb0z3hl8plFttQOj9UP""#,
            ],
            &["MTIzNDU2Nzg5MDEyMzQ1Njc4.xxxxxx.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "NOTICE.readme.md"],
        ),
    Rule::token("discord-webhook", "a Discord webhook", &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        r"discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/(?P<s>[0-9A-Za-z_-]{60,})")
        .tried(
            &[
             "https://discord.com/api/webhooks/123456789012345678/M-8axKce¦CK_R7Wqp6dRIQTrSd4fK8xu1Nh0A4Si4QPQejpz3KXOHao9odvh\
              4OsVwmLGj",
            ],
            &["https://discord.com/api/webhooks/ID/TOKEN"],
        ),
    Rule::token("telegram-token", "a Telegram bot token", &[":AA"], "[0-9]{8,10}:AA[0-9A-Za-z_-]{33}")
        .led(Lead::While(is_digit, 10))
        .judged(judge::is_random)
        .tried(
            &[
             "the bot 38321341¦74:AAe8gPio9Al9uoPGMp-Zx-EyRwQSn1_DKMW",
             "TELEGRAM=84935187¦5:AAy3CWMAJwkD-eIQzOzhbH3UbqL_fwXt3VE",
            ],
            &["110201543:AAHdqTcvCH1vGWJxfSeof¦SAs0K5PALDsaw", "at 12:AA"],
        ),
    Rule::token("telegram-bot-url", "a Telegram bot token", &["api.telegram.org/"],
        r"api\.telegram\.org/(?:file/)?bot(?P<s>[0-9]{8,10}:[0-9A-Za-z_-]{35})")
        .judged(judge::is_random)
        .tried(
            &["https://api.telegram.org/bot33113841¦25:AAd86uT9Rrvbj9UPafRf-xcfHD1mUJKv9Q0/getMe"],
            &["https://api.telegram.org/bot<token>/getMe"],
        ),
    Rule::token("twilio-key", "a Twilio key", &["SK"], "SK(?P<b>[0-9a-f]{32})")
        .judged(judge::near_twilio)
        .tried(
            &["twilio SKd14014¦69c5a7a2a4ddd2d9e0707b6afc"],
            &["SK00000000000000000000000000000000"],
        ),
    Rule::token("twilio-auth-token", "a Twilio auth token", &["wilio", "WILIO"],
        r#"[^\n]*?(?i:token|secret)["'`]{0,2}(?:\s{0,3}(?:=>|:=|[=:])|\s+is|\s)\s{0,3}["'`]{0,2}(?P<s>[0-9a-f]{32})"#)
        .led(Lead::While(is_name, 64))
        .judged(judge::is_random)
        .tried(
            &["TWILIO_AUTH_TOKEN=dc68255d¦2484b255e19b3c92edf3d5f2", "twilio auth token: \
                a15f40d3¦1643a168e9bf90ea3f793883"],
            &["TWILIO_AUTH_TOKEN=your_auth_token"],
        ),
    Rule::token("sendgrid-key", "a SendGrid key", &["SG."], r"SG\.(?P<b>[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43})")
        .tried(
            &["mail: SG.O-bgT¦DsVqVr_zh2pp_dxJl.56LoxTP1XPpzEdL3uGBlmzORvi0RsgpFcfgsOuIaP1_,"],
            &["SG.xxxxxxxxxxxxxxxxxxxxxx.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
        ),
    Rule::token("mailgun-key", "a Mailgun key", &["key-"], "key-(?P<b>[0-9a-f]{32})")
        .judged(judge::is_random)
        .tried(
            &["mailgun key-f632¦b3d48efdc0f8719625994ccf8809"],
            &["key-value-store", "key-00000000000000000000000000000000"],
        ),
    Rule::token("mailchimp-key", "a Mailchimp key", &["-us"], "[0-9a-f]{32}-us[0-9]{1,2}")
        .led(Lead::Bytes(32))
        .judged(judge::is_random)
        .tried(
            &["mailchimp: f12196d4¦cb0c51d296343d7300bd5f63-us12"],
            &["-us12", "en-us"],
        ),
    Rule::token("brevo-key", "a Brevo key", &["xkeysib-"], "xkeysib-(?P<b>[0-9a-f]{64}-[0-9A-Za-z]{16})")
        .tried(
            &["xkeysib-¦38a39965b2f42dfb621ea812311cdc678398e3e4955ef1c835f735584accb55d-hCmxAfOcR4l7xL36"],
            &["xkeysib-"],
        ),
    Rule::token("resend-key", "a Resend key", &["re_"], "re_(?P<b>[0-9A-Za-z]{8}_[0-9A-Za-z]{22,26})")
        .judged(judge::is_random)
        .tried(
            &["RESEND_API_KEY=re_FWN4K¦nCm_JxjRzvUJAhLiK42nOR1NQWQJ"],
            &["re_compile_pattern_and_flags_together"],
        ),
    Rule::token("teams-webhook", "a Teams webhook", &["webhook.office.com/"],
        r"webhook\.office\.com/webhookb2/[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/(?P<s>[0-9a-f]{32})")
        .tried(
            &[
             "https://x.webhook.office.com/webhookb2/1f3c2b4a-9d8e-4f6a-b1c2-d3e4f5a6b7c8@2a4c6e81-9b7d-4c3f-a2b1-c0d9e8f7a6b5\
              /IncomingWebhook/57828cde¦8bb292b5044b48090bb6a510/a",
            ],
            &["https://x.webhook.office.com/webhookb2/"],
        ),
    Rule::token("matrix-token", "a Matrix token", &["syt_", "mct_"],
        "(?:syt_(?P<b>[0-9A-Za-z+/=]{4,}_[0-9A-Za-z]{20}_[0-9A-Za-z]{6})|mct_[0-9A-Za-z]{30}_[0-9A-Za-z]{6})")
        .judged(judge::is_random)
        .tried(
            &["syt_Ym9i¦_YKtLrSKpeD96zfWn9smK_Rix6Lz"],
            &["syt_example"],
        ),
];
