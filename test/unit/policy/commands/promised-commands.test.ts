import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Shell } from '../../../../src/policy/commands/command-text';
import { judgeCommand } from '../../../../src/policy/commands/commands';
import { commandPorts } from '../../../support/workspace/command-ports';

// What threats.md promises, word for word and whatever the tables of the code hold.

const words = (text: string): readonly string[] => text.split(/\s+/u).filter((word) => word !== '');

/** Rule 6. `printf -v` has a row of its own. */
const alwaysAsking = words(`
  env sudo doas su xargs parallel nohup setsid time timeout nice ionice stdbuf watch command builtin exec eval source .
  trap alias hash enable export declare typeset readonly unset set shopt read cd pushd popd coproc ssh busybox script
  flock chroot less more man vi vim nano emacs awk`);

/** Rule 7. */
const interpreters = words(`
  sh bash dash zsh ksh fish python python3 node deno bun ruby perl php npx bunx uvx docker podman kubectl make npm pnpm
  yarn cargo go`);

/** Rule 8: the rule, what comes before the guarded option, the option, what follows it. */
const guarded: readonly (readonly [rule: string, option: string, rest?: string])[] = [
  ...words('-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls').map(
    (option) => ['find .', option, 'x'] as const,
  ),
  ...words('-x -X --exec --exec-batch --exec=x').map((option) => ['fd', option, 'x'] as const),
  ...words(`-c --config-env --exec-path --git-dir --work-tree -p --output -O --open-files-in-pager --ext-diff --textconv
    --contents --upload-pack --receive-pack --exec -x --extcmd --config-env=a --exec-path=a --git-dir=a --work-tree=a
    --output=a --open-files-in-pager=a --upload-pack=a --receive-pack=a --exec=a --extcmd=a -Oa -xa`).map(
    (option) => ['git', option, 'x'] as const,
  ),
  ['git', 'difftool'],
  ['git bisect', 'run', 'x'],
  ['git submodule', 'foreach', 'x'],
  ['git config', 'user.name', 'x'],
  ['git config', '--add', 'a.b c'],
  ['git clone', 'ext::sh', 'x'],
  ...words('--pre --pre=x --hostname-bin --hostname-bin=x -z').map((option) => ['rg', option, 'x'] as const),
  ...words('-o -ofile --compress-program --compress-program=x').map(
    (option) => ['sort', option, 'x'] as const,
  ),
  ...words('-i -e -f -s -z --in-place --expression=p --file=x 1d 1p $p w e s/a/b/e s/a/b/w /x/p').map(
    (option) => ['sed', `'${option}'`, 'x'] as const,
  ),
  ['sed -n', "'1w'", 'x'],
  ['sed -n', "'1p;1e'", 'x'],
  ...words('-I -F --to-command=x --checkpoint-action=exec=x --use-compress-program=x').map(
    (option) => ['tar', option, 'x'] as const,
  ),
  ...words('-e --rsh --rsh=x').map((option) => ['rsync', option, 'x'] as const),
  ...words('-T -TT').map((option) => ['zip', option, 'x'] as const),
  ...words('-o -O -T -K -ofile @x -dx@y').map((option) => ['curl', option, 'x'] as const),
  ...words('-O -e --post-file --post-file=x').map((option) => ['wget', option, 'x'] as const),
  ...words('-f -C --eval --eval=x SHELL=x').map((option) => ['make all', option, 'x'] as const),
  ...words('--script-shell --node-options --call --prefix --script-shell=x --prefix=x').map(
    (option) => ['npm test', option, 'x'] as const,
  ),
  ...words('-exec -toolexec -exec=x -toolexec=x').map((option) => ['go test', option, 'x'] as const),
  ...words('--config --config=x').map((option) => ['cargo test', option, 'x'] as const),
  ...words('-v -vx --mount --mount=x --privileged').map((option) => ['docker ps', option, 'x'] as const),
];

/** Rule 9. */
const writing = words('tee cp mv ln install dd touch mkdir rm rmdir chmod chown truncate sed tar');
const leadOut =
  words(`/etc/x ../x src/../../x --f=/etc/x --f=../x f=/etc/x of=../x -f/etc/x -f../x "~/x" "--f=~/x" '\\\\h\\x'
  //h/x "file:///etc/x" a:/etc/x`);
const secret = words(
  '.env src/.env --f=.env -f.env ./.env.local keys/x.pem HEAD:.env "src/id_rsa" .e* "credentials"',
);

describe('commands as promised', () => {
  const ports = commandPorts();
  let root: string;
  before(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-promised-')));
    mkdirSync(path.join(root, 'src'));
    for (const name of ['a', 'src/x.ts', '.env']) writeFileSync(path.join(root, name), '');
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  async function judge(command: string, allow: readonly string[], shell: Shell = 'posix') {
    return judgeCommand({ command, shell, allow, deny: [], roots: [root], cwd: root }, ports);
  }

  for (const name of [...alwaysAsking, 'printf -v']) {
    it(`G10.launcher ${name} asks, whatever the rules`, async () => {
      assert.equal((await judge(`${name} x`, [name, `${name} x`])).decision, 'ask');
      assert.equal((await judge(`ls && ${name} x`, ['ls', name, `${name} x`])).decision, 'ask');
    });
  }

  for (const name of interpreters) {
    it(`G10.interpreter ${name} alone allows nothing`, async () => {
      const { decision, reason } = await judge(`${name} zed`, [name]);
      assert.deepEqual([decision, /must name/.test(reason)], ['ask', true], reason);
      assert.equal((await judge(`${name} zed`, [`${name} zed`])).decision, 'auto');
      assert.equal((await judge(`${name} zed --y`, [`${name} zed`])).decision, 'ask');
      assert.equal((await judge(`${name} zed --y`, [`${name} zed --y`])).decision, 'auto');
    });
  }

  for (const [rule, option, rest = ''] of guarded) {
    it(`G10.guard ${rule} ${option} asks, however it is written`, async () => {
      const bare = option.replace(/^'|'$/gu, '');
      const spellings = [
        option,
        ...(bare.includes("'") || bare.includes('$') ? [] : [`"${bare}"`, `'${bare}'`]),
        ...(option.startsWith("'") ? [] : [`${bare.slice(0, 1)}'${bare.slice(1)}'`, `""${bare}`]),
      ];
      for (const spelling of spellings) {
        const command = `${rule} ${spelling} ${rest}`.trim();
        const { decision, reason } = await judge(command, [rule]);
        assert.equal(decision, 'ask', command);
        assert.match(
          reason,
          /must name|redirects|not known to be harmless|outside|followed by code/,
          command,
        );
      }
    });
  }

  it('G10.guard is lifted by a rule that names it', async () => {
    assert.equal((await judge('find . -delete', ['find . -delete'])).decision, 'auto');
    assert.equal((await judge('go test -exec x', ['go test -exec x'])).decision, 'auto');
    assert.equal((await judge('go test -exec x y', ['go test -exec x'])).decision, 'ask');
    assert.equal((await judge('find . -delete -fls x', ['find . -delete'])).decision, 'ask');
  });

  for (const program of writing) {
    it(`G8.command ${program} asks for a protected path`, async () => {
      for (const place of ['.git/hooks/x', '.vscode/tasks.json', '.GIT/config', 'src/.husky/x', './.envrc']) {
        const { decision, reason } = await judge(`${program} ${place}`, [program]);
        // For sed a first word without a dash is its script.
        if (program === 'sed')
          assert.match((await judge(`sed s/a/b/ ${place}`, ['sed'])).reason, /protected/);
        else assert.match(reason, /protected|must name/, `${program} ${place}`);
        assert.equal(decision, 'ask');
      }
      assert.match((await judge(`${program} s/a/b/ of=.envrc`, [program])).reason, /protected/);
    });
  }

  for (const argument of leadOut) {
    it(`G6.command ${argument} leads out and asks`, async () => {
      for (const program of ['cat', 'cp', 'git show']) {
        assert.equal((await judge(`${program} ${argument}`, [program])).decision, 'ask');
        assert.equal((await judge(`${program} src/x.ts ${argument}`, [program])).decision, 'ask');
      }
    });
  }

  for (const argument of secret) {
    it(`G9.command ${argument} is a secret file and asks`, async () => {
      for (const program of ['cat', 'cp', 'git show']) {
        const { decision, reason } = await judge(`${program} ${argument}`, [program]);
        assert.equal(decision, 'ask');
        assert.match(reason, /secret/);
      }
    });
  }

  for (const shell of ['powershell', 'cmd'] as const) {
    it(`G10.${shell} lets only plain characters run unasked`, async () => {
      const plain = /^[A-Za-z0-9 ._\-/:=,@+]$/u;
      for (let code = 0; code < 0x180; code++) {
        const character = String.fromCharCode(code);
        const { decision } = await judge(`echo ab${character}c`, ['echo'], shell);
        assert.equal(decision, plain.test(character) ? 'auto' : 'ask', JSON.stringify(character));
      }
    });
  }

  it('G10.text asks for every character that is not shown, and for blanks of other kinds', async () => {
    for (let code = 0; code < 0x1_1000; code++) {
      if (code >= 0x3400 && code < 0xd800) continue;
      const character = String.fromCodePoint(code);
      // Cc, Cf, separators and halves of pairs, by their Unicode names.
      if (!/[\p{Cc}\p{Cf}\p{Z}\p{Cs}]/u.test(character) || /[ \n\t]/u.test(character)) continue;
      assert.equal((await judge(`echo a${character}b`, ['echo', 'b'])).decision, 'ask', code.toString(16));
    }
  });
});
