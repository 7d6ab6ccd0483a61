import assert from 'node:assert/strict';
import { mustBeFound, windowsProgram } from '../../../../src/node/processes/child-process';

describe('starting a program', () => {
  for (const program of ['taskkill', 'git.exe', '.\\git.exe', 'C:git.exe', '\\git.exe', 'bin\\git.exe', '']) {
    it(`W2: is refused on Windows if the current folder could answer: ${program}`, () => {
      assert.throws(() => mustBeFound(program, 'win32'), /full path/);
      mustBeFound(program, 'linux');
    });
  }

  it('W2: takes full paths on Windows, also on a share', () => {
    mustBeFound('C:\\Windows\\System32\\taskkill.exe', 'win32');
    mustBeFound('\\\\server\\tools\\git.exe', 'win32');
    mustBeFound(windowsProgram('taskkill.exe', undefined), 'win32');
  });
});
