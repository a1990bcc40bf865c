// A server of `co web`, and Chromium, for the tests of the page.
import { createRequire } from 'node:module';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const require = createRequire(process.env.CO_TEST_NODE_MODULES + '/');
const { chromium } = require('playwright-core');
export const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
export const co = (...words) => execFileSync(process.env.CO, words, { encoding: 'utf8' });

export async function serve(options = [], settings = {}) {
  const server = spawn(process.env.CO, ['web', '--no-open', ...options], { stdio: ['ignore', 'ignore', 'pipe'], ...settings });
  const address = await new Promise((resolve, reject) => {
    let text = '';
    server.stderr.on('data', (bytes) => {
      text += bytes;
      const found = /http:\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    server.on('exit', () => reject(new Error(text)));
  });
  return { server, address };
}

export const launch = () => chromium.launch({
  executablePath: process.env.CO_TEST_CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

// What a screen reader meets, and nothing wider than the window.
export async function checked(page, where) {
  // The policy keeps scripts out, but not those of the tool that drives the browser.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  const found = violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (wide > 0) found.push(`${wide} px too wide`);
  if (found.length) throw new Error(`${where}: ${found.join('; ')}`);
}
