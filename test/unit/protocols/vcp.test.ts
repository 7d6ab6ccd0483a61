import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ToolSpec } from '../../../src/core/tool';
import { vcp } from '../../../src/protocols/vcp';
import { parseText, pieces } from '../../support/parse';
import { summary } from '../../support/summary';

const START = '<<<[TOOL_REQUEST]>>>';
const END = '<<<[END_TOOL_REQUEST]>>>';

function request(...lines: string[]): string {
  return [START, ...lines, END].join('\n');
}

const READ = request('tool_name:「始」read_file「末」', 'path:「始」a.txt「末」');
const FENCE = '```';

const writeFile: ToolSpec = {
  name: 'write_file',
  qualifiedName: 'files_writeFile',
  description: 'Writes a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' }, overwrite: { type: 'boolean' } },
    required: ['path', 'content'],
    additionalProperties: false,
  },
};
const runCommand: ToolSpec = {
  name: 'run_shell_command',
  qualifiedName: 'shell_runShellCommand',
  vcpCommand: 'exec',
  description: 'Runs a command.',
  parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
};
const TOOLS = [writeFile, runCommand];

interface Row {
  readonly name: string;
  readonly reply: string;
  readonly tools?: readonly ToolSpec[];
  readonly expect: string;
}

const rows: Row[] = [
  {
    name: 'reads a call between prose and keeps the prose as sent',
    reply: `Let me look.\n${READ}\nDone?`,
    expect: 'text "Let me look.\\n\\nDone?" | read_file {"path":"a.txt"}',
  },
  {
    name: 'reads several calls in the order written',
    reply: `${READ}\n${request('tool_name:「始」list「末」')}`,
    expect: 'text "\\n" | read_file {"path":"a.txt"} | list {}',
  },
  {
    name: 'accepts separators, remarks and blanks between items',
    reply: request('tool_name:「始」read_file「末」,', ' // which file', 'path : 「始」a.txt「末」，'),
    expect: 'read_file {"path":"a.txt"}',
  },
  {
    name: 'reads a full-width colon and marks the call as repaired',
    reply: request('tool_name：「始」read_file「末」'),
    expect: 'read_file {} repaired [full-width-colon]',
  },
  {
    name: 'keeps values verbatim: escapes, entities, fences, think tags, line endings',
    reply: request(
      'tool_name:「始」write「末」',
      `content:「始」\\n &lt; \\\\ ${FENCE}\r\n<think>x</think>\n「末」`,
    ),
    expect: 'write {"content":"\\\\n &lt; \\\\\\\\ ```\\r\\n<think>x</think>\\n"}',
  },
  {
    name: 'reads a closing mark that nothing of the block follows as part of the value',
    reply: request('tool_name:「始」write「末」', 'content:「始」say 「末」 loudly「末」'),
    expect: 'write {"content":"say 「末」 loudly"} repaired [mark-in-value]',
  },
  {
    name: 'reads an escaped value up to its own closing mark only',
    reply: request(
      'tool_name:「始」write「末」',
      `content:「始ESCAPE」a「末」 ${END}\n${END}\n${READ}「末ESCAPE」`,
    ),
    expect: `write ${JSON.stringify({ content: `a「末」 ${END}\n${END}\n${READ}` })}`,
  },
  {
    name: 'restores escaped markers in an escaped value',
    reply: request(
      'tool_name:「始」write「末」',
      'content:「始ESCAPE」<<<[TOOL_REQUEST_ESCAPE]>>>「末ESCAPE」',
    ),
    expect: 'write {"content":"<<<[TOOL_REQUEST]>>>"} [decoded]',
  },
  {
    name: 'leaves a block in a code fence as text',
    reply: `As an example:\n${FENCE}\n${READ}\n${FENCE}\nThat is all.`,
    expect: `text ${JSON.stringify(`As an example:\n${FENCE}\n${READ}\n${FENCE}\nThat is all.`)}`,
  },
  {
    name: 'warns when the whole reply is a fenced block',
    reply: `${FENCE}\n${READ}\n${FENCE}`,
    expect: `text ${JSON.stringify(`${FENCE}\n${READ}\n${FENCE}`)} | warns call-in-code`,
  },
  {
    name: 'warns when a fence that was never closed holds a block',
    reply: `See:\n~~~\n${READ}`,
    expect: `text ${JSON.stringify(`See:\n~~~\n${READ}`)} | warns call-in-code`,
  },
  {
    name: 'does not take an indented fence for one',
    reply: `    ${FENCE}\n${READ}`,
    expect: `text ${JSON.stringify(`    ${FENCE}\n`)} | read_file {"path":"a.txt"}`,
  },
  {
    name: 'leaves a marker in inline code as text',
    reply: `Write \`${START}\` first.`,
    expect: `text ${JSON.stringify(`Write \`${START}\` first.`)}`,
  },
  {
    name: 'takes a marker behind a lone backtick for real',
    reply: `It\`s time: ${READ}`,
    expect: 'text "It`s time: " | read_file {"path":"a.txt"}',
  },
  {
    name: 'ignores a call inside reasoning and reads the one after it',
    reply: `<think>${READ}</think>${request('tool_name:「始」list「末」')}`,
    expect: `reasoning ${JSON.stringify(READ)} | list {}`,
  },
  {
    name: 'warns about a call in reasoning that was never closed',
    reply: `<thinking>${READ}`,
    expect: `reasoning ${JSON.stringify(READ)} | warns call-in-reasoning`,
  },
  { name: 'drops an orphan closing tag', reply: 'a</think>b', expect: 'text "ab"' },
  { name: 'drops control tokens of chat templates', reply: 'hello<|im_end|>', expect: 'text "hello"' },
  {
    name: 'drops a result that the model invented after its call',
    reply: `${READ}<<<[TOOL_RESULT]>>>all good`,
    expect: 'read_file {"path":"a.txt"} | warns invented-result',
  },
  {
    name: 'keeps a result marker without a call as text',
    reply: 'What is <<<[TOOL_RESULT]>>>?',
    expect: 'text "What is <<<[TOOL_RESULT]>>>?"',
  },
  { name: 'keeps half a marker at the end as text', reply: 'so <<<[TOOL_', expect: 'text "so <<<[TOOL_"' },
  {
    name: 'rejects a call that the reply ends in',
    reply: `${START}\ntool_name:「始」write「末」\ncontent:「始」half`,
    expect: 'rejects write unfinished',
  },
  {
    name: 'rejects a call without its end marker although all values are complete',
    reply: `${START}\ntool_name:「始」list「末」\n`,
    expect: 'rejects list unfinished',
  },
  {
    name: 'rejects a value that the block closes over, and reads the next call',
    reply: `${request('tool_name:「始」read_file「末」', 'path:「始」a.txt')}\n${READ}`,
    expect: 'text "\\n" | rejects read_file unclosed-value | read_file {"path":"a.txt"}',
  },
  {
    name: 'rejects text that is no argument, and nothing quoted behind it counts',
    reply: request('tool_name:「始」write「末」,', 'path = a', `content:「始ESCAPE」${READ}「末ESCAPE」`),
    expect: 'rejects write stray-text',
  },
  {
    name: 'rejects an argument given twice',
    reply: request('tool_name:「始」write「末」', 'path:「始」a「末」', 'path:「始」b「末」'),
    expect: 'rejects write duplicate-argument',
  },
  {
    name: 'ends a block at the start of the next one',
    reply: `${START}\ntool_name:「始」write「末」\n${READ}`,
    expect: 'rejects write missing-end | read_file {"path":"a.txt"}',
  },
  {
    name: 'reads whole blocks inside a plain value as data, and marks the call',
    reply: request('tool_name:「始」write「末」', `content:「始」Docs:\n${READ}\nor\n${READ}\nend「末」`),
    expect: `write ${JSON.stringify({ content: `Docs:\n${READ}\nor\n${READ}\nend` })} repaired [mark-in-value]`,
  },
  {
    name: 'rejects a value that a remark would cut short',
    reply: request(
      'tool_name:「始」write「末」',
      'content:「始」Close with 「末」 // the rest is lost「末」',
    ),
    expect: 'rejects write stray-text',
  },
  {
    name: 'ignores a call in nested reasoning',
    reply: `<think>a <think>b</think> ${READ}</think>ok`,
    expect: `text "ok" | reasoning ${JSON.stringify(`a <think>b</think> ${READ}`)}`,
  },
  {
    name: 'rejects JSON in a value that gives a key twice',
    tools: [{ name: 'edit', description: '', parameters: { properties: { edits: { type: 'array' } } } }],
    reply: request('tool_name:「始」edit「末」', 'edits:「始」[{"old":"a","old":"b"}]「末」'),
    expect: 'rejects edit invalid-argument',
  },
  {
    name: 'rejects keys that reach a prototype, also without tools',
    reply: request('tool_name:「始」edit「末」', '__proto__:「始」x「末」'),
    expect: 'rejects edit unknown-argument',
  },
  {
    name: 'reports the first call too many and passes over the rest',
    reply: Array.from({ length: 35 }, () => request('tool_name:「始」list「末」')).join(''),
    expect: [...Array.from({ length: 32 }, () => 'list {}'), 'rejects list too-many-calls'].join(' | '),
  },
  {
    name: 'rejects a tool that is not offered',
    tools: TOOLS,
    reply: request('tool_name:「始」read_file「末」'),
    expect: 'rejects read_file unknown-tool',
  },
  {
    name: 'rejects a call without a required argument',
    tools: TOOLS,
    reply: request('tool_name:「始」write_file「末」', 'path:「始」a「末」'),
    expect: 'rejects write_file missing-argument',
  },
  {
    name: 'binds names, keys and types to the schema',
    tools: TOOLS,
    reply: request(
      'tool_name:「始」files_writeFile「末」',
      'file_path:「始」a「末」',
      'Content:「始」007「末」',
      'overwrite:「始」True「末」',
    ),
    expect: 'write_file {"path":"a","content":"007","overwrite":true} [argument, argument]',
  },
  {
    name: 'accepts the VCP command of a tool, and leaves out a command field that only repeats it',
    tools: TOOLS,
    reply: request(
      'tool_name:「始」write_file「末」',
      'command:「始」writeFile「末」',
      'path:「始」a「末」',
      'content:「始」b「末」',
    ),
    expect: 'write_file {"path":"a","content":"b"} [control-field]',
  },
  {
    name: 'keeps a command argument that the tool declares',
    tools: TOOLS,
    reply: request('tool_name:「始」exec「末」', 'command:「始」ls「末」', 'maid:「始」me「末」'),
    expect: 'run_shell_command {"command":"ls"} [control-field]',
  },
];

describe('vcp', () => {
  for (const { name, reply, tools, expect } of rows) {
    it(name, () => {
      assert.equal(summary(parseText(vcp, [reply], tools)), expect);
    });
  }

  it('reads every row the same however the stream is cut', () => {
    for (const { reply, tools } of rows) {
      const whole = parseText(vcp, [reply], tools);
      for (let at = 1; at < reply.length; at++) {
        assert.deepEqual(parseText(vcp, [reply.slice(0, at), reply.slice(at)], tools), whole);
      }
      assert.deepEqual(parseText(vcp, pieces(reply, 1), tools), whole);
    }
  });

  const fragments = [
    START,
    END,
    '「始」',
    '「末」',
    '「始ESCAPE」',
    '「末ESCAPE」',
    '「末exp」',
    '<<<[TOOL_REQUEST_ESCAPE]>>>',
    '\n',
    ' ',
    ',',
    '//',
    'path:',
    '```',
    '`',
    '<think>',
    '</think>',
    'a',
    '，',
    '：',
    '\r\n',
    '😀',
    '<<<[TOOL_RESULT]>>>',
  ];
  const value = fc
    .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: 'binary' })), { maxLength: 8 })
    .map((all) => all.join(''));
  const key = fc
    .stringMatching(/^[a-z_][a-z0-9_-]{0,12}$/)
    .filter((name) => name !== 'tool_name' && name !== 'request_id');
  const call = fc.record({
    id: fc.constant('id1'),
    name: fc.stringMatching(/^[a-z][a-z_]{0,12}$/),
    arguments: fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }),
  });

  function render(calls: readonly { id: string; name: string; arguments: Record<string, string> }[]): string {
    return vcp
      .renderReply(calls.map((each) => ({ type: 'call', call: each })))
      .map((delta) => (delta.type === 'text' ? delta.text : ''))
      .join('');
  }

  it('reads back the calls it renders, whatever their values hold', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 3 }), (calls) => {
        const parsed = parseText(vcp, [render(calls)]);
        assert.deepEqual(parsed.errors, []);
        assert.deepEqual(
          parsed.calls.map((each) => ({ name: each.name, arguments: each.arguments })),
          calls.map((each) => ({ name: each.name, arguments: each.arguments })),
        );
      }),
      { numRuns: 300 },
    );
  });

  const reply = fc
    .array(
      fc.oneof(
        fc.constantFrom(...fragments, READ, 'tool_name:「始」list「末」'),
        fc.string({ maxLength: 6 }),
      ),
      { maxLength: 24 },
    )
    .map((all) => all.join(''));

  it('never throws, and gives the same for every way of cutting any text', () => {
    fc.assert(
      fc.property(reply, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (text, sizes) => {
        const cut: string[] = [];
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          cut.push(text.slice(at, at + size));
          at += size;
        }
        assert.deepEqual(parseText(vcp, cut), parseText(vcp, [text]));
      }),
      { numRuns: 500 },
    );
  });

  it('gives back text without markers unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!/<<<\[|think|<\|/.test(text));
        assert.equal(parseText(vcp, [text]).text, text);
      }),
    );
  });

  it('covers the reply: spans do not overlap, and text and blocks are all of it', () => {
    fc.assert(
      fc.property(reply, (text) => {
        fc.pre(!/think|TOOL_RESULT/.test(text));
        const parsed = parseText(vcp, [text]);
        const spans = [...parsed.calls, ...parsed.errors].sort((a, b) => a.start - b.start);
        let rest = '';
        let at = 0;
        for (const { start, end } of spans) {
          assert.ok(start >= at && end > start);
          rest += text.slice(at, start);
          at = end;
        }
        assert.equal(parsed.text, rest + text.slice(at));
      }),
      { numRuns: 500 },
    );
  });

  it('never reads from a prefix a call that the whole reply does not have', () => {
    fc.assert(
      fc.property(
        fc.array(call, { minLength: 1, maxLength: 2 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (calls, part) => {
          const whole = `Here:\n${render(calls)}`;
          const prefix = whole.slice(0, Math.floor(whole.length * part));
          const all = parseText(vcp, [whole]).calls.map((each) => JSON.stringify(each));
          for (const each of parseText(vcp, [prefix]).calls) assert.ok(all.includes(JSON.stringify(each)));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('changes no call when a fenced or rehearsed copy of one is put before it', () => {
    for (const copy of [`${FENCE}\n${READ}\n${FENCE}\n`, `<think>${READ}</think>\n`]) {
      assert.deepEqual(
        parseText(vcp, [`Look.\n${copy}${READ}`]).calls.map(({ name }) => name),
        ['read_file'],
      );
    }
  });
});
