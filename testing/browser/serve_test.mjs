// The whole way in a browser, as a person goes it. Run by tools/test_browser.sh.
import {spawn, spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import assert from 'node:assert/strict';

const modules = process.env.SHOAL_BROWSER_MODULES, program = process.env.SHOAL_PROGRAM;
const require = createRequire(modules + '/');
const {chromium} = require(modules + '/playwright-core');
const axe_source = fs.readFileSync(modules + '/axe-core/axe.min.js', 'utf8');
const source = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');
const pictures = process.env.SHOAL_SCREENSHOTS;
const patience = 1000 * Number(process.env.SHOAL_PATIENCE ?? 120);  // for machines that are busy; nothing waits that long on one that is not

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'shoal_browser_'));
const browser = await chromium.launch({
  executablePath: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(fs.existsSync),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync',
         '--disable-dev-shm-usage'],
});

function make_folder(name) {
  const folder = path.join(home, name);
  fs.mkdirSync(folder);
  return folder;
}

// Serves a place; `address` is what a person would open.
const children = new Set();
function serve(folder, place) {
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
async function stop(served) {
  const ended = new Promise((resolve) => served.child.on('exit', (code) => resolve(code)));
  served.child.kill('SIGINT');
  assert.equal(await ended, 0);
}

async function open(served, settings = {}) {
  const context = await browser.newContext({viewport: {width: 1200, height: 900}, acceptDownloads: true, ...settings});
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const said = [];
  page.on('dialog', (dialog) => { said.push('dialog: ' + dialog.message()); dialog.dismiss(); });
  page.on('pageerror', (error) => said.push('error: ' + error.message));
  page.on('console', (message) => { if (/Content Security|violates/.test(message.text())) said.push('policy: ' + message.text()); });
  page.on('request', (request) => { if (!request.url().startsWith(new URL(served.address).origin)) said.push('elsewhere: ' + request.url()); });
  await page.goto(served.address);
  await page.waitForURL('**/table');
  return {context, page, said};
}
// Playwright's own waitForFunction evaluates a string in the page, which the page's policy forbids.
async function until(page, holds, argument) {
  for (const end = Date.now() + patience; Date.now() < end;) {
    if (await page.evaluate(holds, argument).catch(() => false)) return;  // a page that is just leaving cannot be asked
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('waited in vain for ' + holds);
}
const settled = (page) => until(page, () => document.readyState === 'complete' && !document.querySelector('[data-running="yes"],[data-running="asked"]'));

// A form that leads to a page, its own again included: until that page is there.
const submit = (page, button) => Promise.all([page.waitForNavigation({waitUntil: 'load'}), button.click()]);

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
  await page.setViewportSize({width: 1200, height: 900});
}
// No page is wider than its window, however narrow that is.
async function fits(page, step) {
  await page.setViewportSize({width: 420, height: 900});
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 0, `${step}: ${over} pixels too wide at 420`);
  await page.setViewportSize({width: 1200, height: 900});
}
async function looked_at(page, step) {
  await settled(page);
  await looked_over(page, step);
  await page.emulateMedia({colorScheme: 'dark'});
  await looked_over(page, step + ', dark');
  await page.emulateMedia({colorScheme: 'light'});
  await fits(page, step);
  await picture(page, step);
}

const tests = {
  async 'the way from a messy table to a release with the bytes of the command line'() {
    const folder = make_folder('way');
    const made = spawnSync('awk', ['-v', 'rows=400', '-f', path.join(source, 'examples/hospital/make_visits.awk')], {env: {...process.env, LC_ALL: 'C'}});
    fs.writeFileSync(path.join(folder, 'visits.csv'), made.stdout);
    const served = await serve(folder, '.');
    const {page, said, context} = await open(served);
    await looked_at(page, 'empty');
    await page.getByRole('button', {name: 'visits.csv'}).click();
    await page.getByText('First rows, as in the file').waitFor();
    assert.ok((await page.content()).includes('windows-1252') || (await page.content()).includes('latin-1'));
    assert.equal(await page.getByText('Jürgen').count(), 0, 'names are hidden');
    await looked_at(page, 'table');
    await page.getByRole('link', {name: 'Columns', exact: true}).click();
    await settled(page);
    // Findings follow a change at once.
    const before = await page.locator('#part-findings').getAttribute('data-number');
    await page.getByLabel('Role of Notiz', {exact: true}).selectOption('none');
    await until(page, (number) => document.querySelector('#part-findings').dataset.number !== number, before);
    await settled(page);
    await looked_at(page, 'columns');
    await page.reload();
    assert.equal(await page.getByLabel('Role of Notiz', {exact: true}).inputValue(), 'none', 'a reload keeps what was changed');
    await page.getByRole('link', {name: 'Hierarchies', exact: true}).click();
    await page.locator('#editor').waitFor();
    await looked_at(page, 'hierarchies');
    await page.getByRole('link', {name: 'Goal', exact: true}).click();
    await page.getByLabel('k', {exact: true}).fill('3');
    await submit(page, page.getByRole('button', {name: 'Take this goal'}));
    await page.getByRole('heading', {name: 'Risk against loss'}).waitFor();
    await page.getByLabel('k, by a slider').focus();
    await page.keyboard.press('ArrowRight');
    assert.match(await page.locator('#k-tells').textContent(), /loss .* highest risk/);
    await looked_at(page, 'goal');
    await page.getByRole('link', {name: 'Compare', exact: true}).click();
    await submit(page, page.getByRole('button', {name: 'Compare', exact: true}));
    await page.getByRole('heading', {name: 'Take one of them'}).waitFor();
    await looked_at(page, 'compare');
    await page.getByRole('link', {name: 'Release', exact: true}).click();
    await page.getByLabel('Outputs begin with').fill('out');
    for (let round = 0; round < 10; ++round) {
      await submit(page, page.getByRole('button', {name: 'Release', exact: true}));
      await page.locator('#part-release .verdict').first().waitFor();
      await settled(page);
      if (await page.locator('#in-the-way').count() === 0) break;
      if (round === 0) await looked_at(page, 'finding');
      while (await page.locator('.finding').count() > 0) {
        await page.locator('.finding textarea').first().fill('known recipients under an agreement');
        await submit(page, page.locator('.finding button').first());
      }
    }
    await page.locator('#downloads').waitFor();
    await looked_at(page, 'release');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', {name: 'out_release.csv'}).click()]);
    const got = fs.readFileSync(await download.path());
    const run = spawnSync(program, ['anonymize', 'visits.csv', '--job', 'out_job.yaml', '-o', 'again.csv', '--report', 'r.html', '--report-public',
                                    'p.html', '--json', 'r.json', '--recoding', 'c.json', '--quiet'], {cwd: folder});
    assert.equal(run.status, 0, String(run.stderr));
    assert.ok(got.equals(fs.readFileSync(path.join(folder, 'again.csv'))), 'the same bytes');
    assert.deepEqual(said, []);
    await context.close();
    await stop(served);
  },

  async 'a run can be cancelled, and leaves nothing'() {
    const folder = make_folder('cancel');
    let text = 'age,zip,job,income\n';
    for (let i = 0; i < 60000; ++i) text += `${20 + i * 7919 % 70},${10000 + i * 104729 % 9000},${i * 31 % 97},${i * 613 % 5000}\n`;
    fs.writeFileSync(path.join(folder, 'big.csv'), text);
    fs.writeFileSync(path.join(folder, 'job.yaml'), 'input: big.csv\nk: 7\nmethod: optimal-cut\ncolumns:\n' +
        ['age', 'zip', 'job', 'income'].map((name) => `  ${name}: {role: quasi, hierarchy: {build: quantiles, parts: 64}}\n`).join(''));
    const served = await serve(folder, 'job.yaml');
    const {page, said, context} = await open(served);
    await page.getByText('First rows, as in the file').waitFor();
    await page.goto(new URL('/release', served.address).href);
    await page.getByLabel('Outputs begin with').fill('out');
    await submit(page, page.getByRole('button', {name: 'Release', exact: true}));
    await submit(page, page.getByRole('button', {name: 'Cancel'}));
    await page.getByText('Cancelled; nothing was written').waitFor();
    assert.deepEqual(fs.readdirSync(folder).sort(), ['big.csv', 'job.yaml']);
    assert.deepEqual(said, []);
    await context.close();
    await stop(served);
  },

  async 'names and cells that are script stay text, also in a dropped file'() {
    const folder = make_folder('hostile');
    const served = await serve(folder, '.');
    const {page, said, context} = await open(served);
    const evil = '<img src=x onerror=alert(1)>';
    let text = `"${evil}","""><script>alert(2)</script>",sex\n`;
    for (let i = 0; i < 60; ++i) text += `<svg onload=alert(3)> ${i % 5},${20 + i % 6},${i % 2 ? 'f' : "');alert(4)//"}\n`;
    const file = path.join(home, '<b>dropped.csv');
    fs.writeFileSync(file, text);
    await page.locator('#upload').setInputFiles(file);
    await page.getByText('First rows, as in the file').waitFor();
    for (const step of ['columns', 'hierarchies', 'goal', 'compare', 'release']) {
      await page.goto(new URL('/' + step, served.address).href);
      await settled(page);
      assert.equal(await page.locator('main script, main img, main svg, header b + b').count(), 0, step);
    }
    assert.deepEqual(said, []);
    await context.close();
    await stop(served);
  },

  async 'trees are edited and saved as files'() {
    const folder = make_folder('trees');
    let text = 'age,town\n';
    for (let i = 0; i < 80; ++i) text += `${20 + i % 20},${['Rome', 'Oslo', 'Bern', 'Lima'][i % 4]}\n`;
    fs.writeFileSync(path.join(folder, 'towns.csv'), text);
    const served = await serve(folder, 'towns.csv');
    const {page, said, context} = await open(served);
    await page.getByText('First rows, as in the file').waitFor();
    await page.goto(new URL('/columns', served.address).href);
    const turn = async (name) => {
      const number = await page.locator('#part-findings').getAttribute('data-number');
      if (await page.getByLabel(`Role of ${name}`, {exact: true}).inputValue() === 'quasi') return;
      await page.getByLabel(`Role of ${name}`, {exact: true}).selectOption('quasi');
      await until(page, (before) => document.querySelector('#part-findings').dataset.number !== before, number);
    };
    await turn('age');
    await turn('town');
    await page.goto(new URL('/hierarchies?column=town', served.address).href);
    await page.locator('#editor').waitFor();
    await settled(page);  // scripts listen from then on
    await page.locator('#draft').fill('Rome;South;*\nOslo;North;*\nBern;South;*\n');
    await page.locator('#draft-check.bad').waitFor();
    await page.locator('#draft').fill('Rome;South;*\nOslo;North;*\nBern;South;*\nLima;South;*\n');
    await page.locator('#draft-check.good').waitFor();
    await submit(page, page.getByRole('button', {name: /^Save as/}));
    assert.ok((await page.textContent('main')).includes('file towns_town.csv'));
    await page.getByLabel('South itself').check();
    await page.getByLabel('Name').fill('Warm');
    await page.getByRole('button', {name: 'Change', exact: true}).click();
    await page.getByLabel('Warm itself').waitFor();
    await submit(page, page.getByRole('button', {name: /^Save as/}));
    await page.goto(new URL('/hierarchies?column=age', served.address).href);
    await page.locator('#editor').waitFor();
    await settled(page);
    await page.getByText('Intervals by their edges').click();
    const edges = page.locator('[name=edge]');
    const count = await edges.count();
    for (let i = 0; i < count; ++i) await edges.nth(i).fill(i === 0 ? '30' : '');
    await submit(page, page.getByRole('button', {name: 'Take these edges'}));
    assert.ok((await page.textContent('main')).includes('built: intervals, edges=30'));
    assert.equal(fs.readFileSync(path.join(folder, 'towns_town.csv'), 'utf8').split('\n').filter((line) => line.includes('Warm')).length, 3);
    assert.deepEqual(said, []);
    await context.close();
    await stop(served);
  },

  async 'another site cannot do anything, and another browser needs the token'() {
    const folder = make_folder('closed');
    fs.writeFileSync(path.join(folder, 'table.csv'), 'a,b\n1,2\n1,2\n');
    const served = await serve(folder, '.');
    const {page, context} = await open(served);
    const origin = new URL(served.address).origin;
    // A page of another site, in the same browser that has the cookie: it posts a form and fetches.
    const foreign = http.createServer((request, reply) => {
      reply.setHeader('Content-Type', 'text/html');
      reply.end(`<form id="f" method="post" action="${origin}/open"><input name="file" value="table.csv"></form>`);
    });
    await new Promise((resolve) => foreign.listen(0, '127.0.0.1', resolve));
    const other = await context.newPage();
    await other.goto(`http://127.0.0.1:${foreign.address().port}/`);
    const fetched = await other.evaluate((from) => fetch(from + '/table', {credentials: 'include'}).then(() => 'read', () => 'refused'), origin);
    assert.equal(fetched, 'refused');
    const [answer] = await Promise.all([other.waitForNavigation(), other.evaluate(() => document.getElementById('f').submit())]);
    assert.equal(answer.status(), 403);
    await page.reload();
    assert.equal(await page.getByText('First rows').count(), 0, 'nothing was opened');
    foreign.close();
    const stranger = await browser.newContext();
    const knocking = await stranger.newPage();
    assert.equal((await knocking.goto(origin + '/table')).status(), 401);
    assert.equal((await knocking.goto(served.address)).status(), 403, 'the address worked once');
    await stranger.close();
    await context.close();
    await stop(served);
  },
};

let passed = 0, failed = 0;
const wanted = process.env.SHOAL_BROWSER_TEST ?? '';  // a part of a name: only these
for (const [name, test] of Object.entries(tests)) {
  if (!name.includes(wanted)) continue;
  try {
    await test();
    ++passed;
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
