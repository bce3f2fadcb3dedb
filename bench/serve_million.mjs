// Every step of the page on a large table: how long it takes, how long other pages wait meanwhile, how long nothing new is told
// about how far it is, how soon a cancel is obeyed, and memory.
//   node bench/serve_million.mjs [build/shoal] [ROWS] [METHOD OF THE RELEASE]
// Expected: no page waits for longer than a second, a cancel is obeyed within two, and the way ends in a release.
import {spawn, spawnSync} from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const program = path.resolve(process.argv[2] ?? 'build/shoal'), rows = process.argv[3] ?? '1000000', method = process.argv[4] ?? 'mondrian';
const source = path.resolve(path.dirname(new URL(import.meta.url).pathname), '..');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shoal_million_'));
const table = fs.openSync(path.join(folder, 'visits.csv'), 'w');
spawnSync('awk', ['-v', `rows=${rows}`, '-f', path.join(source, 'examples/hospital/make_visits.awk')],
          {env: {...process.env, LC_ALL: 'C'}, stdio: ['ignore', table, 'inherit']});
fs.closeSync(table);

const child = spawn(program, ['serve', '.'], {cwd: folder, stdio: ['ignore', 'pipe', 'inherit']});
const address = await new Promise((resolve) => {
  let words = '';
  child.stdout.on('data', (part) => { words += part; const found = words.match(/http:\/\/\S+/); if (found) resolve(new URL(found[0])); });
});
const agent = new http.Agent({keepAlive: true, maxSockets: 8});
let cookie = '';
const headers_of = (form) => ({Host: address.host, Cookie: cookie,
  ...(form ? {Origin: address.origin, 'Content-Type': 'application/x-www-form-urlencoded'} : {})});
function ask(method, where, form) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const request = http.request({host: '127.0.0.1', port: address.port, method, path: where, headers: headers_of(form), agent}, (reply) => {
      let body = '';
      reply.on('data', (part) => { body += part; });
      reply.on('end', () => resolve({status: reply.statusCode, headers: reply.headers, body, ms: performance.now() - started}));
    });
    request.on('error', reject);
    request.end(form);
  });
}
const memory = (what) => Math.round(Number(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8').match(new RegExp(what + ':\\s+(\\d+)'))[1]) / 1024);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
cookie = (await ask('GET', address.pathname + address.search)).headers['set-cookie'][0].split(';')[0];

// What the stream of events tells, with the time of each change.
let statuses = {}, heard = () => {};
http.get({host: '127.0.0.1', port: address.port, path: '/events', headers: headers_of()}, (reply) => {
  let text = '';
  reply.on('data', (part) => {
    text += part;
    for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
      const event = text.slice(0, end);
      if (event.startsWith('data: ')) { statuses = JSON.parse(event.slice(6)); heard(); }
    }
  });
}).on('error', () => {});

// Starts a run, asks for a page ten times a second until it has ended. Returns what is to be told.
async function watch(run, page, start, cancel_after) {
  const number = statuses[run]?.number ?? 0, began = performance.now();
  let last = began, silence = 0, silent_in = '', cancelled = 0, stage = '', told = 0;
  heard = () => {
    const now = performance.now(), words = JSON.stringify({...statuses[run], seconds: 0});  // the clock alone tells nothing new
    if (words === told) return;
    told = words;
    if (now - last > silence) { silence = now - last; silent_in = stage; }
    last = now;
    stage = statuses[run].stage;
  };
  await start();
  const waits = [];
  for (;;) {
    const status = statuses[run];
    if (status && status.number > number && status.state !== 'running') break;
    if (cancel_after !== undefined && !cancelled && performance.now() - began > cancel_after && status?.state === 'running') {
      cancelled = performance.now();
      await ask('POST', '/cancel', `run=${run}`);
      continue;
    }
    waits.push((await ask('GET', page)).ms);
    await pause(100);
  }
  const state = statuses[run].state, ended = performance.now();
  if (cancelled) {
    console.log(`${run}: ${state} ${((ended - cancelled) / 1000).toFixed(1)} s after the cancel`);
  } else {
    console.log(`${run}: ${state} after ${((ended - began) / 1000).toFixed(1)} s; ${page} waited at most ${Math.max(0, ...waits).toFixed(0)} ms; nothing new for at most ${
        (silence / 1000).toFixed(1)} s (${silent_in || 'at the start'}); memory ${memory('VmRSS')} MB, at most ${memory('VmHWM')} MB so far`);
  }
}
async function twice(run, page, start, cancel_after = 700) {
  await watch(run, page, start, cancel_after);
  await watch(run, page, start);
}
const shown = async (page) => {
  const answer = await ask('GET', page);
  console.log(`  ${page}: ${answer.status}, ${(answer.body.length / 1024).toFixed(0)} kB in ${answer.ms.toFixed(0)} ms`);
  return answer.body;
};

await twice('look', '/table', () => ask('POST', '/open', 'file=visits.csv'));
await shown('/table');
const number = (await shown('/columns')).match(/name="table" value="(\d+)"/)[1];
const post = (where, form) => ask('POST', where, `table=${number}&${form}`);
await twice('findings', '/columns', () => post('/columns', 'role-0=identifier'));
const quasi = [...(await shown('/hierarchies')).matchAll(/href="(\/hierarchies\?column=[^"]+)"/g)].map((found) => found[1]);
for (const page of quasi.slice(0, 3)) {
  await watch('values', '/table', () => ask('GET', page), page === quasi[0] ? 400 : undefined);
  await shown(page);
}
await twice('curve', '/goal', () => post('/goal', 'k=5'));
await shown('/goal');
const methods = [...(await shown('/compare')).matchAll(/name="method" value="([^"]+)" checked/g)].map((found) => `method=${found[1]}`).join('&');
await twice('compare', '/compare', () => post('/compare', `ks=5&sample=2000&${methods}`));
await shown('/compare');
await watch('curve', '/goal', () => post('/goal', `k=5&method=${method}`));
const release = () => post('/release', 'format=.csv&stem=out');
await watch('release', '/release', release, 700);
await watch('release', '/release', release, 8000);
for (let round = 0; round < 5; ++round) {
  await watch('release', '/release', release);
  const page = await shown('/release');
  const codes = [...page.matchAll(/name="finding" value="([^"]+)"><p><b>/g)].map((found) => found[1]);
  if (codes.length === 0) break;
  for (const code of codes) await post('/accept', `finding=${encodeURIComponent(code)}&reason=known`);
}
console.log(fs.readdirSync(folder).map((file) => `${file} ${(fs.statSync(path.join(folder, file)).size / 1e6).toFixed(1)} MB`).join(', '));
child.kill('SIGINT');
agent.destroy();
await new Promise((resolve) => child.on('exit', resolve));
fs.rmSync(folder, {recursive: true, force: true});
process.exit(0);
