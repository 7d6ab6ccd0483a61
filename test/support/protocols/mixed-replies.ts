import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Protocol } from '../../../src/core/words/protocol';
import type { ToolSpec } from '../../../src/core/words/tool';
import { protocols } from '../../../src/protocols';
import { foreignForms, readTool } from './foreign-forms';
import { runParameters, type ParserProperty } from './parser-properties';
import { parseText } from './run-parser';

/** Accepts any text, so that a value can contain something like a call. */
const NOTE: ToolSpec = {
  name: 'note',
  description: 'Writes something down.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
    additionalProperties: false,
  },
};

const TOOLS = [readTool, NOTE];

/** Returns a call of `read` in one of all known forms. */
function block(form: number, path: string): string {
  const { block: pattern = '' } = foreignForms[form % foreignForms.length] ?? {};
  return pattern.replace(/(path[^]*?)(?<![\w.])a(?![\w.])/i, `$1${path}`);
}

/** A part of a reply: `real` ones may run, `fake` ones never. */
type Part =
  | { readonly type: 'prose'; readonly text: string }
  | { readonly type: 'real'; readonly form: number; readonly hole?: readonly [number, number] }
  | { readonly type: 'fenced' | 'thought' | 'inline'; readonly form: number }
  | { readonly type: 'value'; readonly form: number; readonly by: number };

const form = fc.nat(999);

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({
    type: fc.constant('prose' as const),
    text: fc.constantFrom(
      'Let me look.',
      'A list: [1, 2] and [a link](b.md).',
      'f(x) calls g(y="z").',
      'x = {"name": 1}',
      '- one\n- two',
      'The tag <b> and a < b > c.',
      '| a | b |\n| --- | --- |',
    ),
  }),
  fc.record({ type: fc.constant('real' as const), form }),
  fc.record({ type: fc.constantFrom('fenced' as const, 'thought' as const, 'inline' as const), form }),
  fc.record({ type: fc.constant('value' as const), form, by: form }),
);

/** A block with a part cut out: the rest of it may swallow what follows. */
const broken: fc.Arbitrary<Part> = fc
  .tuple(form, fc.nat(400), fc.integer({ min: 1, max: 40 }))
  .map(([each, from, length]) => ({ type: 'real', form: each, hole: [from, length] }));

function text(each: Part, number: number): string {
  switch (each.type) {
    case 'prose':
      return each.text;
    case 'real': {
      const whole = block(each.form, `real-${number}`);
      const [from, length] = each.hole ?? [0, 0];
      // A part cut out of the form's fence would swap code and text.
      if (length === 0 || whole.includes('```')) return whole;
      const at = from % whole.length;
      return whole.slice(0, at) + whole.slice(at + length);
    }
    case 'fenced':
      return `It looks like this:\n\`\`\`\`\n${block(each.form, `fake-${number}`)}\n\`\`\`\`\nThat is all.`;
    case 'thought':
      return `<think>\n${block(each.form, `fake-${number}`)}\n</think>`;
    case 'inline': {
      const inner = block(each.form, `fake-${number}`);
      return inner.includes('\n') || inner.includes('`') ? 'Nothing.' : `Write \`\`${inner}\`\` for it.`;
    }
    case 'value': {
      const speakers = protocols.filter(({ id }) => !['native', 'envelope'].includes(id));
      const speaker = speakers[each.by % speakers.length];
      const content = `An example:\n${block(each.form, `fake-${number}`)}\n`;
      const call = { id: `v${number}`, name: 'note', arguments: { path: `real-${number}`, content } };
      const [delta] = speaker?.renderReply([{ type: 'call', call }]) ?? [];
      return delta?.type === 'text' ? delta.text : '';
    }
  }
}

function replyOf(parts: readonly Part[]): string {
  return parts.map(text).join('\n\n');
}

/** Returns the paths of the parsed calls, without those that ask because the reply was damaged. */
function pathsIn(protocol: Protocol, reply: string, reason: 'stop' | 'length'): string[] {
  const { calls } = parseText(protocol, [reply], TOOLS, { recover: true, reason });
  const sure = calls.filter(({ notes }) => !notes.some((note) => DAMAGED.includes(note)));
  return sure.map(({ arguments: args }) => String((args as { path?: unknown }).path));
}

/** Notes of calls that may be part of the text around them. */
const DAMAGED = ['inside-foreign', 'after-unclosed', 'mark-in-value'];

/** Properties of replies that mix calls of all forms with examples, prose, fences and reasoning. */
export function mixedProperties(protocol: Protocol): ParserProperty[] {
  const check = (parts: fc.Arbitrary<readonly Part[]>, holds: (parts: readonly Part[]) => void) =>
    ((run) => fc.assert(fc.property(parts, holds), runParameters(run))) satisfies ParserProperty['check'];
  const some = fc.array(part, { minLength: 1, maxLength: 6 });
  const someBroken = fc.array(fc.oneof({ arbitrary: part, weight: 2 }, broken), {
    minLength: 1,
    maxLength: 6,
  });
  return [
    {
      name: 'no example becomes a call, and no call is duplicated or gets other arguments',
      check: check(some, (parts) => {
        const paths = pathsIn(protocol, replyOf(parts), 'stop');
        const real = parts.map((_, number) => `real-${number}`);
        for (const path of paths) assert.ok(real.includes(path), `${path} of ${replyOf(parts)}`);
        assert.equal(new Set(paths).size, paths.length, replyOf(parts));
      }),
    },
    {
      name: 'no example becomes a call after a damaged one',
      check: check(someBroken, (parts) => {
        for (const path of pathsIn(protocol, replyOf(parts), 'stop'))
          assert.doesNotMatch(path, /^fake/, replyOf(parts));
      }),
    },
    {
      name: 'a truncated reply has no incomplete call',
      check: (run) =>
        fc.assert(
          fc.property(some, fc.nat(2_000), (all, at) => {
            // Unfinished inline code is not code.
            const parts = all.filter(({ type }) => type !== 'inline');
            const reply = replyOf(parts);
            const real = parts.map((_, number) => `real-${number}`);
            for (const path of pathsIn(protocol, reply.slice(0, at % (reply.length + 1)), 'length'))
              assert.ok(real.includes(path), `${path} of ${reply}`);
          }),
          runParameters(run),
        ),
    },
  ];
}
