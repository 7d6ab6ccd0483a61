import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { canaryKey, canaryIn } from '../support/workspace/canary-key';
import { FakeEndpoint, streamForever, streamText } from '../support/servers/fake-endpoint';
import { eventually, lookOnce } from '../support/eventually';
import { clickInRow, ParleyWindow, until } from './parley-window';
import type { Page } from 'playwright-core';

describe('sessions', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;
  before(async () => {
    endpoint = await FakeEndpoint.start();
    window = await ParleyWindow.open({
      unfolded: ['Sessions'],
      files: { 'notes.txt': 'a plum\n' },
      viewport: { width: 1280, height: 1400 },
      settings: {
        'parley.model': 'local',
        'parley.models': [{ id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' }],
      },
    });
  });
  beforeEach(() => endpoint.reset());
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  const files = (): string[] => sessionFiles(window);

  it('G27.reload: the conversation is kept after a reload in mid-stream, and continues', async () => {
    endpoint.next(streamForever('and on ', () => undefined));
    await window.send('tell me a story');
    await window.log.getByText('and on and on').waitFor();
    await window.reload();
    const text = await until(() => window.log.innerText(), /Stopped/);
    assert.match(text, /tell me a story/);
    assert.match(text, /and on and on/);

    endpoint.reset();
    endpoint.next(streamText('It ended well.'));
    await window.send('how did it end?');
    await window.idle();
    const [request] = endpoint.requests;
    assert.match(JSON.stringify(request?.body.messages), /tell me a story.*and on and on.*how did it end/);
  });

  it("shows a new session after a reload if one was started, and keeps the window's choices", async () => {
    await window.startNew();
    await window.pick('Mode', 'manual');
    await window.pick('Agent', 'ask');
    // In a browser VS Code saves the state of a window every few seconds.
    await eventually(async () =>
      assert.match(await savedState(window.workbench.page), /"mode":"manual".*"agent":"ask"/),
    );
    await window.reload();
    await window.session('tell me a story').waitFor();
    await eventually(async () =>
      assert.equal(await window.log.getByRole('heading', { name: 'You' }).count(), 0),
    );
    await eventually(async () =>
      assert.deepEqual([await window.picked('Mode'), await window.picked('Agent')], ['manual', 'ask']),
    );
    await window.pick('Mode', 'auto');
    await window.pick('Agent', 'agent');
  });

  it('renames and opens a session from the list', async () => {
    await window.startNew();
    await window.send('second talk');
    await window.idle();
    await window.renameSession('second talk', 'another name');
    await eventually(async () => assert.equal(await window.session('second talk').count(), 0));

    await window.session('tell me a story').click();
    await until(() => window.log.innerText(), /and on and on[^]*Stopped[^]*It ended well/);
  });

  it('finds a session by words of an answer and opens it', async () => {
    const { page } = window.workbench;
    await window.startNew();
    await window.workbench.runCommand('Parley: Search Sessions…');
    const list = page.locator('.quick-input-widget');
    await list.locator('input').first().fill('IT ENDED');
    const row = list.getByRole('option', { name: /tell me a story.*It ended well\./ });
    await row.waitFor();
    await eventually(async () => assert.equal(await list.getByRole('option').count(), 1));
    await row.click();
    await until(() => window.log.innerText(), /It ended well/);
    await list.locator('input').first().waitFor({ state: 'hidden' });
  });

  for (const leave of ['the button', 'the command', 'the list'] as const) {
    it(`asks before a run is stopped by another session: ${leave}`, async () => {
      const question = 'A run is in progress.';
      let words = 0;
      endpoint.next(streamForever(() => `word ${words++} `));
      await window.startNew();
      await window.send(`a long answer, left by ${leave}`);
      const shown = (word: number): Promise<string> =>
        until(() => window.log.innerText(), new RegExp(`word ${word}\\b`));
      const box = window.page.getByRole('textbox', { name: 'Message' });
      await box.fill('half a thought');
      const go = async (): Promise<void> => {
        if (leave === 'the button') await window.newSessionFromTitle();
        else if (leave === 'the command') await window.workbench.runCommand('Parley: New Session');
        else await window.session('tell me a story').click();
      };
      await go();
      await window.answer(question, 'Cancel');
      await shown(words + 20);
      await eventually(async () => assert.equal(await box.inputValue(), 'half a thought'));
      await window.button('Stop').waitFor();

      await go();
      await window.answer(question, 'Stop and Leave');
      await window.idle();
      const other = leave === 'the list' ? /It ended well/ : /^(?!.*word \d)/s;
      await until(() => window.log.innerText(), other);
      await window.session(`a long answer, left by ${leave}`).click();
      await until(() => window.log.innerText(), /word 20\b[^]*Stopped/);
      await box.fill('');
    });
  }

  describe('in another window, too', () => {
    let other: ParleyWindow;
    before(async () => (other = await window.another()));
    after(() => other.close());

    it('G34.two-windows: a conversation continued in two windows becomes two', async () => {
      for (const each of [window, other]) {
        await each.session('tell me a story').click();
        await until(() => each.log.innerText(), /It ended well/);
      }
      const count = files().length;
      await window.send('said here');
      await window.idle();
      await other.send('said there');
      await other.idle();
      await until(async () => String(files().length), new RegExp(`^${count + 1}$|^${count + 2}$`));
      await until(async () => String(await other.session('tell me a story').count()), /^2$/);
      for (const text of files()) {
        assert.equal(text.includes('said here') && text.includes('said there'), false);
      }
      assert.doesNotMatch(await lookOnce(window.log.innerText()), /said there/);
    });

    it('G34.title: a session renamed in another window stays one', async () => {
      await window.startNew();
      await window.send('a plain name');
      await window.idle();
      await other.startNew();
      await other.renameSession('a plain name', 'a finer name');
      await window.send('it goes on');
      await window.idle();
      // The list refreshes when the window gets the focus, or another session is shown.
      await window.startNew();
      await window.session('a finer name').waitFor();
      await eventually(async () => assert.equal(await window.session('a finer name').count(), 1));
      await eventually(async () => assert.equal(await window.session('a plain name').count(), 0));
      await window.session('a finer name').click();
      await until(() => window.log.innerText(), /a plain name[^]*it goes on/);
    });
  });

  it('G27.reload: keeps a message that was sent just before a reload', async () => {
    await window.startNew();
    endpoint.next(streamForever('on and ', () => undefined));
    await window.send('sent in haste');
    await window.reload();
    await window.session('sent in haste').click();
    await until(() => window.log.innerText(), /sent in haste[^]*Stopped/);
  });

  it('G19.export: exports no key, even one that was stored after it appeared', async () => {
    const { page } = window.workbench;
    const list = page.locator('.quick-input-widget');
    await window.startNew();
    endpoint.next(streamText(`Yes, ${canaryKey} is a key.`));
    await window.send(`is ${canaryKey} a key?`);
    await window.idle();
    assert.ok(files().some((text) => canaryIn(text) !== undefined));
    await window.workbench.runCommand('Parley: Set API Key…');
    await list.locator('input[type=password]').fill(canaryKey);
    await list.locator('input[type=password]').press('Enter');
    await list.locator('input[type=password]').waitFor({ state: 'hidden' });
    for (const [form, shown] of [
      ['Markdown', /## You\s+is \[key\] a key\?/],
      ['JSON Lines', /"text":"is \[key\] a key\?"/],
    ] as const) {
      await window.workbench.runCommand('Parley: Export Session…');
      await list.getByRole('option', { name: form }).click();
      const editor = page.locator('.editor-instance .view-lines');
      const text = await until(async () => (await editor.innerText()).replaceAll('\u00a0', ' '), shown);
      assert.match(text, /Yes, \[key\] is a key\./);
      assert.equal(canaryIn(text), undefined);
    }
  });

  describe('that are deleted', () => {
    let kept: number;
    const count = async (): Promise<string> => String(files().length - kept);

    async function remove(title: string, answer: 'Delete' | 'Cancel'): Promise<void> {
      const dialog = window.workbench.page.getByRole('dialog');
      const question = dialog.getByText(`Delete the session "${title}"?`);
      await clickInRow(window.session(title), 'Delete Session', () => question.isVisible());
      await dialog.getByText('This action cannot be undone.').waitFor();
      await dialog.getByRole('button', { name: answer, exact: true }).click();
      await dialog.waitFor({ state: 'hidden' });
    }

    it('are deleted only after confirmation', async () => {
      kept = files().length;
      for (const title of ['first talk', 'second talk']) {
        await window.startNew();
        await window.send(title);
        await window.idle();
        await window.session(title).waitFor();
      }
      await eventually(async () => assert.equal(await count(), '2'));
      await remove('first talk', 'Cancel');
      await eventually(async () => assert.equal(await count(), '2'));
      await remove('first talk', 'Delete');
      await until(count, /^1$/);
      await window.session('first talk').waitFor({ state: 'detached' });
      assert.ok(files().some((text) => text.includes('second talk')));
      assert.ok(!files().some((text) => text.includes('first talk')));
      await until(() => window.log.innerText(), /second talk/);
    });

    it('leave an empty chat if one was shown, and nothing after a reload', async () => {
      await remove('second talk', 'Delete');
      await window.log.getByRole('heading', { name: 'You' }).waitFor({ state: 'detached' });
      await until(count, /^0$/);
      await window.workbench.runCommand('Parley: Open Chat');
      await window.reload();
      await eventually(async () =>
        assert.equal(await window.log.getByRole('heading', { name: 'You' }).count(), 0),
      );
      await eventually(async () => assert.equal(await window.session('second talk').count(), 0));
    });
  });
});

/** All session files of this VS Code. */
function sessionFiles({ workbench }: ParleyWindow): string[] {
  const { data } = workbench.server;
  return readdirSync(data, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes(`parley.parley${path.sep}sessions`) && file.endsWith('.jsonl'))
    .map((file) => readFileSync(path.join(data, file), 'utf8'));
}

/** What VS Code in a browser has saved as Parley's state of this workspace, as JSON. */
function savedState(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const result = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('The database cannot be read.'));
      });
    const saved: unknown[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      if (!name.startsWith('vscode-web-state-db')) continue;
      const database = await result(indexedDB.open(name));
      saved.push(
        await result(database.transaction('ItemTable').objectStore('ItemTable').get('parley.parley')),
      );
      database.close();
    }
    return saved.join('\n');
  });
}
