import assert from 'node:assert/strict';
import { chooseHost, type Host, type Surroundings } from '../../hosts/choose-host';

const linux: Surroundings = {
  platform: 'linux',
  hasDisplay: true,
  installed: undefined,
  wanted: undefined,
  named: undefined,
};
const installed = '/usr/bin/code';
const named = { file: '/opt/vscode/code', exists: true };
const server: Host = { type: 'server' };

interface Case {
  readonly name: string;
  readonly around: Partial<Surroundings>;
  readonly tests: Host | RegExp;
  readonly start: Host | RegExp;
}

const cases: readonly Case[] = [
  { name: 'takes the server when nothing is installed', around: {}, tests: server, start: server },
  {
    name: 'starts in the installed VS Code but tests in the server',
    around: { installed },
    tests: server,
    start: { type: 'desktop', executable: installed },
  },
  {
    name: 'takes the server when there is no display',
    around: { installed, hasDisplay: false },
    tests: server,
    start: server,
  },
  {
    name: 'takes the VS Code that is named',
    around: { installed, named },
    tests: { type: 'desktop', executable: named.file },
    start: { type: 'desktop', executable: named.file },
  },
  {
    name: 'takes the server when it is wanted',
    around: { installed, named, wanted: 'server' },
    tests: server,
    start: server,
  },
  {
    name: 'takes the installed VS Code when a desktop is wanted',
    around: { installed, wanted: 'desktop' },
    tests: { type: 'desktop', executable: installed },
    start: { type: 'desktop', executable: installed },
  },
  {
    name: 'downloads a desktop that is wanted and not installed',
    around: { wanted: 'desktop' },
    tests: { type: 'desktop', executable: undefined },
    start: { type: 'desktop', executable: undefined },
  },
  {
    name: 'takes a desktop on Windows, where there is no server',
    around: { platform: 'win32' },
    tests: { type: 'desktop', executable: undefined },
    start: { type: 'desktop', executable: undefined },
  },
  {
    name: 'refuses the server on Windows',
    around: { platform: 'win32', wanted: 'server' },
    tests: /does not run on Windows/,
    start: /does not run on Windows/,
  },
  {
    name: 'refuses a desktop without a display',
    around: { wanted: 'desktop', hasDisplay: false },
    tests: /needs a display/,
    start: /needs a display/,
  },
  {
    name: 'refuses a host it does not know',
    around: { wanted: 'web' },
    tests: /PARLEY_HOST is web/,
    start: /PARLEY_HOST is web/,
  },
  {
    name: 'refuses a named VS Code that is not there',
    around: { named: { ...named, exists: false } },
    tests: /PARLEY_VSCODE is \/opt\/vscode\/code/,
    start: /PARLEY_VSCODE is \/opt\/vscode\/code/,
  },
];

describe('chooseHost', () => {
  for (const { name, around, ...expected } of cases) {
    for (const purpose of ['tests', 'start'] as const) {
      it(`${name} (${purpose})`, () => {
        const host = chooseHost(purpose, { ...linux, ...around });
        const expect = expected[purpose];
        if (expect instanceof RegExp) assert.match(host.type === 'none' ? host.message : host.type, expect);
        else assert.deepEqual(host, expect);
      });
    }
  }
});
