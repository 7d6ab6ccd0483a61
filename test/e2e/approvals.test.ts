import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { RenderedPart } from '../../src/core/words/protocol';
import { findProtocol } from '../../src/protocols';
import { restricted } from '../hosts/settings';
import { FakeEndpoint, streamParts } from '../support/servers/fake-endpoint';
import { eventually } from '../support/eventually';
import { long } from '../support/platform';
import { ParleyWindow, until } from './parley-window';

const RULES = 'parley.approvals.allowCommands';
const SECRETS = 'parley.approvals.secretFiles';

function run(window: ParleyWindow, tool: string): Locator {
  return window.call(tool).getByRole('button', { name: 'Run', exact: true });
}

async function userSettings(window: ParleyWindow): Promise<string> {
  return readFile(window.workbench.server.userSettings, 'utf8');
}

describe('approvals', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;
  let lib: string;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    const profile = { id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' };
    window = await ParleyWindow.open({
      files: {
        'notes.txt': 'a plum',
        '.env': 'KEY=one',
        'more/.env': 'KEY=two',
        'a.vault': 'x',
        'b.lockbox': 'x',
      },
      settings: { 'parley.models': [profile], [RULES]: ['git log'], [SECRETS]: ['*.vault'] },
    });
    lib = path.join(path.dirname(window.folder), 'lib');
    await mkdir(path.join(lib, 'src'), { recursive: true });
    await writeFile(path.join(lib, 'a.txt'), 'from outside');
    await writeFile(path.join(lib, 'src/b.txt'), 'deeper');
    await writeFile(path.join(lib, '.env'), 'KEY=three');
    await symlink(path.join(lib, 'a.txt'), path.join(window.folder, 'link.txt'));
  });
  beforeEach(async () => {
    endpoint.reset();
    await window.startNew();
    await window.pick('Model', 'demo');
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  it('G3.rule: always allows a command by a rule in the user settings, and nothing else', async () => {
    await window.send('run echo one && wc -c notes.txt then run echo two then run echo $((1+2))');
    const always = window.call('run_shell_command').getByRole('button', { name: 'Always allow' });
    await window.log.getByText('Covers echo, wc').click();
    await window.log.getByText('echo and arguments after it that are known to be harmless').waitFor();
    await window.log.getByText('wc and arguments after it that are known to be harmless').waitFor();
    await always.click();
    // The rule allows the second; the third can never run unasked.
    await window.call('run_shell_command').nth(2).getByRole('button', { name: 'Run', exact: true }).waitFor();
    await eventually(async () => assert.equal(await always.count(), 0));
    await run(window, 'run_shell_command').click();
    await window.idle();
    const settings = JSON.parse(await until(() => userSettings(window), /"wc"/)) as Record<string, unknown>;
    assert.deepEqual(settings[RULES], ['git log', 'echo', 'wc']);
    assert.ok(!(await readdir(window.folder)).includes('.vscode'));
  });

  it('G9.session: reads one secret file for the session, no other, and asks again in the next', async () => {
    await window.send('read .env then read .env then read more/.env');
    await window
      .call('read_file')
      .getByRole('button', { name: 'Allow reading this file in this session' })
      .click();
    await window.call('read_file').nth(2).getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    await window.startNew();
    await window.send('read .env');
    await run(window, 'read_file').waitFor();
    await window.button('Stop').click();
    await window.idle();
  });

  it('G9.added: asks about files that the user calls secret, and later about those of the workspace', async () => {
    await window.send('read b.lockbox');
    await window.idle();
    await window.send('read a.vault');
    await window.call('read_file').nth(1).getByText('secret file').waitFor();
    await window.button('Stop').click();
    await window.idle();
    const folder = path.join(window.folder, '.vscode');
    await mkdir(folder);
    try {
      await writeFile(path.join(folder, 'settings.json'), JSON.stringify({ [SECRETS]: ['*.lockbox'] }));
      await until(async () => {
        await window.startNew();
        await window.send('read b.lockbox');
        await run(window, 'read_file').or(window.button('Send')).first().waitFor();
        return String(await run(window, 'read_file').isVisible());
      }, /true/);
      await window.button('Stop').click();
      await window.idle();
      await window.send('read a.vault');
      await run(window, 'read_file').waitFor();
      await window.button('Stop').click();
      await window.idle();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('G6.session: reads a folder outside for the session, but no secret file in it', async () => {
    await window.send('read link.txt then read ../lib/src/b.txt then read ../lib/.env');
    const call = window.call('read_file');
    // The link leads outside, and its target is shown.
    await call.getByText(path.join(lib, 'a.txt')).waitFor();
    await call.getByRole('button', { name: 'Allow reading this folder in this session' }).click();
    await call.getByText('secret file, outside the workspace').waitFor();
    await eventually(async () => assert.equal(await call.count(), 3));
    await call.getByRole('button', { name: 'Reject', exact: true }).click();
    await window.idle();
    assert.ok(!(await userSettings(window)).includes(lib));
  });

  it('G11.one-approval: answers two calls of one reply in any order', async () => {
    const protocol = findProtocol('native');
    assert.ok(protocol);
    const read = (id: string, file: string): RenderedPart => ({
      type: 'call',
      call: { id, name: 'read_file', arguments: { path: file } },
    });
    endpoint.next(streamParts(protocol, [read('r1', '.env'), read('r2', 'more/.env')]));
    await window.pick('Model', 'local');
    await window.pick('Protocol', 'native');
    await window.send('read both');
    const second = window.call('read_file').nth(1);
    await second.getByRole('button', { name: 'Run', exact: true }).click();
    await second.getByText('Done').waitFor();
    await window.call('read_file').first().getByRole('button', { name: 'Reject', exact: true }).click();
    await window.idle();
    const sent = JSON.stringify(endpoint.requests[1]?.body.messages);
    assert.match(sent, /KEY=two/);
    assert.doesNotMatch(sent, /KEY=one/);
  });

  it('runs a very long command exactly as shown', async () => {
    const text = `git begin ${'word '.repeat(400)}; git the-end`;
    await window.send(`run ${text}`);
    const call = window.call('run_shell_command');
    await call.getByText('Scroll to read the whole command').waitFor();
    await eventually(async () =>
      assert.match(await call.getByRole('group', { name: 'Command' }).innerText(), /the-end$/),
    );
    await window.button('Reject').click();
    await window.idle();
  });

  it('makes reads wait in manual mode', async () => {
    await window.pick('Mode', 'manual');
    await window.send('read notes.txt');
    await run(window, 'read_file').click();
    await window.idle();
    await eventually(async () => assert.match(await window.log.innerText(), /a plum/));
    await window.pick('Mode', 'auto');
  });
});

long.describe('approvals in Restricted Mode, and once the workspace is trusted', () => {
  let window: ParleyWindow;

  before(async () => {
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'a plum', '.env': 'KEY=one' },
      settings: {
        ...restricted,
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
        'parley.toolCalling.requireConfirmation': false,
        [RULES]: ['echo'],
      },
    });
  });
  after(() => window.close());

  it('G2.untrusted: reads, and refuses writes and commands with a sentence and the next step', async () => {
    await window.page.getByText('Parley can only read files in this workspace until you trust it.').waitFor();
    await window.send("read notes.txt then replace 'plum' with 'pear' in notes.txt");
    await window.call('edit_file').getByText('the workspace is not trusted').waitFor();
    await window.idle();
    await window.startNew();
    await window.send('run echo x');
    await window.call('run_shell_command').getByText('the workspace is not trusted').waitFor();
    await window.idle();
    assert.equal(await window.read('notes.txt'), 'a plum');
  });

  it('still asks about a secret file', async () => {
    await window.startNew();
    await window.send('read .env');
    await run(window, 'read_file').click();
    await window.idle();
    await eventually(async () => assert.match(await window.log.innerText(), /KEY=one/));
  });

  it('G2.trust: works as usual once the workspace is trusted', async () => {
    await window.startNew();
    await window.button('Manage Workspace Trust').click();
    await window.workbench.page.getByRole('button', { name: 'Trust', exact: true }).click();
    await window.page
      .getByText('Parley can only read files in this workspace until you trust it.')
      .waitFor({ state: 'detached' });
    await window.send('run echo x$((40+2))');
    await run(window, 'run_shell_command').click();
    await window.idle();
    await eventually(async () => assert.match(await window.log.innerText(), /x42/));
  });

  it('G8.edits-allowed: then edits an ordinary file unasked, and asks about a protected one', async () => {
    await window.startNew();
    await window.send("replace 'plum' with 'pear' in notes.txt then create .vscode/tasks.json with {}");
    const protectedCall = window.call('write_file');
    await run(window, 'write_file').waitFor();
    assert.equal(await window.read('notes.txt'), 'a pear');
    await eventually(async () =>
      assert.equal(await protectedCall.getByRole('button', { name: /^Allow|^Always/ }).count(), 0),
    );
    await protectedCall.getByRole('button', { name: 'Reject', exact: true }).click();
    await window.idle();
    await assert.rejects(window.read('.vscode/tasks.json'));
  });
});
