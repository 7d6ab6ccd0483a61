import assert from 'node:assert/strict';
import { builtInSpecs } from '../../../../src/cli/built-in';
import { protocols } from '../../../../src/protocols';
import { toGbnf } from '../../../../src/protocols/grammar/gbnf';
import { caseCount } from '../../../hosts/random-cases';
import { seededNumbers, sampleGrammar } from '../../../support/protocols/sample-grammar';
import { loadXGrammar } from '../../../support/protocols/xgrammar';

describe('the compiler of vLLM and SGLang', () => {
  const xgrammar = loadXGrammar();
  const tools = builtInSpecs();

  for (const protocol of protocols.filter((each) => each.grammar !== undefined)) {
    it(`reads the grammar of ${protocol.id}, and takes what it lets through`, async () => {
      const grammar = protocol.grammar!(tools, { thinking: 'may' });
      const compiled = await xgrammar.Grammar.fromEBNF(toGbnf(grammar), 'root');
      const takes = (reply: string): Promise<boolean> =>
        xgrammar.Testings.isGrammarAcceptString(compiled, reply);
      for (let seed = 1; seed <= caseCount(100); seed++) {
        // This release misreads classes beyond ASCII.
        const reply = sampleGrammar(grammar, seededNumbers(seed), { isAscii: true });
        assert.ok(await takes(reply), reply);
      }
      const [call] = protocol.renderReply([
        { type: 'call', call: { id: '', name: 'no_such_tool', arguments: {} } },
      ]);
      assert.ok(call?.type === 'text' && !(await takes(call.text)));
    });
  }
});
