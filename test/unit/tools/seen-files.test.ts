import assert from 'node:assert/strict';
import { ToolError } from '../../../src/core/tool';
import { runContext } from '../../support/run-context';
import { Scratch } from '../../support/scratch';

const { signal } = new AbortController();

describe('what each caller has seen', () => {
  let scratch: Scratch;
  before(async () => {
    scratch = await Scratch.create({ 'a.txt': 'old' });
  });
  after(() => scratch.dispose());

  const call = async (
    caller: object,
    name: string,
    input: Parameters<Scratch['prepare']>[1],
  ): Promise<void> => {
    const tool = scratch.registry.resolve(name);
    const prepared = await tool?.prepare(input, signal, caller);
    await prepared?.run(runContext(signal));
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
});
