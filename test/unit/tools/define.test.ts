import assert from 'node:assert/strict';
import * as z from 'zod';
import { ToolError, type Tool } from '../../../src/core/words/tool';
import { defineTool } from '../../../src/tools/define';
import { runContext } from '../../support/agent/run-context';

describe('defineTool', () => {
  it('builds the schema at first use and once', () => {
    let built = 0;
    const lazy = tool(() => {
      built++;
      return z.strictObject({ path: z.string() });
    });
    assert.equal(built, 0);
    assert.equal(lazy.spec.parameters, lazy.spec.parameters);
    assert.equal(built, 1);
  });

  it('shows models a plain schema', () => {
    const { parameters } = tool(() =>
      z.strictObject({ path: z.string().describe('Where.'), max: z.int().default(5) }),
    ).spec;
    assert.deepEqual(JSON.parse(JSON.stringify(parameters)), {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where.' },
        max: { type: 'integer', default: 5 },
      },
      required: ['path'],
      additionalProperties: false,
    });
  });

  it('names the tool on the wire and in its toolset', () => {
    const { spec, method } = tool(() => z.strictObject({}));
    assert.deepEqual([spec.name, spec.qualifiedName, method], ['try_it_out', 'lab_tryItOut', 'tryItOut']);
  });

  it('fills in defaults', async () => {
    assert.equal(await run({ path: 'a', max: 7 }), '{"path":"a","max":7}');
    assert.equal(await run({ path: 'a' }), '{"path":"a","max":5}');
  });

  for (const { name, input, expect } of [
    {
      name: 'says what is missing',
      input: {},
      expect:
        'Wrong arguments: expected string, received undefined at path. Correct them and call try_it_out again.',
    },
    {
      name: 'binds nothing itself',
      input: { path: 'a', max: '7' },
      expect:
        'Wrong arguments: expected number, received string at max. Correct them and call try_it_out again.',
    },
    {
      name: 'says what is unknown',
      input: { path: 'a', all: true },
      expect: 'Wrong arguments: Unrecognized key: "all". Correct them and call try_it_out again.',
    },
    {
      name: 'says what is out of range',
      input: { path: '', max: 0 },
      expect:
        'Wrong arguments: Too small: expected string to have >=1 characters at path; Too small: expected number to be >=1 at max. Correct them and call try_it_out again.',
    },
  ]) {
    it(name, async () => {
      await assert.rejects(run(input), (error) => error instanceof ToolError && error.message === expect);
    });
  }
});

async function run(input: Record<string, string | number | boolean>): Promise<string> {
  const { signal } = new AbortController();
  const echo = tool(() => z.strictObject({ path: z.string().min(1), max: z.int().min(1).default(5) }));
  const { text } = await (await echo.prepare(input, signal)).run(runContext(signal));
  return text;
}

function tool(input: () => z.ZodObject): Tool {
  return defineTool({
    toolset: 'lab',
    method: 'tryItOut',
    description: 'Tries.',
    effect: 'read',
    input,
    prepare: async (given) => ({
      title: '',
      accesses: [],
      run: async () => ({ text: JSON.stringify(given) }),
    }),
  });
}
