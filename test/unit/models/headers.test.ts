import assert from 'node:assert/strict';
import { fillHeaders, isSendable, headerSecrets } from '../../../src/models/headers';

const secrets = new Map([
  ['ONE', 'first'],
  ['TWO', '$& ${secret:ONE}'],
]);
const secretFor = async (name: string): Promise<string | undefined> => secrets.get(name);

describe('headers', () => {
  it('inserts secrets unchanged', async () => {
    const headers = { a: 'Bearer ${secret:ONE}', b: '${secret:TWO}-${secret:ONE}', c: 'plain ${ONE}' };
    assert.deepEqual(headerSecrets(headers), ['ONE', 'TWO']);
    assert.deepEqual(await fillHeaders(headers, secretFor), {
      type: 'filled',
      headers: { a: 'Bearer first', b: '$& ${secret:ONE}-first', c: 'plain ${ONE}' },
      secrets: ['first', '$& ${secret:ONE}'],
    });
  });

  it('names the first secret that is not there', async () => {
    const headers = { a: '${secret:ONE}', b: '${secret:THREE}', c: '${secret:FOUR}' };
    assert.deepEqual(await fillHeaders(headers, secretFor), { type: 'missing', name: 'THREE' });
  });

  const rows: [string, string, boolean][] = [
    ['X-Api-Key', 'abc ${secret:ONE} é', true],
    ['x', '', true],
    ['', 'x', false],
    ['X Key', 'x', false],
    ['X:Key', 'x', false],
    ['X-Küy', 'x', false],
    ['X-Key', 'a\nb', false],
    ['X-Key', 'a\0', false],
    ['X-Key', '„a“', false],
  ];
  for (const [name, value, expected] of rows) {
    it(`${expected ? 'lets' : 'does not let'} ${JSON.stringify(name)}: ${JSON.stringify(value)} through`, () => {
      assert.equal(isSendable(name, value), expected);
      const send = (): Headers => new Headers({ [name]: value });
      if (expected) assert.doesNotThrow(send);
      else assert.throws(send);
    });
  }
});
