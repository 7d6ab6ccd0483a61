import assert from 'node:assert/strict';
import { defaultConfig } from '../../../src/cli/built-in';
import type { JsonObject } from '../../../src/base/json';
import { toolsForSteps } from '../../../src/tools/tools-for-steps';
import { runContext } from '../../support/agent/run-context';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';

const NEXT = 'If that was the whole task, finish now; if not, do the next part.';
const LONG = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`).join('\n');

describe('the result of a step that changes something', () => {
  let scratch: ScratchWorkspace;
  beforeEach(async () => {
    scratch = await ScratchWorkspace.create({
      'a.txt': 'one\ntwo\ntwo\n',
      'long.txt': `${LONG}\n`,
      '.env': 'KEY=1\n',
    });
  });
  afterEach(() => scratch.dispose());

  /** The result, or the error, of a tool under the name in which it is offered. */
  async function call(name: string, args: JsonObject): Promise<string> {
    const offered = toolsForSteps(scratch.registry.offered(defaultConfig), defaultConfig);
    const tool = offered.find(({ spec }) => spec.name === name)!;
    const { signal } = new AbortController();
    try {
      const prepared = await tool.prepare(tool.spec.offers!.toCall(args), signal, {});
      return (await prepared.run(runContext(signal))).text;
    } catch (error) {
      return (error as Error).message;
    }
  }

  it('says that it is saved, shows the file, and what is next', async () => {
    const text = await call('replace_lines', { path: 'a.txt', old: 'one\n', new: 'ONE\n' });
    assert.match(text, /^Done and saved\. Edited a\.txt: /);
    assert.ok(text.endsWith(`\na.txt is now:\nONE\ntwo\ntwo\n\n${NEXT}`), text);
    assert.equal(await scratch.read('a.txt'), 'ONE\ntwo\ntwo\n');
  });

  it('shows of a long file what was changed, with two lines around it', async () => {
    const text = await call('replace_lines', { path: 'long.txt', old: 'line 50\n', new: 'fifty\n' });
    assert.match(
      text,
      /\nlong\.txt from line 48 is now:\nline 48\nline 49\nfifty\nline 51\nline 52\nIf that/,
    );
  });

  it('shows the file where nothing was changed', async () => {
    const text = await call('replace_lines', { path: 'a.txt', old: 'two\n', new: 'TWO 2\n' });
    assert.match(text, /^Not changed: `old` occurs 2 times in a\.txt/);
    assert.ok(text.endsWith('only one place:\none\ntwo\ntwo\n\ntwo\ntwo'), text);
    const missing = await call('replace_lines', { path: 'a.txt', old: 'three\n', new: 'THREE\n' });
    assert.match(missing, /^Not changed: `old` was not found[^]*\na\.txt is:\none\ntwo\ntwo/);
    assert.equal(await scratch.read('a.txt'), 'one\ntwo\ntwo\n');
  });

  it('never shows a file that may not be read unasked', async () => {
    assert.doesNotMatch(await call('replace_lines', { path: '.env', old: 'x\n', new: 'y\n' }), /KEY/);
  });

  it('of a read is as it was', async () => {
    assert.doesNotMatch(await call('read_file', { path: 'a.txt' }), /Done|If that/);
  });
});
