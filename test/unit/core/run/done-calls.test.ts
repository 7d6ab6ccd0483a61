import assert from 'node:assert/strict';
import { DoneCalls } from '../../../../src/core/run/done-calls';
import type { ToolCall, ToolResult } from '../../../../src/core/words/messages';
import type { Effect, Tool } from '../../../../src/core/words/tool';

function call(name: string, path: string): ToolCall {
  return { id: 'c1', name, arguments: { path }, start: 0, end: 0, notes: [], mark: 'clean' };
}

function result(status: ToolResult['status'], text = 'a result'): ToolResult {
  return { requestId: 'c1', toolName: 'x', status, result: text, durationMs: 0 };
}

/** A tool of that name, or what is offered in its place. */
function tool(name: string, offered?: string): Tool {
  const spec = { name, description: '', parameters: { type: 'object' } } as const;
  const offers = { spec, toCall: (args: object) => args, fromCall: (args: object) => args };
  // SAFETY: only the definition is looked at.
  return { spec: offered === undefined ? spec : { ...spec, name: offered, offers } } as unknown as Tool;
}

const read = call('read_file', 'a');

describe('calls that were made before', () => {
  const rows: readonly {
    name: string;
    before: readonly (readonly [ToolCall, ToolResult['status'], Effect])[];
    isAnswered: boolean;
  }[] = [
    { name: 'none', before: [], isAnswered: false },
    { name: 'the same', before: [[read, 'success', 'read']], isAnswered: true },
    { name: 'the same, which failed', before: [[read, 'error', 'read']], isAnswered: true },
    { name: 'another file', before: [[call('read_file', 'b'), 'success', 'read']], isAnswered: false },
    {
      name: 'a change since',
      before: [
        [read, 'success', 'read'],
        [call('write_file', 'b'), 'success', 'write'],
      ],
      isAnswered: false,
    },
    {
      name: 'a command since',
      before: [
        [read, 'success', 'read'],
        [call('run_shell_command', 'x'), 'success', 'execute'],
      ],
      isAnswered: false,
    },
    {
      name: 'a change since that failed',
      before: [
        [read, 'success', 'read'],
        [call('write_file', 'b'), 'error', 'write'],
      ],
      isAnswered: true,
    },
  ];
  for (const { name, before, isAnswered } of rows) {
    it(`${isAnswered ? 'are answered' : 'run'}: ${name}`, () => {
      const done = new DoneCalls('Go on.');
      for (const [made, status, effect] of before) done.add(made, result(status), effect);
      const answer = done.answer(read, [tool('read_file')]);
      if (isAnswered) assert.match(answer ?? '', /The result was:\na result\n/);
      else assert.equal(answer, undefined);
      assert.deepEqual(done.leftOut, isAnswered ? ['read_file'] : []);
    });
  }

  it('run if what they return changes by itself', () => {
    const done = new DoneCalls('Go on.');
    done.add(call('read_output', 'a'), result('success'), 'read');
    assert.equal(done.answer(call('read_output', 'a'), [tool('read_output')]), undefined);
  });

  it('are left out under the name in which they are offered; at the third time everything is', () => {
    const done = new DoneCalls('Go on.');
    const edit = call('edit_file', 'a');
    const callable = [tool('edit_file', 'replace_lines'), tool('read_file')];
    done.add(edit, result('error'), 'write');
    done.answer(edit, callable);
    assert.deepEqual(done.leftOut, ['replace_lines']);
    done.begin();
    assert.deepEqual(done.leftOut, []);
    done.answer(edit, callable);
    assert.equal(done.leftOut, 'all');
  });
});
