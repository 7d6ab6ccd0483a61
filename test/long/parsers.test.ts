import { protocols } from '../../src/protocols';
import { mixedProperties } from '../support/protocols/mixed-replies';
import { nativeProperties, textProperties } from '../support/protocols/parser-properties';

/** Minutes for all properties together; ten unless `PARLEY_FUZZ_MINUTES` is set. */
const minutes = Number(process.env['PARLEY_FUZZ_MINUTES'] ?? 10);

describe('parsers, long run', () => {
  const all = protocols.flatMap((protocol) => {
    const own = protocol.id === 'native' ? nativeProperties(protocol) : textProperties(protocol);
    return [...own, ...mixedProperties(protocol)].map((property) => ({ protocol: protocol.id, property }));
  });
  const share = (minutes * 60_000) / all.length;
  for (const { protocol, property } of all) {
    it(`${protocol}: ${property.name}`, function () {
      this.timeout(share * 2 + 60_000);
      property.check({ milliseconds: share });
    });
  }
});
