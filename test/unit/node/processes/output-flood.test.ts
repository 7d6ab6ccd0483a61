import assert from 'node:assert/strict';
import { measureOutputLoad, outputLoadLine } from '../../../support/measure/output-load';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { posix } from '../../../support/platform';

posix.describe('G35.flood: output without mercy', () => {
  let scratch: ScratchWorkspace;

  before(async () => {
    scratch = await ScratchWorkspace.create();
  });
  after(() => scratch.dispose());

  for (const { name, command, bytes } of [
    { name: '20 MB of short lines', command: 'seq 1 2700000', bytes: 20_488_896 },
    { name: 'a line of 20 MB', command: `head -c 20000000 /dev/zero | tr '\\0' x`, bytes: 20_000_000 },
    { name: '20 MB of binary noise', command: 'head -c 20000000 /dev/urandom', bytes: undefined },
    {
      name: '1,000 short writes a second',
      command: `node -e 'let n = 0; const t = setInterval(() => { for (let i = 0; i < 10; i++) process.stdout.write("tick\\n"); if (++n === 150) clearInterval(t); }, 10)'`,
      bytes: 7500,
    },
  ]) {
    it(`keeps little of ${name}, blocks nothing and shows it a few times a second`, async function () {
      const measured = await measureOutputLoad(scratch, command);
      console.log(`      ${outputLoadLine(name, measured)}`);
      const { end, output, milliseconds, updates, largestUpdate, longestStretch } = measured;
      assert.deepEqual(end, { how: { type: 'exited', code: 0, leftRunning: false }, survivors: [] });
      if (bytes !== undefined) {
        assert.equal(Buffer.byteLength(output.head + output.tail) + output.omitted, bytes);
      }
      assert.ok(Buffer.byteLength(output.head) <= 96 * 1024);
      // The last one shows the rest at the end.
      assert.ok(updates <= (milliseconds / 1000) * 30 + 2, `${updates} updates`);
      assert.ok(largestUpdate <= 64 * 1024 + 8);
      assert.ok(longestStretch < 500, `${longestStretch} ms`);
    });
  }

  it('ends a command that prints on for ever at its time limit', async () => {
    const { end, updates } = await measureOutputLoad(scratch, 'yes', { timeoutMs: 400 });
    assert.equal(end.how.type, 'killed');
    assert.deepEqual(end.survivors, []);
    assert.ok(updates < 150);
  });
});
