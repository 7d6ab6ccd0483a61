import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { AgentEvent } from '../../src/core/words/events';
import { ABSENT, type FileChange } from '../../src/core/words/file-change';
import { violationsInAnyTheme } from '../support/pages/accessibility';
import { roundStart, runStart, toolCall, toolEnd } from '../support/agent/chat-events';
import type { ChatHarness } from '../support/pages/chat-harness';
import { chatSuite } from '../support/pages/chat-suite';

describe('checkpoints on the chat page', () => {
  let chat: ChatHarness;
  const open = chatSuite((opened) => (chat = opened));
  const buttons = (): Locator =>
    chat.page.getByRole('button', { name: 'Restore files to before this message' });
  const undo = (): Locator => chat.page.getByRole('button', { name: 'Undo this restore' });
  const bar = (): Locator => chat.page.getByRole('region', { name: 'Changes' });
  const button = (name: string): Locator => bar().getByRole('button', { name, exact: true });
  const summary = (): Locator => chat.page.locator('.changed-files summary');
  const list = (): Locator => chat.page.getByRole('list', { name: 'Files changed' });

  it('offers to restore files at messages after which files changed', async () => {
    await open([...run('read it'), ...run('change it', edited), ...run('thanks')]);
    equal(await buttons().count(), 2);
    await buttons().nth(1).focus();
    await chat.page.keyboard.press('Enter');
    deepEqual(await chat.received('restore-files'), { type: 'restore-files', entry: 2 });
  });

  it('shows the button on hover and focus, without reserving space for it', async () => {
    await open(run('change it', edited));
    const opacity = (): Promise<string> =>
      chat.page.locator('.message-buttons').evaluate((row) => getComputedStyle(row).opacity);
    equal(await opacity(), '0');
    const message = chat.page.locator('.user-message');
    const before = await message.boundingBox();
    await message.hover();
    equal(await opacity(), '1');
    deepEqual(await message.boundingBox(), before);
    await chat.page.getByRole('textbox', { name: 'Message' }).hover();
    await chat.page.getByRole('log').focus();
    await chat.page.getByRole('button', { name: 'Retry with another model or protocol' }).focus();
    await chat.page.keyboard.press('Tab');
    equal(await opacity(), '1');
    ok(await buttons().evaluate((button) => button === document.activeElement));
  });

  it('offers nothing during a run', async () => {
    await open([...run('change it', edited), runStart('more')]);
    equal(await buttons().count(), 0);
    await chat.events({ type: 'run-end', outcome: { type: 'done' } });
    await buttons().first().waitFor();
  });

  it('lists the changed files, each with its diff on a click', async () => {
    await open(run('change it', edited, created));
    equal((await summary().innerText()).replaceAll('\n', ' '), 'Files changed 2');
    ok(await list().isHidden());
    await summary().focus();
    await chat.page.keyboard.press('Enter');
    deepEqual(
      (await list().locator('.changed-file').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')),
      ['a.ts src/ changed', 'b.txt created'],
    );
    await list().getByRole('button', { name: 'a.ts' }).click();
    deepEqual(await chat.received('show-change'), { type: 'show-change', path: '/w/src/a.ts' });
  });

  it('undoes one of three files by two clicks, and asks where it was clicked', async () => {
    await open(run('change it', edited, created, { ...created, path: '/w/c.txt', display: 'c.txt' }));
    await summary().click();
    const row = list().getByRole('listitem').nth(1);
    await row.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('Undo the changes to this file?').waitFor();
    await row.getByRole('button', { name: 'Undo' }).click();
    deepEqual(await chat.received('settle-changes'), {
      type: 'settle-changes',
      how: 'undo',
      entry: 0,
      paths: ['/w/b.txt'],
    });
  });

  it('undoes nothing by a double click, or after Cancel', async () => {
    await open(run('change it', edited));
    await button('Undo all').dblclick();
    await bar().getByText('Undo the changes to 1 files?').waitFor();
    await button('Cancel').click();
    ok(await button('Undo all').evaluate((element) => element === document.activeElement));
    equal((await chat.posted()).filter(({ type }) => type === 'settle-changes').length, 0);
  });

  it('no longer offers what the user keeps, but what comes after', async () => {
    const keep: AgentEvent = { type: 'keep', entry: 0, paths: [edited.path] };
    await open([...run('change it', edited, created), keep]);
    equal((await summary().innerText()).replaceAll('\n', ' '), 'Files changed 1');
    await button('Keep all').click();
    deepEqual((await chat.received('settle-changes')).paths, [created.path]);
    await chat.start([...run('change it', edited), keep]);
    equal(await bar().count(), 0);
    await chat.start([
      ...run('change it', edited),
      keep,
      ...run('again', { ...edited, before: 'b', after: 'c' }),
    ]);
    equal((await summary().innerText()).replaceAll('\n', ' '), 'Files changed 1');
    // Restoring to before a message is still possible.
    equal(await buttons().count(), 2);
  });

  it('counts lines, of all changes or of the last run', async () => {
    const lines = { added: 2, removed: 1 };
    await open([...run('one', { ...edited, lines }), ...run('two', { ...created, lines })]);
    match(await summary().innerText(), /\+4\s*−2/);
    await button('Only this run').click();
    match(await summary().innerText(), /\+2\s*−1/);
    await button('Keep all').click();
    const { entry, paths } = await chat.received('settle-changes');
    deepEqual([entry, paths], [2, [created.path]]);
  });

  it('undoes nothing during a run, but keeps', async () => {
    await open([...run('change it', edited), runStart('more')]);
    ok(await button('Undo all').isDisabled());
    ok(await button('Keep all').isEnabled());
  });

  it('hides the list if no file differs any more, and says what was restored', async () => {
    const changes = [{ ...edited, before: 'b', after: 'a' }];
    await open([...run('change it', edited), ...restored(0, changes)]);
    await chat.page.getByText('Restored to an earlier state: src/a.ts').waitFor();
    equal(await summary().count(), 0);
    equal(await buttons().count(), 0);
    await undo().click();
    deepEqual(await chat.received('restore-files'), { type: 'restore-files', entry: 2 });
  });

  it('removes the undo of a restore after later file changes', async () => {
    const changes = [{ ...edited, before: 'b', after: 'a' }];
    await open([...run('change it', edited), ...restored(0, changes)]);
    equal(await undo().count(), 1);
    await chat.start([...run('change it', edited), ...restored(0, changes), ...run('again', created)]);
    await chat.page.getByText('again').waitFor();
    equal(await undo().count(), 0);
  });

  it('names files that were not restored, and why', async () => {
    const left = [{ display: 'x\u202ey.txt', reason: 'It has become a <b>link</b>.' }];
    await open([...run('change it', edited), ...restored(0, [], left)]);
    await chat.page.getByText('No files were restored.').waitFor();
    const items = await chat.page
      .getByRole('list', { name: 'Not restored' })
      .getByRole('listitem')
      .allInnerTexts();
    deepEqual(items, ['x⟨U+202E⟩y.txt It has become a <b>link</b>.']);
  });

  for (const width of [260, 420]) {
    it(`is accessible and does not overflow: ${width} px`, async () => {
      const many = Array.from({ length: 40 }, (_, index): FileChange => {
        const path = `/w/${'folder/'.repeat(8)}file-${index}.txt`;
        return { path, display: path.slice(3), before: index % 3 ? 'a' : ABSENT, after: 'b' };
      });
      const left = [{ display: 'notes.txt', reason: 'The file, or a folder in its path, is now a link.' }];
      await open(
        [
          ...run('change it', edited, created, ...many),
          ...restored(0, [{ ...edited, before: 'b', after: 'a' }], left),
        ],
        { width, height: 700 },
      );
      await summary().click();
      await chat.page.locator('.user-message').hover();
      const overflow = await list().evaluate((element) => element.scrollWidth - element.clientWidth);
      ok(overflow <= 0, String(overflow));
      const box = await list().boundingBox();
      ok(box && box.height <= 180, String(box?.height));
      const button = await buttons().boundingBox();
      ok(button && button.x >= 0, String(button?.x));
      deepEqual(await violationsInAnyTheme(chat), []);
    });
  }
});

const edited: FileChange = { path: '/w/src/a.ts', display: 'src/a.ts', before: 'a', after: 'b' };
const created: FileChange = { path: '/w/b.txt', display: 'b.txt', before: ABSENT, after: 'c' };

let calls = 0;

/** A run with a call for each change. */
function run(text: string, ...changes: readonly FileChange[]): AgentEvent[] {
  return [
    runStart(text),
    roundStart,
    ...changes.flatMap((change, index): AgentEvent[] => {
      const call = { ...toolCall('edit_file', { path: change.display }), id: `c${++calls}` };
      return [
        { type: 'call-end', index, call },
        { type: 'tool-start', callId: call.id, title: 'Edit' },
        { type: 'file-change', callId: call.id, change },
        toolEnd(call, 'success', 'Done.'),
      ];
    }),
    { type: 'run-end', outcome: { type: 'done' } },
  ];
}

function restored(
  entry: number,
  changes: readonly FileChange[],
  left: readonly { readonly display: string; readonly reason: string }[] = [],
): AgentEvent[] {
  return [{ type: 'restore', entry, changes, ...(left.length > 0 && { left }) }];
}
