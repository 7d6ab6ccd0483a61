import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { KeyCommand } from '../../../../src/node/endpoint/key-command';
import { withoutVariables } from '../../../../src/node/processes/environment';
import { linux } from '../../../support/platform';
import { processesWith } from '../../../support/processes/process-list';

const signal = new AbortController().signal;

/** A command of Node, which every system has. */
function node(code: string): string {
  return `"${process.execPath}" -e "${code}"`;
}

describe('key from a command', () => {
  let folder: string;
  let runs: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-key-')));
    runs = path.join(folder, 'runs').replaceAll('\\', '/');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Prints `key-1`, `key-2` … and counts its runs. */
  const counting = (): string =>
    node(
      `const fs=require('fs');fs.appendFileSync('${runs}','x');console.log('key-'+fs.readFileSync('${runs}').length)`,
    );

  it('is kept until it is forgotten', async () => {
    const command = new KeyCommand({ command: counting() });
    assert.equal(await command.key(signal), 'key-1');
    assert.equal(await command.key(signal), 'key-1');
    command.forget();
    assert.equal(await command.key(signal), 'key-2');
  });

  it('is kept for as long as the profile says', async () => {
    let time = 0;
    const command = new KeyCommand({ command: counting(), expiresIn: 60 }, { now: () => time });
    assert.equal(await command.key(signal), 'key-1');
    time = 59_999;
    assert.equal(await command.key(signal), 'key-1');
    time = 60_000;
    assert.equal(await command.key(signal), 'key-2');
  });

  it('is requested once for concurrent requests, and registered for redaction', async () => {
    const learned: string[] = [];
    const command = new KeyCommand({ command: counting() }, { learn: (key) => learned.push(key) });
    assert.deepEqual(await Promise.all([command.key(signal), command.key(signal)]), ['key-1', 'key-1']);
    assert.deepEqual(learned, ['key-1']);
    assert.equal(readFileSync(runs, 'utf8'), 'x');
  });

  it('runs in the home folder, without the variables that are withheld', async () => {
    process.env['PARLEY_TEST_KEY'] = 'sk-withheld';
    try {
      const code = "console.log(process.cwd()+'|'+process.env.PARLEY_TEST_KEY)";
      const command = new KeyCommand({ command: node(code) }, { withheld: ['PARLEY_TEST_KEY'] });
      assert.equal(await command.key(signal), `${realpathSync(homedir())}|undefined`);
    } finally {
      delete process.env['PARLEY_TEST_KEY'];
    }
  });

  const failures: readonly (readonly [name: string, code: string, says: RegExp])[] = [
    ['fails', "console.log('sk-canary');console.error('sk-canary');process.exit(4)", /failed \(4\)/],
    ['prints nothing', '', /printed no key/],
    ['prints two lines', "console.log('sk-canary\\\\nsk-canary')", /printed no key/],
    ['prints too much', "console.log('sk-canary'.repeat(20000))", /much more than a key/],
    ['does not end', "console.log('sk-canary');setInterval(()=>0,1000)", /did not end in 0\.7 s/],
  ];
  for (const [name, code, says] of failures) {
    it(`is missing if the command ${name}, and its output is not shown`, async () => {
      const options = name === 'does not end' ? { limit: 700 } : {};
      const answer = await new KeyCommand({ command: node(code) }, options).key(signal);
      assert.ok(typeof answer === 'object', 'no key is expected');
      assert.match(answer.problem, says);
      assert.ok(!answer.problem.includes('canary'));
    });
  }

  linux.it('W7: ends with everything it has started if it takes too long', async () => {
    const command = `setsid "${process.execPath}" -e "setInterval(()=>0,1000)" ${folder} & wait`;
    const answer = await new KeyCommand({ command }, { limit: 700 }).key(signal);
    assert.ok(typeof answer === 'object', 'no key is expected');
    assert.deepEqual(processesWith(folder), []);
  });

  it('W9: does not get withheld variables in another case on Windows', () => {
    const given = { MY_LOGIN: 'x', Path: 'C:\\bin' };
    assert.deepEqual(withoutVariables(given, ['my_login'], 'win32'), { Path: 'C:\\bin' });
    assert.deepEqual(withoutVariables(given, ['my_login', 'path'], 'linux'), given);
  });

  it('is no longer awaited after a stop', async () => {
    const stop = new AbortController();
    const asked = new KeyCommand({ command: node('setInterval(()=>0,1000)') }, { limit: 500 }).key(
      stop.signal,
    );
    stop.abort();
    assert.equal(await asked, undefined);
  });
});
