//! Model providers and the services that agents call.
//!
//! Invariant: every match contains a keyword; examples are made up, with valid checksums.

use super::super::{judge, rule::Rule};

#[rustfmt::skip] // a table, one rule below the other
pub(in crate::secrets) static RULES: &[Rule] = &[
    Rule::token("anthropic-key", "an Anthropic key", &["sk-ant-"], "sk-ant-(?P<b>[a-z]{2,8}[0-9]{2}-[0-9A-Za-z_-]{60,})")
        .tried(
            &[
             "ANTHROPIC_API_KEY=sk-ant-a¦pi03-ZSc6SX0-Raa2UHigsTppPUhAesaX6LTLs68YnTjToW3vq76Ge2HQ3Bs59AczcN19W9UAcXYb2U-dDUiD\
              6TCUiDKJ2CUDYAA",
             "x-api-key: sk-ant-a¦dmin01-pgcRPzN7mpnUaw6Ke9ZkUFmFk4Rmyg3ozlBg-o2ZV-2-ep6ELoTaaF2xlIttBU4av6UpbVxm2irj9Xsip3AdZ\
              3PSIS4-DAA\"",
            ],
            &[
             "sk-ant-api03-...",
             "sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            ],
        ),
    Rule::token("openrouter-key", "an OpenRouter key", &["sk-or-v1-"], "sk-or-v1-(?P<b>[0-9a-f]{64})")
        .tried(
            &["sk-or-v1¦-8bb672de172a2d38d0dba9089dae755702dbceea97414070cd33e40edfd53598"],
            &["sk-or-v1-0000000000000000000000000000000000000000000000000000000000000000"],
        ),
    Rule::token("openai-key", "an OpenAI key", &["sk-"],
        "sk-(?P<b>(?:(?:proj|svcacct|admin|None|service)-[0-9A-Za-z_-]{40,}|[0-9A-Za-z]{20}T3BlbkFJ[0-9A-Za-z]{20}|[0-9A-Za-z]{32,}))")
        .judged(judge::is_random)
        .tried(
            &[
             "OPENAI_API_KEY=sk-proj-¦QEuLQt7_gMfEVt2Ivi7pX9ZT-gScppRGnXL9-Zku-_2XxxGluMGZkRnJhKv2KCTn69P0Su2Kw9T3BlbkFJ2fpqma\
              HeOjInGEi99IKl89yGSDeBvTNxknzZs-9EnRBm0_Ibu21x6IdDiMZjzpywqWdjISr7fs",
             "my key is sk-7ikNz¦eg8mbv1R3yrG7LyT3BlbkFJaAwOI6flYzeEn5PVApsd, keep it",
             r#"deepseek "sk-ec146¦b573f060dff216088cc482d264e""#,
            ],
            &[
             "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
             "risk-adjusted",
             "sk-your-api-key-here",
             "sk-learn-contrib/imbalanced-learn",
             "task-0123456789",
            ],
        ),
    Rule::token("huggingface-token", "a Hugging Face token", &["hf_", "api_org_"], "(?:hf|api_org)_(?P<b>[0-9A-Za-z]{34})")
        .judged(judge::is_mixed_case)
        .tried(
            &[r#"login(token="hf_dnrmh¦NcUdyVfVYZPhkmIFxrGZeTIYGaQon")"#],
            &["hf_hub_download", "hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "hf_transformersautomodelforcausallmxyz"],
        ),
    Rule::token("groq-key", "a Groq key", &["gsk_"], "gsk_(?P<b>[0-9A-Za-z]{52})")
        .judged(judge::is_random)
        .tried(
            &["GROQ=gsk_K7i8¦BfHXGqe49MC52vuK3lhDZ3xzRm33iF4O0K5hCaTGA4A7JxlY"],
            &["gsk_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
        ),
    Rule::token("xai-key", "an xAI key", &["xai-"], "xai-(?P<b>[0-9A-Za-z_]{70,})")
        .judged(judge::is_random)
        .tried(
            &["XAI_API_KEY=xai-0Xxt¦0uzIyk1plW0ZF7xVWFS16kOv7TxrPF63YwFV1WIeqIKB3pg3P8IFk7YAZuj882Xhk6fBfoiAuAdR"],
            &["xai-grok"],
        ),
    Rule::token("perplexity-key", "a Perplexity key", &["pplx-"], "pplx-(?P<b>[0-9A-Za-z]{48})")
        .judged(judge::is_random)
        .tried(
            &["pplx-I9K¦2JsWenUdqBHVw0eEVSWiBDsBYbKsWwYXvojxd7fmZLBwk"],
            &["pplx-70b-online"],
        ),
    Rule::token("replicate-token", "a Replicate token", &["r8_"], "r8_(?P<b>[0-9A-Za-z_-]{37})")
        .judged(judge::is_random)
        .tried(
            &["REPLICATE_API_TOKEN=r8_P8wiN¦utoVpfB12Pd4wRnxPRlKiZXSiqsJSesZ"],
            &["r8_snorm"],
        ),
    Rule::token("langsmith-key", "a LangSmith key", &["lsv2_"], "lsv2_(?:pt|sk)_(?P<b>[0-9a-f]{32}_[0-9a-f]{10})")
        .tried(
            &["lsv2_pt_¦9f3f6f19ee700b9c70fa04e9b885c9e9_8811a4b06b"],
            &["lsv2_pt_"],
        ),
    Rule::token("pinecone-key", "a Pinecone key", &["pcsk_"], "pcsk_(?P<b>[0-9A-Za-z]{5,7}_[0-9A-Za-z]{60,})")
        .tried(
            &["pcsk_nS3¦959_8yJZ6ue4pCYmUHdWnxXNWWZA3KzaW0KkHlFEWRCaUs3AnxI3Rl2mCUDo8hUCVJc"],
            &["pcsk_your_key"],
        ),
    Rule::token("elevenlabs-key", "an ElevenLabs key", &["sk_"], "sk_(?P<b>[0-9a-f]{48})")
        .judged(judge::is_random)
        .tried(
            &["sk_fc3a6¦cc6bce4aaba1103472aa9cb34b131f0a063cfd83367"],
            &["sk_000000000000000000000000000000000000000000000000"],
        ),
    Rule::token("tavily-key", "a Tavily key", &["tvly-"], "tvly-(?P<b>(?:dev-|prod-)?[0-9A-Za-z]{32})")
        .judged(judge::is_random)
        .tried(
            &["tvly-dev¦-6AXGUPaY4oaEhEJSIEULlxVNDDEPJV68"],
            &["tvly-your-key"],
        ),
    Rule::token("fireworks-key", "a Fireworks key", &["fw_"], "fw_(?P<b>[0-9A-Za-z]{22,24})")
        .judged(judge::needs_context)
        .tried(
            &["FIREWORKS_API_KEY=fw_3E1B1¦gB7UK5adLYi95l5hrzq"],
            &["fw_version_string_in_use"],
        ),
    Rule::token("nvidia-key", "an NVIDIA key", &["nvapi-"], "nvapi-(?P<b>[0-9A-Za-z_-]{60,})")
        .judged(judge::is_random)
        .tried(
            &["nvapi-4h¦Lce4IgT3d5VcPNbgO_-Xi-YdAOuEj77_5WWNJIOGj4CV1SMTYQig5JJ48AdWPv"],
            &["nvapi-x"],
        ),
    Rule::token("firecrawl-key", "a Firecrawl key", &["fc-"], "fc-(?P<b>[0-9a-f]{32})")
        .judged(judge::is_random)
        .tried(
            &["FIRECRAWL_API_KEY=fc-30c06¦0375abe5d7e022c89bc29530802"],
            &["fc-cache"],
        ),
];
