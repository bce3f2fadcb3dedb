// What tests in a browser share: folders, the program that serves them, a browser, and how a page is looked over.
import {spawn, spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import assert from 'node:assert/strict';

const modules = process.env.SHOAL_BROWSER_MODULES;
export const program = process.env.SHOAL_PROGRAM;
const require = createRequire(modules + '/');
const {chromium} = require(modules + '/playwright-core');
const axe_source = fs.readFileSync(modules + '/axe-core/axe.min.js', 'utf8');
const source = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');
const pictures = process.env.SHOAL_SCREENSHOTS;
const patience = 1000 * Number(process.env.SHOAL_PATIENCE ?? 120);  // for machines that are busy; nothing waits that long on one that is not

export const home = fs.mkdtempSync(path.join(os.tmpdir(), 'shoal_browser_'));
export const browser = await chromium.launch({
  executablePath: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(fs.existsSync),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync',
         '--disable-dev-shm-usage'],
});

export function make_folder(name) {
  const folder = path.join(home, name);
  fs.mkdirSync(folder);
  return folder;
}

// A messy table: other encoding, decimal commas, names and notes.
export function make_visits(folder, rows) {
  const made = spawnSync('awk', ['-v', `rows=${rows}`, '-f', path.join(source, 'examples/hospital/make_visits.awk')], {env: {...process.env, LC_ALL: 'C'}});
  fs.writeFileSync(path.join(folder, 'visits.csv'), made.stdout);
}

// Serves a place; `address` is what a person would open.
const children = new Set();
export function serve(folder, place) {
  const child = spawn(program, ['serve', place], {cwd: folder, stdio: ['ignore', 'pipe', 'inherit']});
  children.add(child);
  child.on('exit', () => children.delete(child));
  return new Promise((resolve, reject) => {
    let words = '';
    child.stdout.on('data', (part) => {
      words += part;
      const found = words.match(/http:\/\/\S+/);
      if (found && words.includes('Ctrl-C')) resolve({address: found[0], child});
    });
    child.on('exit', () => reject(new Error('shoal serve ended: ' + words)));
  });
}
export async function stop(served) {
  const ended = new Promise((resolve) => served.child.on('exit', (code) => resolve(code)));
  served.child.kill('SIGINT');
  assert.equal(await ended, 0);
}

export async function open(served, settings = {}) {
  const context = await browser.newContext({viewport: {width: 1200, height: 900}, acceptDownloads: true, ...settings});
  context.setDefaultTimeout(patience);
  // What a person's hands do: clicks, choices from a list, fields that are filled.
  await context.addInitScript(() => {
    const tell = (what) => console.debug('by hand: ' + what);
    addEventListener('click', (event) => { if (event.isTrusted) tell('clicks'); }, true);
    addEventListener('change', (event) => { if (event.target.matches('select')) tell('choices'); }, true);
    addEventListener('input', (event) => { if (event.target.matches('textarea,input:not([type=range],[type=checkbox],[type=file])')) tell('fields'); }, true);
  });
  const page = await context.newPage();
  const hands = {clicks: 0, choices: 0, fields: 0};
  page.on('console', (message) => { const found = message.text().match(/^by hand: (\w+)$/); if (found) ++hands[found[1]]; });
  const said = [];
  page.on('dialog', (dialog) => { said.push('dialog: ' + dialog.message()); dialog.dismiss(); });
  page.on('pageerror', (error) => said.push('error: ' + error.message));
  page.on('console', (message) => { if (/Content Security|violates/.test(message.text())) said.push('policy: ' + message.text()); });
  page.on('request', (request) => { if (!request.url().startsWith(new URL(served.address).origin)) said.push('elsewhere: ' + request.url()); });
  await page.goto(served.address);
  await page.waitForURL('**/table');
  return {context, page, said, hands};
}
// Playwright's own waitForFunction evaluates a string in the page, which the page's policy forbids.
export async function until(page, holds, argument) {
  for (const end = Date.now() + patience; Date.now() < end;) {
    if (await page.evaluate(holds, argument).catch(() => false)) return;  // a page that is just leaving cannot be asked
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('waited in vain for ' + holds);
}
export const settled = (page) => until(page, () => document.readyState === 'complete' && !document.querySelector('[data-running="yes"],[data-running="asked"]'));

// A form that leads to a page, its own again included: until that page is there.
export const submit = (page, button) => Promise.all([page.waitForNavigation({waitUntil: 'load'}), button.click()]);

async function looked_over(page, step) {
  await page.evaluate(axe_source);
  const found = await page.evaluate(() => axe.run(document, {resultTypes: ['violations']}));
  const serious = found.violations.filter((one) => ['serious', 'critical'].includes(one.impact))
      .map((one) => `${step}: ${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
  assert.deepEqual(serious, []);
}
async function picture(page, step) {
  if (!pictures) return;
  fs.mkdirSync(pictures, {recursive: true});
  for (const scheme of ['light', 'dark']) {
    for (const width of [1200, 420]) {
      await page.emulateMedia({colorScheme: scheme});
      await page.setViewportSize({width, height: 900});
      await page.screenshot({path: path.join(pictures, `${step}_${width}_${scheme}.png`), fullPage: true});
    }
  }
  await page.emulateMedia({colorScheme: 'light'});
  await page.setViewportSize({width: 700, height: 450});
  await page.screenshot({path: path.join(pictures, `${step}.png`)});  // small, for docs/serve
  await page.setViewportSize({width: 1200, height: 900});
}
// No page is wider than its window, however narrow that is.
async function fits(page, step) {
  await page.setViewportSize({width: 420, height: 900});
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 0, `${step}: ${over} pixels too wide at 420`);
  await page.setViewportSize({width: 1200, height: 900});
}
export let seconds_of_looking = 0;
export async function looked_at(page, step) {
  await settled(page);
  const began = performance.now();
  await looked_over(page, step);
  await page.emulateMedia({colorScheme: 'dark'});
  await looked_over(page, step + ', dark');
  await page.emulateMedia({colorScheme: 'light'});
  await fits(page, step);
  await picture(page, step);
  seconds_of_looking += (performance.now() - began) / 1000;
}

// Runs the tests, each by itself, and ends the program with their count as the last line.
export async function run(tests) {
  let passed = 0, failed = 0;
  const wanted = process.env.SHOAL_BROWSER_TEST ?? '';  // a part of a name: only these
  for (const [name, test] of Object.entries(tests)) {
    if (!name.includes(wanted)) continue;
    const began = performance.now();
    try {
      await test();
      ++passed;
      console.log(`passed in ${((performance.now() - began) / 1000).toFixed(1)} s: ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED: ${name}\n${error.stack}`);
      for (const child of children) child.kill('SIGKILL');  // one that still serves would hold whoever waits for our last word
    }
  }
  await browser.close();
  fs.rmSync(home, {recursive: true, force: true});
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
