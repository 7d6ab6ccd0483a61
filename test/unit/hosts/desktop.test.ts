import assert from 'node:assert/strict';
import path from 'node:path';
import { programOf } from '../../hosts/desktop';

const cases = [
  { name: 'on Linux', command: '/usr/share/code/bin/code', program: '/usr/share/code/code' },
  {
    name: 'on a Mac',
    command: '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code',
    program: '/Applications/Visual Studio Code.app/Contents/MacOS/Electron',
  },
  {
    name: 'on Windows',
    command: '/c/Microsoft VS Code/bin/code.cmd',
    program: '/c/Microsoft VS Code/Code.exe',
  },
];

describe('programOf', () => {
  for (const { name, command, program } of cases) {
    it(`finds the program behind the command ${name}`, () => {
      const expected = path.normalize(program);
      const found = programOf(path.normalize(command), (file) => file === expected);
      assert.equal(found, expected);
    });
  }

  it('takes anything else as the program itself', () => {
    assert.equal(
      programOf('/opt/vscode/code', () => true),
      '/opt/vscode/code',
    );
    assert.equal(
      programOf('/opt/bin/code', () => false),
      '/opt/bin/code',
    );
  });
});
