import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { FakeEndpoint, streamForever, streamText } from '../support/servers/fake-endpoint';
import { ParleyWindow, until } from './parley-window';

describe('commit messages in the workbench', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;
  let top: string;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    top = mkdtempSync(path.join(tmpdir(), 'parley-repositories-'));
    repository('apples', { 'list.txt': 'red apples\n', '.env': 'TOKEN=red\n' });
    repository('pears', { 'list.txt': 'green pears\n' });
    write('apples/list.txt', 'red apples and staged plums\n');
    write('apples/.env', 'TOKEN=a-secret-of-the-test\n');
    git('apples', 'add', '.');
    write('apples/other.txt', 'not staged\n');
    write('pears/list.txt', 'yellow pears\n');
    write('pears/new.txt', 'a new pear\n');
    window = await ParleyWindow.open({
      folder: top,
      settings: {
        'parley.models': [{ id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' }],
        'parley.model': 'local',
        'git.enabled': true,
        'git.autoRepositoryDetection': true,
      },
    });
    await window.workbench.page.keyboard.press('Control+Shift+G');
    await header('apples').waitFor();
    await header('pears').waitFor();
  });
  beforeEach(() => endpoint.reset());
  after(async () => {
    await window.close();
    await endpoint.stop();
    await rm(top, { recursive: true, force: true, maxRetries: 3 });
  });

  /** The row of a repository in the view Source Control. */
  const header = (name: string): Locator =>
    window.workbench.page.getByRole('treeitem', { name: new RegExp(`^${name}\\b`) }).first();
  const boxes = async (): Promise<string> =>
    (await window.workbench.page.locator('.scm-editor .view-lines').allInnerTexts())
      .join(' | ')
      .replaceAll('\u00a0', ' ');

  function write(name: string, text: string): void {
    mkdirSync(path.dirname(path.join(top, name)), { recursive: true });
    writeFileSync(path.join(top, name), text);
  }

  function git(folder: string, ...words: readonly string[]): string {
    const names = ['-c', 'user.name=T', '-c', 'user.email=t@example.org'];
    return execFileSync('git', [...names, ...words], { cwd: path.join(top, folder), encoding: 'utf8' });
  }

  function repository(name: string, files: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(files)) write(`${name}/${file}`, text);
    git(name, 'init', '-q');
    git(name, 'add', '.');
    git(name, 'commit', '-qm', 'first');
  }

  async function writeFor(name: string): Promise<void> {
    await window.workbench.runCommand('Parley: Write Commit Message');
    await window.workbench.page
      .locator('.quick-input-widget')
      .getByRole('option', { name: new RegExp(`^${name}`) })
      .click();
  }

  const sent = (): string => JSON.stringify(endpoint.requests.at(-1)?.body.messages);

  it('are written from what is staged, without secret files, and nothing is committed', async () => {
    endpoint.next(streamText('Add plums to the list'));
    await writeFor('apples');
    await until(boxes, /Add plums to the list/);
    assert.match(sent(), /staged plums/);
    assert.match(sent(), /\.env \(secret, not shown\)/);
    assert.doesNotMatch(sent(), /a-secret-of-the-test|not staged|yellow/);
    assert.equal(endpoint.requests.at(-1)?.body.tools, undefined);
    assert.match(await window.notified(/secret files/), /\.env/);
    assert.match(git('apples', 'log', '--format=%s'), /^first\n$/);
  });

  it('are written from all changes where nothing is staged', async () => {
    endpoint.next(streamText('Make the pears yellow'));
    await writeFor('pears');
    await until(boxes, /Make the pears yellow/);
    assert.match(sent(), /\+yellow pears/);
    assert.match(sent(), /\+a new pear/);
    assert.doesNotMatch(sent(), /plums/);
  });

  it('stop with Escape, and the box gets its text back', async () => {
    endpoint.next(streamForever('on and on '));
    await writeFor('pears');
    await until(boxes, /on and on/);
    await window.workbench.page.keyboard.press('Escape');
    await until(boxes, /Make the pears yellow/);
    assert.doesNotMatch(await boxes(), /on and on/);
  });

  it('have a button in the row of each repository', async () => {
    endpoint.next(streamText('By the button'));
    await header('pears').hover();
    await header('pears').getByRole('button', { name: 'Write Commit Message' }).click();
    await until(boxes, /By the button/);
    assert.match(sent(), /yellow pears/);
  });
});
