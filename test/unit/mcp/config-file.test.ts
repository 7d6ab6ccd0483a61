import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readConfig, readSetting } from '../../../src/mcp/config-file';

const cases: readonly {
  readonly name: string;
  readonly text: string;
  readonly servers?: Readonly<Record<string, object>>;
  readonly problems?: readonly (readonly [problem: RegExp, at: string])[];
}[] = [
  {
    name: 'a program, with comments and a comma too many',
    text: '{ // mine\n "mcpServers": { "a": { "command": "node", "args": ["x.js"], "env": { "N": 1, "T": "t" }, }, }, }',
    servers: { a: { type: 'stdio', command: 'node', args: ['x.js'], env: { N: '1', T: 't' } } },
  },
  {
    name: 'an address by either word, and fields of other agents',
    text: '{ "servers": { "a": { "url": "https://x.test/mcp", "disabled": true }, "b": { "type": "streamable-http", "url": "http://${env:HOST}", "headers": { "A": "b" } } } }',
    servers: {
      a: { type: 'http', url: 'https://x.test/mcp', headers: {} },
      b: { type: 'http', url: 'http://${env:HOST}', headers: { A: 'b' } },
    },
  },
  {
    name: 'what is wrong with one server, beside those that are good',
    text: '{ "mcpServers": { "a": { "args": [] }, "b": { "command": "x" }, "c": { "command": 1 }, "d": { "type": "sse", "url": "https://x" }, "e": { "command": "x", "url": "https://x" }, "f": { "url": "file:///etc/passwd" }, "g": [], "": { "command": "x" }, "h": { "type": "http", "command": "x" } } }',
    servers: { b: { type: 'stdio', command: 'x', args: [], env: {} } },
    problems: [
      [/^The server "a" cannot be used: "command" or "url" is missing\. Correct it\.$/, '"a"'],
      [/"c" cannot be used: "command": expected string, received number/, '"c"'],
      [/"d" cannot be used: "sse" is an older way/, '"d"'],
      [/"e" cannot be used: it has both/, '"e"'],
      [/"f" cannot be used: "url" must begin/, '"f"'],
      [/"g" cannot be used: expected object, received array/, '"g"'],
      [/"" cannot be used: a name has 1 to 100 characters/, '""'],
      [/"h" cannot be used: "url" is missing/, '"h"'],
    ],
  },
  {
    name: 'the first of two servers of one name',
    text: '{ "mcpServers": { "a": { "command": "one" }, "a": { "command": "two" } } }',
    servers: { a: { type: 'stdio', command: 'one', args: [], env: {} } },
    problems: [[/it is there twice/, '"a"']],
  },
  {
    name: 'no server of a text that breaks off',
    text: '{ "mcpServers": { "a": { "command": "one" } ',
    problems: [
      [/^It is not valid JSON \(close brace expected\), so its servers are ignored\. Fix it\.$/, ''],
    ],
  },
  { name: 'no server without an object', text: '[]', problems: [[/^It is not an object/, '[']] },
  {
    name: 'no server for a value that is not an object',
    text: '{ "mcpServers": [] }',
    problems: [[/"mcpServers" is not an object/, '[]']],
  },
  {
    name: 'nothing of what is nested without an end',
    text: `{ "mcpServers": ${'[}'.repeat(20_000)}`,
    problems: [[/nested too deep/, '{']],
  },
  { name: 'nothing in an empty object', text: '{}' },
];

describe('the text of .mcp.json', () => {
  for (const { name, text, servers = {}, problems = [] } of cases) {
    it(`holds ${name}`, () => {
      const read = readConfig(text);
      assert.deepEqual(
        Object.fromEntries(read.servers.map(({ name, definition }) => [name, definition])),
        servers,
      );
      assert.equal(read.problems.length, problems.length, JSON.stringify(read.problems));
      for (const [index, [problem, at]] of problems.entries()) {
        const found = read.problems[index];
        assert.match(found?.problem ?? '', problem);
        const { offset, length } = found?.at ?? { offset: 0, length: 0 };
        assert.equal(text.slice(offset, offset + length), at);
      }
    });
  }

  it('contains the inputs and says which cannot be used', () => {
    const read = readConfig('{ "inputs": [{ "id": "k", "password": true }, { "type": "promptString" }] }');
    assert.deepEqual(read.inputs, [{ id: 'k', password: true }]);
    assert.match(read.problems[0]?.problem ?? '', /^This input cannot be used: "id": /);
  });

  it('never breaks the reader, with any content', () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"mcpServers"',
        '"inputs"',
        '"a"',
        '"__proto__"',
        '"command"',
        '1',
        '//',
        '\n',
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        for (const { at } of readConfig(text).problems) assert.ok(at.offset >= 0 && at.offset <= text.length);
      }),
    );
  });
});

describe('the servers of the settings', () => {
  it('are each read by themselves', () => {
    const { servers, problems } = readSetting({ good: { command: 'x' }, bad: { command: '' } });
    assert.deepEqual(
      servers.map(({ name }) => name),
      ['good'],
    );
    assert.match(problems[0]?.problem ?? '', /"bad" cannot be used/);
  });

  for (const value of [null, 'x', []]) {
    it(`are empty in ${JSON.stringify(value)}, and that is reported`, () => {
      assert.deepEqual(readSetting(value).servers, []);
      assert.match(readSetting(value).problems[0]?.problem ?? '', /not an object/);
    });
  }
});
