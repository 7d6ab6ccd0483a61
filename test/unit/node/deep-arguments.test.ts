import assert from 'node:assert/strict';
import { CallIds } from '../../../src/core/run/call-ids';
import type { ModelDelta } from '../../../src/core/words/model';
import { protocols } from '../../../src/protocols';
import { longestBlock } from '../../support/blocked';
import { Scratch } from '../../support/scratch';

/** Milliseconds; the promise is 200, and other tests share the machine. */
const MOST = 1_000;

const DEEP = 60_000;
const nested = `${'{"a":['.repeat(DEEP)}1${']}'.repeat(DEEP)}`;

describe('G35.deep: arguments that are nested without end', () => {
  let scratch: Scratch;
  before(async () => (scratch = await Scratch.create({ 'a.txt': 'a' })));
  after(() => scratch.dispose());

  for (const protocol of protocols) {
    it(`${protocol.id}: are no call, and hold nothing up`, async () => {
      const tools = scratch.registry
        .getDiscoveredMethods()
        .flatMap(({ methods }) => methods.map(({ spec }) => spec));
      const parser = protocol.createParser({ tools, ids: new CallIds() });
      const delta: ModelDelta =
        protocol.id === 'native'
          ? { type: 'tool-call', index: 0, id: 'x', name: 'read_file', arguments: nested }
          : { type: 'text', text: inForm(protocol.id) };
      const { result, blockedMs } = await longestBlock(async () => [
        ...parser.push(delta),
        ...parser.end('stop'),
      ]);
      assert.ok(!result.some((event) => event.type === 'call-end'));
      console.log(`      blocked for ${blockedMs} ms at most`);
      assert.ok(blockedMs < MOST, `blocked for ${blockedMs} ms`);
    });
  }

  it('end in a sentence of the tool when they come to it all the same', async () => {
    let deep: object = {};
    for (let level = 0; level < 5_000; level++) deep = { a: deep };
    const input = { path: 'a.txt', edits: deep } as never;
    assert.match(await scratch.failure('edit_file', input), /nested more than 32 levels deep/);
  });
});

function inForm(protocol: string): string {
  switch (protocol) {
    case 'vcp':
      return `<<<[TOOL_REQUEST]>>>\ntool_name:「始」read_file「末」\npath:「始」${nested}「末」\n`;
    case 'json':
    case 'envelope':
      return `{"tool_calls":[{"name":"read_file","arguments":${nested}}]}`;
    case 'xml':
      return `<tool_code>{"name":"read_file","arguments":${nested}}</tool_code>`;
    case 'invoke':
      return `<function_calls><invoke name="edit_file"><parameter name="edits">${nested}</parameter></invoke></function_calls>`;
    case 'qwen3-coder':
      return `<tool_call>\n<function=edit_file>\n<parameter=edits>\n${nested}\n</parameter>\n</function>\n</tool_call>`;
    case 'glm':
      return `<tool_call>edit_file\n<arg_key>edits</arg_key>\n<arg_value>${nested}</arg_value>\n</tool_call>`;
    default:
      return `<tool_call>\n{"name":"read_file","arguments":${nested}}\n</tool_call>`;
  }
}
