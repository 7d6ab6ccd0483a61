import assert from 'node:assert/strict';
import type { Protocol } from '../../../src/core/protocol';
import { envelope } from '../../../src/protocols/envelope';
import { json } from '../../../src/protocols/json';
import { parseText, pieces } from '../../support/parse';
import { summary } from '../../support/summary';

const CALL = '{"tool_calls":[{"id":"k","name":"read","arguments":{"path":"a"}}]}';
const FENCED = '```json\n' + CALL + '\n```';

const rows: { name: string; protocol: Protocol; reply: string; expect: string }[] = [
  {
    name: 'reads an object with tool_calls between prose',
    protocol: json,
    reply: `Look:\n${CALL}\nok`,
    expect: 'text "Look:\\n\\nok" | read {"path":"a"}',
  },
  {
    name: 'reads several calls of one object',
    protocol: json,
    reply: '{"tool_calls":[{"name":"a","arguments":{}},{"function":{"name":"b","arguments":"{\\"n\\":1}"}}]}',
    expect: 'a {} | b {"n":1} repaired [repaired-json]',
  },
  {
    name: 'takes a fence around the only call for decoration',
    protocol: json,
    reply: `Look:\n${FENCED}\n`,
    expect: 'text "Look:\\n\\n" | read {"path":"a"}',
  },
  {
    name: 'leaves a fenced example in prose alone',
    protocol: json,
    reply: `Like this:\n${FENCED}\nSee?`,
    expect: `text ${JSON.stringify(`Like this:\n${FENCED}\nSee?`)}`,
  },
  {
    name: 'leaves a fenced copy behind a call alone',
    protocol: json,
    reply: `${CALL}\n${FENCED}`,
    expect: `text ${JSON.stringify(`\n${FENCED}`)} | read {"path":"a"}`,
  },
  {
    name: 'leaves any other object as text',
    protocol: json,
    reply: 'The config is {"a": {"b": "}"}} now.',
    expect: 'text "The config is {\\"a\\": {\\"b\\": \\"}\\"}} now."',
  },
  {
    name: 'leaves braces in prose and code as text',
    protocol: json,
    reply: 'if (x) { y } and {z} {',
    expect: 'text "if (x) { y } and {z} {"',
  },
  {
    name: 'rejects an object that never ends',
    protocol: json,
    reply: '{"tool_calls":[',
    expect: 'rejects unfinished',
  },
  {
    name: 'rejects an object that is no JSON',
    protocol: json,
    reply: '{"tool_calls":[{"name":"a" "arguments":{}}]}',
    expect: 'rejects invalid-json',
  },
  {
    name: 'leaves an object in prose where no object goes on',
    protocol: json,
    reply: `Sets are {"a", (b and so on.\n${CALL}`,
    expect: 'text "Sets are {\\"a\\", (b and so on.\\n" | read {"path":"a"}',
  },
  {
    name: 'rejects calls that break off, with the line they stand on',
    protocol: json,
    reply: `{"tool_calls":[{"name":"say","arguments":{"x":"a "b" (c) ${CALL}"}}]}\nok`,
    expect: 'text "\\nok" | rejects invalid-json',
  },
  {
    name: 'reads calls behind calls that broke off',
    protocol: json,
    reply: `{"tool_calls":[{"name": <b>}]}\n${CALL}`,
    expect: 'text "\\n" | rejects invalid-json | read {"path":"a"}',
  },
  {
    name: 'leaves a fenced example with gaps alone',
    protocol: json,
    reply: '```\n{"tool_calls":[<calls>]}\n```',
    expect: `text ${JSON.stringify('```\n{"tool_calls":[<calls>]}\n```')}`,
  },
  {
    name: 'reads quotes and comments that JSON does not have',
    protocol: json,
    reply: `{'tool_calls':[{'name':'a','arguments':{'x':"}'"}} // ]}"\n]}`,
    expect: 'a {"x":"}\'"} repaired [repaired-json, repaired-json]',
  },
  {
    name: 'rejects one bad item and keeps the other',
    protocol: json,
    reply: '{"tool_calls":[{"arguments":{}},{"name":"b","arguments":{}}]}',
    expect: 'rejects invalid-json | b {}',
  },
  {
    name: 'reads data that looks like calls inside a string as data',
    protocol: json,
    reply: '{"tool_calls":[{"name":"w","arguments":{"c":"{\\"tool_calls\\":[]}"}}]}',
    expect: 'w {"c":"{\\"tool_calls\\":[]}"}',
  },
  {
    name: 'ignores a call inside reasoning',
    protocol: json,
    reply: `<think>${CALL}</think>no`,
    expect: `text "no" | reasoning ${JSON.stringify(CALL)}`,
  },

  {
    name: 'reads calls with their reasoning',
    protocol: envelope,
    reply:
      '{"reasoning":"to see","action":"tool_call","tool_calls":[{"name":"read","arguments":{"path":"a"}}]}',
    expect: 'reasoning "to see" | read {"path":"a"}',
  },
  {
    name: 'shows the content of an answer',
    protocol: envelope,
    reply: '{"reasoning":"done","action":"finish","content":"All \\"good\\"."}',
    expect: 'text "All \\"good\\"." | reasoning "done"',
  },
  {
    name: 'shows sql where there is no content',
    protocol: envelope,
    reply: '{"action":"finish","sql":"SELECT 1"}',
    expect: 'text "SELECT 1"',
  },
  {
    name: 'shows content that is no text as JSON',
    protocol: envelope,
    reply: '{"action":"finish","content":{"a":1}}',
    expect: 'text "{\\"a\\":1}"',
  },
  {
    name: 'reads calls whose action is missing',
    protocol: envelope,
    reply: '{"tool_calls":[{"name":"a","arguments":{}}]}',
    expect: 'a {} | warns missing-action',
  },
  {
    name: 'rejects an envelope that breaks off',
    protocol: envelope,
    reply: '{"action":"finish","x": (1)}\nok',
    expect: 'text "\\nok" | rejects invalid-json',
  },
  {
    name: 'knows an envelope whose first text is empty',
    protocol: envelope,
    reply: '{"content":"","note":"x"}',
    expect: '',
  },
  { name: 'finishes by default', protocol: envelope, reply: '{"content":"hi"}', expect: 'text "hi"' },
  {
    name: 'rejects calls of an envelope that says finish',
    protocol: envelope,
    reply: '{"action":"finish","tool_calls":[{"name":"a","arguments":{}}]}',
    expect: 'rejects contradiction',
  },
  {
    name: 'rejects an envelope that never ends',
    protocol: envelope,
    reply: '{"action":"tool_call","tool_calls":[{"name":"a","arg',
    expect: 'rejects unfinished',
  },
  {
    name: 'reads an envelope in a fence',
    protocol: envelope,
    reply: '```json\n{"action":"finish","content":"hi"}\n```',
    expect: 'text "hi"',
  },
  {
    name: 'shows a plain answer as it is',
    protocol: envelope,
    reply: 'Just text, {"a": 1}.',
    expect: 'text "Just text, {\\"a\\": 1}."',
  },
];

describe('JSON object protocols', () => {
  for (const { name, protocol, reply, expect } of rows) {
    it(`${protocol.id} ${name}`, () => {
      const whole = parseText(protocol, [reply]);
      assert.equal(summary(whole), expect);
      for (let at = 1; at < reply.length; at++) {
        assert.deepEqual(parseText(protocol, [reply.slice(0, at), reply.slice(at)]), whole);
      }
      assert.deepEqual(parseText(protocol, pieces(reply, 1)), whole);
    });
  }

  it('json cuts a block of several calls behind each of them', () => {
    const reply = 'x {"tool_calls":[{"name":"a","arguments":{}},{"name":"b","arguments":{}}]}';
    const spans = parseText(json, [reply]).calls.map(({ start, end }) => reply.slice(start, end));
    assert.deepEqual(spans, ['{"tool_calls":[{"name":"a","arguments":{}}', ',{"name":"b","arguments":{}}]}']);
  });
});
