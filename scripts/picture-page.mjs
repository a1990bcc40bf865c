// Takes the pictures of `co web`. Started by picture-page.sh with the address and the folder.
import { createRequire } from 'node:module';

const require = createRequire(process.env.CO_TEST_NODE_MODULES + '/');
const { chromium } = require('playwright-core');
const [address, folder] = process.argv.slice(2);
const PICTURES = [
  ['now', 'light', 1000], ['now', 'dark', 1000], ['facts', 'light', 1000], ['facts', 'dark', 360],
  ['review', 'light', 1000], ['documents', 'dark', 1000], ['context', 'light', 1000], ['now', 'light', 360],
];

const browser = await chromium.launch({ executablePath: process.env.CO_TEST_CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await (await browser.newContext({ locale: 'en-GB' })).newPage();
await page.goto(address);
for (const [view, colorScheme, width] of PICTURES) {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: width < 500 ? 720 : 640 });
  await page.goto(new URL('/#' + view, address).href);
  await page.locator('main h2', { hasText: new RegExp(view, 'i') }).waitFor();
  if (view === 'facts') await page.locator('#rows button', { hasText: 'pytest' }).click();
  if (view === 'documents') await page.locator('#tree a', { hasText: 'deploy-steps' }).click();
  await page.waitForTimeout(800);
  await page.screenshot({ path: `${folder}/${view}-${colorScheme}-${width}.png` });
  if (view === 'facts') await page.locator('#rows button', { hasText: 'pytest' }).click();
}
await browser.close();
