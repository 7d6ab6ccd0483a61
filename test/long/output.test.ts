import assert from 'node:assert/strict';
import { measureOutputLoad, outputLoadLine, type OutputLoad } from '../support/measure/output-load';
import { ScratchWorkspace } from '../support/workspace/scratch-workspace';

describe('G35.flood: large outputs, for longer', () => {
  let scratch: ScratchWorkspace;

  before(async () => {
    scratch = await ScratchWorkspace.create();
    // The first run loads and compiles code, which is not memory of the output.
    await measureOutputLoad(scratch, 'seq 1 1000000');
  });
  after(() => scratch.dispose());

  for (const { name, command, timeoutMs, how } of [
    { name: '300 MB', command: 'head -c 300000000 /dev/zero', how: 'flood' },
    { name: '300 MB in one line', command: `head -c 300000000 /dev/zero | tr '\\0' x`, how: 'flood' },
    {
      name: '300 MB of a program that ignores TERM',
      command: `trap '' TERM PIPE; yes; sleep 30`,
      how: 'flood',
    },
    { name: '200 MB of lines', command: 'yes | head -c 200000000', how: 'exited' },
    { name: '200 MB of binary noise', command: 'head -c 200000000 /dev/urandom', how: 'exited' },
    {
      name: '1,000 short writes a second for 20 s',
      command: `node -e 'let n = 0; const t = setInterval(() => { for (let i = 0; i < 10; i++) process.stdout.write("tick\\n"); if (++n === 2000) clearInterval(t); }, 10)'`,
      how: 'exited',
      timeoutMs: 60_000,
    },
  ]) {
    it(`bounds ${name}`, async () => {
      const measured: OutputLoad = await measureOutputLoad(
        scratch,
        command,
        timeoutMs === undefined ? {} : { timeoutMs },
      );
      console.log(`      ${outputLoadLine(name, measured)}`);
      const { end, milliseconds, updates, longestStretch, keptBytes } = measured;
      assert.equal(end.how.type === 'killed' ? end.how.why : end.how.type, how);
      assert.deepEqual(end.survivors, []);
      assert.ok(updates <= (milliseconds / 1000) * 30 + 2, `${updates} updates`);
      assert.ok(longestStretch < 1000, `${longestStretch} ms`);
      // Far below the size of the output; test/bench/output.ts measures it exactly.
      assert.ok(keptBytes < 32 * 1024 * 1024, `${keptBytes} bytes`);
    });
  }
});
