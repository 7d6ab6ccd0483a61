import assert from 'node:assert/strict';
import fc from 'fast-check';
import { builtInSpecs } from '../../../src/cli/built-in';
import type { JsonObject } from '../../../src/base/json';
import { protocols } from '../../../src/protocols';
import { toGbnf } from '../../../src/protocols/grammar/gbnf';
import { caseCount } from '../../hosts/random-cases';
import { parseText } from '../../support/protocols/run-parser';
import { seededNumbers, sampleGrammar } from '../../support/protocols/sample-grammar';
import { matchesSchema, arbitraryTools } from '../../support/agent/arbitrary-tools';

for (const protocol of protocols.filter((each) => each.grammar !== undefined)) {
  describe(`what ${protocol.id} can say`, () => {
    it('is all that the built-in tools need', () => {
      for (const tool of builtInSpecs()) assert.equal(protocol.unrepresentable!(tool), undefined);
    });

    it('is what its grammar lets through, whatever tools and arguments are called', function () {
      this.timeout(300_000);
      fc.assert(
        fc.property(arbitraryTools, fc.nat(2 ** 31 - 2), (tools, seed) => {
          const offered = tools.filter((tool) => protocol.unrepresentable!(tool) === undefined);
          const grammar = protocol.grammar!(tools, { isNeeded: true });
          const random = seededNumbers(seed);
          for (let time = 0; time < 4; time++) {
            const reply = sampleGrammar(grammar, random);
            const { calls, errors } = parseText(protocol, [reply], offered);
            if (offered.length === 0) continue;
            // Nothing holds a grammar to a number of calls.
            const others = errors.filter(({ code }) => code !== 'too-many-calls');
            assert.deepEqual(others, [], JSON.stringify(reply));
            assert.ok(calls.length > 0, JSON.stringify(reply));
            for (const { name, arguments: args, mark } of calls) {
              const tool = offered.find((each) => each.name === name);
              assert.equal(mark, 'clean', JSON.stringify(reply));
              assert.ok(tool, `${name} of ${JSON.stringify(reply)}`);
              // SAFETY: arguments are an object.
              const isFit = matchesSchema(tool.parameters, args as JsonObject);
              assert.ok(isFit, `${JSON.stringify(args)} of ${JSON.stringify(reply)}`);
              for (const key of Object.keys(args as JsonObject))
                assert.ok(Object.hasOwn(tool.parameters.properties ?? {}, key), key);
            }
          }
        }),
        { numRuns: caseCount(1_000) },
      );
    });

    it('is written into a grammar as literals that cannot end or extend anything', () => {
      fc.assert(
        fc.property(arbitraryTools, (tools) => {
          const { rules } = protocol.grammar!(tools);
          const lines = toGbnf({ rules }).trimEnd().split('\n');
          assert.deepEqual(lines.map(ruleOf), [...rules.keys()]);
        }),
        { numRuns: caseCount(500) },
      );
    });
  });
}

/** The name of the rule in a line that is nothing but a whole rule: names, literals, classes, and signs between them. */
function ruleOf(line: string): string | undefined {
  const [, name] = WHOLE_RULE.exec(line) ?? [];
  return name;
}

const WHOLE_RULE =
  /^([a-z][a-z0-9-]*|[0-9-][a-z0-9-]*) ::= (?:"(?:[^"\\\n\r]|\\[^\n\r])*"|\[(?:[^\]\\\n\r]|\\[^\n\r])*\]|[a-z0-9-]+|\{\d*,?\d*\}|[ ()|*+?])*$/;
