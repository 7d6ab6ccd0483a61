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
    servers: {
      b: { type: 'stdio', command: 'x', args: [], env: {} },
      d: { type: 'http', url: 'https://x', headers: {}, mayBeSse: true },
    },
    problems: [
      [/^The server "a" cannot be used: "command" or "url" is missing\. Correct it\.$/, '"a"'],
      [/"c" cannot be used: "command": expected string, received number/, '"c"'],
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

  const options: readonly { readonly entry: object; readonly read: object | undefined }[] = [
    { entry: {}, read: undefined },
    { entry: { timeout: 120, startupTimeout: 0.5 }, read: { callTimeoutMs: 120_000, startTimeoutMs: 500 } },
    {
      entry: { timeout: 1_000, startupTimeout: 999 },
      read: { callTimeoutMs: 1_000, startTimeoutMs: 999_000 },
    },
    {
      entry: { tool_timeout_sec: 90, startup_timeout_sec: 20 },
      read: { callTimeoutMs: 90_000, startTimeoutMs: 20_000 },
    },
    { entry: { timeout: 10, tool_timeout_sec: 90 }, read: { callTimeoutMs: 10_000 } },
    { entry: { timeout: 1e12 }, read: { callTimeoutMs: 3_600_000 } },
    {
      entry: { timeout: -1, startupTimeout: '60' },
      read: {
        remarks: [
          '"timeout" is not a number of seconds, so the default is used.',
          '"startupTimeout" is not a number of seconds, so the default is used.',
        ],
      },
    },
    { entry: { disabled: true }, read: { isDisabled: true } },
    { entry: { disabled: false, args: null, env: null, timeout: null }, read: undefined },
    {
      entry: { autoApprove: [], alwaysAllow: ['a'] },
      read: { remarks: ['Parley does not know these fields of its entry: autoApprove, alwaysAllow.'] },
    },
  ];
  for (const { entry, read } of options) {
    it(`says with ${JSON.stringify(entry)} how a server is used`, () => {
      const { servers, problems } = readSetting({ a: { command: 'x', ...entry } });
      assert.deepEqual(problems, []);
      assert.deepEqual(servers[0]?.options, read);
      assert.deepEqual(servers[0]?.definition, { type: 'stdio', command: 'x', args: [], env: {} });
    });
  }

  it('holds the client that the user has registered with the site', () => {
    const { servers } = readSetting({ a: { url: 'https://x.test', oauth: { clientId: 'me' } } });
    assert.deepEqual(servers[0]?.definition, {
      ...{ type: 'http', url: 'https://x.test', headers: {} },
      oauth: { clientId: 'me' },
    });
  });

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
