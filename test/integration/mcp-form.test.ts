import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { askForm } from '../../src/host/services/mcp/ask-form';
import type { FieldKind, Form, FormField } from '../../src/mcp/form';
import type { FormAnswer } from '../../src/mcp/ports';
import { QuickInputs } from '../support/vscode/quick-inputs';

const OPTIONS = [
  { value: 'r', title: 'Red' },
  { value: 'g', title: 'Green' },
  { value: 'b', title: 'Blue' },
];

function field(key: string, kind: FieldKind, more: Partial<FormField> = {}): FormField {
  return { key, title: key, isRequired: true, kind, ...more };
}

describe('a form of an MCP server', () => {
  let inputs: QuickInputs;
  const never = new AbortController().signal;

  beforeEach(() => (inputs = new QuickInputs()));
  afterEach(() => inputs.dispose());

  function ask(fields: readonly FormField[], message = 'Please say more.'): Promise<FormAnswer> {
    const form: Form = { message, fields };
    return askForm('weather', form, never);
  }

  it('names the server and the reason, and accepts every kind of field', async () => {
    const answer = ask([
      field('city', { type: 'text' }, { description: 'Where you are' }),
      field('days', { type: 'number', isWhole: true, least: 1, most: 7 }, { default: 3 }),
      field('wind', { type: 'boolean' }),
      field('color', { type: 'choice', options: OPTIONS }, { default: 'g' }),
      field('colors', { type: 'choice', options: OPTIONS, several: {} }, { default: ['r', 'b'] }),
    ]);
    const note = await inputs.list(0);
    assert.equal(note.title, 'MCP server weather asks');
    assert.deepEqual(
      note.items.map(({ label }) => label),
      ['Answer', 'Decline', 'What weather says', 'Please say more.'],
    );
    await inputs.accept();
    const city = await inputs.box(1);
    assert.deepEqual([city.title, city.totalSteps], ['MCP server weather asks', 5]);
    assert.equal(city.prompt, 'city: Where you are');
    await inputs.type(1, 'Berlin');
    assert.equal((await inputs.box(2)).value, '3');
    await inputs.accept();
    await inputs.pick(3, 'No');
    assert.deepEqual(
      (await inputs.list(4)).activeItems.map(({ label }) => label),
      ['Green'],
    );
    await inputs.accept();
    await inputs.list(5);
    await inputs.accept();
    assert.deepEqual(await answer, {
      action: 'accept',
      content: { city: 'Berlin', days: 3, wind: false, color: 'g', colors: ['r', 'b'] },
    });
  });

  const refusals: readonly { kind: FieldKind; text: string; said: string; right: string }[] = [
    { kind: { type: 'text' }, text: '', said: 'Enter an answer.', right: 'x' },
    {
      kind: { type: 'text', shortest: 2 },
      text: 'a',
      said: 'Enter at least 2 characters.',
      right: 'ab',
    },
    {
      kind: { type: 'text', longest: 2 },
      text: 'abc',
      said: 'Enter at most 2 characters.',
      right: 'ab',
    },
    { kind: { type: 'text', format: 'email' }, text: 'me', said: 'Enter an email address.', right: 'me@a.b' },
    {
      kind: { type: 'text', format: 'date' },
      text: 'today',
      said: 'Enter a date, such as 2026-01-31.',
      right: '2026-11-22',
    },
    { kind: { type: 'number', isWhole: false }, text: 'x', said: 'Enter a number.', right: '1.5' },
    { kind: { type: 'number', isWhole: true }, text: '1.5', said: 'Enter a whole number.', right: '1' },
    {
      kind: { type: 'number', isWhole: true, most: 7 },
      text: '8',
      said: 'Enter 7 or less.',
      right: '7',
    },
  ];
  for (const { kind, text, said, right } of refusals) {
    it(`refuses ${JSON.stringify(text)} with "${said}"`, async () => {
      const answer = ask([field('a', kind)]);
      await inputs.list(0);
      await inputs.accept();
      assert.equal(await inputs.refused(1, text), said);
      await inputs.type(1, right);
      const given = await answer;
      assert.deepEqual(given, {
        action: 'accept',
        content: { a: kind.type === 'number' ? Number(right) : right },
      });
    });
  }

  it('leaves out skipped optional fields', async () => {
    const optional = { isRequired: false };
    const answer = ask([
      field('text', { type: 'text' }, optional),
      field('choice', { type: 'choice', options: OPTIONS }, optional),
      field('several', { type: 'choice', options: OPTIONS, several: { least: 2 } }, optional),
    ]);
    await inputs.list(0);
    await inputs.accept();
    assert.match((await inputs.box(1)).prompt ?? '', /optional/);
    await inputs.accept();
    await inputs.pick(2, 'Skip');
    await inputs.list(3);
    await inputs.accept();
    assert.deepEqual(await answer, { action: 'accept', content: {} });
  });

  it('goes back to earlier answers, and to the note', async () => {
    const answer = ask([field('a', { type: 'text' }), field('b', { type: 'text' })]);
    await inputs.list(0);
    await inputs.accept();
    await inputs.type(1, 'first');
    await inputs.box(2);
    await vscode.commands.executeCommand('workbench.action.quickInputBack');
    assert.equal((await inputs.box(1)).value, 'first');
    await vscode.commands.executeCommand('workbench.action.quickInputBack');
    await inputs.list(0);
    await inputs.accept();
    await inputs.type(1, 'changed');
    await inputs.type(2, 'second');
    assert.deepEqual(await answer, { action: 'accept', content: { a: 'changed', b: 'second' } });
  });

  it('says how many options may be chosen', async () => {
    const answer = ask([field('a', { type: 'choice', options: OPTIONS, several: { least: 1, most: 2 } })]);
    await inputs.list(0);
    await inputs.accept();
    const list = await inputs.list(1);
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    assert.equal(list.placeholder, 'Choose at least 1; you have chosen 0.');
    list.selectedItems = list.items.slice(0, 2);
    await inputs.accept();
    assert.deepEqual(await answer, { action: 'accept', content: { a: ['r', 'g'] } });
  });

  it('is declined by a button, and cancelled by Escape', async () => {
    const declined = ask([field('a', { type: 'text' })]);
    await inputs.pick(0, 'Decline');
    assert.deepEqual(await declined, { action: 'decline' });
    const cancelled = ask([field('a', { type: 'text' })]);
    await inputs.list(0);
    await inputs.accept();
    await inputs.box(1);
    await inputs.close();
    assert.deepEqual(await cancelled, { action: 'cancel' });
  });

  it('asks for a plain yes if there is no field', async () => {
    const answer = ask([]);
    await inputs.pick(0, 'Accept');
    assert.deepEqual(await answer, { action: 'accept', content: {} });
  });

  it('shows one form at a time, and no form of a call that has ended', async () => {
    const ended = new AbortController();
    const first = ask([]);
    const second = askForm('other', { message: '', fields: [] }, ended.signal);
    assert.equal((await inputs.list(0)).title, 'MCP server weather asks');
    ended.abort();
    await inputs.accept();
    assert.equal((await first).action, 'accept');
    assert.deepEqual(await second, { action: 'cancel' });
  });

  it('goes away when its call ends', async () => {
    const ended = new AbortController();
    const answer = askForm('weather', { message: '', fields: [field('a', { type: 'text' })] }, ended.signal);
    await inputs.list(0);
    await inputs.accept();
    await inputs.box(1);
    ended.abort();
    assert.deepEqual(await answer, { action: 'cancel' });
    assert.equal(inputs.isOpen, false);
  });

  it('G24: shows the text of a server as plain text, complete, and runs nothing from it', async () => {
    const link = '[press here](command:workbench.action.closeWindow)';
    const answer = ask(
      [field('a', { type: 'text' }, { title: `a ${link}`, description: '$(verified)' })],
      `${'word '.repeat(60)}${link}\n${'x'.repeat(200)}`,
    );
    const lines = (await inputs.list(0)).items.map(({ label }) => label);
    assert.ok(lines.every((line) => line.length <= 80));
    assert.equal(lines.join('').match(/word/g)?.length, 60);
    assert.equal(lines.join('').match(/x/g)?.length, 200);
    assert.equal(lines.join('\n').includes(']('), false);
    await inputs.accept();
    const { prompt } = await inputs.box(1);
    assert.equal(prompt, 'a [press here] (command:workbench.action.closeWindow): $ (verified)');
    await inputs.close();
    assert.deepEqual(await answer, { action: 'cancel' });
  });
});
