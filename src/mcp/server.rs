//! The MCP `ServerHandler`: dispatches requests to tools and resources.
//!
//! Invariant: messages are handled on one thread, verbs on others; a write in progress is finished,
//! whatever the client sends. Each call reads settings, identity and project anew.

use super::{
    answer, arguments,
    chosen::{Access, Offer},
    confirm,
    described::described,
    failure::Failure,
    idle::Idle,
    instructions,
    place::{self, Named, Roots},
    resources, sent,
    tools::{self, Call, Confirmation, Effect, Group, Tool},
};
use crate::documents::{hot, seed};
use crate::facts::recall;
use crate::foreign::said;
use crate::identity::ContentHash;
use crate::integrations::agent::{doctor::CLIENT as DOCTOR, seen};
use crate::machine::{Context, context::Caller};
use crate::secrets::ALLOW;
use crate::workspace::{ErrorKind, Workspace};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult,
        ErrorCode, GetPromptRequestParams, GetPromptResponse, Implementation, JsonObject,
        ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
        PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
        ReadResourceResponse, ServerCapabilities, ServerConfig,
    },
    service::{NotificationContext, RequestContext},
};
use serde_json::{Value, json};
use std::{
    sync::{Arc, OnceLock, Weak},
    time::Duration,
};

/// Environment variables with which agents pass their session id.
const SESSIONS: &[&str] = &["CLAUDE_CODE_SESSION_ID", "COPILOT_AGENT_SESSION_ID"];
/// Methods that have params.
const KNOWN: &[&str] = &[
    "initialize",
    "tools/call",
    "tools/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "prompts/get",
    "prompts/list",
    "server/discover",
];
/// How often a client gets progress for a running call.
const TICK: Duration = Duration::from_secs(1);
/// How long a client may cache a list, in milliseconds.
const FRESH: u64 = 60_000;

#[derive(Clone)]
pub struct Server {
    context: Arc<Context>,
    offer: Arc<Offer>,
    session: String,
    /// Held by each write in progress.
    writing: Arc<()>,
    /// Set once the seed folder is loaded: once per server, on a request.
    seeded: Arc<OnceLock<()>>,
    idle: Arc<Idle>,
    recall: recall::RecallWorker,
    roots: Arc<Roots>,
}

impl Server {
    pub fn new(context: Arc<Context>, offer: Offer) -> Server {
        let session = session(&context);
        Server {
            context,
            offer: Arc::new(offer),
            session,
            writing: Arc::default(),
            seeded: Arc::default(),
            idle: Arc::default(),
            recall: recall::RecallWorker::default(),
            roots: Arc::default(),
        }
    }

    /// Counts running writes; the server holds one more.
    pub fn writing(&self) -> Weak<()> {
        Arc::downgrade(&self.writing)
    }

    /// Loads the seed folder once, but not for a client that only checks whether a server runs.
    fn seed(&self, ws: &Workspace) {
        let is_doctor = ws.caller.as_ref().is_some_and(|caller| caller.client == DOCTOR);
        if self.offer.tools.access == Access::ReadWrite && !is_doctor {
            self.seeded.get_or_init(|| {
                // `co knowledge list` reports what cannot be loaded.
                let _ = seed::run(ws, &seed::Request::default());
            });
        }
    }

    fn caller(&self, request: &RequestContext<RoleServer>) -> Caller {
        let name = request.client_info().map(|client| client.name).unwrap_or_default();
        Caller { client: seen::name(&name), session: self.session.clone() }
    }

    /// Runs a verb in the background, in the folder and about the layer that the call names.
    async fn at_work<T: Send + 'static>(
        &self,
        request: &RequestContext<RoleServer>,
        named: Named,
        work: impl FnOnce(&Workspace, &Offer) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let roots = self.roots.of(&self.context, request).await?;
        let (server, caller) = (self.clone(), self.caller(request));
        let mut task = tokio::task::spawn_blocking(move || {
            let answering = server.idle.answering();
            let context = place::context(&server.context, &roots, &named)?.called_by(caller);
            let ws = Workspace::open(context);
            ws.decided()?;
            let answer = work(&ws, &server.offer);
            drop(answering);
            let context = ws.context().clone();
            tokio::task::spawn_blocking(move || server.idle.work(&Workspace::unrecovered(context)));
            answer
        });
        let token = request.meta.get_progress_token();
        let mut ticks = tokio::time::interval(TICK);
        ticks.tick().await;
        for seconds in 1_u32.. {
            tokio::select! {
                done = &mut task => return done.unwrap_or_else(|error| Err(crashed(&error.to_string()))),
                // The verb runs to its end, but nobody waits for the result.
                () = request.ct.cancelled() => return Err(cancelled()),
                _ = ticks.tick() => {}
            }
            if let Some(token) = &token {
                let progress = ProgressNotificationParam::new(token.clone(), f64::from(seconds))
                    .with_message("still working");
                let _ = request.peer.notify_progress(progress).await;
            }
        }
        Err(crashed("it did not finish"))
    }

    async fn call(
        &self,
        tool: &'static Tool,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Failure> {
        let sent = request.arguments.clone().unwrap_or_default();
        let mut arguments = sent::taken(&(tool.schema)(), sent)?;
        let named = self.named(tool, &mut arguments)?;
        let is_for_project = named.project.is_some()
            && named.layer.is_none()
            && tool.group != Group::Work
            && tool.effect != Effect::Reads
            && arguments.get("scope") != Some(&json!("identity"));
        let mut arguments = Value::Object(arguments);
        if tool.effect != Effect::Reads && arguments::without_hidden(&arguments).contains(ALLOW) {
            let message = "only the user may allow something that looks like a secret";
            return Err(Failure::new(ErrorKind::Refused, message).hint("remove it"));
        }
        if let Some(confirmation) = tool.confirmation {
            let typed = arguments.clone();
            let asked = self.at_work(context, named.clone(), move |ws, _| confirmation(ws, typed));
            let Confirmation { question, arguments: agreed } = asked.await?;
            if let Some(answer) = confirm::asked(&question, request, context).await? {
                return Ok(answer);
            }
            arguments = agreed;
        }
        let server = self.clone();
        let writing = (tool.effect != Effect::Reads).then(|| Arc::clone(&self.writing));
        let recall = self.recall.clone();
        let text = self.at_work(context, named, move |ws, offer| {
            let _writing = writing;
            if is_for_project {
                arguments::refuse_no_project(ws)?;
            }
            if tool.group == Group::Knowledge {
                server.seed(ws);
            }
            let text = (tool.call)(&Call { ws, docs: &offer.docs, recall: &recall }, arguments)?;
            hot::note(ws, tool.name);
            let done =
                if tool.effect == Effect::Reads { seen::Did::Read } else { seen::Did::Wrote };
            seen::note(ws, done);
            Ok(text)
        });
        Ok(answer::given(text.await?).into())
    }
}

impl Server {
    /// The folder and the layer that a call names.
    fn named(&self, tool: &Tool, arguments: &mut JsonObject) -> Result<Named, Failure> {
        let folder = arguments.shift_remove(super::schema::PROJECT);
        let folder = folder.as_ref().and_then(Value::as_str);
        let project = folder.map(|folder| self.context.typed_path(folder));
        if tool.group == Group::Work {
            return Ok(Named { project, layer: None });
        }
        let layer = match arguments.shift_remove(place::LAYER) {
            None | Some(Value::Null) => None,
            Some(Value::String(layer)) => Some(layer.trim().to_owned()),
            // What was meant for one place must not be saved in another.
            Some(_) => {
                let message = "`layer` must be a text";
                return Err(Failure::new(ErrorKind::Invalid, message).hint("give one name"));
            }
        };
        let layer = layer.filter(|layer| !layer.is_empty());
        if layer.is_some() && arguments.contains_key("scope") {
            let message = "`scope` and `layer` name two places";
            return Err(Failure::new(ErrorKind::Invalid, message).hint("omit one of them"));
        }
        Ok(Named { project, layer })
    }
}

/// The agent's session id if it passes one, or else one of ours; short enough for a person to type.
fn session(context: &Context) -> String {
    let named = SESSIONS.iter().find_map(|name| context.env(name));
    let ours = format!("{} {}", std::process::id(), context.now().micros());
    let own = named.map(|name| name.chars().filter(char::is_ascii_alphanumeric).take(8).collect());
    own.filter(|own: &String| own.len() == 8)
        .unwrap_or_else(|| ContentHash::of_bytes(ours.as_bytes()).short(8))
}

fn cancelled() -> Failure {
    Failure::new(ErrorKind::NeedsChoice, "the call was cancelled")
}

fn crashed(why: &str) -> Failure {
    Failure::new(ErrorKind::Other, format!("co failed in the middle of this: {why}"))
        .hint("nothing was left half-written; `co check` checks the files")
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        let server = Implementation::new("co", env!("CARGO_PKG_VERSION"))
            .with_title("co: what your agents know about you");
        let ws = Workspace::unrecovered(Context::clone(&self.context));
        ServerConfig::new(capabilities)
            .with_server_info(server)
            .with_instructions(instructions::text(&self.offer.tools, has_documents(&ws)))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let server = self.clone();
        let found = self.at_work(&context, Named::default(), move |ws, _| {
            server.seed(ws);
            Ok((has_documents(ws), !ws.settings.layers.is_empty()))
        });
        let (has_documents, has_layers) = found.await.unwrap_or_default();
        let offered = tools::ALL.iter().filter(|tool| self.offer.tools.offers(tool, has_documents));
        let offered = offered.map(|tool| described(tool, has_layers));
        Ok(ListToolsResult::with_all_items(offered.collect())
            .with_ttl_ms(FRESH)
            .with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let named = tools::ALL.iter().find(|tool| tool.name == request.name);
        let Some(tool) = named.filter(|tool| self.offer.tools.allows(tool)) else {
            let message = said!("this server has no tool {}", answer::short(&request.name));
            return Err(ErrorData::invalid_params(message.into_string(), None));
        };
        match self.call(tool, &request, &context).await {
            Ok(answer) => Ok(answer),
            Err(failure) => Ok(answer::failed(&failure).into()),
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let documents = self.offer.tools.has("knowledge_list");
        let listed =
            self.at_work(&context, Named::default(), move |ws, _| resources::list(ws, documents));
        let resources = listed.await.map_err(|failure| resources::error(&failure))?;
        Ok(ListResourcesResult::with_all_items(resources)
            .with_ttl_ms(FRESH)
            .with_cache_scope(CacheScope::Private))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(vec![resources::template()])
            .with_ttl_ms(FRESH)
            .with_cache_scope(CacheScope::Private))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        if resources::is_document(&uri) && !self.offer.tools.has("knowledge_search") {
            return Err(ErrorData::resource_not_found("this server offers no documents", None));
        }
        let read = self.at_work(&context, Named::default(), move |ws, _| {
            seen::note(ws, seen::Did::Read);
            resources::read(ws, &uri)
        });
        read.await.map(Into::into).map_err(|failure| resources::error(&failure))
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A known method with invalid params also arrives here.
        let method = answer::short(&request.method);
        // Requests that stand alone know no hello.
        let is_removed =
            request.method == "initialize" && context.meta.protocol_version().is_some();
        if KNOWN.contains(&method.as_str()) && !is_removed {
            let message = said!("invalid params for {}", method);
            return Err(ErrorData::invalid_params(message.into_string(), None));
        }
        let message = said!("this server has no method \"{}\"", method);
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message.into_string(), None))
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        self.roots.forget();
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(vec![resources::prompt()])
            .with_ttl_ms(FRESH)
            .with_cache_scope(CacheScope::Private))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name != resources::PROMPT {
            let message = said!("this server has no prompt {}", answer::short(&request.name));
            return Err(ErrorData::invalid_params(message.into_string(), None));
        }
        let read = self.at_work(&context, Named::default(), |ws, _| {
            seen::note(ws, seen::Did::Read);
            resources::context(ws, None)
        });
        let text = read.await.map_err(|failure| resources::error(&failure))?;
        Ok(resources::prompted(text).into())
    }
}

/// Whether the user has a document, in the identity or the project.
fn has_documents(ws: &Workspace) -> bool {
    let stores = ws.to_read(None).unwrap_or_default();
    stores.iter().any(|store| {
        store
            .document_listing()
            .files
            .iter()
            .any(|file| file.path.as_str().starts_with("knowledge/"))
    })
}
