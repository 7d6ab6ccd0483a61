import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/base/json';
import { builtInSpecs } from '../../../../src/cli/built-in';
import type { GrammarOptions } from '../../../../src/core/words/grammar';
import type { Protocol } from '../../../../src/core/words/protocol';
import { protocols } from '../../../../src/protocols';
import { PATH_KEY } from '../../../../src/protocols/engine/calls';
import { toGbnf } from '../../../../src/protocols/grammar/gbnf';
import { matchGrammar } from '../../../../src/protocols/grammar/match';
import { caseCount } from '../../../hosts/random-cases';
import { toolsForCalls } from '../../../support/agent/tools-for-calls';
import { parseText } from '../../../support/protocols/run-parser';
import { replyCases } from '../../../support/protocols/reply-cases';
import { seededNumbers, sampleGrammar } from '../../../support/protocols/sample-grammar';
import { matchesSchema } from '../../../support/agent/arbitrary-tools';

const tools = builtInSpecs();

for (const protocol of protocols.filter((each) => each.grammar !== undefined)) {
  describe(`the grammar of ${protocol.id}`, () => {
    for (const [name, options] of Object.entries<GrammarOptions>({
      optional: {},
      needed: { isNeeded: true },
      thinking: { thinking: 'may' },
      opened: { thinking: 'opened' },
      one: { steps: 'one' },
      'one and needed': { steps: 'one', isNeeded: true },
    })) {
      it(`lets through only what is read as clean calls of the tools: ${name}`, () => {
        const grammar = protocol.grammar!(tools, options);
        fc.assert(
          fc.property(fc.nat(2 ** 31 - 2), (seed) => {
            const reply = sampleGrammar(grammar, seededNumbers(seed));
            const { calls, errors, warnings } = parseText(protocol, [reply], tools);
            // Code in an answer may look like a call that was not run.
            const others = warnings.filter((code) => code !== 'call-in-code');
            assert.deepEqual([errors, others], [[], []], reply);
            const marks = [...new Set(calls.map(({ mark }) => mark))].join();
            assert.deepEqual(marks, calls.length > 0 ? 'clean' : '', reply);
            for (const { name: called, arguments: args } of calls) {
              const tool = tools.find((each) => each.name === called);
              // SAFETY: arguments are an object.
              assert.ok(tool && matchesSchema(tool.parameters, args as JsonObject), reply);
            }
            if (options.isNeeded) assert.ok(calls.length > 0);
            if (options.steps === 'one') assert.ok(calls.length <= 1, reply);
            assert.deepEqual(matchGrammar(grammar, reply), { isWhole: true });
          }),
          { numRuns: caseCount(2_500) },
        );
      });
    }

    it('accepts past calls', () => {
      const grammar = protocol.grammar!(tools);
      for (const tool of tools.filter(({ example }) => example)) {
        const call = { name: tool.name, arguments: tool.example! };
        const reply = taught(protocol, [call]);
        const match = matchGrammar(grammar, reply);
        assert.deepEqual(match, { isWhole: true }, `${reply}\nleft at: ${reply.slice(match.leavesAt)}`);
      }
    });

    it('accepts the fixtures, in the spelling that prompts teach', () => {
      let count = 0;
      for (const { name, reply, tools: offered, strictness, recover } of replyCases(protocol.id)) {
        const { calls, errors } = parseText(protocol, [reply], offered, { strictness, recover });
        const isClean = errors.length === 0 && calls.every(({ mark }) => mark === 'clean');
        if (!isClean || calls.length === 0 || calls.some(holdsControl)) continue;
        count++;
        const grammar = protocol.grammar!(toolsForCalls(calls));
        // A reply of lines is one step.
        for (const each of protocol.id === 'plain' ? calls.map((call) => [call]) : [calls]) {
          const written = taught(protocol, each);
          // A mark of the form itself is carried in a section, which counts as repaired.
          if (parseText(protocol, [written], offered).calls.some(({ mark }) => mark !== 'clean')) continue;
          assert.deepEqual(matchGrammar(grammar, written), { isWhole: true }, `${name}: ${written}`);
        }
      }
      assert.ok(count >= 10, `${count}`);
    });

    it('ends behind the first call of a step', () => {
      const call = { name: 'read_file', arguments: { path: 'a' } };
      const grammar = protocol.grammar!(tools, { steps: 'one' });
      const one = taught(protocol, [call]);
      assert.deepEqual(matchGrammar(grammar, one), { isWhole: true });
      for (const more of ['\n', ' Done.', `\n\n${one}`, `,${one}`])
        assert.equal(matchGrammar(grammar, one + more).leavesAt, one.length, more);
      assert.equal(matchGrammar(grammar, taught(protocol, [call, call])).isWhole, false);
    });

    it('is small', () => {
      const size = toGbnf(protocol.grammar!(tools)).length;
      assert.ok(size <= 10_240, `${size}`);
    });
  });
}

/** As past calls are written, but without ids, which models do not write. */
function taught(protocol: Protocol, calls: readonly { name: string; arguments: unknown }[]): string {
  const [delta] = protocol.renderReply([
    { type: 'text', text: 'So.' },
    ...calls.map(({ name, arguments: args }) => {
      // SAFETY: arguments are an object.
      return { type: 'call', call: { id: 'c1', name, arguments: args as JsonObject } } as const;
    }),
  ]);
  const written = delta?.type === 'text' ? delta.text : '';
  return written.replaceAll('request_id:「始」c1「末」\n', '').replaceAll('"id":"c1",', '');
}

/** Whether a name or path in it holds a control character: no grammar lets that through. */
function holdsControl({ arguments: args }: { readonly arguments: unknown }): boolean {
  // SAFETY: arguments are an object.
  return Object.entries(args as JsonObject).some(
    ([key, value]) => PATH_KEY.test(key) && /\\[nrtbfu]|\u007f/.test(JSON.stringify(value)),
  );
}
