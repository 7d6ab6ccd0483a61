// What the grammar of each protocol costs: bytes in every request, and milliseconds to build it. The bars: 10 KB and
// 20 ms for the built-in tools, 80 KB and 60 ms for 60 tools of MCP servers, 60 KB and 20 ms for steps that know 1,500
// paths and a file of 290 lines.
import { builtInSpecs } from '../../src/cli/built-in';
import type { JsonSchema } from '../../src/core/words/schema';
import type { ToolSpec } from '../../src/core/words/tool';
import type { WorkspaceFacts } from '../../src/core/words/workspace-facts';
import { protocols } from '../../src/protocols';
import { toGbnf } from '../../src/protocols/grammar/gbnf';

const RUNS = 15;
const MCP_TOOLS = 60;

interface Offer {
  readonly name: string;
  readonly tools: () => readonly ToolSpec[];
  readonly bytes: number;
  readonly ms: number;
  readonly facts?: WorkspaceFacts;
}

const OFFERS: readonly Offer[] = [
  { name: 'built-in', tools: builtInSpecs, bytes: 10_240, ms: 20 },
  { name: `${MCP_TOOLS} of MCP`, tools: mcpTools, bytes: 81_920, ms: 60 },
  { name: 'facts', tools: editOfLines, bytes: 61_440, ms: 20, facts: largeProject() },
];

function main(): void {
  console.log(`${'protocol'.padEnd(16)}${'tools'.padEnd(12)}     bytes  first ms  least ms`);
  for (const protocol of protocols) {
    for (const { name, tools, bytes, ms, facts } of OFFERS) {
      if (facts && protocol.id !== 'plain') continue;
      let size = 0;
      const times = Array.from({ length: RUNS }, () => {
        // Different tools each time, because results for a tool are cached.
        const offered = structuredClone(tools());
        const start = performance.now();
        if (protocol.grammar)
          size = Buffer.byteLength(toGbnf(protocol.grammar(offered, facts && { facts, steps: 'one' })));
        return performance.now() - start;
      });
      if (!protocol.grammar) continue;
      // Other load on the machine only adds to it.
      const least = Math.min(...times);
      const missed = [...(size > bytes ? ['bytes'] : []), ...(least > ms ? ['ms'] : [])];
      const numbers = [String(size), (times[0] ?? NaN).toFixed(1), least.toFixed(1)];
      const cells = numbers.map((cell) => cell.padStart(10)).join('');
      console.log(
        `${protocol.id.padEnd(16)}${name.padEnd(12)}${cells}${missed.map((bar) => `  bar missed: ${bar}`).join('')}`,
      );
    }
  }
}

function largeProject(): WorkspaceFacts {
  const files = Array.from({ length: 1_500 }, (_, at) => `packages/part-${at % 40}/src/module-${at}.ts`);
  const lines = Array.from({ length: 290 }, (_, at) => `  const value${at} = read(${at % 17}, options);\n`);
  return { files, texts: new Map([['packages/part-0/src/module-0.ts', lines.join('')]]) };
}

function editOfLines(): readonly ToolSpec[] {
  const text = { type: 'string' } as const;
  const properties = { path: text, old: text, new: text };
  const parameters = { type: 'object', properties, required: Object.keys(properties) } as const;
  return [{ name: 'replace_lines', description: '', parameters, names: { path: 'file', old: 'lines' } }];
}

const VERBS = ['list', 'get', 'create', 'update', 'search', 'delete'];
const THINGS = 'issue pull_request branch file comment label release workflow team notification'.split(' ');

/**
 * Like those of large servers: several strings, enumerations, bounds, nested objects, lists of objects, free-form
 * maps.
 */
function mcpTools(): readonly ToolSpec[] {
  return Array.from({ length: MCP_TOOLS }, (_, at) => {
    const verb = VERBS[at % VERBS.length] ?? '';
    const thing = THINGS[Math.floor(at / VERBS.length)] ?? '';
    const properties: Record<string, JsonSchema> = {
      owner: { type: 'string', description: 'Account that owns the repository' },
      repo: { type: 'string', description: 'Name of the repository' },
      ...(verb !== 'list' && { [`${thing}_id`]: { type: 'integer', minimum: 1 } }),
      ...((verb === 'list' || verb === 'search') && {
        query: { type: 'string' },
        state: { type: 'string', enum: ['open', 'closed', 'all'], default: 'open' },
        sort: { type: 'string', enum: ['created', 'updated', 'comments'] },
        page: { type: 'number', minimum: 1 },
        perPage: { type: 'number', minimum: 1, maximum: 100 },
      }),
      ...((verb === 'create' || verb === 'update') && {
        title: { type: 'string' },
        body: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        isDraft: { type: 'boolean', default: false },
        labels: { type: 'array', items: { type: 'string' } },
        assignee: {
          type: 'object',
          properties: {
            login: { type: 'string' },
            role: { type: 'string', enum: ['read', 'write', 'admin'] },
          },
          required: ['login'],
          additionalProperties: false,
        },
        changes: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              path: { type: 'string' },
              line: { type: 'integer' },
              range: {
                type: 'object',
                properties: { start: { type: 'integer' }, end: { type: 'integer' } },
                required: ['start', 'end'],
              },
              text: { type: 'string' },
            },
            required: ['path', 'text'],
            additionalProperties: false,
          },
        },
        ...(at % 4 === 0 && { metadata: { type: 'object', additionalProperties: true } }),
      }),
    };
    return {
      name: `github_${verb}_${thing}`,
      description: `${verb} ${thing}`,
      parameters: { type: 'object', properties, required: ['owner', 'repo'], additionalProperties: false },
    };
  });
}

main();
