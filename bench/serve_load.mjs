// 100 requests a second for a minute while releases run, on the loopback; memory before, during and after.
//   node bench/serve_load.mjs [build/shoal] [SECONDS] [REQUESTS A SECOND]
// Prints answers, waiting times and resident memory, as a whole and for each tenth of the time. Expected: every answer is 200, and
// memory is flat: what the last releases need at most is within a tenth of what the first ones needed.
import {spawn} from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

const program = path.resolve(process.argv[2] ?? 'build/shoal'), seconds = Number(process.argv[3] ?? 60), rate = Number(process.argv[4] ?? 100);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shoal_load_'));
let text = 'age,zip,job,income\n';
for (let i = 0; i < 50000; ++i) text += `${20 + i * 7919 % 70},${10000 + i * 104729 % 9000},${i * 31 % 97},${i * 613 % 50}\n`;
fs.writeFileSync(path.join(folder, 'table.csv'), text);
fs.writeFileSync(path.join(folder, 'job.yaml'), 'input: table.csv\nk: 5\nmethod: mondrian\ncolumns:\n' +
    ['age', 'zip', 'job', 'income'].map((name) => `  ${name}: {role: quasi}\n`).join(''));

const child = spawn(program, ['serve', 'job.yaml'], {cwd: folder, stdio: ['ignore', 'pipe', 'inherit']});
const address = await new Promise((resolve) => {
  let words = '';
  child.stdout.on('data', (part) => { words += part; const found = words.match(/http:\/\/\S+/); if (found) resolve(new URL(found[0])); });
});
const agent = new http.Agent({keepAlive: true, maxSockets: 8});
let cookie = '';
function ask(method, where, form) {
  return new Promise((resolve) => {
    const started = performance.now();
    const headers = {Host: address.host, Cookie: cookie};
    if (form) Object.assign(headers, {Origin: address.origin, 'Content-Type': 'application/x-www-form-urlencoded'});
    const request = http.request({host: '127.0.0.1', port: address.port, method, path: where, headers, agent}, (reply) => {
      let body = '';
      reply.on('data', (part) => { body += part; });
      reply.on('end', () => resolve({status: reply.statusCode, headers: reply.headers, body, ms: performance.now() - started}));
    });
    request.on('error', (error) => resolve({status: error.code, headers: {}, body: '', ms: performance.now() - started}));
    request.end(form);
  });
}
const memory = () => Number(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 1024;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
cookie = (await ask('GET', address.pathname + address.search)).headers['set-cookie'][0].split(';')[0];
while ((await ask('GET', '/release')).status !== 200) await pause(200);
const release = () => ask('POST', '/release', 'table=1&format=.csv&stem=out');
await release();
while ((await ask('GET', '/part/release')).body.includes('data-running="yes"')) await pause(100);
const before = memory();
let running = true, releases = 0;
const releasing = (async () => {
  while (running) {
    await release();
    while (running && (await ask('GET', '/part/release')).body.includes('data-running="yes"')) await pause(250);
    ++releases;
  }
})();
const pages = ['/columns', '/goal', '/release', '/part/findings', '/assets/page.js', '/table'], waits = [], statuses = {};
const asked = [], start = performance.now(), tenths = Array.from({length: 10}, () => ({memory: 0, waits: []}));
for (let i = 0; i < seconds * rate; ++i) {
  const due = start + 1000 * i / rate;
  if (due > performance.now()) await pause(due - performance.now());
  const tenth = tenths[Math.floor(10 * i / (seconds * rate))];
  asked.push(ask('GET', pages[i % pages.length]).then((answer) => {
    waits.push(answer.ms);
    tenth.waits.push(answer.ms);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  }));
  if (i % 10 === 0) tenth.memory = Math.max(tenth.memory, memory());
}
await Promise.all(asked);
const took = (performance.now() - start) / 1000;
running = false;
await releasing;
const share = (list, part) => list.sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))];
console.log(`${waits.length} requests in ${took.toFixed(1)} s (${(waits.length / took).toFixed(0)} a second) beside ${releases} releases of 50,000 rows: ${JSON.stringify(statuses)}`);
console.log(`waited: median ${share(waits, 0.5).toFixed(1)} ms, 99 % ${share(waits, 0.99).toFixed(1)} ms, longest ${share(waits, 1).toFixed(1)} ms`);
console.log(`memory: ${before.toFixed(0)} MB after the first release, ${memory().toFixed(0)} MB at the end`);
tenths.forEach((tenth, i) => console.log(`  ${(seconds * i / 10).toFixed(0)} to ${(seconds * (i + 1) / 10).toFixed(0)} s: at most ${tenth.memory.toFixed(0)} MB, median wait ${
    share(tenth.waits, 0.5).toFixed(1)} ms, 99 % ${share(tenth.waits, 0.99).toFixed(1)} ms`));
child.kill('SIGINT');
agent.destroy();
fs.rmSync(folder, {recursive: true, force: true});
