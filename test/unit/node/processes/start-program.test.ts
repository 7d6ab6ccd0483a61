import assert from 'node:assert/strict';
import { endings, isBatchFile, isForEveryProgram } from '../../../../src/node/processes/start-program';

describe('the program of a server', () => {
  it('is looked for by its endings on Windows first, and by its name alone elsewhere', () => {
    assert.deepEqual(endings('win32', '.COM;.EXE;.CMD;'), ['.COM', '.EXE', '.CMD', '']);
    assert.deepEqual(endings('linux', '.COM'), ['']);
  });

  for (const [file, expected] of [
    ['C:\\node\\npx.cmd', true],
    ['C:\\x.BAT', true],
    ['C:\\x.cmd. ', true],
    ['C:\\cmd.exe', false],
    ['C:\\x.cmd\\node.exe', false],
  ] as const) {
    it(`${expected ? 'is' : 'is not'} a script of the Windows shell: ${file}`, () => {
      assert.equal(isBatchFile(file), expected);
    });
  }

  it('gets the usual environment, without secrets', () => {
    assert.ok(isForEveryProgram('PATH'));
    assert.equal(isForEveryProgram('MY_TOKEN'), false);
  });
});
