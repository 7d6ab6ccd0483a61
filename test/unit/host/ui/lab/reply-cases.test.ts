import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ReplyCases, type ReplyCase } from '../../../../../src/host/ui/lab/reply-cases';
import { readYaml, writeYaml } from '../../../../../src/node/yaml';

describe('ReplyCases', () => {
  it('reads what was written, with any reply', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a\n b\n\n', '- x', '\r\n\t', '#'));
    const anyCase: fc.Arbitrary<ReplyCase> = fc.record(
      {
        ...{ name: text, from: text, reply: text, expect: text, recover: fc.boolean() },
        protocol: fc.constantFrom('vcp', 'native'),
        tools: fc.oneof(fc.constant('none' as const), fc.array(text, { minLength: 1 })),
        strictness: fc.constantFrom('strict', 'repair', 'lenient'),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(anyCase, { maxLength: 3 }), (cases) => {
        const read = readYaml(writeYaml(cases));
        assert.ok('value' in read);
        assert.deepEqual(ReplyCases.parse(read.value), cases);
      }),
    );
  });

  it('uses defaults for fields that a case omits', () => {
    const [read] = ReplyCases.parse([{ name: 'n', from: 'f', reply: 'r', expect: 'e' }]);
    assert.deepEqual(read, {
      ...{ name: 'n', from: 'f', reply: 'r', expect: 'e' },
      ...{ tools: 'none', strictness: 'repair', recover: false },
    });
  });

  it('refuses what it does not know', () => {
    assert.equal(
      ReplyCases.safeParse([{ name: 'n', from: '', reply: '', expect: '', tool: 'x' }]).success,
      false,
    );
    assert.equal(ReplyCases.safeParse({ cases: [] }).success, false);
  });
});
