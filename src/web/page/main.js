// Which view is drawn, and when again.

const VIEWS = { now, facts: factsView, review, documents: documentsView, context };
const MAX_PAUSE = 15000;
let revision = null;
let turn = 0;
let active = true;

const chosen = () => (Object.hasOwn(VIEWS, location.hash.slice(1)) ? location.hash.slice(1) : 'now');

async function draw() {
  const mine = ++turn;
  const name = chosen();
  for (const link of document.querySelectorAll('header nav a')) {
    if (link.hash === '#' + name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  let shown;
  try {
    shown = await VIEWS[name]();
  } catch (error) {
    shown = [el('p', { class: 'error' }, error.message)];
  }
  // Another view may have been chosen in the meantime.
  if (mine !== turn) return;
  const elements = shown.filter(Boolean);
  const isThere = elements.length === view.children.length && elements.every((element, at) => element === view.children[at]);
  if (isThere) return;
  const scrolled = window.scrollY;
  keepingFocus(() => view.replaceChildren(...elements));
  window.scrollTo(0, scrolled);
}

// What had the focus before it was drawn anew. Some of it is drawn a moment later.
let lost = null;

function keepingFocus(redraw) {
  const held = document.activeElement;
  if (view.contains(held)) lost = held.id || held.dataset.key || null;
  redraw();
  refocus();
}

function refocus() {
  if (!lost || document.activeElement !== document.body || dialog.open) return;
  const isIt = (element) => element.id === lost || element.dataset.key === lost;
  const found = [...view.querySelectorAll('[id], [data-key]')].find(isIt);
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

window.addEventListener('hashchange', () => {
  // Another address was pasted into this tab.
  if (location.hash.startsWith('#key=')) return location.reload();
  note.replaceChildren();
  return draw().then(() => { window.scrollTo(0, 0); view.focus({ preventScroll: true }); });
});

(async () => {
  try {
    await enter();
    const seen = await call('watch', { active: true });
    [revision, readOnly, home] = [seen.revision, seen.read_only, seen.home];
    setZone(seen.zone);
  } catch (error) {
    view.replaceChildren(el('p', { class: 'error' }, error.message));
    return;
  }
  call('review').then(({ proposals }) => countWaiting(proposals.length), () => {});
  await draw();
  setTimeout(() => watch(1000), 1000);
})();
