import { deepEqual, equal, match } from 'node:assert/strict';
import * as fc from 'fast-check';
import { safeNames } from '../../../src/mcp/tool-names';

const names = (...plain: readonly string[]) => safeNames(plain.map((each) => ({ plain: each, key: each })));

describe('names of tools of servers', () => {
  it("are the server's names if those are safe", () => {
    deepEqual(names('mcp_a_read-file', 'mcp_b_read_file'), ['mcp_a_read-file', 'mcp_b_read_file']);
  });

  it('end in a hash if two would be the same, in any order', () => {
    const [first, second] = names('a b', 'a_b');
    match(first ?? '', /^a_b_[0-9a-f]{6}$/);
    deepEqual(names('a_b', 'a b'), [second, first]);
  });

  it('G23.names: are never those that another one has got by its hash', () => {
    const [first = '', second] = names('a b', 'a_b');
    const all = names('a b', 'a_b', first);
    deepEqual(all.slice(0, 2), [first, second]);
    match(all[2] ?? '', /^a_b_[0-9a-f]{6}_[0-9a-f]{6}$/);
  });

  it('are safe, short and different for different tools', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 90 }), { maxLength: 12 }),
        (given) => {
          const made = names(...given);
          equal(new Set(made).size, given.length);
          for (const name of made) match(name, /^[A-Za-z0-9_-]{0,64}$/);
        },
      ),
    );
  });
});
