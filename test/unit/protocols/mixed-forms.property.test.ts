import { protocols } from '../../../src/protocols';
import { mixedProperties } from '../../support/protocols/mixed-replies';

for (const protocol of protocols) {
  describe(`replies that mix all forms, read as ${protocol.id}`, () => {
    for (const { name, check } of mixedProperties(protocol)) it(name, () => check({ numRuns: 150 }));
  });
}
