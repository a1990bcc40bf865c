//! Payment, tools, and vendor-neutral forms: JSON web tokens and private keys.
//!
//! Invariant: every match contains a keyword; what a rule has to find is made up, with valid
//! checksums. What it has to pass over includes samples that vendors publish.

use super::super::{
    judge,
    rule::{Lead, Rule, is_name},
    sums,
};

#[rustfmt::skip] // a table, one rule below the other
pub(in crate::secrets) static RULES: &[Rule] = &[
    Rule::token("stripe-key", "a Stripe key", &["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
        "[rs]k_(?:live|test)_(?P<b>[0-9A-Za-z]{24,})")
        .judged(judge::is_random)
        .tried(
            &[
             "stripe: sk_live_¦oxrUSzWsL35Jcv5vbHJBw83v",
             "rk_live_¦RhLtS620uO8jpCZZE0Tm8gEp4OHOC0D9Xob6oTFAI2TWD9gQ16cfMDjltvUIYNNY5ULJ3ds0LDFyZ9oVDyQyhsrW0tEi6BHGebJ;",
             "test key \"sk_test_¦51zNbCWgD8N48cbJB11oPlkGx0FqxmbjRKRB0H7NtHKkucZ8TBvwn2UVSeavuNgcfgvahYtcvyPIuLJMCZxS4m4GMkSg\
              5n5dMvZ\"",
            ],
            &["sk_test_4eC39HqLyjWDarj¦tT1zdp7dc", "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx"],
        ),
    Rule::token("stripe-webhook-secret", "a Stripe webhook secret", &["whsec_"], "whsec_(?P<b>[0-9A-Za-z+/=]{32,})")
        .judged(judge::is_random)
        .tried(
            &["whsec_PN¦SaZHIt4Tgqss1airr1DepyhrG7S1Qn"],
            &["whsec_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
        ),
    Rule::token("square-token", "a Square token", &["sq0atp-", "sq0csp-", "EAAA"],
        "(?:sq0atp-[0-9A-Za-z_-]{22}|sq0csp-[0-9A-Za-z_-]{43}|EAAA[0-9A-Za-z_-]{60})")
        .judged(judge::near_vendor)
        .tried(
            &["square sq0atp--¦PMBPzr_GpG4KjpqbF5XdQ", "square EAAApkcA¦lu31pbRxv70LZC0hargXYzp50StMrh49Cs64NMGZrX4K4W6Iqa0sDLu6"],
            &["EAAA"],
        ),
    Rule::token("shopify-token", "a Shopify token", &["shpat_", "shpca_", "shppa_", "shpss_", "shpua_"],
        "shp(?:at|ca|pa|ss|ua)_(?P<b>[0-9a-f]{32})")
        .tried(
            &["shpat_cc¦090254f5bb77deb12f87ca2ba5286c"],
            &["shpat_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
        ),
    Rule::token("paypal-braintree-token", "a Braintree token", &["access_token$"],
        r"access_token\$(?:production|sandbox)\$(?P<b>[0-9a-z]{16}\$[0-9a-f]{32})")
        .tried(
            &["access_t¦oken$production$oso46mzdgbmch5ji$26179ce4ac9544a9bdbb2ff2891dfb8c"],
            &["access_token$production$"],
        ),
    Rule::token("facebook-token", "a Facebook token", &["EAA"], "EAA[0-9A-Za-z]{80,300}")
        .judged(judge::near_vendor)
        .tried(
            &[
             "facebook EAACEdEo¦se0cBAgZJCY5iwVXZwclnhRT99AvenSYmJbTvCz4puLiKlcQocraQ0w9DvcOjdhGSTzZ8Iz6DGZWb6nt5NgA3DOfpDiUurRofrSTuPc\
              wvcxmDuDXsodAQwPWR7vfvq",
            ],
            &["EAAxx"],
        ),
    Rule::token("linear-key", "a Linear key", &["lin_api_", "lin_oauth_"], "lin_(?:api|oauth)_(?P<b>[0-9A-Za-z]{40,})")
        .tried(
            &["lin_api_¦4z0WJD3htQ5yjk5vwKXdFOyqnqKZhBYORuksg4Wy"],
            &["lin_api_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
        ),
    Rule::token("notion-token", "a Notion token", &["ntn_", "secret_"], "(?:ntn_[0-9A-Za-z]{43,50}|secret_(?P<b>[0-9A-Za-z]{43}))")
        .judged(judge::is_random)
        .tried(
            &["notion: ntn_9141¦22548219NaIC8p4T29DclqLv9pUeNcBlgDbHFqq9ng", "secret_s¦W8Jcd9lsLpxas8rjxU1grxCPKJUyRawPtl0Vkg57uQ"],
            &["secret_access_key_id_and_more_of_the_same_words"],
        ),
    Rule::token("figma-token", "a Figma token", &["figd_", "figu_", "figo_"], "fig[duo]_(?P<b>[0-9A-Za-z_-]{40,})")
        .judged(judge::is_random)
        .tried(
            &["figd_sL_¦QHW16M-OFmhXcoI_goZe8EpTYArE1ivxMqAOjax2"],
            &["figd_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
        ),
    Rule::token("airtable-token", "an Airtable token", &["pat"], r"pat[0-9A-Za-z]{14}\.(?P<b>[0-9a-f]{64})")
        .tried(
            &["airtable pat47Ux5¦R6PELNWki.53279592344d301db9ec798c67fc9351df3492864af7c52fffedc91d470857ce"],
            &["pattern.match", "path.to.it"],
        ),
    Rule::token("postman-key", "a Postman key", &["PMAK-"], "PMAK-(?P<b>[0-9a-f]{24}-[0-9a-f]{34})")
        .tried(
            &["PMAK-665¦4b0ba0df68e186ecc26a5-ece9868e4ab00c099d78fd6d1b34b9f49d"],
            &["PMAK-"],
        ),
    Rule::token("newrelic-key", "a New Relic key", &["NRAK-", "NRII-", "NRAA-", "NRJS-"], "NR(?:AK|II|AA|JS)-(?P<b>[0-9A-Za-z_-]{19,40})")
        .judged(judge::is_random)
        .tried(
            &["NRAK-TCZ¦K6OJQTNN3TC60NFGS5H2PQMJ"],
            &["NRAK-XXXXXXXXXXXXXXXXXXXXXXXXXXX"],
        ),
    Rule::token("grafana-token", "a Grafana token", &["glsa_", "glc_eyJ", "eyJrIjoi"],
        "(?:glsa_(?P<b>[0-9A-Za-z]{32}_[0-9a-f]{8})|glc_eyJ[0-9A-Za-z+/=]{40,}|eyJrIjoi[0-9A-Za-z]{60,}={0,2})")
        .judged(sums::grafana)
        .tried(
            &["glsa_5yR¦Nk9Byse7cfwDIKuKJ5XCtFmGc1H83_46931015", "grafana auth \
                glsa_f42¦bbPA6x3j1EdJaoJ7pUIcAzlofUJt5_50f4ab54"],
            &["glsa_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_00000000"],
        ),
    Rule::token("sentry-token", "a Sentry token", &["sntrys_", "sntryu_"], "(?:sntrys_eyJ[0-9A-Za-z+/=_-]{60,300}|sntryu_[0-9a-f]{64})")
        .judged(judge::is_random)
        .tried(
            &[
             "sntryu_8¦289854897e5aea09987107efb13e075db20434a16ce8b70c60a1058f2edad84",
             "sntrys_e¦yJpYXQiOiAxLjcsICJ1cmwiOiAiaHR0cHM6Ly9zZW50cnkuaW8iLCAib3JnIjogImEifQ_qxNUquRIUvAeyP9iWhCmHgG0Ohd7wx0up\
              4f36Wtuvdj",
            ],
            &["sntryu_0000000000000000000000000000000000000000000000000000000000000000"],
        ),
    Rule::token("datadog-key", "a Datadog key", &["atadog", "DATADOG", "DD_A"],
        r#"[^\n]{0,40}?(?i:key)["'`]{0,2}(?:\s{0,3}(?:=>|:=|[=:])|\s+is)\s{0,3}["'`]{0,2}(?P<s>[0-9a-f]{40}|[0-9a-f]{32})"#)
        .led(Lead::While(is_name, 64))
        .judged(judge::is_random)
        .tried(
            &["DD_API_KEY=2d87a84c¦f6d128e2879bc6d5edec9ca9", "datadog app key: \
                2ddc3176¦24ff048273bdb8f4b5818dd0a4fd0d23"],
            &["DD_API_KEY=your_key"],
        ),
    Rule::token("dropbox-token", "a Dropbox token", &["sl."], r"sl\.(?:u\.)?(?P<b>[0-9A-Za-z_-]{130,})")
        .judged(judge::is_random)
        .tried(
            &[
             "sl.BQF2j¦9IFC7dH8d4iKols-qPQFmxkYQ8oVLYfCgN0gbxJ67bdbOAd8FaB7wEs35YXw4g_veVqT9IWOAmhLnpO-sQEorzylR0rYWEGgv5uWykO\
              2pks_I-hYgDDRTMqcqyN2FfqKa0rK",
            ],
            &["sl.com"],
        ),
    Rule::token("age-key", "an age key", &["AGE-SECRET-KEY-1"], "AGE-SECRET-KEY-1(?P<b>[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58})")
        .tried(
            &["# key\nAGE-SECR¦ET-KEY-1XHF4TANPKD3LXDV9UJADLWA984A9E2XE0A7EK98P3CPZEF4VYAAYFSLRLG"],
            &["AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ"],
        ),
    Rule::token("onepassword-token", "a 1Password token", &["ops_eyJ", "A3-"],
        "(?:ops_eyJ(?P<b>[0-9A-Za-z+/=_-]{200,})|A3-[0-9A-Z]{6}-[0-9A-Z]{6,11}-[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{5}(?:-[0-9A-Z]{5})?)")
        .judged(judge::is_random)
        .tried(
            &["emergency kit: A3-HQ4YJ¦E-4BE7P9-8CMXV-83BP8-4042O-Q0KD7"],
            &["A3-landscape"],
        ),
    Rule::token("posthog-key", "a PostHog key", &["phx_"], "phx_(?P<b>[0-9A-Za-z]{40,50})")
        .judged(judge::is_random)
        .tried(&["phx_zT51¦Ks7cvdYF5pRPvPsroyXTwKsPRh6yv9IcnXYCMYk"], &["phx_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]),
    Rule::token("contentful-token", "a Contentful token", &["CFPAT-"], "CFPAT-(?P<b>[0-9A-Za-z_-]{40,50})")
        .judged(judge::is_random)
        .tried(&["CFPAT-nZ¦YlNCcZfnCd9ARRSXzIlrpkeEhX533CZC1Ia2Jhaca"], &["CFPAT-"]),
    Rule::token("wallet-key", "the private key of a wallet", &["xprv", "yprv", "zprv"], "[xyz]prv(?P<b>[1-9A-HJ-NP-Za-km-z]{107,})")
        .tried(
            &["xprv9s21¦ZrQH143K38qVQjW3g2PLJ5k7XTufbXD8dpZ5Kq6G8Cms6te2ACfP43tT9JAC15qaWgUxEPjNK8sew1JwgzQXznvrBHUtiPCXZC6m8pD"],
            &["xprv9s21"],
        ),
    Rule::token("jwt", "a JSON web token", &["eyJ"], r"eyJ[0-9A-Za-z_-]{14,}\.(?:eyJ|ey)[0-9A-Za-z_-]{10,}\.(?P<b>[0-9A-Za-z_-]{20,})")
        .judged(sums::is_jwt)
        .tried(
            &[
             "Bearer eyJhbGci¦OiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiAiMGRoZ2xrejMiLCAiaWF0IjogMTc2MzgwMDAwMH0.OLxionbgOD0I2BZ\
              ah9wVmE4qseatYol8EfF39AxWSeP",
             "token=eyJhbGci¦OiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiAidzR0eHY4ZjkiLCAiaWF0IjogMTc2MzgwMDAwMH0.mC4Zd9zvmRipROT8\
              hBy7fY4gjoRYW7bqAqeuIqRWLPu&x",
            ],
            &[
             "eyJhbGciO¦iJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
             "eyJub3QiOiJhIGp3dCJ9.eyJhIjoxfQ.aaaaaaaaaaaaaaaaaaaaaaaa",
             "eyJhbGciOiJIUzI1NiJ9...",
            ],
        ),
    Rule::token("private-key", "a private key", &["-----BEGIN ", "---- BEGIN SSH2 ENCRYPTED"],
        r"-{4,5} ?BEGIN (?:[A-Z0-9]{2,12} ){0,3}?(?:PRIVATE KEY(?: BLOCK)?|SSH2 ENCRYPTED PRIVATE KEY) ?-{4,5}(?P<b>(?:[^-]|-[^-])*)(?:-{4,5} ?END [A-Z0-9 ]{3,40}-{4,5})?")
        .judged(judge::is_key_block)
        .tried(
            &[
             "-----BEGIN RSA PRIVATE ¦KEY-----\nQoVtyw9PX3NzG6DW/+6VXSlpAs3NYjA0RyQIXGrkMG19E8Bkdj37ATMGOjJp/jk5\nl27oUC0R2YxU\
              s6MpWCroZTEIpEPLbluzDERvlRP8oDAXKBAfkvwJLH6USEKukDO7\nw/0xdwKcZQSkP5hqgvEjkdhPgisyKpc4gwhGvmRiKfU80LKwtX0kJnn8O4\
              aFtgDQ\nCbKvCDKdVqg8jT2bCmwXWTKOutLAl39+vkrh8TKoEfVm625VkdIMIxuHPyca2Vub\n-----END RSA PRIVATE KEY-----",
             "-----BEGIN OPENSSH PRIVATE ¦KEY-----\\nQoVtyw9PX3NzG6DW/+6VXSlpAs3NYjA0RyQIXGrkMG19E8Bkdj37ATMGOjJp/jk5\\nl27oUC\
              0R2YxUs6MpWCroZTEIpEPLbluzDERvlRP8oDAXKBAfkvwJLH6USEKukDO7\\nw/0xdwKcZQSkP5hqgvEjkdhPgisyKpc4gwhGvmRiKfU80LKwtX0\
              kJnn8O4aFtgDQ\\nCbKvCDKdVqg8jT2bCmwXWTKOutLAl39+vkrh8TKoEfVm625VkdIMIxuHPyca2Vub\\n-----END OPENSSH PRIVATE KEY-\
              ----\\n",
             "-----BEGIN PGP PRIVATE KEY ¦BLOCK-----\nVersion: x\n\nQoVtyw9PX3NzG6DW/+6VXSlpAs3NYjA0RyQIXGrkMG19E8Bkdj37ATMGOj\
              Jp/jk5\nl27oUC0R2YxUs6MpWCroZTEIpEPLbluzDERvlRP8oDAXKBAfkvwJLH6USEKukDO7\nw/0xdwKcZQSkP5hqgvEjkdhPgisyKpc4gwhGvm\
              RiKfU80LKwtX0kJnn8O4aFtgDQ\nCbKvCDKdVqg8jT2bCmwXWTKOutLAl39+vkrh8TKoEfVm625VkdIMIxuHPyca2Vub\n-----END PGP PRIVA\
              TE KEY BLOCK-----",
            ],
            &[
             "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
             "it starts with `-----BEGIN RSA PRIVATE KEY-----`",
             "-----BEGIN CERTIFICATE-----\nQoVtyw9PX3NzG6DW/+6VXSlpAs3NYjA0RyQIXGrkMG19E8Bkdj37ATMGOjJp/jk5\nl27oUC0R2YxUs6MpW\
              CroZTEIpEPLbluzDERvlRP8oDAXKBAfkvwJLH6USEKukDO7\nw/0xdwKcZQSkP5hqgvEjkdhPgisyKpc4gwhGvmRiKfU80LKwtX0kJnn8O4aFtgD\
              Q\nCbKvCDKdVqg8jT2bCmwXWTKOutLAl39+vkrh8TKoEfVm625VkdIMIxuHPyca2Vub\n-----END CERTIFICATE-----",
             "-----BEGIN PUBLIC KEY-----\nQoVtyw9PX3NzG6DW/+6VXSlpAs3NYjA0RyQIXGrkMG19E8Bkdj37ATMGOjJp/jk5\nl27oUC0R2YxUs6MpWC\
              roZTEIpEPLbluzDERvlRP8oDAXKBAfkvwJLH6USEKukDO7\nw/0xdwKcZQSkP5hqgvEjkdhPgisyKpc4gwhGvmRiKfU80LKwtX0kJnn8O4aFtgDQ\
              \nCbKvCDKdVqg8jT2bCmwXWTKOutLAl39+vkrh8TKoEfVm625VkdIMIxuHPyca2Vub",
            ],
        ),
    Rule::token("encoded-private-key", "a private key", &["LS0tLS1CRUdJTi"], "(?P<b>LS0tLS1CRUdJTi[0-9A-Za-z+/]{100,}={0,2})")
        .judged(sums::is_encoded_key)
        .tried(
            &["client-key-data: LS0tLS1C¦RUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpOcVZ3WVM4MVZQN0hiMURYOHBQZDVraHhFM3B5SWdLcGFVbkFybDYzWHlr\
              V1plaU5OQ2lpYTNhblhuOWsza3N1CjltSTRST25sODlTbTk5NX"],
            &["certificate-authority-data: \
                LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tClVkZk1JemNwVk13cURQQWpkT2NaRnZuaVVLaU9ZQWdrQnhqZEFzakROa0hERlNVdUVyc0V6amh5SWxPRnZs"],
        ),
    Rule::token("putty-key", "a private key", &["PuTTY-User-Key-File-"],
        r"PuTTY-User-Key-File-[23]:[^\n]{1,40}\n(?:[^\n]*\n){1,40}?Private-Lines: [0-9]+\r?\n(?P<s>[0-9A-Za-z+/=]{20,}(?:\r?\n[0-9A-Za-z+/=]{20,})*)")
        .judged(judge::is_key_block)
        .tried(
            &[
             "PuTTY-¦User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: me\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 1\ns1C\
              FQevUr3kKvwlBlz3WG4FqOc1Ia5iYsMdZI6126WY2SBcSk/dQT02duYXBT44u\nPrivate-MAC: 00",
            ],
            &["PuTTY-User-Key-File-2: ssh-rsa"],
        ),
];
