// Review: what agents would add, which facts may no longer hold, and what importing an archive would
// change.

const dropped = { report: null, problem: null, at: null, turn: 0 };
// As they were found last.
let doubts = null;
// Base64 takes a third more, and the server reads at most 64 MiB.
const MAX_ARCHIVE = 45 * 1024 * 1024;

async function review() {
  const { proposals } = await call('review');
  countWaiting(proposals.length);
  const says = { learn: 'would add', join: 'suggests merging', replace: 'would replace', forget: 'would forget', skill: 'asks whether your agents may use', look: 'asks you to look at what was' };
  // An answer leads to the next question.
  const nextTo = (at) => { const next = proposals[at + 1] || proposals[at - 1]; return next ? `accept ${next.id}` : 'proposed'; };
  const item = (one, at) => el('li', { 'data-at': at },
    el('div', { class: 'meta' }, joined([`${one.agent || 'co'} ${says[one.kind] || one.kind}`, one.project && `in ${one.project}`, moment(one.at), one.why])),
    el('div', { class: 'text learned' }, one.text),
    (one.other_values || []).map((text) => el('div', { class: 'meta' }, `The other value: ${text}`)),
    (one.other_texts || []).map((text) => el('div', { class: 'meta' }, 'What the merge did not keep: ', command(text))),
    (one.bring_back || []).map((text) => el('div', { class: 'meta' }, 'To bring it back: ', command(text))),
    one.like ? el('div', { class: 'meta' }, `similar to ${one.like.handle}: `, el('bdi', {}, one.like.text)) : null,
    readOnly ? null : el('div', { class: 'actions' },
      button('Accept', () => change('accept', { id: one.id, text: null }, 'Accepted.'), { 'data-key': `accept ${one.id}`, 'data-next': nextTo(at), 'data-act': 'a', 'aria-keyshortcuts': 'a', 'aria-label': `Accept: ${one.text}` }),
      one.kind === 'learn' ? button('Edit and accept', () => reword(one), { 'data-key': `reword ${one.id}`, 'data-next': nextTo(at), 'data-act': 'e', 'aria-keyshortcuts': 'e', 'aria-label': `Edit and accept: ${one.text}` }) : null,
      one.kind === 'look' ? null : button('Reject', () => change('reject', { id: one.id }, 'Rejected. You will not be asked again.'), { 'data-key': `reject ${one.id}`, 'data-next': nextTo(at), 'data-act': 'r', 'aria-keyshortcuts': 'r', 'aria-label': `Reject: ${one.text}` }),
    ),
  );
  const doubtful = el('div', {}, doubts ? doubted(doubts) : empty('Looking through your facts…'));
  // All facts are read for it: the rest does not wait, and what was found before stays until then.
  call('stale').then(({ proposals: found }) => {
    doubts = found;
    keepingFocus(() => doubtful.replaceChildren(doubted(found)));
  }, (error) => doubtful.replaceChildren(el('p', { class: 'error' }, error.message)));
  const chooser = el('input', { id: 'archive', type: 'file', accept: '.gz,.tgz,.tar', onchange: (event) => compare(event.target.files[0]) });
  return [
    el('h2', {}, 'Review'),
    el('div', { class: 'halves' },
      el('section', { 'aria-labelledby': 'proposed' },
        el('h3', { id: 'proposed', tabindex: -1 }, 'Proposals'),
        proposals.length > 1 && !readOnly ? acceptAll(proposals) : null,
        proposals.length ? el('ul', { class: 'rows', id: 'proposals', onkeydown: byKey }, proposals.map(item)) : noProposals(),
      ),
      el('div', {},
        el('h3', { id: 'doubtful', tabindex: -1 }, 'Still true?'),
        doubtful,
        el('h3', {}, 'Compare an archive'),
        el('p', {}, 'Drop an archive made with ', el('code', {}, 'co identity export'), ' on this page, or choose a file, to see what importing it would change. Nothing is imported.'),
        el('label', { for: 'archive' }, 'Archive'), chooser,
        dropped.problem ? el('p', { class: 'error', role: 'alert' }, dropped.problem) : null,
        dropped.report && dropped.at === revision ? difference(dropped.report) : null,
        dropped.report && dropped.at !== revision ? empty('Your facts have changed since this comparison. Choose the file again.') : null,
      ),
    ),
  ];
}

// What was shown, and nothing that came since; a skill may run programs, and is answered by itself.
function acceptAll(proposals) {
  const meant = proposals.filter((one) => one.kind !== 'skill');
  const done = ({ refused }) => joined([`Accepted ${meant.length - refused.length}.`, ...refused.slice(0, 1).map(({ why }) => `${refused.length} left: ${sentence(why)}`)]);
  const ask = () => inDialog(`Accept all ${meant.length}?`, [
    el('ul', {}, meant.map((one) => el('li', { class: 'text' }, one.text))),
    meant.length < proposals.length ? el('p', { class: 'meta' }, 'Skills are not among them: answer those one by one.') : null,
    el('p', { class: 'meta' }, 'It is one change, which you can undo.'),
  ], 'Accept all', (form) => change('accept-all', { ids: meant.map((one) => one.id) }, done, form));
  return el('div', {},
    el('div', { class: 'actions' }, meant.length ? button(`Accept all ${meant.length} …`, ask, { 'data-key': 'accept all', 'data-next': 'proposed' }) : null),
    el('p', { class: 'meta keys' }, 'Keys in this list: ', [['j', 'next'], ['k', 'previous'], ['a', 'accept'], ['e', 'edit and accept'], ['r', 'reject'], ['u', 'undo']].map(([key, what]) => [el('kbd', {}, key), ` ${what} `])),
  );
}

function noProposals() {
  return [
    empty('Nothing to review. What agents suggest appears here.'),
    el('p', { class: 'meta' }, 'To find what they know already: ', command('co agent import --review')),
  ];
}

// Only while one of the proposals has the focus, so that no key acts unseen.
function byKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  const one = event.target.closest('li');
  if (!one) return;
  const step = { j: 'nextElementSibling', k: 'previousElementSibling' }[event.key];
  const next = step && one[step] && one[step].querySelector('button');
  const act = one.querySelector(`button[data-act="${CSS.escape(event.key)}"]`);
  if (next) next.focus();
  else if (act) { act.focus(); act.click(); } else return;
  event.preventDefault();
}

function reword(one) {
  const text = el('textarea', { id: 'fact-text', required: true, value: one.text });
  inDialog('Edit and accept', [el('label', { for: 'fact-text' }, 'Text'), text], 'Accept', (form) => change('accept', { id: one.id, text: text.value }, 'Accepted.', form));
}

const doubted = (found) => (found.length ? el('ul', { class: 'rows', id: 'stale' }, found.map((one, at) => check(one, found[at + 1] || found[at - 1]))) : empty('No fact needs a check.'));

// A fact that may no longer hold, or two that contradict each other. What is left is asked again.
function check(one, next) {
  const nextKey = next ? `yes ${next.id}` : 'doubtful';
  const said = (word, done, form, text) => change('checked', { id: one.id, said: word, text: text || '' }, done, form);
  const answer = (label, word, done) => button(label, () => said(word, done), { 'data-key': `${word} ${one.id}`, 'data-next': nextKey, 'aria-label': `${label}: ${one.text}` });
  const asks = (label, word, done, question, required) => button(`${label} …`, () => {
    const text = el('input', { id: 'check-text', autocomplete: 'off', required });
    inDialog(label, [el('p', { class: 'text' }, one.text), el('label', { for: 'check-text' }, question), text], 'Save', (form) => said(word, done, form, text.value));
  }, { 'data-key': `${word} ${one.id}`, 'data-next': nextKey, 'aria-label': `${label}: ${one.text}` });
  const { fact, older, newer } = one;
  const shown = fact ? [fact] : [older, newer];
  const actions = fact ? [
    answer('Still true', 'yes', 'Checked.'),
    asks('Over since', 'over-since', 'It is over.', 'A day or time, such as yesterday or 1 Nov; empty for now'),
    asks('Replaced by', 'replaced-by', 'It is replaced.', 'The number of a fact, or the text of a new one', true),
    answer('Forget', 'forget', forgotten),
  ] : [
    answer(`${newer.handle} replaces ${older.handle}`, 'yes', 'It is replaced.'),
    answer('Both are true', 'no', 'Kept both. You will not be asked again.'),
    answer(`Forget ${older.handle}`, 'forget', forgotten),
  ];
  return el('li', {},
    el('div', { class: 'meta' }, joined([one.why, `learned ${moment(one.at)}`])),
    shown.map((row) => el('div', { class: 'text' }, [`${row.handle}  `, el('bdi', {}, row.text)])),
    readOnly ? null : el('div', { class: 'actions' }, actions),
  );
}

function countWaiting(count) {
  document.getElementById('waiting').textContent = count ? `(${count})` : '';
}

// Reads a file, and shows what `co identity import` would change.
async function compare(file) {
  if (!file) return;
  const mine = ++dropped.turn;
  const found = { report: null, problem: null, at: revision };
  try {
    if (file.size > MAX_ARCHIVE) throw new Refused(`${file.name} is too large for this page. Run co diff FILE instead.`);
    const address = await new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => resolve(reader.result));
      reader.addEventListener('error', () => reject(new Refused(`${file.name} cannot be read.`)));
      reader.readAsDataURL(file);
    });
    found.report = await call('diff', { name: file.name, archive: address.slice(address.indexOf(',') + 1) });
  } catch (error) {
    found.problem = error.message;
  }
  // Another file may have been chosen in the meantime.
  if (mine !== dropped.turn) return;
  Object.assign(dropped, found);
  if (route().name === 'review') await draw(); else location.hash = '#review';
}

function difference(report) {
  const fact = (sign, kind) => (one) => el('li', { class: kind }, `${sign} `, el('bdi', {}, one.summary), ' ', tags(one.tags));
  const edited = (one) => el('li', { class: 'edited' }, '~ ', el('bdi', {}, one.was), ' → ', el('bdi', {}, one.summary));
  const changed = (one) => el('li', {},
    el('div', {}, `${one.was ? `${one.was} → ` : ''}${one.path} (${one.change})`),
    one.removed.map((line) => el('div', { class: 'text forgotten' }, `- ${line}`)),
    one.added.map((line) => el('div', { class: 'text learned' }, `+ ${line}`)),
  );
  const list = (title, items) => (items.length ? [el('h4', {}, `${title} (${items.length})`), el('ul', { class: 'plain' }, items)] : []);
  const lists = [
    ...list('Learned', report.learned.map(fact('+', 'learned'))),
    ...list('Edited', report.edited.map(edited)),
    ...list('Forgotten', report.forgotten.map(fact('-', 'forgotten'))),
    ...list('Tags or numbers changed', report.relabelled.map(fact('~', 'edited'))),
    ...list('Duplicates removed', report.deduplicated.map(fact('-', 'forgotten'))),
    ...list('Other files', report.documents.map(changed)),
    ...list('Not imported', report.not_taken.map((one) => el('li', {}, `${one.summary}: ${one.why}`))),
    ...list('Warnings', report.warnings.map((text) => el('li', {}, text))),
  ];
  return el('section', { id: 'difference', 'aria-label': 'What the archive would change' },
    el('p', {}, `${report.source}: ${counted(report.source_memories, 'fact', 'facts')}; you have ${report.memories}.`),
    lists.length ? lists : empty('Importing it would change nothing.'),
    report.learned.length + report.edited.length + report.forgotten.length + report.documents.length + report.relabelled.length
      ? el('p', { class: 'meta' }, el('code', {}, 'co identity import FILE --merge'), ' applies exactly this.') : null,
  );
}

document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  if (token && event.dataTransfer.files.length) compare(event.dataTransfer.files[0]);
});
