//! Code hosts and package registries.
//!
//! Invariant: every match contains a keyword; examples are made up, with valid checksums.

use super::super::{judge, rule::Rule, sums};

#[rustfmt::skip] // a table, one rule below the other
pub(in crate::secrets) static RULES: &[Rule] = &[
    Rule::token("github-pat", "a GitHub token", &["ghp_"], "ghp_(?P<b>[0-9A-Za-z]{36})")
        .judged(sums::checksum_or_context)
        .tried(
            &[
             "token for staging is ghp_E6sv¦i34zWH8xMS9BMoXOJrLo8F2nXM4bykCj, rotate it",
             "see (ghp_KGpO¦yQNcdOyZbkBFTFoOxtzHq8STZH00FMRY).",
             "GITHUB_TOKEN=ghp_KGpO¦yQNcdOyZbkBFTFoOxtzHq8STZH00FMRA",
            ],
            &[
             "an old one was ghp_KGpO¦yQNcdOyZbkBFTFoOxtzHq8STZH00FMRA",
             "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
             "use ghp_<your token>",
             "ghp_EXAMPLEzqQdgCWwDllJtWR6zqlIKiUBKnCfK",
             "token: ghp_16C7¦e42F292c6912E7710c838347Ae178B4a",
            ],
        ),
    Rule::token("github-oauth", "a GitHub OAuth token", &["gho_"], "gho_(?P<b>[0-9A-Za-z]{36})")
        .judged(sums::checksum_or_context)
        .tried(
            &[
             "token for staging is gho_hyl9¦F6sn23DSp8kVzjliKE1QufhQNB3GOMOA, rotate it",
             "see (gho_2vuA¦iSDMK2xTY2xA6bznBRkirAgsXO01qLYj).",
             "GITHUB_TOKEN=gho_2vuA¦iSDMK2xTY2xA6bznBRkirAgsXO01qLYA",
            ],
            &[
             "an old one was gho_2vuA¦iSDMK2xTY2xA6bznBRkirAgsXO01qLYA",
             "gho_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
             "use gho_<your token>",
             "gho_EXAMPLE9reosfhypnXLDn8S9wPNWkPLR347A",
             "token: gho_16C7¦e42F292c6912E7710c838347Ae178B4a",
            ],
        ),
    Rule::token("github-user", "a GitHub user token", &["ghu_"], "ghu_(?P<b>[0-9A-Za-z]{36})")
        .judged(sums::checksum_or_context)
        .tried(
            &[
             "token for staging is ghu_00zK¦LMcyKHKi7M07QbbStdd8AgdmX200y3Tc, rotate it",
             "see (ghu_7TPd¦oE2u6Qe1NBPBTrbEpvpDbnIIAp3tRMlt).",
             "GITHUB_TOKEN=ghu_7TPd¦oE2u6Qe1NBPBTrbEpvpDbnIIAp3tRMlA",
            ],
            &[
             "an old one was ghu_7TPd¦oE2u6Qe1NBPBTrbEpvpDbnIIAp3tRMlA",
             "ghu_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
             "use ghu_<your token>",
             "ghu_EXAMPLEsau4rEE7naW8mHDKw3OaWDyyIdYxW",
             "token: ghu_16C7¦e42F292c6912E7710c838347Ae178B4a",
            ],
        ),
    Rule::token("github-app", "a GitHub app token", &["ghs_"], "ghs_(?P<b>[0-9A-Za-z]{36})")
        .judged(sums::checksum_or_context)
        .tried(
            &[
             "token for staging is ghs_ngcV¦nSOgsR8uQYuY8CstQTuNzuNGrT0FAbB9, rotate it",
             "see (ghs_DsU7¦8E9kcE3oEJJ8X1o9585yMa6Fv40DtBp4).",
             "GITHUB_TOKEN=ghs_DsU7¦8E9kcE3oEJJ8X1o9585yMa6Fv40DtBpA",
            ],
            &[
             "an old one was ghs_DsU7¦8E9kcE3oEJJ8X1o9585yMa6Fv40DtBpA",
             "ghs_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
             "use ghs_<your token>",
             "ghs_EXAMPLEFhxhavBToSo2IeJKfLjG7A0nIQoCW",
             "token: ghs_16C7¦e42F292c6912E7710c838347Ae178B4a",
            ],
        ),
    Rule::token("github-refresh", "a GitHub refresh token", &["ghr_"], "ghr_(?P<b>[0-9A-Za-z]{76}|[0-9A-Za-z]{36})")
        .judged(sums::checksum_or_context)
        .tried(
            &[
             "token for staging is ghr_CI9j¦sl6OUmbXzY3eXwYD9bG56ToaA22IhWO0, rotate it",
             "see (ghr_VGPq¦bQTh4DPcT850bhhhpwdmnu4LEq0WwHvy).",
             "GITHUB_TOKEN=ghr_VGPq¦bQTh4DPcT850bhhhpwdmnu4LEq0WwHvA",
            ],
            &[
             "an old one was ghr_VGPq¦bQTh4DPcT850bhhhpwdmnu4LEq0WwHvA",
             "ghr_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
             "use ghr_<your token>",
             "ghr_EXAMPLEiiI4QQHGJIyU65YKtzrSPbFclphD1",
             "token: ghr_16C7¦e42F292c6912E7710c838347Ae178B4a",
            ],
        ),
    Rule::token("github-app-jwt", "a GitHub app token", &["ghs_"],
        r"ghs_[0-9]{1,12}_(?P<b>eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{20,})")
        .tried(
            &[
             "ghs_123_eyJ¦hbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiAiMnVyN2xuNTMiLCAiaWF0IjogMTc2MzgwMDAwMH0.EgQaISMKsvrBsD\
              37GL4JayTZwkJrj-L_21Dikr4w7T2",
            ],
            &["ghs_1_eyJ"],
        ),
    Rule::token("github-fine-grained", "a GitHub fine-grained token", &["github_pat_"], "github_pat_(?P<b>[0-9A-Za-z]{22}_[0-9A-Za-z]{59})")
        .tried(
            &["`github_p¦at_19e6k8wmSwk81zG4ExeBt8_76IroUSqJog95a4gDKbaEgXwZfQ1cSD652OvHjHFFbp48WEXJC7ZcRZCh96`"],
            &["github_pat_11AAAAAAA0xxxxxxxxxxxx", "set github_pat_ first"],
        ),
    Rule::token("gitlab-pat", "a GitLab token", 
        &["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-", "glffct-", "glwt-"],
        r"gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-(?P<b>[0-9A-Za-z_-]{20,}(?:\.[0-9a-z]{2})?(?:\.[0-9a-z]{9})?)")
        .judged(sums::gitlab)
        .tried(
            &[
             "GitLab: glpat-o8¦VYFlMfaKQzYUit8pxb",
             "glpat-fb¦0tCYm89cZWHUWNo41jlMihenXkVzlZ.01.0w03ak09y",
             "url?private_token=gldt-qrE¦2nd2eCO2X0WUUmIbu&x=1",
            ],
            &["glpat-xxxxxxxxxxxxxxxxxxxx", "glpat-your-token-goes-here-now"],
        ),
    Rule::token("npm-token", "an npm token", &["npm_"], "npm_(?P<b>[0-9A-Za-z]{36})")
        .judged(sums::checksum_or_context)
        .tried(
            &["//registry.npmjs.org/:_authToken=npm_JnG5¦HlLB43jU38rDiU2I2MJeWeZsKY0Ok1Jz"],
            &["npm_config_registry_and_more_words_that_are_long", "npm_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
        ),
    Rule::token("pypi-token", "a PyPI token", &["pypi-AgE"], "pypi-(?P<b>AgE[0-9A-Za-z_-]{50,})")
        .judged(sums::is_macaroon)
        .tried(
            &[
             "upload with pypi-AgE¦IcHlwaS5vcmcCJGM5NDgxMjAxYmJhMzFmOTg1ZWY0MDI5NWZhYjk4ZjBkMzQwYgACKlszLCI4NTc5NzJiZWI3NWU2OD\
              VlOTQ3Y2VhZmIyMGVlMTNhZWE1NGIiXQAABiDJnslFinFQU8x8AaxrDkY0RE7yKLAiFiR_nwMsCKx9SQ, then",
             "(pypi-AgE¦IcHlwaS5vcmcCJDIxZWFjMzZmMWE4NjE0Mzk5ZmEwYmZmNWI2NTkxMjgzNmVmOQACKlszLCIzOTQ2NTU3NDdkNDJhNjU1YWQ5MTJiY\
              mY1YzRhOTY1ZTY0OGMiXQAABiCxa0rp5-UzgCXin_6acTQueno9xxxDuUqBA3EveZKV3g)",
            ],
            &["pypi-AgEIcHlwaS5vcmc", "pypi-AgEaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
        ),
    Rule::token("rubygems-token", "a RubyGems token", &["rubygems_"], "rubygems_(?P<b>[0-9a-f]{48})")
        .tried(
            &[":rubygems_api_key: rubygems¦_a537901b73929a7552bcdf8e76e7d9abfc6cfbf38ea3aba3"],
            &["rubygems_000000000000000000000000000000000000000000000000"],
        ),
    Rule::token("cratesio-token", "a crates.io token", &["cio"], "cio(?P<b>[0-9A-Za-z]{32})")
        .judged(judge::needs_context)
        .tried(
            &[r#"token = "ciow1prf¦2bMghpglV1FGdlTjgiOFgz1XGxr""#],
            &["audio cio6FWR9¦IDTMywhIYoE1qzWPy0o0bdYNCnX", "ciociociociociociociociociociociocio"],
        ),
    Rule::token("docker-token", "a Docker Hub token", &["dckr_pat_", "dckr_oat_"], "dckr_[po]at_(?P<b>[0-9A-Za-z_-]{27,40})")
        .tried(
            &["the hub: dckr_pat¦_AXl-L0bkXmCCqrsvG1utdWt2kLk"],
            &["dckr_pat_your_token_here_please_now_x"],
        ),
    Rule::token("bitbucket-token", "a Bitbucket app password", &["ATBB"], "ATBB(?P<b>[0-9A-Za-z]{24}[0-9A-F]{8})")
        .judged(sums::atlassian)
        .tried(
            &["CI uses ATBBIG4S¦0WyXEmGgQRceWUBCRSoTA31B8F3C there"],
            &["ATBBXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"],
        ),
    Rule::token("atlassian-token", "an Atlassian token", &["ATATT3", "ATCTT3"], "AT[AC]TT3(?P<b>[0-9A-Za-z_=-]{60,})")
        .judged(sums::atlassian)
        .tried(
            &[
             "jira has ATATT3xF¦fGF0cntk7OmAODTJZwDY3FhoM4d9bvWTcEMqDWJ9wBztdiD8XXfDgulkDl6WKkrnwGOl9guXCYJmdQFTvffexLPuWmLPP_\
              JkOTRGUrSIR5WZ8FOI5pGe_Vz3GlX2dCQaCMRY-hV5tcJMl11bxefDClL_AUByzYS1U_vcq17cNyuZw2X=0BD1C3E8",
            ],
            &["ATATT3xFfGF0"],
        ),
    Rule::token("sourcegraph-token", "a Sourcegraph token", &["sgp_"], "sgp_(?P<b>(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40})")
        .tried(
            &["SRC=sgp_8a06¦b9b6b3b3c442_1d5bba5dffeaf755be4eaa709aa8053e9e2e6b08"],
            &["sgp_local_"],
        ),
    Rule::token("nuget-key", "a NuGet key", &["oy2"], "oy2(?P<b>[0-9a-z]{43})")
        .judged(judge::is_random)
        .tried(
            &["nuget push -k oy2nb2s0¦z128kg06xcebhjnomiar1l500eqh66bomh587m"],
            &["oy2aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
        ),
    Rule::token("jfrog-token", "an Artifactory token", &["AKCp", "cmVmdGtuO"], "(?:AKCp[0-9A-Za-z]{65,75}|cmVmdGtuO[0-9A-Za-z]{48,70})")
        .judged(judge::is_random)
        .tried(
            &["artifactory: \
                AKCpA91Q¦0Qi22zBOZMn2UuQKVSzmir80suYqjQjGR2CrzB3QP2IpHo7joywu0ABROxF6LVtnF"],
            &["AKCp8"],
        ),
];
