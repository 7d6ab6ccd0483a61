import assert from 'node:assert/strict';
import { Addresses, baseAddresses, requestAddress, rootOf } from '../../../src/models/api-address';

const S = 'https://s.example';

describe('the address of an API', () => {
  const rows: readonly (readonly [written: string, bases: readonly string[], root: string])[] = [
    [S, [`${S}/v1`, S], S],
    [`${S}/`, [`${S}/v1`, S], S],
    [`${S}/v1`, [`${S}/v1`], S],
    [`${S}/v1//`, [`${S}/v1`], S],
    [`${S}/api/v1/`, [`${S}/api/v1`], S],
    [`${S}/v1/chat/completions`, [`${S}/v1`], S],
    [`${S}/v1/chat/completions/`, [`${S}/v1`], S],
    [`${S}/v1/responses`, [`${S}/v1`], S],
    [`${S}/v1/messages`, [`${S}/v1`], S],
    [`${S}/v1/models`, [`${S}/v1`], S],
    [`${S}/chat/completions`, [`${S}/v1`, S], S],
    [`${S}/models/chat/completions`, [`${S}/models`, `${S}/models/v1`], `${S}/models`],
    [`${S}/v1beta/openai/`, [`${S}/v1beta/openai`], `${S}/v1beta/openai`],
    [`${S}/llm`, [`${S}/llm`, `${S}/llm/v1`], `${S}/llm`],
    [`${S}/d/x?api-version=1`, [`${S}/d/x?api-version=1`], `${S}/d/x`],
    [`${S}/v1/chat/completions?key=a&b=c`, [`${S}/v1?key=a&b=c`], S],
    [`${S}?key=a`, [`${S}/v1?key=a`, `${S}/?key=a`], S],
    ['not an address', ['not an address'], 'not an address'],
  ];
  for (const [written, bases, root] of rows) {
    it(written, () => {
      assert.deepEqual(baseAddresses(written), bases);
      assert.equal(rootOf(written), root);
      for (const base of bases)
        assert.deepEqual(baseAddresses(base).includes(base), true, 'it means itself, too');
    });
  }

  it('keeps its query in each request', () => {
    assert.equal(requestAddress(`${S}/v1`, '/models'), `${S}/v1/models`);
    assert.equal(requestAddress(`${S}/d/?api-version=1`, '/models'), `${S}/d/models?api-version=1`);
    assert.equal(requestAddress(`${S}/?key=a`, '/chat/completions'), `${S}/chat/completions?key=a`);
  });
});

describe('several possible addresses', () => {
  /** Those that were asked, and what came of it. */
  async function ask(statuses: Readonly<Record<string, number>>, times: number): Promise<string> {
    const addresses = new Addresses({ baseUrl: 'x', addresses: Object.keys(statuses) });
    const asked: string[] = [];
    const send = async (base: string): Promise<string> => {
      asked.push(base);
      if (statuses[base] === 200) return base;
      throw new Error(String(statuses[base]));
    };
    const statusOf = (error: unknown): number => (error instanceof Error ? Number(error.message) : 0);
    const results: unknown[] = [];
    for (let time = 0; time < times; time++)
      results.push(await addresses.find(send, statusOf).catch(statusOf));
    return `${asked.join(' ')}: ${results.join(' ')}`;
  }

  const rows: readonly (readonly [statuses: Readonly<Record<string, number>>, expect: string])[] = [
    [{ a: 200, b: 200 }, 'a a: a a'],
    [{ a: 404, b: 200 }, 'a b b: b b'],
    [{ a: 405, b: 200 }, 'a b b: b b'],
    [{ a: 404, b: 405 }, 'a b a b: 404 404'],
    [{ a: 500, b: 200 }, 'a a: 500 500'],
    [{ a: 404, b: 401 }, 'a b a b: 401 401'],
  ];
  for (const [statuses, expect] of rows)
    it(JSON.stringify(statuses), async () => assert.equal(await ask(statuses, 2), expect));
});
