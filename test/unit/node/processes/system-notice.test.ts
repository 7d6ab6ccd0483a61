import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { notifierFor, showSystemNotice } from '../../../../src/node/processes/system-notice';

describe('notices of the system', () => {
  const text = '--help <b>$(id) & "x"';

  it('are shown by a program with a fixed path, which gets the text as one argument', () => {
    assert.deepEqual(notifierFor(text, 'linux'), {
      program: '/usr/bin/notify-send',
      args: ['--app-name=Parley', '--', 'Parley', '--help &lt;b&gt;$(id) &amp; "x"'],
    });
    const onMac = notifierFor(text, 'darwin');
    assert.equal(onMac?.program, '/usr/bin/osascript');
    assert.equal(onMac.args.at(-1), text);
    assert.ok(onMac.args.slice(0, -1).every((each) => !each.includes('$(id)')));
    assert.equal(notifierFor(text, 'win32'), undefined);
  });

  it('are given to the program unchanged, without keys in its environment', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-notice-'));
    process.env['PARLEY_TEST_API_KEY'] = 'canary';
    try {
      const program = path.join(folder, 'notify');
      const out = path.join(folder, 'out');
      writeFileSync(program, `#!/bin/sh\nprintf '%s|' "$@" "$PARLEY_TEST_API_KEY" > '${out}'\n`);
      chmodSync(program, 0o755);
      assert.equal(await showSystemNotice(text, { program, args: ['--', text] }), undefined);
      assert.equal(readFileSync(out, 'utf8'), `--|${text}||`);
    } finally {
      delete process.env['PARLEY_TEST_API_KEY'];
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('say in a sentence why there is no notice', async () => {
    const problem = await showSystemNotice(text, { program: '/nowhere/notify', args: [] });
    assert.match(problem ?? '', /^\/nowhere\/notify could not show a notification: /);
    assert.match((await showSystemNotice(text, notifierFor(text, 'win32'))) ?? '', /./);
  });
});
