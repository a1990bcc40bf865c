// The list of facts in Chromium: what is looked at stays where it is, whoever changes something.
// Started by tests/verbs/web/calls.rs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { checked, co, launch, serve } from './support.mjs';

const COUNT = 150;
for (let n = 1; n <= COUNT; n++) co('learn', `Knows the ${n}th of many things`);
// A layer that is only read here.
const HOME = process.env.HOME;
mkdirSync('acme');
for (const words of [['init', '--yes', '--name', 'Acme'], ['learn', 'Acme releases on Tuesdays']]) {
  execFileSync(process.env.CO, words, { cwd: 'acme', env: { ...process.env, HOME: `${HOME}/acme` } });
}
co('layer', 'add', 'acme', `${HOME}/acme/.config/co-cli/identity`);

const { server, address } = await serve();
const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(address);
  await page.locator('h1', { hasText: 'Bin Chen' }).waitFor();
  const row = (text) => page.locator('#rows > li', { hasText: text });
  const number = (n) => row(`the ${n}th of`);
  const noted = (text) => page.locator('#note', { hasText: text }).waitFor();
  const settled = () => page.waitForTimeout(300);
  const top = (locator) => locator.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const isSeen = async (locator) => { const at = await top(locator); assert.ok(at >= 0 && at < 800, `at ${at}`); };
  const scrollTo = async (to) => { await page.evaluate((y) => window.scrollTo(0, y), to); await settled(); };
  const open = async (name) => {
    // By the page: a click of the test would scroll up to it.
    await page.locator('header nav a', { hasText: name }).evaluate((link) => link.click());
    await page.locator('main h2', { hasText: name }).waitFor();
  };
  const facts = async () => {
    await open('Facts');
    await page.waitForFunction(() => document.querySelectorAll('#rows > li').length === 100);
    await settled();
  };
  const focused = () => page.evaluate(() => document.activeElement.innerText);

  // Another program adds a fact above: what is looked at stays, in each frame.
  await facts();
  await scrollTo(1200);
  const seen = await page.evaluate(() => {
    const li = [...document.querySelectorAll('#rows > li')].find((one) => one.getBoundingClientRect().top > 0);
    const heights = window.heights = [];
    const look = () => { heights.push(document.documentElement.scrollHeight); requestAnimationFrame(look); };
    look();
    return { text: li.querySelector('.text').textContent, top: Math.round(li.getBoundingClientRect().top) };
  });
  co('learn', 'Came meanwhile');
  await row('Came meanwhile').waitFor();
  await settled();
  assert.equal(await top(row(seen.text)), seen.top);
  const heights = await page.evaluate(() => window.heights);
  assert.ok(Math.min(...heights) > heights[0] - 200, `the page was only ${Math.min(...heights)} of ${heights[0]} high`);

  // Back is where one was, with a fact open and without.
  await scrollTo(2000);
  await open('Now');
  await page.goBack();
  await page.locator('main h2', { hasText: 'Facts' }).waitFor();
  await settled();
  assert.equal(await page.evaluate(() => window.scrollY), 2000);
  await number(120).getByRole('button').first().click();
  await number(120).locator('dl').waitFor();
  await scrollTo(2100);
  await open('Now');
  await page.goBack();
  await number(120).locator('dl').waitFor();
  await settled();
  assert.equal(await page.evaluate(() => window.scrollY), 2100);

  // What is pinned goes to the top, and the eye with it.
  await number(120).getByRole('button', { name: 'Pin' }).focus();
  await page.keyboard.press('Enter');
  await noted('Pinned');
  await number(120).getByRole('button', { name: 'Unpin' }).waitFor();
  await settled();
  await isSeen(number(120).getByRole('button', { name: 'Unpin' }));
  assert.equal(await focused(), 'Unpin');
  await page.keyboard.press('Enter');
  await noted('Unpinned');
  await settled();
  await isSeen(number(120).getByRole('button', { name: 'Pin', exact: true }));

  // An edited fact stays open, with its address and the focus; so does one that another program edits.
  const hash = () => new URL(page.url()).hash;
  await scrollTo(0);
  const before = hash();
  assert.match(before, /^#facts\/120-[0-9a-f]{8}$/);
  const edited = async (text) => {
    await page.locator('#rows').getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Text').fill(text);
    await page.getByRole('button', { name: 'Save' }).click();
    await noted('Saved.');
    await row(text).locator('dl').waitFor();
    await settled();
  };
  await edited('Knows one thing better');
  assert.notEqual(hash(), before);
  assert.match(hash(), /^#facts\/120-[0-9a-f]{8}$/);
  assert.equal(await focused(), 'Edit');
  await page.reload();
  await row('Knows one thing better').locator('dl').waitFor();
  co('edit', '120', 'Knows the 120th of many things');
  await page.waitForFunction((address) => location.hash === address, before);
  // Escape closes it; a number is an address.
  await number(120).getByRole('button', { name: 'Edit' }).focus();
  await page.keyboard.press('Escape');
  await number(120).locator('dl').waitFor({ state: 'detached' });
  assert.equal(hash(), '#facts');
  assert.match(await focused(), /the 120th of/);
  await page.goto(new URL('#facts/7', page.url()).href);
  await number(7).locator('dl').waitFor();
  assert.match(hash(), /^#facts\/7-[0-9a-f]{8}$/);
  // After one is forgotten, the next one has the focus, and the address is that of the list.
  const next = await number(7).evaluate((li) => li.nextElementSibling.querySelector('button').innerText);
  await number(7).getByRole('button', { name: 'Forget' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Forget' }).click();
  await noted('Forgotten.');
  await number(7).waitFor({ state: 'detached' });
  await settled();
  assert.equal(hash(), '#facts');
  assert.equal(await focused(), next);

  // What can be done is there before its history, which may take a while.
  await page.route('**/api/life', async (route) => { await new Promise((done) => setTimeout(done, 2000)); await route.continue(); });
  await number(145).getByRole('button').first().click();
  await number(145).getByRole('button', { name: 'Edit' }).waitFor({ timeout: 1500 });
  assert.equal(await number(145).locator('details.life').count(), 0);
  await number(145).locator('details.life li', { hasText: 'learned' }).waitFor();
  await page.unroute('**/api/life');

  // At its address, a fact of a layer that is only read here has no buttons.
  await row('Acme releases').getByRole('button').first().click();
  await row('Acme releases').getByText('From the layer acme, which is only read here').waitFor();
  await page.route('**/api/status', async (route) => { await new Promise((done) => setTimeout(done, 500)); await route.continue(); });
  await page.reload();
  await row('Acme releases').locator('dl').waitFor();
  assert.equal(await row('Acme releases').getByRole('button', { name: 'Edit' }).count(), 0);
  await row('Acme releases').getByText('From the layer acme, which is only read here').waitFor();
  assert.equal(await row('Acme releases').getByRole('button', { name: 'Edit' }).count(), 0);
  await page.unroute('**/api/status');

  // What is known already says so, and has nothing to undo.
  const add = async (text, times = {}) => {
    await page.getByRole('button', { name: 'Add a fact' }).click();
    await page.getByLabel('Text').fill(text);
    if (Object.keys(times).length) await page.locator('dialog summary').click();
    for (const [label, value] of Object.entries(times)) await page.getByLabel(label).fill(value);
    await page.getByRole('button', { name: 'Save' }).click();
  };
  const link = page.locator('#note').getByRole('link', { name: 'Show it' });
  await facts();
  await add('Knows the 2th of many things');
  await noted('Already saved as fact 2.');
  assert.equal(await page.locator('#note').getByRole('button', { name: 'Undo' }).count(), 0);
  await link.click();
  await number(2).locator('dl').waitFor();

  // A saved fact that is not shown: where it is, and a link to it.
  await add('Was in Rome', { Until: '2020-01-01' });
  await noted('Learned. It is over, and shown under “no more: over”.');
  await link.click();
  await row('Was in Rome').locator('dl').waitFor();
  await page.getByLabel('Holds', { exact: true }).selectOption('current');
  await row('Was in Rome').waitFor({ state: 'detached' });
  await number(140).getByRole('button').first().click();
  await number(140).getByRole('button', { name: 'Edit' }).click();
  await page.locator('dialog summary').click();
  await page.getByLabel('Until').fill('yesterday');
  await page.getByRole('button', { name: 'Save' }).click();
  await noted('Saved. It is over, and shown under “no more: over”.');
  assert.equal(hash(), '#facts');
  await page.getByLabel('Search').fill('the 99th of many things');
  await page.locator('#rows > li:first-child', { hasText: 'the 99th' }).waitFor();
  await settled();
  await add('Plays the oboe');
  await noted('Learned. It is not among what you search for.');
  await link.click();
  await row('Plays the oboe').locator('dl').waitFor();
  assert.equal(await page.getByLabel('Search').inputValue(), '');

  // A replaced fact that is still true counts beside the other one.
  await page.getByLabel('Holds', { exact: true }).selectOption('current');
  await add('Plays the bassoon', { Replaces: JSON.parse(co('list', '--json')).data.memories.find((one) => one.summary === 'Plays the oboe').handle });
  await noted('Learned.');
  await row('Plays the oboe').locator('dl').waitFor({ state: 'detached' });
  await page.getByLabel('Holds', { exact: true }).selectOption('replaced');
  await row('Plays the oboe').getByRole('button').first().click();
  await row('Plays the oboe').getByRole('button', { name: 'Still true' }).click();
  await noted(/Checked\. It counts again, beside fact \d+\./);
  await page.getByLabel('Holds', { exact: true }).selectOption('current');

  // Another tab changed it: one thing is said, and what was typed stays.
  await number(130).getByRole('button').first().click();
  await number(130).getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Text').fill('Typed here');
  co('edit', '130', 'Came from another tab');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('#meanwhile', { hasText: 'It now says: Came from another tab' }).waitFor();
  assert.equal(await page.locator('dialog [role=alert]').innerText(), '');
  assert.equal(await page.getByLabel('Text').inputValue(), 'Typed here');
  await page.getByRole('button', { name: 'Save' }).click();
  await noted('Saved.');
  await row('Typed here').getByRole('button', { name: 'Forget' }).click();
  co('edit', '130', 'Came once more');
  await page.locator('dialog').getByRole('button', { name: 'Forget' }).click();
  await page.locator('#meanwhile', { hasText: 'changed in the meantime' }).waitFor();
  assert.equal(await page.locator('dialog [role=alert]').innerText(), '');
  await page.locator('dialog .text', { hasText: 'Came once more' }).waitFor();
  await page.locator('dialog').getByRole('button', { name: 'Forget' }).click();
  await noted('Forgotten.');

  // On a phone, a filter that is on is seen, and goes at a click.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('details.narrow').evaluate((details) => { details.open = false; });
  const chip = (name) => page.locator('#chosen').getByRole('button', { name });
  assert.equal(await chip(/./).count(), 0);
  await page.locator('summary', { hasText: 'Filters' }).click();
  await page.getByLabel('From', { exact: true }).selectOption('acme');
  await page.locator('summary', { hasText: 'Filters' }).click();
  await page.locator('#count', { hasText: /^1 fact$/ }).waitFor();
  await checked(page, 'a filter');
  await chip('From: acme').click();
  await number(149).waitFor();
  assert.equal(await chip(/./).count(), 0);
  assert.equal(await page.getByLabel('From', { exact: true }).inputValue(), '');

  // What a fact replaces is one link to it, and Back leads to the fact.
  co('learn', 'Plays the flute', '--replaces', '100');
  await row('Plays the flute').getByRole('button').first().click();
  const flute = hash();
  await row('Plays the flute').locator('dd').getByRole('link', { name: '100 Knows the 100th' }).click();
  await row('Knows the 100th').locator('dl').waitFor();
  assert.match(hash(), /^#facts\/100-/);
  await isSeen(row('Knows the 100th').getByRole('button').first());
  await chip('Holds: at any time').waitFor();
  await page.goBack();
  await row('Plays the flute').locator('dl').waitFor();
  assert.equal(hash(), flute);
  await chip('Holds: at any time').click();
  await chip('Holds: at any time').waitFor({ state: 'detached' });

  // A number is that fact, before those that speak of it.
  co('learn', 'Moved 12 times');
  await row('Moved 12 times').waitFor();
  await page.getByLabel('Search').fill('12');
  await page.locator('#rows > li:first-child', { hasText: 'the 12th' }).waitFor();
  assert.match(await page.locator('#rows > li:first-child .meta').first().innerText(), /^12 ·/);

  assert.deepEqual(problems, []);
} finally {
  await browser.close();
  server.kill();
}
