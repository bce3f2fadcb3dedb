// What people do besides clicking ahead: go by the keyboard alone, go back, reload, have two tabs.
import fs from 'node:fs';
import path from 'node:path';
import assert from 'node:assert/strict';
import {make_folder, make_visits, open, serve, settled, stop, until} from './harness.mjs';

// The element that has the focus; nothing: the browser's own frame has it.
const focused = (page) => page.evaluate(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  return {
    number: [...document.querySelectorAll('*')].indexOf(element),
    html: element.outerHTML.slice(0, 120),
    seen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && box.width > 0 && box.height > 0 && box.bottom > 0 &&
        box.top < innerHeight,
  };
});
async function tab(page) {
  await page.keyboard.press('Tab');
  const now = await focused(page);
  if (now) assert.ok(now.seen, `the focus cannot be seen on ${now.html}`);
  return now;
}
// From the top to the end, behind which the browser's frame or the top comes: every control is met, none twice.
async function walk(page, step) {
  await page.evaluate(() => document.querySelector('.skip').focus());
  const wanted = await page.evaluate(() => {
    const all = [...document.querySelectorAll('*')];
    return all.map((element, number) => ({element, number}))
        .filter(({element}) => element.matches('a[href],button,input:not([type=hidden]),select,textarea,summary,[tabindex="0"]'))
        .filter(({element}) => !element.disabled && element.checkVisibility())
        .map(({element, number}) => ({number, html: element.outerHTML.slice(0, 120)}));
  });
  const first = (await focused(page)).number, met = new Set([first]);
  for (;;) {
    const now = await tab(page);
    if (!now || now.number === first) break;
    assert.ok(!met.has(now.number), `${step}: the focus comes back to ${now.html} before the end of the page`);
    met.add(now.number);
  }
  assert.deepEqual(wanted.filter((control) => !met.has(control.number)).map((control) => control.html), [], `${step}: not reached by the keyboard`);
}
// Presses Tab until the control has the focus, past the end of the page once.
async function tab_to(page, selector) {
  let ends = 0;
  while (ends < 2) {
    if (!await tab(page)) ++ends;
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
  }
  throw new Error(`${selector} is not reached by the keyboard at ${page.url()}`);
}
const enter = (page) => Promise.all([page.waitForNavigation({waitUntil: 'load'}), page.keyboard.press('Enter')]);
async function go(page, step) {
  await tab_to(page, `nav a[href="/${step}"]`);
  await enter(page);
  await settled(page);
}
async function type(page, selector, text) {
  await tab_to(page, selector);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

// Changes a field of the page's form and waits for what the program says to it.
async function change(page, label, text) {
  const step = new URL(page.url()).pathname;
  const said = page.waitForResponse((reply) => reply.request().method() === 'POST' && new URL(reply.url()).pathname === step);
  const field = page.getByLabel(label, {exact: true});
  if (await field.evaluate((element) => element.tagName) === 'SELECT') {
    await field.selectOption(text);
  } else {
    await field.fill(text);
    await field.press('Tab');
  }
  await said;
  await until(page, () => !document.querySelector('.htmx-request,.htmx-settling,.htmx-swapping'));
}

export const habits = {
  async 'the whole way by the keyboard alone'() {
    const folder = make_folder('keyboard');
    make_visits(folder, 200);
    const served = await serve(folder, '.');
    const {page, said, context} = await open(served);
    await settled(page);
    await walk(page, 'empty');
    await tab_to(page, '.file-choice');
    await enter(page);
    await page.getByText('First rows, as in the file').waitFor();
    await settled(page);
    await walk(page, 'table');
    await go(page, 'columns');
    await walk(page, 'columns');
    const before = await page.locator('#part-findings').getAttribute('data-number');
    await tab_to(page, '[aria-label="Role of Kosten_EUR"]');
    await page.keyboard.type('plain');  // which stands in the way of a release
    assert.equal(await page.getByLabel('Role of Kosten_EUR', {exact: true}).inputValue(), 'plain');
    await until(page, (number) => document.querySelector('#part-findings').dataset.number !== number, before);
    await settled(page);
    assert.ok(await page.evaluate(() => document.activeElement.matches('[aria-label="Role of Kosten_EUR"]')), 'the focus stays where it was');
    await go(page, 'hierarchies');
    await page.locator('#editor').waitFor();
    await settled(page);
    await walk(page, 'hierarchies');
    await go(page, 'goal');
    await type(page, '#k', '3');
    await tab_to(page, '#k-slider');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('#k').inputValue(), '4');
    await walk(page, 'goal');
    await tab_to(page, '#goal button');
    await enter(page);
    await page.getByRole('heading', {name: 'Risk against loss'}).waitFor();
    await go(page, 'compare');
    await walk(page, 'compare');
    await tab_to(page, 'form[action="/compare"] button');
    await enter(page);
    await page.getByRole('heading', {name: 'Take one of them'}).waitFor();
    await settled(page);
    await tab_to(page, 'form[action="/take"] button');
    await enter(page);
    await type(page, '#stem', 'keys');
    let accepted = 0;
    for (let round = 0; round < 10; ++round) {
      await tab_to(page, 'form[action="/release"] button');
      await enter(page);
      await page.locator('#part-release .verdict').first().waitFor();
      await settled(page);
      if (await page.locator('#in-the-way').count() === 0) break;
      while (await page.locator('.finding').count() > 0) {
        await type(page, '.finding textarea', 'the recipients know it');
        await tab_to(page, '.finding button');
        await enter(page);
        ++accepted;
      }
    }
    assert.ok(accepted > 0);
    await walk(page, 'release');
    await tab_to(page, 'a[download]');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    assert.equal(download.suggestedFilename(), 'keys_release.csv');
    assert.deepEqual(said, []);
    await context.close();
    await stop(served);
  },

  async 'the back button, a reload and two tabs do no harm'() {
    const folder = make_folder('tabs');
    for (const name of ['first', 'second']) {
      let text = 'age,town,job\n';
      for (let i = 0; i < 80; ++i) text += `${20 + i % 8},${['Rome', 'Oslo'][i % 2]},${['cook', 'smith', 'clerk', 'nurse'][i % 4]}\n`;
      fs.writeFileSync(path.join(folder, name + '.csv'), text);
      fs.writeFileSync(path.join(folder, name + '.yaml'), `input: ${name}.csv\nk: 3\nmethod: mondrian\ncolumns:\n  age: quasi\n  town: quasi\n  job: quasi\n`);
    }
    const served = await serve(folder, 'first.yaml');
    const {page, said, context} = await open(served);
    const at = (step) => new URL(step, served.address).href;
    await page.getByText('First rows, as in the file').waitFor();
    await page.goto(at('/columns'));
    await settled(page);
    await change(page, 'Role of job', 'plain');
    await settled(page);
    await page.goto(at('/goal'));
    await settled(page);
    await page.getByLabel('k', {exact: true}).fill('4');
    await Promise.all([page.waitForNavigation({waitUntil: 'load'}), page.getByRole('button', {name: 'Take this goal'}).click()]);
    await settled(page);
    // Back: what the job says now, not what a field held then; and what is changed there is taken.
    await page.goBack();
    await settled(page);
    if (new URL(page.url()).pathname === '/goal') {
      assert.equal(await page.getByLabel('k', {exact: true}).inputValue(), '4');
      await page.goBack();
      await settled(page);
    }
    assert.equal(new URL(page.url()).pathname, '/columns');
    assert.equal(await page.getByLabel('Role of job', {exact: true}).inputValue(), 'plain');
    await change(page, 'Role of job', 'sensitive');
    assert.equal(await page.locator('#message').textContent(), '');
    await page.goForward();
    await settled(page);
    assert.equal(await page.getByLabel('k', {exact: true}).inputValue(), '4');
    await page.reload();
    await settled(page);
    // Another tab with a form of a job that has been changed since.
    const other = await context.newPage();
    await other.goto(at('/goal'));
    await settled(other);
    await change(page, 'k', '6');
    await change(page, 'k', '5');  // its own changes do not stand in its way
    assert.equal(await page.locator('#message').textContent(), '');
    await change(other, 'Seed', '9');
    assert.match(await other.locator('#message').textContent(), /changed meanwhile/);
    await other.reload();
    await settled(other);
    assert.equal(await other.getByLabel('k', {exact: true}).inputValue(), '5');
    assert.equal(await other.getByLabel('Seed', {exact: true}).inputValue(), '1');
    // Both release at once: one run, which both see.
    for (const one of [page, other]) {
      await one.goto(at('/release'));
      await settled(one);
    }
    await Promise.all([page, other].map((one) => Promise.all(
        [one.waitForNavigation({waitUntil: 'load'}), one.getByRole('button', {name: 'Release', exact: true}).click()])));
    for (const one of [page, other]) {
      await one.locator('#downloads').waitFor();
      await settled(one);
    }
    assert.equal(await page.locator('#downloads').textContent(), await other.locator('#downloads').textContent());
    // Another tab opens another table: pages of the first change nothing of it.
    await page.goto(at('/goal'));
    await settled(page);
    await other.goto(at('/table'));
    await other.getByText('Choose another table or job').click();
    await Promise.all([other.waitForNavigation({waitUntil: 'load'}), other.getByRole('button', {name: 'second.yaml'}).click()]);
    await other.getByText('roles and goal come from the job second.yaml').waitFor();
    await change(page, 'k', '7');
    assert.match(await page.locator('#message').textContent(), /another table was opened/);
    await other.goto(at('/goal'));
    assert.equal(await other.getByLabel('k', {exact: true}).inputValue(), '3');
    assert.deepEqual(said, []);
    await context.close();
    await stop(served);
  },
};
