import assert from 'node:assert/strict';
import { protocols } from '../../../../../src/protocols';
import {
  asDefined,
  readByChat,
  readByCommandLine,
  readByLab,
  type ReadReply,
} from '../../../../support/protocols/reply-readers';
import { replyCases } from '../../../../support/protocols/reply-cases';

describe('lab, command line and chat', () => {
  const cases = protocols
    .filter(({ id }) => id !== 'native')
    .flatMap((protocol) => replyCases(protocol.id).map((each) => ({ protocol, each })));
  let byCommandLine: readonly ReadReply[];

  before(async function () {
    this.timeout(60_000);
    byCommandLine = await readByCommandLine(cases);
    assert.equal(byCommandLine.length, cases.length);
  });

  cases.forEach(({ protocol, each }, index) => {
    it(`read the same: ${protocol.id}, ${each.name}`, async () => {
      const likeCommandLine: unknown = JSON.parse(JSON.stringify(await readByLab(protocol, asDefined(each))));
      assert.deepEqual(likeCommandLine, byCommandLine[index], 'lab, command line');
      assert.deepEqual(await readByChat(protocol, each), await readByLab(protocol, each), 'chat, lab');
    });
  });
});
