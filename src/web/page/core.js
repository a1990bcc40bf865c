// What every view uses: elements, calls, messages. All that is shown is a text node or an attribute:
// nothing that was saved becomes markup. Calls are the verbs of the command line; their answers are
// the envelope of `--json`.
'use strict';

const view = document.getElementById('view');
const note = document.getElementById('note');
const dialog = document.getElementById('dialog');
let readOnly = true;
let home = '';
// The person's time zone; the browser's where it has no name.
let zone;

// Elements: a name, properties (attributes, listeners), children.
function el(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'value') element.value = value;
    else element.setAttribute(key, value === true ? '' : visible(String(value)));
  }
  const shown = children.flat(3).filter((child) => child !== null && child !== undefined);
  element.append(...shown.map((child) => (typeof child === 'string' ? visible(child) : child)));
  return element;
}

function svg(name, attributes, text) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, visible(String(value)));
  if (text !== undefined) element.textContent = visible(String(text));
  return element;
}

// Characters that hide text or turn it around are written out.
function visible(text) {
  const hidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu;
  return text.replace(hidden, (found) => `\\u{${found.codePointAt(0).toString(16)}}`);
}

// Rests while what it began goes on.
function button(text, act, properties) {
  const element = el('button', { type: 'button', ...properties }, text);
  element.addEventListener('click', async (event) => {
    if (element.dataset.busy) return;
    element.dataset.busy = 'yes';
    try { await act(event); } finally { delete element.dataset.busy; }
  });
  return element;
}
// Something to type in a terminal, which can be copied.
function command(text) {
  const copy = button('Copy', async () => {
    try { await navigator.clipboard.writeText(text); } catch { return say(`Copy it by hand: ${text}`); }
    copy.textContent = 'Copied';
    setTimeout(() => { copy.textContent = 'Copy'; }, 2000);
  }, { class: 'small', 'aria-label': `Copy: ${text}` });
  return el('span', { class: 'command' }, el('code', {}, text), copy);
}

const empty = (text) => el('p', { class: 'empty' }, text);
const tags = (list) => list.map((tag) => el('span', { class: 'tag' }, tag));
const short = (path) => (home && path.startsWith(home + '/') ? '~' + path.slice(home.length) : path);
const joined = (parts) => parts.filter(Boolean).join(' · ');
// A bare day, and midnight in UTC, are that day in every zone.
const isDay = (stamp) => /^\d{4}-\d\d-\d\d($|T00:00:00(\.0+)?Z$)/.test(stamp);
// As co writes days in its own words, whatever the browser's language: 27 Nov 2026.
// Making a format takes longer than all else in a row of a list.
const formats = new Map();
function formatted(stamp, timeZone, hasTime) {
  const key = `${timeZone} ${hasTime}`;
  const clock = hasTime ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : {};
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat('en-US', { timeZone, day: 'numeric', month: 'short', year: 'numeric', ...clock }));
  const part = Object.fromEntries(formats.get(key).formatToParts(new Date(stamp)).map(({ type, value }) => [type, value]));
  return `${part.day} ${part.month} ${part.year}${hasTime ? `, ${part.hour}:${part.minute}` : ''}`;
}
const day = (stamp) => (stamp ? formatted(stamp, isDay(stamp) ? 'UTC' : zone, false) : '');
const moment = (stamp) => (stamp ? formatted(stamp, zone, true) : '');
// 2026-11-19
const dayOf = (date) => date.toLocaleDateString('sv-SE', { timeZone: zone });

// #documents/guides/deploy-steps: the view, and what is open in it.
function routeOf(hash) {
  const [name, ...rest] = hash.slice(1).split('/');
  let open = '';
  try { open = rest.map(decodeURIComponent).join('/'); } catch { /* No address of this page. */ }
  return Object.hasOwn(VIEWS, name) ? { name, open } : { name: 'now', open: '' };
}

const route = () => routeOf(location.hash);
const addressOf = (name, open) => `#${[name, ...open.split('/').map(encodeURIComponent)].join('/')}`;

// The title says which view it is, and whose.
let person = '';
function named({ name }) {
  person = name || '';
  document.getElementById('title').textContent = visible(name || 'co');
  titled();
}

function titled() {
  const { name } = route();
  document.title = visible(joined([name[0].toUpperCase() + name.slice(1), person ? `co: ${person}` : 'co']));
}
window.addEventListener('hashchange', titled);

function setZone(name) {
  try {
    new Intl.DateTimeFormat(undefined, { timeZone: name || undefined });
    zone = name || undefined;
  } catch {
    // The browser does not know it.
    zone = undefined;
  }
}
const counted = (n, one, many) => `${n} ${n === 1 ? one : many}`;

function ago(micros) {
  if (micros === null || micros === undefined) return 'never';
  const minutes = Math.round(micros / 6e7);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 48 * 60) return `${Math.round(minutes / 60)} h ago`;
  return `${Math.round(minutes / 1440)} days ago`;
}

// Who this tab is: the token stays in its memory and in its session storage, which no other origin
// can read. A second tab asks the first; both are of the same run of the server.
const SERVER = document.querySelector('meta[name=server]').content;
const STORED = `token of ${SERVER}`;
let token = null;
const tabs = new BroadcastChannel('co');
tabs.addEventListener('message', ({ data }) => {
  if (data.asks === SERVER && token) tabs.postMessage({ server: SERVER, token });
});

function fromAnotherTab() {
  return new Promise((resolve) => {
    const heard = ({ data }) => data.server === SERVER && data.token && resolve(data.token);
    tabs.addEventListener('message', heard);
    tabs.postMessage({ asks: SERVER });
    setTimeout(() => { tabs.removeEventListener('message', heard); resolve(null); }, 300);
  });
}

async function enter() {
  const key = /^#key=(.*)$/.exec(location.hash);
  token = sessionStorage.getItem(STORED);
  if (key) {
    history.replaceState(null, '', location.pathname);
    try {
      token = (await post('enter', { key: key[1] }).then((answer) => answer.json())).token;
    } catch (error) {
      // The same address again, where a tab was let in before.
      token = token || await fromAnotherTab();
      if (!token) throw error;
    }
  }
  token = token || await fromAnotherTab();
  if (token) sessionStorage.setItem(STORED, token);
}

const MAX_WAIT = 120000;

class Refused extends Error {}
class NoAnswer extends Error {}

async function post(name, fields) {
  const headers = { 'Content-Type': 'application/json' };
  if (token) headers.Authorization = 'Bearer ' + token;
  let answer;
  try {
    answer = await fetch('/api/' + name, { method: 'POST', headers, body: JSON.stringify(fields || {}), signal: AbortSignal.timeout(MAX_WAIT) });
    if (answer.ok) return answer;
  } catch {
    throw new NoAnswer('The server does not respond. If it has stopped, run `co web` again.');
  }
  throw new Refused((await answer.text()).trim());
}

// On the command line, what went wrong follows `error:`. Names keep their letters.
const sentence = (text) => text.replace(/^(?!(?:co|git) )[a-z]+(?=[ ,])/, (word) => word[0].toUpperCase() + word.slice(1));

// The data of an answer, and the number of the operation that was logged.
async function ask(name, fields) {
  const answer = await post(name, fields);
  let envelope;
  try {
    envelope = await answer.json();
  } catch {
    throw new NoAnswer('The response was incomplete. If the server has stopped, run `co web` again.');
  }
  if (!envelope.ok) throw new Refused([envelope.error.message, ...envelope.error.hints].map(sentence).join('\n'));
  const operation = answer.headers.get('co-operation');
  return { data: envelope.data, operation: operation && Number(operation) };
}

const call = async (name, fields) => (await ask(name, fields)).data;

// What was said leaves by Escape, when a dialog opens, and by itself; what can be undone stays in Now.
const NOTED = 20000;
let leaves;
function say(text, ...actions) {
  const isHere = note.contains(document.activeElement);
  note.replaceChildren(el('span', {}, text), ...actions, button('Close', silence, { 'aria-keyshortcuts': 'Escape' }));
  if (isHere) view.focus({ preventScroll: true });
  clearTimeout(leaves);
  leaves = setTimeout(leave, NOTED);
}

function silence() {
  const isHere = note.contains(document.activeElement);
  clearTimeout(leaves);
  note.replaceChildren();
  if (isHere) view.focus({ preventScroll: true });
}

// Not while someone is at it, or cannot see it.
function leave() {
  if (note.contains(document.activeElement) || note.matches(':hover') || dialog.open || document.hidden) leaves = setTimeout(leave, NOTED);
  else silence();
}

// One undo for one operation: while the note has it, the list of changes has not.
function undoOnce() {
  const noted = note.querySelector('[data-op]');
  for (const one of view.querySelectorAll('[data-op]')) one.hidden = Boolean(noted && noted.dataset.op === one.dataset.op);
}
new MutationObserver(undoOnce).observe(note, { childList: true });

// The same as its buttons, from wherever the focus is.
document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing || dialog.open) return;
  if (event.key === 'Escape') return silence();
  const act = event.key === 'u' && !event.target.closest('input, textarea, select') && note.querySelector('[aria-keyshortcuts=u]');
  if (act) act.click();
});

// In the dialog that it is about, or below everything.
function problem(error, form) {
  const place = form && dialog.firstChild === form && dialog.open && form.querySelector('[role=alert]');
  if (place) place.textContent = visible(error.message);
  else say(error.message);
}

// Makes one change after the other, resolves to what it answers, and offers to undo exactly its operation. `form` is the dialog
// that asked for it.
let changing = 0;
let latest = Promise.resolve();
function change(name, fields, done, form) {
  const made = latest.then(() => changed(name, fields, done, form));
  latest = made.catch(() => {});
  return made;
}

async function changed(name, fields, done, form) {
  changing += 1;
  let made;
  try {
    made = await ask(name, fields);
    const refused = (made.data.refused || [])[0];
    if (refused && !made.operation) throw new Refused(sentence(refused.why));
    // What was typed for it stays where it can be copied.
    if (made.data.answered_before && fields.text) throw new Refused('This proposal was already answered. Your text was not saved: copy it, or cancel.');
    // Nothing to undo.
    if (name === 'learn' && isAsBefore(made.data, fields)) made.operation = null;
  } catch (error) {
    problem(error, form);
    return;
  } finally {
    changing -= 1;
  }
  if (form && dialog.firstChild === form) dialog.close();
  const isUndoable = made.operation && name !== 'undo';
  const undo = isUndoable && !readOnly ? [button(['Undo', el('kbd', { class: 'keys', 'aria-hidden': 'true' }, 'u')], () => change('undo', { op: made.operation }, undone('Undone.')), { 'aria-keyshortcuts': 'u', 'data-op': made.operation })] : [];
  const warnings = name === 'undo' ? made.data.warnings.map((warning) => el('span', {}, warning)) : [];
  const told = typeof done === 'function' ? done(made.data) : done;
  say(made.data.answered_before ? 'This proposal was already answered.' : told, ...warnings, ...undo);
  await refresh();
  return made.data;
}

// What an undo did, where that is not simply the state before: a fact that changed since stays, and
// its earlier text becomes one more.
const undone = (said) => ({ verb, meaning, changed_since: kept }) => {
  const added = ['edit', 'confirm', 'pin', 'unpin'].includes(verb) ? meaning.learned : [];
  const numbers = added.map((fact) => fact.id).filter((id) => id !== null && id !== undefined);
  return [
    said,
    added.length && `The fact has changed since; the earlier text was added${numbers.length ? ` as fact ${numbers.join(', ')}` : ''}.`,
    kept.length && `Changed since, so it stays: ${kept.join(', ')}`,
  ].filter(Boolean).join(' ');
};

// Asks in a dialog; `act` makes the change, which closes it. What was typed is not lost by one slip.
let leaving = () => {};
dialog.addEventListener('cancel', (event) => leaving(event));

function inDialog(title, children, agree, act, properties) {
  const submit = el('button', { class: 'main' }, agree);
  const form = el('form', { method: 'dialog', onsubmit: async (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    const blank = [...form.querySelectorAll(':required')].find((field) => !field.value.trim());
    if (blank) {
      problem(new Refused(`“${blank.labels[0].textContent}” is empty.`), form);
      return blank.focus();
    }
    submit.disabled = true;
    try { await act(form); } finally { submit.disabled = false; }
  } },
    el('h2', { id: 'dialog-title' }, title), children,
    el('p', { role: 'alert', class: 'error' }),
    el('div', { class: 'actions' }, submit, button('Cancel', () => dialog.close())),
  );
  const typed = () => [...form.querySelectorAll('input, textarea')].map((field) => field.value).join('\0');
  let known = typed();
  leaving = (event) => {
    if (typed() === known) return;
    known = typed();
    event.preventDefault();
    problem(new Refused('What you typed is not saved. Press Escape again to discard it.'), form);
  };
  dialog.className = (properties || {}).class || '';
  dialog.replaceChildren(form);
  silence();
  dialog.showModal();
}

// What was typed in it is gone with it.
dialog.addEventListener('close', () => dialog.replaceChildren());
