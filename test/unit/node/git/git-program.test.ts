import assert from 'node:assert/strict';
import { gitProgram } from '../../../../src/node/git/git-program';

const PLACE = { cwd: '/ws', roots: ['/ws'] };
const TOOLS = '/Library/Developer/CommandLineTools/usr/bin/git';

describe('the git that Parley asks', () => {
  const rows: readonly {
    readonly name: string;
    readonly platform: NodeJS.Platform;
    readonly found?: string;
    readonly exists?: string;
    readonly expected: string | undefined;
  }[] = [
    {
      name: 'is none where only Apple offers to install it',
      platform: 'darwin',
      found: '/usr/bin/git',
      expected: undefined,
    },
    {
      name: "is that of Apple's tools",
      platform: 'darwin',
      found: '/usr/bin/git',
      exists: TOOLS,
      expected: '/usr/bin/git',
    },
    {
      name: 'is another one on macOS',
      platform: 'darwin',
      found: '/opt/homebrew/bin/git',
      expected: '/opt/homebrew/bin/git',
    },
    { name: 'is none on macOS', platform: 'darwin', expected: undefined },
    {
      name: 'has its full path on Windows',
      platform: 'win32',
      found: 'C:\\Git\\cmd\\git.exe',
      expected: 'C:\\Git\\cmd\\git.exe',
    },
    { name: 'is found by the system on Linux', platform: 'linux', found: '/usr/bin/git', expected: 'git' },
  ];
  for (const { name, platform, found, exists, expected } of rows) {
    it(name, async () => {
      const machine = {
        platform,
        find: () => Promise.resolve(found),
        exists: (file: string) => file === exists,
      };
      assert.equal(await gitProgram(PLACE, machine), expected);
    });
  }
});
