import assert from 'node:assert/strict';
import { findShell, type Machine, type ShellChoice } from '../../../../src/node/processes/shell-program';

const PWSH = 'C:\\Program Files\\PowerShell\\7\\pwsh.exe';
const BASH = 'D:\\Git\\bin\\bash.exe';

const machine: Machine = {
  platform: 'win32',
  systemRoot: 'C:\\Windows',
  programFolders: ['C:\\Program Files'],
  exists: (file) => [PWSH, BASH].includes(file),
  gitFolder: () => 'D:\\Git',
};

describe('the shell for commands on Windows', () => {
  const rows: readonly (readonly [choice: ShellChoice, program: string, shell: string, note: RegExp])[] = [
    ['auto', 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe', 'powershell', /5\.1.*no &&/],
    [
      'powershell',
      'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
      'powershell',
      /5\.1.*quote/,
    ],
    ['pwsh', PWSH, 'powershell', /pwsh.*&& and \|\| work.*quote/],
    ['bash', BASH, 'posix', /Git Bash.*&&.*quotes/],
  ];
  for (const [choice, program, shell, note] of rows) {
    it(`is ${choice}, and the model is told which it is`, () => {
      // Whatever stands in the PATH.
      const found = findShell('C:\\ws;C:\\evil', machine, choice);
      assert.equal(found.program, program);
      assert.equal(found.shell, shell);
      assert.match(found.hint ?? '', note);
    });
  }

  for (const choice of ['pwsh', 'bash'] as const) {
    it(`is an error that says what is missing: ${choice}`, () => {
      const bare = { ...machine, exists: () => false };
      assert.throws(() => findShell('', bare, choice), /was not found.*parley\.commands\.shell/);
    });
  }

  it('is the usual one elsewhere, without a note', () => {
    const found = findShell('/usr/bin', { platform: 'linux' }, 'pwsh');
    assert.equal(found.shell, 'posix');
    assert.equal(found.hint, undefined);
  });

  for (const choice of ['powershell', 'pwsh'] as const) {
    it(`prints UTF-8 and returns the exit code of the command: ${choice}`, () => {
      const script = findShell('', machine, choice).arguments('npm test `').at(-1) ?? '';
      const [first = '', ...lines] = script.split('\n');
      assert.match(first, /OutputEncoding = .*UTF8Encoding/);
      // A back tick would continue the command on the next line.
      assert.deepEqual(lines.slice(0, 2), ['npm test `', '']);
      assert.match(lines[2] ?? '', /exit \$LASTEXITCODE/);
      assert.equal(lines.length, 3);
    });
  }
});
