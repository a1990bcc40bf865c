// Which view is drawn, what is open in it, and when it is drawn again.

const VIEWS = { now, facts: factsView, review, documents: documentsView, context };
const MAX_PAUSE = 15000;
let revision = null;
let turn = 0;
let active = true;
// Where a view was left: Back returns there.
const left = new Map();
let isFollowed = false;
history.scrollRestoration = 'manual';

// The same step of the history under another address. Each step that was seen has a state: Back
// leads to one, and a link to none.
const readdress = (address) => history.replaceState(true, '', address);

async function draw() {
  const mine = ++turn;
  const { name, open } = route();
  for (const link of document.querySelectorAll('header nav a')) {
    if (link.hash === '#' + name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  let shown;
  try {
    shown = await VIEWS[name](open);
  } catch (error) {
    const status = await call('status').catch(() => null);
    shown = status && !status.exists ? withoutIdentity(status) : [el('p', { class: 'error' }, error.message)];
  }
  // Another view may have been chosen in the meantime.
  if (mine !== turn) return false;
  const elements = shown.filter(Boolean);
  const isThere = elements.length === view.children.length && elements.every((element, at) => element === view.children[at]);
  if (isThere) return true;
  const scrolled = window.scrollY;
  keepingFocus(() => view.replaceChildren(...elements));
  window.scrollTo(0, scrolled);
  return true;
}

// What had the focus before it was drawn anew, and what comes next to it. Some of it is drawn a
// moment later.
let lost = null;

function keepingFocus(redraw, others = []) {
  const held = document.activeElement;
  if (view.contains(held)) lost = [held.id || held.dataset.key, held.dataset.next, ...others].filter(Boolean);
  redraw();
  refocus();
}

function refocus() {
  if (!lost || document.activeElement !== document.body || dialog.open) return;
  const all = [...view.querySelectorAll('[id], [data-key]')];
  const found = lost.map((key) => all.find((element) => element.id === key || element.dataset.key === key)).find(Boolean);
  (found || view).focus({ preventScroll: true });
}

// Until something else has it.
document.addEventListener('focusin', (event) => {
  if (event.target !== view) lost = null;
});

// Draws the same view again; what is typed stays.
async function refresh() {
  try {
    revision = (await call('watch', { active: false })).revision;
  } catch {
    // The next look says so.
  }
  await draw();
}

// Another program may change something at any time.
async function watch(pause) {
  let next = 1000;
  try {
    if (!document.hidden) {
      const seen = await call('watch', { active });
      active = false;
      readOnly = seen.read_only;
      setZone(seen.zone);
      if (pause > 1000) note.replaceChildren();
      const isChanged = revision !== null && seen.revision !== revision;
      revision = seen.revision;
      if (isChanged) call('review').then(({ proposals }) => countWaiting(proposals.length), () => {});
      if (isChanged && !dialog.open && !changing) await draw();
      else if (isChanged) revision = '';
    }
  } catch (error) {
    next = Math.min(pause * 2, MAX_PAUSE);
    problem(error);
  }
  setTimeout(() => watch(next), next);
}

for (const event of ['pointerdown', 'keydown', 'wheel']) {
  window.addEventListener(event, () => { active = true; }, { passive: true });
}

document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  view.focus();
});

document.addEventListener('click', (event) => {
  if (event.target.closest('a[href^="#"]')) isFollowed = true;
});

window.addEventListener('hashchange', async ({ oldURL }) => {
  // Another address was pasted into this tab.
  if (location.hash.startsWith('#key=')) return location.reload();
  const before = new URL(oldURL).hash;
  left.set(before, window.scrollY);
  const [from, to, top] = [routeOf(before), route(), isFollowed ? 0 : left.get(location.hash) || 0];
  // The fact that was open is open still: it is as far down as it was.
  const isReturn = !isFollowed && history.state && to.name === 'facts' && to.open === facts.first;
  history.replaceState(true, '');
  isFollowed = false;
  note.replaceChildren();
  if (dialog.open) dialog.close();
  if (!await draw()) return;
  window.scrollTo(0, top);
  // Where the eye is: what was opened, or the link to what was closed.
  const opened = to.open && view.querySelector('[data-opened]');
  const closed = !to.open && from.name === to.name && from.open && [...view.querySelectorAll('[data-key]')].find((link) => link.getAttribute('href') === before);
  (opened || closed || view).focus({ preventScroll: true });
  if (opened && to.name === 'facts' && !isReturn) opened.scrollIntoView({ block: 'start' });
});

(async () => {
  try {
    await enter();
    // The first facts are read at the same time.
    if (location.hash === '#facts') facts.early = firstFacts();
    // Who asks for them is told why there are none.
    if (facts.early) facts.early.catch(() => {});
    const seen = await call('watch', { active: true });
    [revision, readOnly, home] = [seen.revision, seen.read_only, seen.home];
    setZone(seen.zone);
  } catch (error) {
    view.replaceChildren(el('p', { class: 'error' }, error.message));
    return;
  }
  call('review').then(({ proposals }) => countWaiting(proposals.length), () => {});
  history.replaceState(true, '');
  await draw();
  // The view Now has said it already.
  if (route().name !== 'now') call('status').then(named, () => {});
  setTimeout(() => watch(1000), 1000);
})();
