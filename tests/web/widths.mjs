// The page of `co web` on a laptop and on a phone: each view and each action at both widths, what is
// open and its address, and Back. Started by tests/verbs/web/calls.rs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import assert from 'node:assert/strict';
import { checked, co, launch, serve } from './support.mjs';

const HOME = process.env.HOME;
const LONG = 'Deploys with fly.io, never on Fridays, and never in the week before a holiday, because whoever is on call would have to come back early';
const other = (name, ...words) => execFileSync(process.env.CO, words, { encoding: 'utf8', cwd: `${HOME}/${name}`, env: { ...process.env, HOME: `${HOME}/${name}` } });

// A remote with a long address, a team's layer, facts of all times, documents, a secret that is not here.
const remote = `${HOME}/${'a-long-name/'.repeat(8)}identity.git`;
mkdirSync(remote, { recursive: true });
execFileSync('git', ['init', '-q', '--bare', remote]);
co('identity', 'remote', remote);
co('learn', 'Uses poetry for environments', '--tag', 'python');
co('learn', LONG, '--tag', 'deploy');
co('learn', 'Reviews are short\n\n- no remarks on style');
co('learn', 'On call this month', '--until', '2099-12-31');
co('learn', 'Was in Lisbon', '--until', '2020-01-01');
co('learn', 'Uses uv for environments', '--replaces', '1');
co('learn', 'Staging is reached with {{secret:staging-token}}');
writeFileSync(`${co('identity', 'path').trim()}/knowledge/memories/2025-01-03-gym.md`, '---\nid: 91\ncreated: 2025-01-03T09:00:00+00:00\nstale_after: 2025-07-03\n---\n\nPays for the gym\n');
co('knowledge', 'write', 'guides/deploy-steps', '# Deploy steps\n\nSee [[rollback]], **always**.\n\n| step | time |\n|---|---|\n| tests | 3 min |\n');
co('knowledge', 'write', 'guides/rollback', '# Rollback\n\nTake the release before.\n');
for (let n = 10; n < 40; n++) co('knowledge', 'write', `plans/plan-${n}`, `# Plan ${n}\n\nTalked about plan ${n}.\n`);
mkdirSync('team');
other('team', 'init', '--yes', '--name', 'Team');
other('team', 'learn', 'The team releases on Tuesdays');
other('team', 'knowledge', 'write', 'handbook', '# Handbook\n\nHow we work.');
co('layer', 'add', 'team', `${HOME}/team/.config/co-cli/identity`);
writeFileSync('facts.txt', 'Works with Rust\nDrinks tea\nLikes short answers\n');
co('agent', 'import', '--from', 'facts.txt', '--review');
mkdirSync('new');

const { server, address } = await serve();
const blank = await serve([], { cwd: `${HOME}/new`, env: { ...process.env, HOME: `${HOME}/new` } });
const browser = await launch();

async function tour(width) {
  const context = await browser.newContext({ viewport: { width, height: width < 500 ? 844 : 900 }, hasTouch: width < 500 });
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const at = (what) => `${what} at ${width}`;
  const open = async (name) => {
    await page.locator('header nav a', { hasText: name }).click();
    await page.locator('main h2', { hasText: name }).waitFor();
  };
  const noted = (text) => page.locator('#note', { hasText: text }).waitFor();
  const undo = async () => {
    await page.locator('#note button', { hasText: 'Undo' }).click();
    await noted('Undone.');
  };
  const row = (text) => page.locator('#rows > li', { hasText: text });
  const isSeen = async (locator, what) => {
    let box;
    for (let tries = 0; tries < 50; tries++) {
      await locator.waitFor();
      box = await locator.boundingBox();
      if (box && box.y >= 0 && box.y < 844) return;
      await page.waitForTimeout(50);
    }
    assert.fail(at(`${what} is where the eye is, not at ${box && box.y}`));
  };
  return { page, problems, at, open, noted, undo, row, isSeen, end: () => context.close() };
}

async function nowView({ page, at, open }, width) {
  // The page looks at any time: whoever sees the second has the first.
  co('export', `copy-${width}.tar.gz`);
  co('knowledge', 'write', `plans/seen-${width}`, '# Seen\n\nOn the page.');
  await open('Now');
  const waits = page.locator('main section', { hasText: 'Waiting for you' });
  await waits.locator('code', { hasText: 'co secret set staging-token' }).waitFor();
  await waits.getByRole('button', { name: 'Copy: co secret set staging-token' }).waitFor();
  await page.locator('main section', { hasText: 'Layers' }).locator('li', { hasText: 'team: 1 fact · 1 document · only read here' }).waitFor();
  // An undo where something can be undone, in one line.
  const change = (text) => page.locator('main li.beside', { hasText: text });
  const button = change(`plans/seen-${width}`).getByRole('button', { name: 'Undo' });
  await button.waitFor();
  await page.waitForFunction(() => {
    const all = [...document.querySelectorAll('main li.beside button')];
    return all.length > 2 && all.every((one) => one.getBoundingClientRect().height < 45);
  });
  assert.equal(await change(`copy-${width}.tar.gz`).count(), 1);
  assert.equal(await change(`copy-${width}.tar.gz`).getByRole('button').count(), 0, at('a copy is not undone'));
  await checked(page, at('Now'));
}

async function factsView({ page, at, open, noted, undo, row, isSeen }) {
  await open('Facts');
  // Whole, and once.
  await row(LONG).waitFor();
  await row('- no remarks on style').waitFor();
  await row(LONG).getByRole('button').first().click();
  await row(LONG).locator('dl').waitFor();
  assert.equal((await row(LONG).innerText()).split('Deploys with').length, 2, at('its text is there once'));
  await row(LONG).locator('.life li', { hasText: 'learned' }).waitFor();
  await checked(page, at('a fact'));
  // Its address, from elsewhere and after a reload.
  const address = page.url();
  assert.match(address, /#facts\/2-[0-9a-f]{8}$/);
  await open('Review');
  await page.goto(address);
  await isSeen(row(LONG).getByRole('button', { name: 'Edit' }), 'the fact of the address');
  await page.reload();
  await row(LONG).locator('dl').waitFor();
  await row(LONG).getByRole('button').first().click();
  await row(LONG).locator('dl').waitFor({ state: 'detached' });
  // What an address names may be gone.
  await page.goto(address.replace(/-[0-9a-f]{8}$/, '-00000000'));
  await noted('has changed since, or is gone');
  await open('Facts');
  // When it holds, typed and changed.
  await page.getByRole('button', { name: 'Add a fact' }).click();
  await page.getByLabel('Text').fill('Learns the cello');
  await page.locator('dialog summary').click();
  await page.getByLabel('Until').fill('2098-03-01');
  await page.getByLabel('Check again after').fill('90d');
  await page.getByLabel('Replaces').fill('4');
  await checked(page, at('the dialog'));
  await page.getByRole('button', { name: 'Save' }).click();
  await noted('Learned.');
  await row('Learns the cello').locator('.meta', { hasText: 'until 1 Mar 2098' }).waitFor();
  await row('On call this month').waitFor({ state: 'detached' });
  await undo();
  await row('On call this month').waitFor();
  await row('On call this month').getByRole('button').first().click();
  await page.locator('#rows').getByRole('button', { name: 'Edit' }).click();
  assert.equal(await page.getByLabel('Until').inputValue(), '2099-12-31');
  await page.getByLabel('Until').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await noted('Saved.');
  await row('On call this month').locator('.meta', { hasText: 'until' }).waitFor({ state: 'detached' });
  await undo();
  // Those of another time, and of a layer.
  if (!await page.getByLabel('Holds').isVisible()) await page.locator('summary', { hasText: 'Filters' }).click();
  for (const [value, text, count] of [['unchecked', 'Pays for the gym', 1], ['ending', 'On call this month', 1], ['replaced', 'Uses poetry', 1], ['over', 'Was in Lisbon', 1], ['all', 'Uses poetry', 9]]) {
    await page.getByLabel('Holds').selectOption(value);
    await page.locator('#count', { hasText: new RegExp(`^${count} facts?$`) }).waitFor();
    await row(text).waitFor();
  }
  // The life of one that was replaced, and back to what it replaces.
  await row('Uses poetry').getByRole('button').first().click();
  await row('Uses poetry').locator('dd a', { hasText: 'Uses uv' }).click();
  await row('Uses uv').locator('dd a', { hasText: 'Uses poetry' }).waitFor();
  await page.goBack();
  await row('Uses poetry').locator('dl').waitFor();
  await page.getByLabel('Holds').selectOption('current');
  await open('Facts');
  await page.getByLabel('From').selectOption('team');
  await page.locator('#count', { hasText: /^1 fact$/ }).waitFor();
  await row('The team releases').getByRole('button').first().click();
  await row('The team releases').locator('dl').waitFor();
  await row('The team releases').getByText('only read here').waitFor();
  assert.equal(await row('The team releases').getByRole('button', { name: 'Edit' }).count(), 0);
  await page.getByLabel('From').selectOption('');
  // Still true.
  await row('Pays for the gym').getByRole('button').first().click();
  await page.getByRole('button', { name: 'Still true' }).click();
  await noted('Checked.');
  await row('Pays for the gym').locator('.meta', { hasText: 'unchecked' }).waitFor({ state: 'detached' });
  await undo();
  await row('Pays for the gym').locator('.meta', { hasText: 'unchecked' }).waitFor();
  // What was typed is not lost by one slip.
  await page.getByRole('button', { name: 'Add a fact' }).click();
  await page.getByLabel('Text').fill('Half a sentence');
  await page.keyboard.press('Escape');
  await page.locator('dialog [role=alert]', { hasText: 'not saved' }).waitFor();
  assert.equal(await page.getByLabel('Text').inputValue(), 'Half a sentence');
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
}

async function reviewView({ page, at, open, noted, undo }) {
  await open('Review');
  const proposal = (text) => page.locator('#proposals > li', { hasText: text });
  await proposal('Works with Rust').waitFor();
  await checked(page, at('Review'));
  // All at once: one change.
  await page.getByRole('button', { name: 'Accept all 3' }).click();
  await page.locator('dialog li', { hasText: 'Drinks tea' }).waitFor();
  await page.locator('dialog').getByRole('button', { name: 'Accept all' }).click();
  await noted('Accepted 3.');
  await page.locator('main', { hasText: 'Nothing to review' }).waitFor();
  await undo();
  await proposal('Drinks tea').waitFor();
  // By keys: next, previous, accept, which leads to the next one.
  const focused = () => page.evaluate(() => document.activeElement.closest('li')?.innerText || '');
  await proposal('Works with Rust').getByRole('button').first().focus();
  await page.keyboard.press('j');
  assert.match(await focused(), /Drinks tea/);
  await page.keyboard.press('k');
  assert.match(await focused(), /Works with Rust/);
  await page.keyboard.press('a');
  await noted('Accepted.');
  await proposal('Works with Rust').waitFor({ state: 'detached' });
  await page.waitForFunction(() => /Drinks tea/.test(document.activeElement.closest('li')?.innerText || ''));
  await page.keyboard.press('r');
  await noted('Rejected');
  await undo();
  await proposal('Drinks tea').waitFor();
  await proposal('Drinks tea').getByRole('button').first().focus();
  await page.keyboard.press('e');
  assert.equal(await page.getByLabel('Text').inputValue(), 'Drinks tea');
  await page.getByRole('button', { name: 'Cancel' }).click();
  co('undo');
  await proposal('Works with Rust').waitFor();
}

async function documentsView({ page, at, open, noted, undo, isSeen }, width) {
  await open('Documents');
  const inTree = (name) => page.locator('#tree').getByRole('link', { name, exact: true });
  const heading = (text) => page.locator('article h3', { hasText: text });
  await inTree('plan-35').scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
  await inTree('plan-35').click();
  await isSeen(heading('Plan 35'), 'a document');
  assert.match(page.url(), /#documents\/plans\/plan-35$/);
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H3', at('a reader is told'));
  await checked(page, at('a document'));
  // Back is where one came from.
  await page.goBack();
  await page.waitForFunction(() => document.activeElement.textContent === 'plan-35');
  assert.equal(await page.evaluate(() => window.scrollY), scrolled, at('Back is at the same place'));
  assert.match(page.url(), /#documents$/);
  // Its text, its links, a reload.
  await inTree('deploy-steps').click();
  await page.locator('article strong', { hasText: 'always' }).waitFor();
  await page.locator('article td', { hasText: '3 min' }).waitFor();
  await page.locator('article .page').getByRole('link', { name: 'rollback' }).click();
  await isSeen(heading('Rollback'), 'a linked document');
  await page.reload();
  await isSeen(heading('Rollback'), 'a document after a reload');
  await page.goBack();
  await isSeen(heading('Deploy steps'), 'the one before');
  if (width < 500) await page.getByRole('link', { name: 'All documents' }).click(); else await open('Documents');
  // By name at once, by what is in them a moment later.
  await page.locator('#document-query').fill('plan-2');
  await page.locator('#tree').getByRole('link', { name: 'Plan 25' }).waitFor();
  await page.locator('#document-query').fill('release before');
  await page.locator('#tree li', { hasText: 'Take the release before' }).getByRole('link').click();
  await isSeen(heading('Rollback'), 'a document that was found');
  // Edited, with its undo; a text that came meanwhile is not lost.
  await page.locator('article').getByRole('button', { name: 'Edit' }).click();
  await page.locator('#document-text').fill('# Rollback\n\nTake the release before, and tell.\n');
  await checked(page, at('the text of a document'));
  await page.getByRole('button', { name: 'Save' }).click();
  await noted('Saved.');
  await page.locator('article', { hasText: 'and tell' }).waitFor();
  await undo();
  await page.locator('article', { hasText: 'and tell' }).waitFor({ state: 'detached' });
  await page.locator('article').getByRole('button', { name: 'Edit' }).click();
  await page.locator('#document-text').fill('# Rollback\n\nTyped here.\n');
  co('knowledge', 'write', 'guides/rollback', '# Rollback\n\nWritten by another.\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('#meanwhile', { hasText: 'Written by another.' }).waitFor();
  assert.match(await page.locator('#document-text').inputValue(), /Typed here/);
  await page.getByRole('button', { name: 'Save' }).click();
  await noted('Saved.');
  await page.locator('article', { hasText: 'Typed here.' }).waitFor();
  co('undo');
  co('undo');
  await page.locator('article', { hasText: 'Take the release before' }).waitFor();
  // A new one; a topic that is taken is refused, and so is a token.
  await open('Documents');
  await page.locator('#document-query').fill('');
  await page.getByRole('button', { name: 'New document' }).click();
  await page.getByLabel('Topic').fill('guides/rollback');
  await page.locator('#document-text').fill('# On call\n\nWho to wake.\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('dialog [role=alert]', { hasText: 'already exists' }).waitFor();
  await page.getByLabel('Topic').fill('guides/on-call');
  await page.getByRole('button', { name: 'Save' }).click();
  await noted('Saved.');
  await isSeen(heading('On call'), 'a new document');
  await undo();
  // What is gone is not what is open.
  await page.waitForFunction(() => location.hash === '#documents');
  await inTree('on-call').waitFor({ state: 'detached' });
  // A link that is pressed while something else changes is followed.
  const link = await inTree('rollback').boundingBox();
  await page.mouse.move(link.x + link.width / 2, link.y + link.height / 2);
  const redrawn = page.waitForResponse('**/documents');
  await page.mouse.down();
  co('learn', 'Said while a link was pressed');
  await redrawn;
  await page.waitForTimeout(200);
  await page.mouse.up();
  await page.locator('article', { hasText: 'Take the release before' }).waitFor();
  co('undo');
  await page.goBack();
  await inTree('rollback').waitFor();
  // What is answered late does not open again what was closed in the meantime.
  let answer;
  const late = new Promise((resolve) => { answer = resolve; });
  await page.route('**/related', async (route) => { await late; await route.continue(); });
  const asked = page.waitForRequest('**/related');
  await inTree('rollback').click();
  await asked;
  await page.goBack();
  await inTree('rollback').waitFor();
  const answered = page.waitForResponse('**/related');
  answer();
  await (await answered).finished();
  await page.unroute('**/related');
  await page.waitForTimeout(100);
  assert.ok(await inTree('rollback').isVisible(), at('the list stays after a late answer'));
  // Of a layer that is only read here.
  await open('Documents');
  await inTree('team:handbook').click();
  await page.locator('article', { hasText: 'How we work.' }).waitFor();
  assert.equal(await page.locator('article').getByRole('button', { name: 'Edit' }).count(), 0);
}

async function contextView({ page, at, open }) {
  await open('Context');
  await page.locator('.context', { hasText: 'Uses uv' }).waitFor();
  await checked(page, at('Context'));
}

// An identity with nothing in it teaches what to do.
async function beginning(address, { page, at, open, noted, undo, row }) {
  await page.goto(address);
  await page.locator('main code', { hasText: 'co init URL' }).waitFor();
  await checked(page, at('no identity'));
  other('new', 'init', '--yes');
  const begin = page.getByRole('region', { name: 'Begin here' });
  await begin.locator('code', { hasText: 'co agent import --review' }).waitFor();
  await checked(page, at('an empty identity'));
  await open('Documents');
  await page.locator('main code', { hasText: 'co knowledge add FILE' }).waitFor();
  await checked(page, at('no documents'));
  await open('Facts');
  await page.getByRole('button', { name: 'Uses pnpm, never npm', exact: true }).click();
  assert.equal(await page.getByLabel('Text').inputValue(), 'Uses pnpm, never npm');
  await page.getByRole('button', { name: 'Save' }).click();
  await noted('Learned.');
  await row('Uses pnpm').waitFor();
  await undo();
  await page.getByRole('button', { name: 'Uses pnpm, never npm', exact: true }).waitFor();
  // The first fact, from Now: one undo for one operation, and nothing to sync where there is no remote.
  await open('Now');
  await page.getByRole('button', { name: 'Add a fact' }).click();
  await page.getByLabel('Text').fill('Uses uv');
  await page.getByRole('button', { name: 'Save' }).click();
  await noted('Learned.');
  const change = page.locator('main li.beside', { hasText: 'learned Uses uv' });
  await change.waitFor();
  assert.equal(await change.getByRole('button').count(), 0, at('the note has the undo'));
  assert.equal(await page.getByText('not committed').count(), 0);
  await page.keyboard.press('Escape');
  await change.getByRole('button', { name: 'Undo' }).click();
  await noted('Undone: Uses uv.');
}

try {
  let enter = address;
  for (const width of [1280, 390]) {
    const one = await tour(width);
    if (width === 1280) {
      await one.page.goto(enter);
    } else {
      // Another window of the same browser gets in by the token of the first.
      await one.page.addInitScript(([name, token]) => sessionStorage.setItem(name, token), enter);
      await one.page.goto(new URL(address).origin);
    }
    await one.page.locator('h1', { hasText: 'Bin Chen' }).waitFor();
    enter = await one.page.evaluate(() => Object.entries(sessionStorage)[0]);
    await nowView(one, width);
    await factsView(one);
    await reviewView(one);
    await documentsView(one, width);
    await contextView(one);
    assert.deepEqual(one.problems, []);
    await one.end();
  }
  const first = await tour(390);
  await beginning(blank.address, first);
  assert.deepEqual(first.problems, []);
} finally {
  await browser.close();
  server.kill();
  blank.server.kill();
}
