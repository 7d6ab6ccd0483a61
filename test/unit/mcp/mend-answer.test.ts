import { deepEqual, equal, ok } from 'node:assert/strict';
import { isSpecType } from '@modelcontextprotocol/client';
import * as fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/base/json';
import { mendAnswer } from '../../../src/mcp/mend-answer';

const schema = { type: 'object' };

const cases: readonly {
  readonly name: string;
  readonly method: string;
  readonly result: JsonObject;
  readonly mended: JsonObject;
  readonly flaws?: readonly string[];
}[] = [
  {
    name: 'null in an optional field is absence',
    method: 'tools/list',
    result: {
      tools: [
        {
          name: 'a',
          title: null,
          description: null,
          inputSchema: { ...schema, required: null, properties: null },
          annotations: null,
          outputSchema: null,
          _meta: null,
          icons: null,
        },
      ],
      nextCursor: null,
    },
    mended: { tools: [{ name: 'a', inputSchema: schema }] },
  },
  {
    name: 'null inside a schema stays',
    method: 'tools/list',
    result: { tools: [{ name: 'a', inputSchema: { ...schema, properties: { x: { default: null } } } }] },
    mended: { tools: [{ name: 'a', inputSchema: { ...schema, properties: { x: { default: null } } } }] },
  },
  {
    name: 'a tool without a schema has no arguments',
    method: 'tools/list',
    result: {
      tools: [
        { name: 'a' },
        { name: 'b', inputSchema: {} },
        { name: 'c', inputSchema: [] },
        { name: 'd', inputSchema: { type: 'object', properties: [] } },
      ],
    },
    mended: {
      tools: [
        { name: 'a', inputSchema: schema },
        { name: 'b', inputSchema: schema },
        { name: 'c', inputSchema: schema },
        { name: 'd', inputSchema: { ...schema, properties: {} } },
      ],
    },
  },
  {
    name: 'a schema of alternatives is one of an object',
    method: 'tools/list',
    result: { tools: [{ name: 'a', inputSchema: { anyOf: [schema, { ...schema, properties: {} }] } }] },
    mended: {
      tools: [{ name: 'a', inputSchema: { ...schema, anyOf: [schema, { ...schema, properties: {} }] } }],
    },
  },
  {
    name: 'a bad tool is left out alone, by its name',
    method: 'tools/list',
    result: {
      tools: [
        { name: 'a', inputSchema: { type: 'string' } },
        { inputSchema: schema },
        'b',
        { name: 'c', inputSchema: schema },
      ],
    },
    mended: { tools: [{ name: 'c', inputSchema: schema }] },
    flaws: [
      'Left out of its tools: a (the schema of its arguments does not describe an object).',
      'Left out of its tools: 2 (it has no name).',
      'Left out of its tools: 3 (it is not an object).',
    ],
  },
  {
    name: 'a resource without a name is left out alone',
    method: 'resources/list',
    result: { resources: [{ uri: 'x://y' }, { uri: 'x://z', name: 'z', size: 'large', mimeType: null }] },
    mended: { resources: [{ uri: 'x://z', name: 'z' }] },
    flaws: ['Left out of its resources: x://y (it has no name).'],
  },
  {
    name: 'an argument without a name is left out of its prompt',
    method: 'prompts/list',
    result: {
      prompts: [
        { name: 'p', arguments: [{ name: 'a', required: null }, {}] },
        { name: 'q', arguments: null },
      ],
    },
    mended: {
      prompts: [
        { name: 'p', arguments: [{ name: 'a' }] },
        { name: 'q', arguments: [] },
      ],
    },
  },
  {
    name: 'a missing list is an empty one',
    method: 'resources/templates/list',
    result: { resourceTemplates: null },
    mended: { resourceTemplates: [] },
  },
  {
    name: 'a result keeps its readable blocks',
    method: 'tools/call',
    result: {
      content: [
        { type: 'video', data: 'x' },
        { type: 'text', text: 'a', annotations: null },
        { type: 'image', data: '%' },
        'b',
        { type: 'resource_link', uri: 'x://y' },
        { type: 'resource', resource: {} },
      ],
      structuredContent: null,
      isError: null,
    },
    mended: {
      content: [
        { type: 'text', text: '[video was left out: it cannot be read]' },
        { type: 'text', text: 'a' },
        { type: 'text', text: '[image was left out: it cannot be read]' },
        { type: 'text', text: 'b' },
        { type: 'resource_link', uri: 'x://y', name: 'x://y' },
        { type: 'text', text: '[resource was left out: it cannot be read]' },
      ],
    },
  },
  {
    name: 'structured content that is no object is text',
    method: 'tools/call',
    result: { structuredContent: [1, 2] },
    mended: { content: [{ type: 'text', text: '[1,2]' }] },
  },
  {
    name: 'a message with several blocks is several messages',
    method: 'prompts/get',
    result: {
      description: null,
      messages: [{ role: 'system', content: ['a', { type: 'text', text: 'b' }] }],
    },
    mended: {
      messages: [
        { role: 'user', content: { type: 'text', text: 'a' } },
        { role: 'user', content: { type: 'text', text: 'b' } },
      ],
    },
  },
  {
    name: 'a greeting has only capabilities that are there',
    method: 'initialize',
    result: {
      protocolVersion: '1',
      capabilities: { tools: { listChanged: null }, prompts: null, resources: true },
      serverInfo: { name: 's', title: null },
      instructions: null,
    },
    mended: {
      protocolVersion: '1',
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 's', version: '' },
    },
  },
];

describe('answers of servers', () => {
  for (const { name, method, result, mended, flaws = [] } of cases) {
    it(name, () => {
      const named: string[] = [];
      deepEqual(
        mendAnswer(method, result, (flaw) => named.push(flaw)),
        mended,
      );
      deepEqual(named, flaws);
    });
  }

  const lists = [
    ['tools/list', isSpecType.ListToolsResult],
    ['prompts/list', isSpecType.ListPromptsResult],
    ['resources/list', isSpecType.ListResourcesResult],
    ['resources/templates/list', isSpecType.ListResourceTemplatesResult],
    ['tools/call', isSpecType.CallToolResult],
    ['prompts/get', isSpecType.GetPromptResult],
    ['resources/read', isSpecType.ReadResourceResult],
  ] as const;
  const value = fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue(),
    fc.constantFrom('text', 'image', 'object', 'AAAA', 'x'),
  );
  const words = [
    'name',
    'title',
    'description',
    'uri',
    'uriTemplate',
    'type',
    'text',
    'blob',
    'data',
    'mimeType',
    'size',
    'role',
  ];
  const more = [
    'inputSchema',
    'outputSchema',
    'annotations',
    'arguments',
    'resource',
    'content',
    'required',
    'properties',
  ];
  const entry = fc.dictionary(
    fc.constantFrom(...words, ...more),
    fc.oneof(value, fc.dictionary(fc.constantFrom(...words, ...more), value), fc.array(value)),
  );
  for (const [method, isAccepted] of lists) {
    it(`the SDK accepts whatever is mended of ${method}`, () => {
      const key = ['tools', 'prompts', 'resources', 'resourceTemplates', 'content', 'messages', 'contents'];
      const result = fc.record(
        {
          ...Object.fromEntries(key.map((each) => [each, fc.oneof(fc.array(entry), fc.constant(null))])),
          structuredContent: value,
          isError: value,
          nextCursor: value,
        },
        { requiredKeys: [] },
      );
      fc.assert(
        fc.property(result, (given) => {
          const mended = mendAnswer(method, given as unknown as Json, () => undefined);
          ok(isAccepted(mended), JSON.stringify(mended));
          // Nothing is left to mend.
          const flaws: string[] = [];
          equal(
            JSON.stringify(mendAnswer(method, mended, (flaw) => flaws.push(flaw))),
            JSON.stringify(mended),
          );
          deepEqual(flaws, []);
        }),
      );
    });
  }
});
