import { deepEqual, equal, match } from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json';
import type { ToolSpec } from '../../../src/core/words/tool';
import { argumentProblems } from '../../../src/mcp/server-tool';
import { readSchema } from '../../../src/mcp/schema';
import { limits } from '../../../src/base/limits';
import { protocols } from '../../../src/protocols';
import { parseDeltas } from '../../support/protocols/run-parser';

const GIVEN = {
  type: 'object',
  $defs: {
    point: {
      type: 'object',
      properties: { x: { type: 'number', description: 'To the right.' }, y: { type: 'number' } },
      required: ['x', 'y'],
    },
  },
  properties: {
    title: { type: 'string', description: 'What is drawn.' },
    from: { $ref: '#/$defs/point' },
    path: { type: 'array', items: { $ref: '#/$defs/point' } },
    fill: {
      oneOf: [
        { enum: ['none', 'red'] },
        { type: 'object', properties: { gradient: { type: 'array', items: { type: 'string' } } } },
      ],
    },
    width: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: 1 },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['title', 'from'],
} as const;

const ARGUMENTS: readonly JsonObject[] = [
  {
    title: 'A line',
    from: { x: 1, y: 2.5 },
    path: [
      { x: 0, y: 0 },
      { x: -3, y: 4e3 },
    ],
  },
  { title: '', from: { x: 0, y: 0 }, fill: 'red', width: null },
  { title: '{"x":1}', from: { x: 1, y: 1 }, fill: { gradient: ['<a>', '「b」', '"c"'] }, width: 3 },
  { title: 'two\nlines\n', from: { x: 1, y: 1 }, tags: { 'odd key': 'v', type: 'string' } },
];

describe('a tool of a server with nested arguments', () => {
  const read = readSchema(GIVEN, limits);
  if (!read.ok) throw new Error(read.problem);
  const spec: ToolSpec = { name: 'mcp_draw_shape-2', description: 'Draws.', parameters: read.schema };

  for (const protocol of protocols) {
    it(`${protocol.id}: is described with all that is nested in it`, () => {
      const described = protocol.describeTool(spec);
      for (const word of ['title', 'What is drawn', 'from', 'To the right', 'gradient', 'red', 'tags']) {
        match(described, new RegExp(word, 'i'));
      }
      equal(described.includes('$ref'), false);
    });

    it(`${protocol.id}: is called with nested arguments, and they come as they were meant`, () => {
      for (const args of ARGUMENTS) {
        deepEqual(argumentProblems(args, read.schema), []);
        const deltas = protocol.renderReply([
          { type: 'call', call: { id: 'c1', name: spec.name, arguments: args } },
        ]);
        const { calls, errors } = parseDeltas(protocol, deltas, [spec]);
        deepEqual([calls.map((call) => call.arguments), errors], [[args], []]);
      }
    });
  }
});
