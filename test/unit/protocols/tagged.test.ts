import assert from 'node:assert/strict';
import type { Protocol } from '../../../src/core/protocol';
import { xml } from '../../../src/protocols/xml';
import { parseText, pieces } from '../../support/parse';
import { summary } from '../../support/summary';

interface Row {
  readonly name: string;
  readonly protocol: Protocol;
  readonly reply: string;
  readonly expect: string;
}

const CODE = (json: string): string => `<tool_code>${json}</tool_code>`;

const rows: Row[] = [
  {
    name: 'reads JSON in its tag',
    protocol: xml,
    reply: `Look: ${CODE('\n{"name":"read","arguments":{"path":"a"}}\n')} ok`,
    expect: 'text "Look:  ok" | read {"path":"a"}',
  },
  {
    name: 'takes a fence around the JSON for decoration',
    protocol: xml,
    reply: CODE('\n```json\n{"name":"read","arguments":{}}\n```\n'),
    expect: 'read {} repaired [repaired-json]',
  },
  {
    name: 'reads a closing tag inside a string as data',
    protocol: xml,
    reply: CODE('{"name":"w","arguments":{"c":"</tool_code> {"}}'),
    expect: 'w {"c":"</tool_code> {"}',
  },
  {
    name: 'mends JSON and marks the call',
    protocol: xml,
    reply: CODE(`{'name':'read','arguments':{'ok':True,},}`),
    expect: 'read {"ok":true} repaired [repaired-json, repaired-json, repaired-json]',
  },
  {
    name: 'decodes arguments that are JSON text',
    protocol: xml,
    reply: CODE('{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}'),
    expect: 'read {"path":"a"} repaired [repaired-json]',
  },
  {
    name: 'rejects program code',
    protocol: xml,
    reply: `${CODE('print(read("a"))')}after`,
    expect: 'text "after" | rejects not-json',
  },
];

describe('tagged protocols', () => {
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
});
