// The page of `co web` in Chromium: what a person sees and does, by mouse and by keyboard, with
// hostile texts, two tabs, and the command line at the same time. Started by tests/verbs/web/server.rs.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import assert from 'node:assert/strict';
import { checked, co, launch, serve } from './support.mjs';

const HOST = process.env.HOSTNAME || hostname();

const HOSTILE = [
  '<img src=x onerror="window.ran=1"> is an image',
  '<script>window.ran=1</script> is a script',
  '"><svg onload=window.ran=1> is a picture',
  'javascript:window.ran=1 is an address',
];

for (const text of HOSTILE) co('learn', text);
co('learn', 'Prefers tabs over spaces', '--tag', 'style');
co('knowledge', 'write', 'deploy-steps', `# Deploy <b>now</b>\n\nSee [[other-steps]] and [x](javascript:window.ran=1).\n\n- one\n\n\`\`\`\n${HOSTILE[1]}\n\`\`\`\n`);
co('knowledge', 'write', 'other-steps', '# Other\n\nThe other document. See [back by path](./deploy-steps.md#part).');
// Of another agent and laptop, as a sync would have brought it.
const identity = co('identity', 'path').trim();
writeFileSync(`${identity}/knowledge/memories/2026-01-02-billing.md`, `---
id: 90
created: 2026-01-02T09:00:00+00:00
agent: codex
project: github.com/bin/billing
---

Invoices are numbered by year
`);
co('check', '--fix');
co('sync');
// The archive of another identity.
const HOME = process.env.HOME;
mkdirSync('other');
for (const words of [['init', '--yes', '--name', 'Bin Chen'], ['learn', 'Only in the archive', '--tag', 'packed'], ['export', `${HOME}/before.tar.gz`]]) {
  execFileSync(process.env.CO, words, { cwd: 'other', env: { ...process.env, HOME: `${HOME}/other` } });
}
co('learn', 'Reads the news at breakfast');
mkdirSync('.cursor', { recursive: true });
co('agent', 'install', 'cursor', '--yes');
co('knowledge', 'write', 'slow', `# Slow\n\nslow to read\n\n- ${' '.repeat(100000)}x\u2028y\n\n${'['.repeat(20000)}`);
writeFileSync('facts.txt', `Works with Rust\nWants <b onmouseover="window.ran=1">bold</b> letters in every heading\n`);
co('agent', 'import', '--from', 'facts.txt', '--review');

const { server, address } = await serve();
const browser = await launch();
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const requests = new Set();
  page.on('request', (request) => requests.add(new URL(request.url()).origin));

  // Without a key there is nothing to see; the address can be pasted into the same tab.
  await page.goto(new URL(address).origin);
  await page.locator('main', { hasText: 'Open the page with the address' }).waitFor();
  assert.match(problems.pop(), /401/);
  await page.goto(address);
  await page.locator('h1', { hasText: 'Bin Chen' }).waitFor();
  assert.equal(new URL(page.url()).hash, '', 'the key stays out of the history');
  const open = async (name) => {
    await page.locator('header nav a', { hasText: name }).click();
    // Until the new view is read, the one before is shown.
    await page.locator('main h2', { hasText: name }).waitFor();
    await page.waitForFunction((view) => document.querySelector('header nav a[aria-current]').hash === view, '#' + name.toLowerCase());
    await page.waitForTimeout(150);
  };
  const noted = (text) => page.locator('#note', { hasText: text }).waitFor().catch(async (error) => {
    console.error(`Not noted: ${text}. The page says:\n${await page.locator('body').innerText()}`);
    throw error;
  });
  const undo = async () => {
    await page.locator('#note button', { hasText: 'Undo' }).click();
    await noted('Undone.');
  };
  const opened = async (text) => {
    const head = row(text).locator('button[aria-expanded]');
    if ((await head.getAttribute('aria-expanded')) !== 'true') await head.click();
  };
  const row = (text) => page.locator('#rows > li', { hasText: text });

  // Now
  await page.locator('h1', { hasText: 'Bin Chen' }).waitFor();
  await page.locator('main', { hasText: 'Name: Bin Chen' }).waitFor();
  await page.locator('main', { hasText: '2 proposals to review' }).waitFor();
  assert.match(await page.locator('main').innerText(), /^7 facts/m);
  await page.locator('svg[role=img]').waitFor();
  assert.match(await page.locator('svg[role=img]').getAttribute('aria-label'), /you 7/);

  // Facts: add, edit, pin, forget, each with its undo.
  await open('Facts');
  assert.equal(await page.locator('#rows > li').count(), 7);
  await page.getByRole('button', { name: 'Add a fact' }).click();
  await page.getByLabel('Text').fill('Lives in Seattle');
  await page.getByLabel('Tags').fill('home, city');
  await page.getByRole('button', { name: 'Save' }).click();
  await noted('Learned.');
  await row('Lives in Seattle').waitFor();
  await undo();
  await row('Lives in Seattle').waitFor({ state: 'detached' });
  await row('Prefers tabs').getByRole('button').click();
  await page.getByRole('button', { name: 'Edit' }).click();
  assert.equal(await page.getByLabel('Text').inputValue(), 'Prefers tabs over spaces');
  await page.getByLabel('Text').fill('Prefers spaces over tabs');
  await page.getByRole('button', { name: 'Save' }).click();
  await noted('Saved.');
  await row('Prefers spaces').waitFor();
  await undo();
  await row('Prefers tabs').waitFor();
  await opened('Prefers tabs');
  await page.getByRole('button', { name: 'Pin' }).click();
  await noted('Pinned');
  await row('★ Prefers tabs').waitFor();
  await undo();
  await row('★ Prefers tabs').waitFor({ state: 'detached' });
  await page.locator('summary', { hasText: 'History' }).click();
  await page.getByRole('button', { name: 'Forget' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Forget' }).click();
  await noted('Forgotten.');
  await row('Prefers tabs').waitFor({ state: 'detached' });
  await undo();
  await row('Prefers tabs').waitFor();

  // By the keyboard, the focus stays where it was.
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  const pin = page.locator('#rows').getByRole('button', { name: /^(Pin|Unpin)$/ });
  await opened('Prefers tabs');
  await pin.focus();
  await page.keyboard.press('Enter');
  await noted('Pinned');
  await page.locator('#rows').getByRole('button', { name: 'Unpin' }).waitFor();
  await page.waitForTimeout(300);
  assert.equal(await focused(), 'Unpin');
  await undo();
  // Until it is shown as undone, the button would unpin it once more.
  await page.locator('#rows').getByRole('button', { name: 'Pin', exact: true }).waitFor();

  // A slow change leaves another dialog alone.
  await page.route('**/api/pin', async (route) => { await new Promise((done) => setTimeout(done, 1000)); await route.continue(); });
  await pin.click();
  await page.getByRole('button', { name: 'Add a fact' }).click();
  await page.getByLabel('Text').fill('Typed meanwhile');
  await noted('Pinned');
  assert.equal(await page.getByLabel('Text').inputValue(), 'Typed meanwhile');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.unroute('**/api/pin');
  await undo();

  // Search, by the keyboard; the filters.
  await page.getByLabel('Search').focus();
  await page.keyboard.type('tabs or spaces');
  await page.locator('#count', { hasText: /^[12] facts?$/ }).waitFor();
  // What was asked for letter by letter is ranked in the end.
  await page.locator('#rows > li:first-child', { hasText: 'Prefers tabs' }).waitFor();
  await page.getByLabel('Search').fill('');
  await page.locator('#count', { hasText: '7 facts' }).waitFor();
  await page.getByLabel('Tag').selectOption('style');
  await page.locator('#count', { hasText: '1 fact' }).waitFor();
  await page.getByLabel('Tag').selectOption('');

  // A secret is refused.
  await page.getByRole('button', { name: 'Add a fact' }).click();
  await page.getByLabel('Text').fill('the token is ghp_9xKq2LmV7RtZ4WcY8NbJ3HdF6GsP1Qe05AuT');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('dialog [role=alert]', { hasText: 'Nothing was saved' }).waitFor();
  assert.doesNotMatch(await page.locator('dialog [role=alert]').innerText(), /--/, 'no option, where none can be given');
  assert.match(await page.getByLabel('Text').inputValue(), /the token is/, 'what was typed stays');
  await page.getByRole('button', { name: 'Cancel' }).click();

  // Where facts came from; a change that changes nothing has nothing to undo.
  const chosen = async (label, value, count) => {
    await page.getByLabel(label, { exact: true }).selectOption(value);
    await page.locator('#count', { hasText: new RegExp(`^${count} facts?$`) }).waitFor();
    await page.getByLabel(label, { exact: true }).selectOption('');
  };
  await chosen('Agent', 'codex', 1);
  await chosen('Project', 'github.com/bin/billing', 1);
  await chosen('Laptop', HOST, 7);
  await opened('Prefers tabs');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await noted('Saved.');
  assert.equal(await page.locator('#note button', { hasText: 'Undo' }).count(), 0);

  // What was typed for a fact stays when another program changes or forgets it.
  const numbered = (text) => String(JSON.parse(co('list', '--json')).data.memories.find((one) => one.summary === text).id);
  for (const [text, act, words, done] of [['Sleeps late', (id) => co('edit', id, 'Sleeps early'), 'It now says: Sleeps early', 'Saved.'], ['Wakes late', (id) => co('forget', '--yes', id), 'forgotten', 'Learned.']]) {
    co('learn', text);
    await row(text).waitFor();
    await opened(text);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Text').fill(`Typed for ${text}`);
    act(numbered(text));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('#meanwhile', { hasText: words }).waitFor();
    assert.equal(await page.getByLabel('Text').inputValue(), `Typed for ${text}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await noted(done);
    await row(`Typed for ${text}`).waitFor();
    co('forget', '--yes', numbered(`Typed for ${text}`));
    await row(`Typed for ${text}`).waitFor({ state: 'detached' });
  }

  // What is typed stays while another program changes something.
  await page.getByLabel('Search').fill('tabs');
  await page.evaluate(() => document.getElementById('query').setSelectionRange(1, 2));
  co('learn', 'Knows what tabs are');
  await row('Knows what tabs are').waitFor();
  assert.deepEqual(await page.evaluate(() => [document.activeElement.id, document.activeElement.selectionStart, document.activeElement.selectionEnd]), ['query', 1, 2]);
  await page.getByLabel('Search').fill('');
  co('undo');
  await row('Knows what tabs are').waitFor({ state: 'detached' });

  // Another tab, and the command line.
  const other = await context.newPage();
  await other.goto(new URL(address).origin + '/#facts');
  await other.locator('#rows > li').first().waitFor();
  const since = Date.now();
  co('learn', 'Said on the command line');
  for (const tab of [page, other]) {
    await tab.bringToFront();
    await tab.locator('#rows > li', { hasText: 'Said on the command line' }).waitFor();
  }
  const took = Date.now() - since;
  await other.getByRole('button', { name: 'Add a fact' }).click();
  await other.getByLabel('Text').fill('Said in the other tab');
  await other.getByRole('button', { name: 'Save' }).click();
  await page.bringToFront();
  await row('Said in the other tab').waitFor();
  await other.close();

  // Review: each answer with its undo.
  await open('Review');
  const proposal = (text) => page.locator('main ul.rows > li', { hasText: text });
  await proposal('Works with Rust').getByRole('button', { name: /^Accept:/ }).click();
  await noted('Accepted.');
  await proposal('Works with Rust').waitFor({ state: 'detached' });
  await undo();
  await proposal('Works with Rust').waitFor();
  await proposal('Works with Rust').getByRole('button', { name: 'Edit and accept' }).click();
  await page.getByLabel('Text').fill('Works with Rust and C');
  await page.locator('dialog').getByRole('button', { name: 'Accept' }).click();
  await noted('Accepted.');
  await undo();
  await proposal('Works with Rust').getByRole('button', { name: 'Reject:' }).click();
  await noted('Rejected');
  await undo();
  await proposal('Works with Rust').waitFor();

  // Facts that may no longer hold: each answer with its undo, and where they are afterwards.
  writeFileSync(`${identity}/knowledge/memories/2025-01-03-gym.md`, `---
id: 91
created: 2025-01-03T09:00:00+00:00
stale_after: 2025-07-03
---

Pays for the gym
`);
  const stale = page.locator('#stale > li', { hasText: 'Pays for the gym' });
  await stale.locator('.meta', { hasText: 'unchecked since January 2025' }).waitFor();
  for (const [name, label, typed, said] of [
    ['Still true', null, null, 'Checked.'],
    ['Replaced by', 'The number of a fact', 'Swims in the lake', 'It is replaced.'],
    ['Over since', 'A day or time', 'yesterday', 'It is over.'],
    ['Forget', null, null, 'Forgotten.'],
  ]) {
    await stale.getByRole('button', { name }).click();
    if (label) {
      await page.locator('dialog').getByLabel(label).fill(typed);
      await page.locator('dialog').getByRole('button', { name: 'Save' }).click();
    }
    await noted(said);
    await stale.waitFor({ state: 'detached' });
    await undo();
    await stale.waitFor();
  }
  await stale.getByRole('button', { name: 'Over since' }).click();
  await page.locator('dialog').getByLabel('A day or time').fill('the day after never');
  await page.locator('dialog').getByRole('button', { name: 'Save' }).click();
  await page.locator('dialog [role=alert]', { hasText: 'is not a date' }).waitFor();
  await page.locator('dialog').getByLabel('A day or time').fill('1 Nov');
  await page.locator('dialog').getByRole('button', { name: 'Save' }).click();
  await noted('It is over.');
  await open('Facts');
  assert.equal(await row('Pays for the gym').count(), 0);
  await page.getByLabel('Holds', { exact: true }).selectOption('all');
  await row('Pays for the gym').locator('.meta', { hasText: /until 31 Oct \d{4}/ }).waitFor();
  await page.getByLabel('Holds', { exact: true }).selectOption('current');
  await row('Pays for the gym').waitFor({ state: 'detached' });
  co('undo');
  await row('Pays for the gym').locator('.meta', { hasText: 'unchecked since January 2025' }).waitFor();
  await open('Now');
  await page.locator('main', { hasText: '1 fact is unchecked' }).waitFor();
  await open('Review');

  // What importing an archive would change: as the command says.
  const expected = JSON.parse(co('diff', 'before.tar.gz', '--json')).data;
  assert.deepEqual(expected.learned.map((fact) => fact.summary), ['Only in the archive']);
  await page.locator('#archive').setInputFiles('before.tar.gz');
  await page.locator('#difference').waitFor();
  const difference = await page.locator('#difference').innerText();
  for (const fact of [...expected.learned, ...expected.edited, ...expected.forgotten]) assert.ok(difference.includes(fact.summary), fact.summary);
  writeFileSync('broken.tar.gz', 'no archive');
  await page.locator('#archive').setInputFiles('broken.tar.gz');
  await page.locator('main [role=alert]', { hasText: 'was refused' }).waitFor();

  // Documents and their links.
  await open('Documents');
  await page.locator('#tree').getByRole('link', { name: 'deploy-steps' }).click();
  await page.locator('article h3', { hasText: 'Deploy' }).first().waitFor();
  assert.match(await page.locator('article').innerText(), /<b>now<\/b>/);
  assert.equal(await page.locator('article a:not([href^="#"])').count(), 0);
  // The other one links back, and is linked to.
  assert.match(await page.locator('article section').innerText(), /Linked from \(1\)\s+other-steps/);
  await page.locator('article').getByRole('link', { name: 'other-steps' }).first().click();
  await page.locator('article', { hasText: 'The other document.' }).waitFor();
  await page.locator('article').getByRole('link', { name: 'back by path' }).click();
  await page.locator('article', { hasText: '<b>now</b>' }).waitFor();

  // A text that is slow to take apart.
  const asked = Date.now();
  await page.locator('#tree').getByRole('link', { name: 'slow' }).click();
  await page.locator('article', { hasText: 'slow to read' }).waitFor();
  assert.ok(Date.now() - asked < 5000, `${Date.now() - asked} ms`);

  // Context
  await open('Context');
  assert.match(await page.locator('.context').innerText(), /Prefers tabs/);
  assert.ok((await page.locator('meter').count()) > 1);
  await page.getByLabel('Agent').selectOption({ label: 'Cursor' });
  await page.locator('.context', { hasText: 'Prefers tabs' }).waitFor();

  // The undo of an edit that is not the last one says what it added.
  co('learn', 'Drinks tea');
  const tea = () => JSON.parse(co('list', '--json')).data.memories;
  const edited = String(tea().find((one) => one.summary === 'Drinks tea').id);
  co('edit', edited, 'Drinks green tea');
  co('edit', edited, 'Drinks black tea');
  await open('Now');
  await page.locator('main li.beside', { hasText: 'edited Drinks green tea' }).getByRole('button', { name: 'Undo' }).click();
  await noted('the earlier text was added as fact');
  const added = String(tea().find((one) => one.summary === 'Drinks tea').id);
  await noted(`Undone: Drinks green tea. The fact has changed since; the earlier text was added as fact ${added}.`);

  // What is undone and redone is one row of the log, which says how it stands.
  co('learn', 'Plays the oboe');
  await open('Now');
  const oboe = page.locator('main li.beside', { hasText: 'Plays the oboe' });
  for (const [act, said, state] of [['Undo', 'Undone: Plays the oboe.', 'undone'], ['Redo', 'Redone: Plays the oboe.', 'redone'], ['Undo', 'Undone: Plays the oboe.', 'undone']]) {
    await oboe.getByRole('button', { name: act }).click();
    await noted(said);
    await oboe.locator('.meta', { hasText: new RegExp(`· ${state}`) }).waitFor();
    assert.equal(await oboe.count(), 1);
    assert.match(await oboe.innerText(), /^learned Plays the oboe/);
  }

  // Markdown: lists in lists, pictures, what is to be done, headings that are underlined, addresses.
  co('knowledge', 'write', 'marks', ['# Marks', '', 'Setext two', '----------', '', '1. one', '   - nested', '     wrapped', '2. two', '', '   more of two', '', '3. three', '', '- [ ] open', '- [x] closed', '', '![pic](a.png) and ![far](https://example.com/far.png)', '',
    'See https://example.com/a_(b), and <https://example.com/c>. No link: javascript:window.ran=1', '', '[![javascript](x.png)](javascript:window.ran=1)', '', '<img src=x onerror="window.ran=1">', '', '```', 'fenced', '~~~', '```', ''].join('\n'));
  await open('Documents');
  await page.locator('#tree').getByRole('link', { name: 'marks' }).click();
  const marks = page.locator('article .page');
  await marks.locator('h3', { hasText: 'Setext two' }).waitFor();
  assert.deepEqual(await marks.locator(':scope > ol').evaluateAll((all) => all.map((one) => [...one.children].map((item) => item.textContent))), [['onenested\nwrapped', 'twomore of two', 'three']]);
  assert.deepEqual(await marks.locator('ol > li > ul > li').allInnerTexts(), ['nested\nwrapped']);
  assert.deepEqual(await marks.getByRole('img').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))), ['to do:', 'done:']);
  assert.match(await marks.innerText(), /picture · pic and picture: far/);
  assert.deepEqual(await marks.locator('a').evaluateAll((all) => all.map((one) => one.getAttribute('href'))), ['https://example.com/far.png', 'https://example.com/a_(b)', 'https://example.com/c']);
  assert.equal(await marks.locator('pre').innerText(), 'fenced\n~~~');
  assert.equal(await marks.locator('img').count(), 0);

  // What is written from right to left is shown so, wherever it is.
  co('learn', 'גר בחיפה, ולא בתל אביב.');
  co('knowledge', 'write', 'hebrew', '# Hebrew\n\nשלום, עולם.\n\nLeft to right.\n\n- פריט אחד\n');
  // Where the first letter of an element is.
  const side = (locator) => locator.evaluate((element) => {
    const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walk.nextNode() && !/\p{L}/u.test(walk.currentNode.data));
    const range = document.createRange();
    const at = walk.currentNode.data.search(/\p{L}/u);
    range.setStart(walk.currentNode, at);
    range.setEnd(walk.currentNode, at + 1);
    const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
    return letter.left - box.left < box.right - letter.right ? 'left' : 'right';
  });
  await open('Facts');
  assert.equal(await side(row('גר בחיפה').locator('.text')), 'right');
  await open('Documents');
  await page.locator('#tree').getByRole('link', { name: 'hebrew' }).click();
  await page.locator('article .page', { hasText: 'שלום' }).waitFor();
  assert.deepEqual(await Promise.all([side(page.locator('.page p').nth(0)), side(page.locator('.page p').nth(1)), side(page.locator('.page li'))]), ['right', 'left', 'right']);
  await page.locator('article').getByRole('button', { name: 'Edit' }).click();
  assert.equal(await page.locator('#document-text').evaluate((field) => getComputedStyle(field).unicodeBidi), 'plaintext');
  await page.getByRole('button', { name: 'Cancel' }).click();

  // The note: its keys, and what ends it.
  const note = page.locator('#note');
  const learn = async (text) => {
    await open('Facts');
    await page.getByRole('button', { name: 'Add a fact' }).click();
    await page.getByLabel('Text').fill(text);
    await page.getByRole('button', { name: 'Save' }).click();
    await noted('Learned.');
  };
  await learn('Rows at dawn');
  assert.ok(await page.evaluate(() => document.getElementById('note').compareDocumentPosition(document.getElementById('view')) & Node.DOCUMENT_POSITION_FOLLOWING), 'it comes before the view');
  await page.getByLabel('Search').focus();
  await page.keyboard.type('u');
  await page.locator('#count').click();
  assert.equal(await note.getByRole('button', { name: 'Undo' }).count(), 1, 'no key acts in a field');
  await page.getByLabel('Search').fill('');
  await row('Rows at dawn').getByRole('button').first().focus();
  await page.keyboard.press('u');
  await noted('Undone.');
  await row('Rows at dawn').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await page.locator('#note:empty').waitFor({ state: 'attached' });
  await learn('Rows at dusk');
  await page.getByRole('button', { name: 'Add a fact' }).click();
  await page.locator('#note:empty').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.clock.install();
  await learn('Rows at noon');
  await page.clock.runFor(30000);
  await page.locator('#note:empty').waitFor({ state: 'attached' });
  await page.clock.resume();

  // An answer in Review leads to the next question, by each list.
  for (const [id, what] of [[92, 'ferry'], [93, 'tram'], [94, 'bus']]) {
    writeFileSync(`${identity}/knowledge/memories/2025-01-03-${what}.md`, `---\nid: ${id}\ncreated: 2025-01-03T09:00:00+00:00\nstale_after: 2025-07-03\n---\n\nTakes the ${what}\n`);
  }
  await open('Review');
  const doubted = page.locator('#stale > li');
  await doubted.nth(2).waitFor();
  // Where the focus is once all is drawn.
  const rests = async (pattern, what) => {
    await page.waitForFunction((source) => new RegExp(source).test((document.activeElement.closest('li') || document.activeElement).innerText), pattern.source).catch(() => {});
    await page.waitForTimeout(300);
    assert.match(await page.evaluate(() => (document.activeElement.closest('li') || document.activeElement).innerText.slice(0, 300)), pattern, what);
  };
  const texts = (await doubted.locator('.text').allInnerTexts()).map((text) => text.split(' ').pop());
  await doubted.first().getByRole('button', { name: 'Still true' }).focus();
  await page.keyboard.press('Enter');
  await noted('Checked.');
  await doubted.filter({ hasText: texts[0] }).waitFor({ state: 'detached' });
  await rests(new RegExp(texts[1]), 'the next one has the focus');
  await page.keyboard.press('u');
  await noted('Undone.');
  await doubted.filter({ hasText: texts[0] }).waitFor();
  await page.getByRole('button', { name: 'Accept all' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('dialog').getByRole('button', { name: 'Accept all' }).click();
  await noted('Accepted 2.');
  await rests(/^Proposals$/, 'after all');
  await page.keyboard.press('u');
  await noted('Undone.');

  // A refusal speaks of the page, and in sentences.
  await open('Review');
  const ferry = doubted.filter({ hasText: 'Takes the ferry' });
  await ferry.getByRole('button', { name: 'Replaced by' }).click();
  const refusal = page.locator('dialog [role=alert]');
  await page.locator('dialog').getByLabel('The number of a fact').fill('  ');
  await page.locator('dialog').getByRole('button', { name: 'Save' }).click();
  await refusal.filter({ hasText: '“The number of a fact, or the text of a new one” is empty.' }).waitFor();
  await page.locator('dialog').getByLabel('The number of a fact').fill('4711');
  await page.locator('dialog').getByRole('button', { name: 'Save' }).click();
  await refusal.filter({ hasText: '4711' }).waitFor();
  assert.match(await refusal.innerText(), /^[A-Z]/);
  assert.doesNotMatch(await refusal.innerText(), /co list/);
  await page.getByRole('button', { name: 'Cancel' }).click();

  // One word for one thing: layers are other identities, memories are facts, the user is you.
  await open('Context');
  const parts = page.getByRole('table');
  await parts.getByRole('rowheader', { name: /^facts/ }).waitFor();
  assert.doesNotMatch(await parts.innerText(), /layer|memor/i);
  await open('Documents');
  await page.locator('#tree').getByRole('link', { name: 'other-steps' }).click();
  await page.locator('article .meta', { hasText: /other-steps · .*written by you · updated/ }).waitFor();

  // A search without hits says so; a topic is corrected before it is saved; an undone document is not shown.
  await page.getByLabel('Search').fill('quokka');
  await page.locator('#tree', { hasText: 'Nothing matches.' }).waitFor();
  await page.getByLabel('Search').fill('');
  await page.getByRole('button', { name: 'New document' }).click();
  await page.getByLabel('Topic').fill('Guides/My New Doc!');
  await page.locator('#document-text').fill('# Mine\n\nText.\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('dialog [role=alert]', { hasText: 'guides/my-new-doc' }).waitFor();
  assert.equal(await page.getByLabel('Topic').inputValue(), 'guides/my-new-doc');
  await page.getByRole('button', { name: 'Save' }).click();
  await noted('Saved.');
  await page.locator('article h3', { hasText: 'Mine' }).waitFor();
  assert.equal(new URL(page.url()).hash, '#documents/guides/my-new-doc');
  await undo();
  await page.locator('article', { hasText: 'Choose a document' }).waitFor();
  assert.equal(new URL(page.url()).hash, '#documents');

  // Each view has its title, each table its name.
  for (const view of ['Now', 'Facts', 'Review', 'Documents', 'Context']) {
    await open(view);
    assert.equal(await page.title(), `${view} · co: Bin Chen`);
  }
  co('knowledge', 'write', 'tables', `# Tables\n\n${['## Costs', '', '## Times', ''].map((above) => `${above}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`).join('\n')}`);
  await open('Documents');
  await page.locator('#tree').getByRole('link', { name: 'tables' }).click();
  await page.locator('article .page table').nth(3).waitFor();
  assert.deepEqual(await page.locator('article .page [role=region]').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))), ['Table · Costs', 'Table 2 · Costs', 'Table 3 · Times', 'Table 4 · Times']);
  await checked(page, 'tables');

  // On a narrow window: labels that can be read, numbers in one line, one line of views.
  await page.evaluate(() => { document.getElementById('waiting').textContent = '(12)'; });
  for (const width of [1280, 390, 378, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const tops = await page.locator('header nav a').evaluateAll((all) => new Set(all.map((one) => Math.round(one.getBoundingClientRect().top))).size);
    assert.equal(tops, 1, `the views are in one line at ${width}`);
    if (width === 378) continue;
    await open('Context');
    const high = await page.locator('.parts .whole').evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().height)));
    assert.ok(high < 30, `${high} px for a number at ${width}`);
    const cut = await page.locator('.parts').evaluate((table) => table.getBoundingClientRect().right - window.innerWidth);
    assert.ok(cut <= 0, `${cut} px of the table are cut off at ${width}`);
    await open('Now');
    await page.locator('svg[role=img] text').first().waitFor();
    const label = await page.locator('svg[role=img] text').first().evaluate((text) => text.getBoundingClientRect().height);
    assert.ok(label > 10, `a label of ${label} px at ${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });

  // Now: verbs in the past, one undo for one operation, days in one form.
  writeFileSync(`${identity}/knowledge/by-hand.md`, '# By hand\n');
  co('learn', 'Holds until then', '--until', '2098-03-01');
  await open('Facts');
  await row('Holds until then').locator('.meta', { hasText: /· \d{1,2} [A-Z][a-z]{2} \d{4} · until 1 Mar 2098/ }).waitFor();
  await learn('Undone once');
  await open('Now');
  await page.locator('main li.beside', { hasText: 'wrote tables' }).waitFor();
  assert.doesNotMatch(await page.locator('main').innerText(), /^(by hand|write) |not committed/m);
  const last = page.locator('main li.beside').first();
  await last.filter({ hasText: 'Undone once' }).getByRole('button', { name: 'Undo' }).click();
  await last.getByRole('button', { name: 'Redo' }).waitFor();

  // By the keyboard alone: to a view, and back.
  await page.locator('header nav a').first().focus();
  await page.keyboard.press('Enter');
  await page.locator('main h2', { hasText: 'Now' }).waitFor();
  await page.keyboard.press('Tab');
  assert.ok(await page.evaluate(() => document.activeElement !== document.body));

  // For a screen reader, in each view, dark, narrow and wide; and nothing wider than the window.
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const view of ['Now', 'Facts', 'Review', 'Documents', 'Context']) {
      await open(view);
      if (view === 'Facts') await row('Prefers tabs').getByRole('button').first().click();
      await checked(page, `${view}, dark, ${width}`);
    }
  }

  assert.equal(await page.evaluate(() => window.ran), undefined, 'a text ran');
  assert.deepEqual([...requests], [new URL(address).origin], 'another host was asked');
  assert.deepEqual(problems, []);

  server.kill('SIGKILL');
  await noted('The server does not respond');
  console.log(`noticed after ${took} ms`);
} finally {
  await browser.close();
  server.kill();
}
