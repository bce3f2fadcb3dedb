// The whole way in a browser, as a person goes it. Run by tools/test_browser.sh.
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import assert from 'node:assert/strict';
import {browser, home, looked_at, make_folder, make_visits, open, program, run, seconds_of_looking, serve, settled, stop, submit, until} from './harness.mjs';
import {habits} from './habits.mjs';

const tests = {
  async 'the way from a messy table to a release with the bytes of the command line'() {
    const folder = make_folder('way');
    make_visits(folder, 400);
    const served = await serve(folder, '.');
    const began = performance.now();
    const {page, said, context, hands} = await open(served);
    await looked_at(page, 'empty');
    await page.getByRole('button', {name: 'visits.csv'}).click();
    await page.getByText('First rows, as in the file').waitFor();
    assert.ok((await page.content()).includes('windows-1252') || (await page.content()).includes('latin-1'));
    assert.equal(await page.getByText('Jürgen').count(), 0, 'names are hidden');
    await looked_at(page, 'table');
    await page.getByRole('link', {name: 'Columns', exact: true}).click();
    await settled(page);
    // Findings follow a change at once. Costs that tell nearly every row will stand in the way of a release.
    for (const [column, role] of [['Notiz', 'none'], ['Kosten_EUR', 'plain']]) {
      const before = await page.locator('#part-findings').getAttribute('data-number');
      await page.getByLabel(`Role of ${column}`, {exact: true}).selectOption(role);
      await until(page, (number) => document.querySelector('#part-findings').dataset.number !== number, before);
      await settled(page);
    }
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
    const reason = 'known recipients: under an agreement';
    for (let round = 0; round < 10; ++round) {
      await submit(page, page.getByRole('button', {name: 'Release', exact: true}));
      await page.locator('#part-release .verdict').first().waitFor();
      await settled(page);
      if (await page.locator('#in-the-way').count() === 0) break;
      if (round === 0) await looked_at(page, 'finding');
      while (await page.locator('.finding').count() > 0) {
        await page.locator('.finding textarea').first().fill(reason);
        await submit(page, page.locator('.finding button').first());
      }
    }
    await page.locator('#downloads').waitFor();
    await looked_at(page, 'release');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', {name: 'out_release.csv'}).click()]);
    const took = (performance.now() - began) / 1000 - seconds_of_looking;
    console.log(`by hand to the release: ${hands.clicks} clicks, ${hands.choices} choices from a list, ${hands.fields} fields; ${took.toFixed(0)} s without reading`);
    const got = fs.readFileSync(await download.path());
    const run = spawnSync(program, ['anonymize', 'visits.csv', '--job', 'out_job.yaml', '-o', 'again.csv', '--report', 'r.html', '--report-public',
                                    'p.html', '--json', 'r.json', '--recoding', 'c.json', '--quiet'], {cwd: folder});
    assert.equal(run.status, 0, String(run.stderr));
    assert.ok(got.equals(fs.readFileSync(path.join(folder, 'again.csv'))), 'the same bytes');
    for (const report of ['r.html', 'p.html', 'r.json']) assert.ok(fs.readFileSync(path.join(folder, report), 'utf8').includes(reason), report);
    // The job goes on where it was, with the reasons.
    await page.getByRole('link', {name: 'Table', exact: true}).click();
    await page.getByText('Choose another table or job').click();
    await page.getByRole('button', {name: 'out_job.yaml'}).click();
    await page.getByText('roles and goal come from the job out_job.yaml').waitFor();
    await page.getByRole('link', {name: 'Release', exact: true}).click();
    await page.getByRole('heading', {name: 'Accepted findings'}).waitFor();
    const accepted = await page.getByRole('listitem').filter({hasText: 'Withdraw'}).allTextContents();
    assert.ok(accepted.length > 0 && accepted.every((words) => words.includes(reason)), String(accepted));
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

await run({...tests, ...habits});
