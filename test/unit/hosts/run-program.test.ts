import assert from 'node:assert/strict';
import { mustRun, runProgram, tail } from '../../hosts/run-program';

const script = (code: string): readonly string[] => ['-e', code];

describe('runProgram', () => {
  it('returns the code and everything that was printed', async () => {
    const printed: string[] = [];
    const code = "console.log('out'); console.error('err'); process.exitCode = 3";
    const end = await runProgram(process.execPath, script(code), { print: (text) => printed.push(text) });
    assert.equal(end.code, 3);
    assert.match(end.output, /out/);
    assert.match(end.output, /err/);
    assert.equal(printed.join(''), end.output);
  });

  it('ends a program that takes too long', async () => {
    const end = await runProgram(process.execPath, script('setInterval(() => {}, 1000)'), { timeout: 300 });
    assert.equal(end.code, 1);
    assert.match(end.output, /took too long/);
  });

  it('fails when there is no such program', async () => {
    const end = await runProgram('parley-no-such-program', []);
    assert.notEqual(end.code, 0);
    assert.match(end.output, /ENOENT/);
  });
});

describe('mustRun', () => {
  it('says why the program failed', async () => {
    const run = mustRun(process.execPath, script("console.error('no space left'); process.exit(1)"));
    await assert.rejects(run, /failed:\nno space left/);
  });
});

describe('tail', () => {
  it('keeps the last lines', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    assert.equal(tail(`${lines.join('\n')}\n`), lines.slice(75).join('\n'));
  });
});
