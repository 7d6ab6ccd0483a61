import assert from 'node:assert/strict';
import fc from 'fast-check';
import { builtInSpecs } from '../../../../src/cli/built-in';
import type { GrammarOptions } from '../../../../src/core/words/grammar';
import { protocols } from '../../../../src/protocols';
import { toGbnf } from '../../../../src/protocols/grammar/gbnf';
import { matchGrammar } from '../../../../src/protocols/grammar/match';
import { draws } from '../../../hosts/draws';
import { parseText } from '../../../support/parse';
import { numbersFrom, sampleGrammar } from '../../../support/sample-grammar';

const tools = builtInSpecs();

for (const protocol of protocols.filter((each) => each.grammar !== undefined)) {
  describe(`the grammar of ${protocol.id}`, () => {
    for (const [name, options] of Object.entries<GrammarOptions>({
      optional: {},
      needed: { isNeeded: true },
      thinking: { thinking: 'may' },
      opened: { thinking: 'opened' },
    })) {
      it(`lets through only what is read as clean calls of the tools: ${name}`, () => {
        const grammar = protocol.grammar!(tools, options);
        fc.assert(
          fc.property(fc.nat(2 ** 31 - 2), (seed) => {
            const reply = sampleGrammar(grammar, numbersFrom(seed + 1));
            const { calls, errors, warnings } = parseText(protocol, [reply], tools);
            // Code in an answer may look like a call that was not run.
            const others = warnings.filter((code) => code !== 'call-in-code');
            assert.deepEqual([errors, others], [[], []], reply);
            const marks = [...new Set(calls.map(({ mark }) => mark))].join();
            assert.deepEqual(marks, calls.length > 0 ? 'clean' : '', reply);
            if ('isNeeded' in options) assert.ok(calls.length > 0);
            assert.deepEqual(matchGrammar(grammar, reply), { isWhole: true });
          }),
          { numRuns: draws(2_000) },
        );
      });
    }

    it('takes what past calls look like', () => {
      const grammar = protocol.grammar!(tools);
      for (const tool of tools.filter(({ example }) => example)) {
        const call = { id: 'c1', name: tool.name, arguments: tool.example! };
        const [delta] = protocol.renderReply([
          { type: 'text', text: 'So.' },
          { type: 'call', call },
        ]);
        const written = delta?.type === 'text' ? delta.text : '';
        // Models give no ids of their own.
        const reply = written.replace('request_id:「始」c1「末」\n', '').replace('"id":"c1",', '');
        const match = matchGrammar(grammar, reply);
        assert.deepEqual(match, { isWhole: true }, `${reply}\nleft at: ${reply.slice(match.leavesAt)}`);
      }
    });

    it('is small', () => {
      const size = toGbnf(protocol.grammar!(tools)).length;
      assert.ok(size <= 10_240, `${size}`);
    });
  });
}
