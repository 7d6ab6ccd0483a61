import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { Sandbox } from '../../src/node/sandbox/sandbox';
import { noSandbox } from '../../src/node/sandbox/settings';
import { eventually } from '../support/eventually';
import { clickUntil, ParleyWindow, until } from './parley-window';

/** The reason why there is no sandbox on this machine. */
async function whyNone(): Promise<string | undefined> {
  const sandbox = new Sandbox({ roots: [], settings: () => noSandbox, stateFolder: tmpdir() });
  const status = await sandbox.status();
  await sandbox.close();
  return status.works ? undefined : status.reason;
}

describe('the sandbox', () => {
  let window: ParleyWindow;

  before(async function () {
    const reason = await whyNone();
    if (reason !== undefined) {
      console.log(`      The sandbox cannot be tested in the window: ${reason}`);
      this.skip();
    }
    window = await ParleyWindow.open({
      files: { 'notes.txt': 'plum\n', '.env': 'KEY=abc123\n' },
      settings: { 'parley.sandbox.enabled': 'on', 'parley.sandbox.runUnasked': true },
    });
  });
  // No window was opened if nothing could be tested.
  after(() => (window as ParleyWindow | undefined)?.close());
  beforeEach(() => window.startNew());

  const command = (): Locator => window.call('run_shell_command');
  const list = (): Locator =>
    window.workbench.page.locator('.quick-input-widget').filter({ hasText: 'Sandbox Status' });
  const row = (label: string | RegExp): Locator => list().getByRole('option', { name: label });

  const dialog = (text: string): Locator =>
    window.workbench.page.getByRole('dialog').filter({ hasText: text });

  it('runs a command without asking, and its card says so', async () => {
    await window.send('run echo plum > made.txt && cat made.txt');
    await window.idle();
    await command().locator('summary').first().click();
    await command().getByText('Ran in the sandbox: no network, can write only to this folder.').waitFor();
    assert.equal(await window.read('made.txt'), 'plum\n');
  });

  it('G38.window: prevents writes outside and reading secret files', async () => {
    const outside = path.join(path.dirname(window.folder), 'outside.txt');
    await window.send('run touch ../outside.txt; cat .env; echo end');
    await window.idle();
    await command().locator('summary').first().click();
    await command().getByText('Ran in the sandbox').waitFor();
    assert.ok(!existsSync(outside));
    const shown = await until(() => command().innerText(), /end/);
    assert.doesNotMatch(shown, /abc123/);
  });

  it('asks about a command that cannot work in it, and says why', async () => {
    await window.send('run curl -s http://127.0.0.1:9/');
    await command()
      .getByText('Needs your approval: it needs the network, so it would run outside the sandbox')
      .waitFor();
    await eventually(async () => assert.equal(await command().getByText('Runs in the sandbox').count(), 0));
    await command().getByRole('button', { name: 'Reject' }).click();
    await window.idle();
  });

  it('reports files left by a command of a killed window, and their new place', async () => {
    const { data } = window.workbench.server;
    const notes = (): readonly string[] =>
      readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /globalStorage\/parley\.parley\/sandbox\/[^/]*\.json$/.test(name),
      );
    await window.send('run sleep 30');
    await until(async () => notes().join('\n'), /./);
    const [note = ''] = notes();
    const running = JSON.parse(readFileSync(path.join(data, note), 'utf8')) as object;
    await window.button('Stop').click();
    await window.idle();
    // As if the window had been killed while it ran.
    const killed = path.join(data, path.dirname(note), 'killed.json');
    writeFileSync(killed, JSON.stringify({ ...running, start: 'long ago' }));
    mkdirSync(path.join(window.folder, '.vscode'), { recursive: true });
    writeFileSync(path.join(window.folder, '.vscode/tasks.json'), '{}');
    await window.reload();
    const said = await window.notified(/A sandboxed command was interrupted/);
    assert.match(said, /left files it may not create: .*\.vscode.*They were moved to .*removed/s);
    assert.ok(!existsSync(path.join(window.folder, '.vscode/tasks.json')));
  });

  it('G38.window: moves away what a command may not create, and lets the user put it back', async () => {
    await window.send('run mkdir -p sub/.vscode; sleep 30');
    const notices = window.workbench.page.locator('.notifications-center');
    await until(async () => {
      if (!(await notices.isVisible()))
        await window.workbench.runCommand('Notifications: Show Notifications');
      return notices.innerText();
    }, /sub\/\.vscode appeared while a command ran/);
    await window.idle();
    assert.ok(!existsSync(path.join(window.folder, 'sub/.vscode')));
    await notices.getByRole('button', { name: 'Put back' }).click();
    await eventually(() => existsSync(path.join(window.folder, 'sub/.vscode')));
  });

  it('has a status that says what commands may do, and turns it off', async () => {
    const box = window.page.getByRole('textbox', { name: 'Message' });
    await box.fill('/sandbox');
    await box.press('Enter');
    // Keys meant for the message box change nothing.
    await list().waitFor();
    await window.workbench.page.keyboard.press('Enter');
    await row(/The sandbox is on/)
      .getByText('Commands run in the sandbox')
      .waitFor();
    for (const said of [/^Read/, /^Write/, /^Reach.*No network/s, /^Repository/, /^Without asking/])
      await row(said).waitFor();
    await clickUntil(row(/The sandbox is on/), () => dialog('Turn the sandbox off?').isVisible());
    await window.answer('Turn the sandbox off?', 'Cancel');
    await clickUntil(row(/The sandbox is on/), () => dialog('Turn the sandbox off?').isVisible());
    await window.answer('Turn the sandbox off?', 'Turn Off');
    await row(/The sandbox is off/).waitFor();
    await window.workbench.page.keyboard.press('Escape');
  });

  it('is offered by the first command that asks while it is off, and the offer opens the status', async () => {
    await window.send('run echo plum');
    await command().getByText('Commands can run in a sandbox.').waitFor();
    await command().getByRole('button', { name: 'Set Up Sandbox…' }).click();
    await row(/The sandbox is off/)
      .getByText('The sandbox works here')
      .waitFor();
    await window.workbench.page.keyboard.press('Escape');
    await command().getByRole('button', { name: 'Reject' }).click();
    await window.idle();
    await window.send('run echo pear');
    await command().getByRole('button', { name: 'Reject' }).waitFor();
    await eventually(async () =>
      assert.equal(await command().getByText('Commands can run in a sandbox.').count(), 0),
    );
    await command().getByRole('button', { name: 'Reject' }).click();
    await window.idle();
  });
});

describe('a sandbox that does not work', () => {
  let window: ParleyWindow;
  let folder: string;

  before(async function () {
    if (process.platform !== 'linux') this.skip();
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-home-')));
    // No sandbox could protect a home folder inside a writable folder.
    const home = path.join(folder, 'home');
    mkdirSync(home);
    window = await ParleyWindow.open({
      folder,
      settings: { 'parley.sandbox.enabled': 'on', 'parley.sandbox.runUnasked': true },
      env: { HOME: home },
    });
  });
  after(async () => {
    await (window as ParleyWindow | undefined)?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('G39.window: is reported once, with the reason, and commands ask', async () => {
    assert.match(
      await window.notified(/The sandbox is on but does not work here/),
      /The folder .* contains your home folder\. .* Commands ask as if it were off\./,
    );
    await window.send('run echo plum');
    const command = window.call('run_shell_command');
    await command.getByRole('button', { name: 'Run', exact: true }).click();
    await window.idle();
    await eventually(async () => assert.equal(await command.getByText('in the sandbox').count(), 0));
  });
});
