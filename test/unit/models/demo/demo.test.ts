import assert from 'node:assert/strict';
import type { ToolResult, Turn } from '../../../../src/core/words/messages';
import type { RenderedPart } from '../../../../src/core/words/protocol';
import type { ToolSpec } from '../../../../src/core/words/tool';
import { demoScript } from '../../../../src/models/demo/demo';

function say(text: string, ...turns: Turn[]): readonly RenderedPart[] {
  return demoScript({ instructions: '', tools: [], turns: [{ type: 'user', text }, ...turns] });
}

function calls(parts: readonly RenderedPart[]): string[] {
  return parts.flatMap((part) =>
    part.type === 'call' ? [`${part.call.name} ${JSON.stringify(part.call.arguments)}`] : [],
  );
}

function result(status: ToolResult['status'], text: string): Turn {
  return {
    type: 'results',
    results: [{ requestId: 'x', toolName: 'edit_file', status, result: text, durationMs: 1 }],
  };
}

const rows: [string, string][] = [
  ['read src/a b.txt', 'read_file {"path":"src/a b.txt"}'],
  ['Read notes.txt', 'read_file {"path":"notes.txt"}'],
  ['list', 'read_folder {}'],
  ['list src', 'read_folder {"path":"src"}'],
  ['search two words', 'search_text {"query":"two words"}'],
  ['search TODO in src', 'search_text {"query":"TODO","path":"src"}'],
  ['create a.txt with one\ntwo', 'write_file {"path":"a.txt","content":"one\\ntwo"}'],
  ["replace 'a then b' with '' in n.txt", 'edit_file {"path":"n.txt","edits":[{"old":"a then b","new":""}]}'],
  ['run git status', 'run_shell_command {"command":"git status"}'],
];

describe('demo', () => {
  for (const [sentence, call] of rows) {
    it(`follows "${sentence.replace('\n', '\\n')}"`, () => assert.deepEqual(calls(say(sentence)), [call]));
  }

  it('asks for the definition of a tool that is named in a list', () => {
    const spec = (name: string): ToolSpec => ({ name, description: '', parameters: { type: 'object' } });
    const asked: Turn = { type: 'user', text: 'list' };
    const tools = [spec('read_file'), spec('load_tools')];
    const first = demoScript({ instructions: '', tools, turns: [asked] });
    assert.deepEqual(calls(first), ['load_tools {"names":["read_folder"]}']);
    const brought = {
      ...{ requestId: 'x', toolName: 'load_tools', result: '…', durationMs: 1 },
      status: 'success',
      defines: ['read_folder'],
    } as const;
    const turns: Turn[] = [asked, { type: 'results', results: [brought] }];
    const second = demoScript({ instructions: '', tools, loaded: [spec('read_folder')], turns });
    assert.deepEqual(calls(second), ['read_folder {}']);
  });

  it('goes on to the next step after a result', () => {
    assert.deepEqual(calls(say('list then read a', result('success', 'ok'))), ['read_file {"path":"a"}']);
  });

  it('replaces a text everywhere once it knows the number of places', () => {
    const parts = say(
      "replace 'a' with 'b' in n",
      result('error', '`old` occurs 3 times in n (lines 1, 2).'),
    );
    assert.deepEqual(calls(parts), ['edit_file {"path":"n","edits":[{"old":"a","new":"b","expect":3}]}']);
  });

  it('stops when a step did not run', () => {
    const parts = say('list then read a', result('denied', 'Not executed.'));
    assert.deepEqual(calls(parts), []);
    assert.match(JSON.stringify(parts), /did not run: Not executed\./);
  });

  it('says what it can do when it does not understand', () => {
    assert.match(JSON.stringify(say('write me a poem')), /I am the demo/);
  });
});
