import assert from 'node:assert/strict';
import fc from 'fast-check';
import { limits } from '../../../../src/base/limits';
import { judgeCommand, type CommandVerdict } from '../../../../src/policy/commands/commands';
import { offerRules } from '../../../../src/policy/commands/offers';
import type { Entry, PathFileSystem } from '../../../../src/policy/paths/path-file-system';
import { judgePath } from '../../../../src/policy/paths/paths';
import { RememberedFiles } from '../../../../src/policy/paths/remembered-files';
import { caseCount } from '../../../hosts/random-cases';
import { arbitraryCommand } from '../../../support/workspace/arbitrary-command';
import { commandPorts } from '../../../support/workspace/command-ports';

const ALLOW = [
  'ls',
  'cat',
  'rg',
  'grep',
  'cp',
  'rm',
  'git',
  'npm test',
  'npx eslint',
  'tar',
  'find',
  'sort',
  'mv',
  'tee',
];

/** A workspace in which every folder holds so many files, and itself as a folder; counts what is looked at. */
function folderOf(names: number): { readonly files: PathFileSystem; readonly looks: () => number } {
  let looks = 0;
  const entries: readonly Entry[] = Array.from({ length: names }, (_, at) => ({
    name: at === 0 ? 'src' : `s${'a'.repeat(at % 200)}${at}`,
    kind: at === 0 ? 'directory' : 'file',
  }));
  const looked = <T>(answer: T) => {
    looks++;
    return Promise.resolve(answer);
  };
  const isInside = (path: string): boolean => path.startsWith('/ws');
  const files: PathFileSystem = {
    platform: 'posix',
    caseSensitive: true,
    hasSpecialFolders: true,
    realpath: (path) => looked(isInside(path) ? path : undefined),
    kind: (path) => looked(!isInside(path) ? undefined : /(?:ws|src)\/?$/u.test(path) ? 'directory' : 'file'),
    readLink: () => Promise.reject(new Error('no link')),
    entries: (path) => looked(isInside(path) ? entries : undefined),
  };
  return { files, looks: () => looks };
}

describe('judging ends', () => {
  const ports = commandPorts();
  before(() => ports.grammar());

  async function judge(command: string, files: PathFileSystem): Promise<CommandVerdict> {
    const request = {
      command,
      shell: 'posix',
      allow: ALLOW,
      deny: ['sudo rm', 'dd'],
      roots: ['/ws'],
      cwd: '/ws',
    } as const;
    const remembered = { ...ports, files: RememberedFiles.of(files) };
    const judged = await judgeCommand(request, remembered);
    await offerRules(judged, request, remembered);
    return judged;
  }

  it('G41.any command, in a folder of any size, looks at the file system a bounded number of times', async () => {
    const most = limits.judgeSteps / 20;
    await fc.assert(
      fc.asyncProperty(arbitraryCommand, fc.constantFrom(10, 1_000, 6_000), async (command, names) => {
        const { files, looks } = folderOf(names);
        await judge(command, files);
        assert.ok(looks() <= most, `${looks()}`);
      }),
      { numRuns: caseCount(300) },
    );
  });

  it('G41.launchers: reads each way to start something once', async () => {
    const { files } = folderOf(10);
    const command = `${'sudo --a --b --c '.repeat(60)}x`;
    assert.equal((await judge(command, files)).decision, 'ask');
    assert.equal((await judge(`${'sudo --a --b --c '.repeat(60)} dd x`, files)).decision, 'deny');
    for (const launcher of ['env', 'timeout --x 5', 'watch --a', 'xargs --a --b', 'nice --a'])
      assert.equal((await judge(`${launcher} `.repeat(250), files)).decision, 'ask', launcher);
  });

  it('G41.launchers: what is not followed to its end is denied by its words', async () => {
    const { files } = folderOf(10);
    const words = Array.from({ length: 120 }, (_, at) => `watch --a${at} --b${at}`).join(' ');
    assert.equal((await judge(`${words} dd`, files)).decision, 'deny');
  });

  it('G41.patterns: patterns of many stars over many names end at once', async () => {
    const { files, looks } = folderOf(3_000);
    for (const command of [
      `cat s${'*a'.repeat(2_000)}*b`,
      `cat s${'*a'.repeat(120)}*b`,
      `cat ${'s*a*b '.repeat(600)}`,
      `cat ${Array.from({ length: 600 }, (_, at) => `s*${at}`).join(' ')}`,
      `cat ${'s*/'.repeat(200)}x`,
    ])
      await judge(command, files);
    assert.ok(looks() < 2_000);
    assert.equal((await judge(`cat s${'*a'.repeat(2_000)}*b`, files)).decision, 'ask');
  });

  it('G41.depth: folders in folders without end are not looked through', async () => {
    const { files } = folderOf(10);
    for (const command of [
      `mv ${'s* jq '.repeat(500)}`,
      `tar ${'src '.repeat(900)}`,
      'rm -r src',
      'grep -r x src',
    ])
      assert.equal((await judge(command, files)).decision, 'ask', command.slice(0, 40));
  });

  it('G41.paths: a folder with more files than can be looked at asks', async () => {
    const { files } = folderOf(limits.judgeSteps + 1);
    const judged = async (use: 'read' | 'write' | 'delete') =>
      (await judgePath({ roots: ['/ws'], path: 'src', use }, files)).verdict.decision;
    assert.notEqual(await judged('delete'), 'auto');
    assert.notEqual(await judged('write'), 'auto');
    assert.equal(await judged('read'), 'auto');
  });
});
