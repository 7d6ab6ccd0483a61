import assert from 'node:assert/strict';
import { CallIds } from '../../../src/core/reply/call-ids';
import type { ModelDelta } from '../../../src/core/words/model';
import type { Protocol } from '../../../src/core/words/protocol';
import { protocols } from '../../../src/protocols';
import { measureEventLoopDelay } from '../../support/measure/event-loop-delay';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';

/** Milliseconds; the promise is 200, and other tests share the machine. */
const MOST = 1_000;

const DEEP = 60_000;
const nested = `${'{"a":['.repeat(DEEP)}1${']}'.repeat(DEEP)}`;

describe('G35.deep: arguments that are nested without end', () => {
  let scratch: ScratchWorkspace;
  before(async () => (scratch = await ScratchWorkspace.create({ 'a.txt': 'a' })));
  after(() => scratch.dispose());

  for (const protocol of protocols) {
    it(`${protocol.id}: are not a call, and block nothing`, async () => {
      const tools = scratch.registry
        .getDiscoveredMethods()
        .flatMap(({ methods }) => methods.map(({ spec }) => spec));
      const parser = protocol.createParser({ tools, ids: new CallIds() });
      const deltas = deltasOf(protocol);
      assert.ok(JSON.stringify(deltas).length > nested.length);
      const { result, blockedMs } = await measureEventLoopDelay(async () => [
        ...deltas.flatMap((delta) => parser.push(delta)),
        ...parser.end('stop'),
      ]);
      assert.ok(!result.some((event) => event.type === 'call-end'));
      console.log(`      blocked for ${blockedMs} ms at most`);
      assert.ok(blockedMs < MOST, `blocked for ${blockedMs} ms`);
    });
  }

  it('end in an error of the tool if they reach it anyway', async () => {
    let deep: object = {};
    for (let level = 0; level < 5_000; level++) deep = { a: deep };
    const input = { path: 'a.txt', edits: deep } as never;
    assert.match(await scratch.failure('edit_file', input), /nested more than 32 levels deep/);
  });
});

/** A call whose one argument holds all of it. */
function deltasOf(protocol: Protocol): readonly ModelDelta[] {
  const call = { id: 'x', name: 'edit_file', arguments: { edits: 'NESTED' } };
  const filled = (text = ''): string => text.replace(/"?NESTED"?/, () => nested);
  return protocol.renderReply([{ type: 'call', call }]).map((delta) => {
    if (delta.type === 'text') return { ...delta, text: filled(delta.text) };
    return delta.type === 'tool-call' ? { ...delta, arguments: filled(delta.arguments) } : delta;
  });
}
