import assert from 'node:assert/strict';
import { ToolError } from '../../../../src/core/words/tool';
import { runContext } from '../../../support/agent/run-context';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';

const { signal } = new AbortController();

describe('what each caller has seen', () => {
  let scratch: ScratchWorkspace;
  before(async () => {
    scratch = await ScratchWorkspace.create({ 'a.txt': 'old' });
  });
  after(() => scratch.dispose());

  const call = async (
    caller: object,
    name: string,
    input: Parameters<ScratchWorkspace['prepare']>[1],
  ): Promise<string | undefined> => {
    const tool = scratch.registry.resolve(name);
    const prepared = await tool?.prepare(input, signal, caller);
    return (await prepared?.run(runContext(signal)))?.text;
  };
  const overwrite = { path: 'a.txt', content: 'mine', overwrite: true };

  it('G30.sub-agent: what a sub-agent has read since, the agent has not', async () => {
    const [agent, subAgent] = [{}, {}];
    await call(agent, 'read_file', { path: 'a.txt' });
    await scratch.write('a.txt', 'of the user');
    await call(subAgent, 'read_file', { path: 'a.txt' });
    for (const [name, input] of [
      ['write_file', overwrite],
      ['edit_file', { path: 'a.txt', old: 'of', new: 'off' }],
    ] as const) {
      await assert.rejects(
        call(agent, name, input),
        (error) => error instanceof ToolError && /has changed since it was read/.test(error.message),
      );
    }
    assert.equal(await scratch.read('a.txt'), 'of the user');
    await call(agent, 'read_file', { path: 'a.txt' });
    await call(agent, 'write_file', overwrite);
    assert.equal(await scratch.read('a.txt'), 'mine');
  });

  describe('is not shown twice in a row while it stays the same', () => {
    const long = Array.from({ length: 500 }, (_, at) => `line ${at + 1}\n`).join('');
    const short = `long.txt\n[Unchanged since you read it: that result is still valid. To see it again, use another start_line or end_line.]`;
    const whole = { path: 'long.txt' };
    beforeEach(() => scratch.write('long.txt', long));

    it('but in full again if it is requested differently, or once more', async () => {
      const caller = {};
      const first = await call(caller, 'read_file', whole);
      assert.ok(first?.startsWith('line 1\nline 2\n'));
      assert.equal(await call(caller, 'read_file', whole), short);
      assert.equal(await call(caller, 'read_file', whole), first);
      assert.equal(await call(caller, 'read_file', whole), short);
    });

    it('to one caller', async () => {
      const first = await call({}, 'read_file', whole);
      assert.equal(await call({}, 'read_file', whole), first);
    });

    it('in the same part', async () => {
      const caller = {};
      const part = { path: 'long.txt', start_line: 1, end_line: 400 };
      await call(caller, 'read_file', whole);
      assert.match((await call(caller, 'read_file', part)) ?? '', /\nline 400\n?$/);
      assert.equal(await call(caller, 'read_file', whole), short);
    });

    it('no matter who changed it', async () => {
      const caller = {};
      await call(caller, 'read_file', whole);
      await call(caller, 'edit_file', { path: 'long.txt', old: 'line 7\n', new: 'line VII\n' });
      assert.match((await call(caller, 'read_file', whole)) ?? '', /\nline VII\n/);
      await scratch.write('long.txt', long);
      assert.match((await call(caller, 'read_file', whole)) ?? '', /\nline 7\n/);
    });

    it('unless it is short', async () => {
      await scratch.write('short.txt', 'a\n');
      const caller = {};
      const first = await call(caller, 'read_file', { path: 'short.txt' });
      assert.equal(await call(caller, 'read_file', { path: 'short.txt' }), first);
    });
  });

  describe('after it has gone back', () => {
    const long = Array.from({ length: 500 }, (_, at) => `line ${at + 1}\n`).join('');

    it('is shown in full again, because the earlier result may be removed', async () => {
      await scratch.write('long.txt', long);
      const before = {};
      const first = await call(before, 'read_file', { path: 'long.txt' });
      assert.equal(await call({ before }, 'read_file', { path: 'long.txt' }), first);
    });

    it('G30.rewind: has to be read again if the removed part changed it', async () => {
      await scratch.write('a.txt', 'old');
      const before = {};
      await call(before, 'read_file', { path: 'a.txt' });
      await call(before, 'edit_file', { path: 'a.txt', old: 'old', new: 'new' });
      const back = { before, changed: new Set([scratch.path('a.txt')]) };
      await assert.rejects(call(back, 'write_file', overwrite), /has changed since it was read/);
      await call(back, 'read_file', { path: 'a.txt' });
      await call(back, 'write_file', overwrite);
      assert.equal(await scratch.read('a.txt'), 'mine');
    });

    it('G30.rewind: still counts as read if the removed part did not change it', async () => {
      await scratch.write('a.txt', 'old');
      const before = {};
      await call(before, 'read_file', { path: 'a.txt' });
      const back = { before, changed: new Set<string>() };
      await scratch.write('a.txt', 'of the user');
      await assert.rejects(call(back, 'write_file', overwrite), /has changed since it was read/);
    });
  });
});
