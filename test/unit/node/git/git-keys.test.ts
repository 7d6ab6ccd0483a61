import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startsNothing } from '../../../../src/node/git/git-keys';
import { isSwitchedOff } from '../../../../src/node/git/git-settings';

const LIST = path.resolve('test/fixtures/git/keys-2.39.txt');

/** Keys that ask whatever their value is: they start a program, lead elsewhere, or are not needed in a repository. */
const ASKING: readonly RegExp[] = [
  /^bundle\./u,
  /^core\.(?:attributesFile|unsetenvvars)$/u,
  // Any name may follow it.
  /^(?:credential\.<url>|feature|http\.<url>|sendemail\.<identity>)\.\*$/u,
  /^credential(?:Cache|Store)\./u,
  /^difftool\.<tool>\.|^mergetool\.<tool>\.(?:cmd|path)$/u,
  /^(?:fetch\.|receive\.)?fsck\.skipList$/u,
  /^format\.(?:outputDirectory|signatureFile)$/u,
  /^fsmonitor\./u,
  /^gitcvs\.|^gitweb\.|^guitool\.|^gui\.spellingDictionary$|^instaweb\./u,
  /^help\.(?:browser|htmlPath)$|^web\.browser$|^man\.viewer$/u,
  /^http\.(?:cookieFile|saveCookies)$/u,
  /^imap\.|^sendemail\./u,
  /^init\.templateDir$/u,
  /^receive\.procReceiveRefs$|^uploadpack\.packObjectsHook$/u,
  /^trace2\./u,
];

/** A value with which a key starts nothing, where others ask. */
const BY_VALUE: Readonly<Record<string, string>> = {
  'blame.ignoreRevsFile': '.git-blame-ignore-revs',
  'branch.<name>.mergeOptions': '--no-ff --no-edit',
  'commit.template': '.gitmessage',
  'mailmap.file': '.mailmap',
  'help.format': 'man',
  'include.path': '~/.gitconfig-work',
  'includeIf.<condition>.path': '~/.gitconfig-work',
  'pull.octopus': 'octopus',
  'pull.twohead': 'ort',
  'protocol.<name>.allow': 'always',
};

describe('keys of git settings', () => {
  const keys = readFileSync(LIST, 'utf8').trim().split('\n');

  for (const key of keys) {
    it(`G10.git-keys: ${key} has a decision`, () => {
      const asked = ASKING.some((pattern) => pattern.test(key)) && !isListed(key);
      const value = BY_VALUE[key] ?? (/fsck\./u.test(key) && !asked ? 'ignore' : 'x');
      const name = asGitLists(key);
      const kinds = [asked, isSwitchedOff(name), startsNothing(name, value)];
      assert.equal(kinds.filter((is) => is).length, 1, kinds.join());
      if (value !== 'x') {
        const doubtful = key.startsWith('protocol.') ? 'protocol.other.allow' : name;
        assert.equal(startsNothing(doubtful, '/../x y'), false);
      }
    });
  }

  it('G10.git-keys: a key of another git version asks until it has a decision', () => {
    const installed =
      execFileSync('git', ['help', '-c'], { encoding: 'utf8' }).match(/^[\w-]+\.\S+$/gmu) ?? [];
    assert.ok(installed.filter((key) => keys.includes(key)).length > 500);
    for (const key of [
      'hook.<name>.command',
      'hook.<name>.event',
      'core.virtualFilesystem',
      'x.y',
      'branch.x.y',
    ]) {
      const name = asGitLists(key);
      assert.equal(isSwitchedOff(name) || startsNothing(name, 'true'), false, key);
    }
  });

  const rows = [
    ['commit.template', '../.env'],
    ['commit.template', '/etc/passwd'],
    ['include.path', '../config'],
    ['include.path', '/home/me/work/config'],
    ['includeif.onbranch:x.path', '~/x'],
    ['blame.ignorerevsfile', '.env'],
    ['branch.x.mergeoptions', '--strategy=x'],
    ['pull.twohead', 'ort x'],
    ['lfs.url', 'file:///x'],
    ['lfs.customtransfer.x.path', 'x'],
    ['gitflow.path.hooks', 'hooks'],
  ] as const;
  for (const [name, value] of rows) {
    it(`G10.git-keys: ${name} asks when it is ${value}`, () => {
      assert.equal(isSwitchedOff(name) || startsNothing(name, value), false);
    });
  }
});

/** Of groups that ask, some keys are known to start nothing. */
function isListed(key: string): boolean {
  return startsNothing(asGitLists(key), 'x');
}

function asGitLists(key: string): string {
  if (key === 'protocol.<name>.allow') return 'protocol.ssh.allow';
  if (key.startsWith('includeIf.')) return 'includeif.gitdir:~/work/.path';
  const name = key.replace(/<[^>]*>|\*/gu, 'x');
  const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')];
  return name.slice(0, first).toLowerCase() + name.slice(first, last) + name.slice(last).toLowerCase();
}
