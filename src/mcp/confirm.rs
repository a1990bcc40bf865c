//! Asks the person for confirmation through the client, if the client supports elicitation.
//!
//! Invariant: asks only whether to proceed; never for a value, and never for a secret.

use super::{answer, failure::Failure};
use crate::foreign::Said;
use crate::workspace::ErrorKind;
use rmcp::{
    RoleServer,
    model::{
        CallToolRequestParams, CallToolResponse, ElicitRequest, ElicitRequestParams, ElicitResult,
        ElicitationAction, ElicitationSchema, InputRequest, InputRequiredResult,
    },
    service::RequestContext,
};
use std::collections::BTreeMap;

/// The key of the question, for clients that answer in the next call.
const QUESTION: &str = "agreed";
/// Maximum characters of a question.
const MAX_LEN: usize = 300;

/// `None` to proceed: the person agreed, or the client cannot ask. Otherwise the call's result.
pub async fn asked(
    question: &Said,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<Option<CallToolResponse>, Failure> {
    let asks = context.client_capabilities().is_some_and(|able| able.elicitation.is_some());
    if !asks {
        return Ok(None);
    }
    let question = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: question.as_str().chars().take(MAX_LEN).collect(),
        requested_schema: ElicitationSchema::new(BTreeMap::new()),
    };
    let asks_itself = context.protocol_version().is_none_or(|version| version.has_initialize());
    if !asks_itself {
        let answered = request.input_responses.as_ref().and_then(|all| all.get(QUESTION));
        let Some(answered) = answered else {
            let asked = InputRequest::Elicitation(ElicitRequest::new(question));
            let asked = BTreeMap::from([(QUESTION.to_owned(), asked)]);
            let result = InputRequiredResult::from_input_requests(asked);
            return Ok(Some(CallToolResponse::InputRequired(result)));
        };
        let answer = serde_json::from_value::<ElicitResult>(answered.clone()).ok();
        return Ok(judged(answer.map(|answer| answer.action).as_ref()));
    }
    let answer = context.peer.create_elicitation(question).await.ok();
    Ok(judged(answer.map(|answer| answer.action).as_ref()))
}

/// Nothing is done without a yes.
fn judged(action: Option<&ElicitationAction>) -> Option<CallToolResponse> {
    let failure = match action {
        Some(ElicitationAction::Accept) => return None,
        Some(ElicitationAction::Decline) => {
            Failure::new(ErrorKind::NeedsChoice, "the user declined; nothing was changed")
        }
        Some(_) => {
            Failure::new(ErrorKind::NeedsChoice, "the user did not answer; nothing was changed")
        }
        None => {
            Failure::new(ErrorKind::NeedsChoice, "the user could not be asked; nothing was changed")
                .hint("the user can do it with `co forget` or `co knowledge delete`")
        }
    };
    Some(answer::failed(&failure).into())
}
