import assert from 'node:assert/strict';
import { waysFor } from '../../../src/doctor/ways';
import { contestant } from '../../support/agent/exam-model';

describe('the ways to work', () => {
  const [native, hermes] = [contestant('native'), contestant('hermes')];
  const plain = { ...contestant('plain'), id: 'plain+forced', isForced: true };
  const all = [native, hermes, plain];
  const one = { protocol: 'plain', steps: 'one' } as const;
  const many = { protocol: 'native', steps: 'many' } as const;
  const rows: readonly (readonly [
    name: string,
    ways: ReturnType<typeof waysFor>,
    expected: readonly string[],
  ])[] = [
    [
      'begin with what a small model does by itself',
      waysFor(all, [one, one, many]),
      ['plain+forced, one', 'native, many'],
    ],
    [
      'begin with what a large model does by itself',
      waysFor(all, [many, one, many]),
      ['native, many', 'plain+forced, one'],
    ],
    [
      'have the best protocol instead of the usual one',
      waysFor(all, [one, one, many], hermes),
      ['plain+forced, one', 'hermes, many'],
    ],
    [
      'are of the protocols to compare only',
      waysFor([hermes], [many, one], hermes),
      ['hermes, many', 'hermes, one'],
    ],
    ['are none without a protocol', waysFor([], [many, one]), []],
  ];
  for (const [name, ways, expected] of rows)
    it(name, () =>
      assert.deepEqual(
        ways.map(({ id }) => id),
        expected,
      ),
    );

  it('decide steps, tools and temperature together, with what helped', () => {
    const helped = { ...hermes, id: 'hermes+short', help: 'short' } as const;
    assert.deepEqual(waysFor([plain], [one], helped), [
      {
        ...{ id: 'plain+forced, one', contestant: 'plain+forced', protocol: 'plain', isForced: true },
        ...{ steps: 'one', tools: 'few', temperature: 0.2 },
      },
      {
        ...{ id: 'hermes+short, many', contestant: 'hermes+short', protocol: 'hermes', isForced: false },
        ...{ steps: 'many', tools: 'all', promptForm: 'short' },
      },
    ]);
  });
});
