import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathFileSystem } from '../../../../src/node/files/path-file-system';
import { launchers } from '../../../../src/policy/commands/tables/launchers';
import type { Shell } from '../../../../src/policy/commands/command-text';
import type { CommandRequest } from '../../../../src/policy/commands/command-request';
import { judgeCommand } from '../../../../src/policy/commands/commands';
import { offeredRules } from '../../../../src/policy/commands/offers';
import { runners } from '../../../../src/policy/commands/tables/starters';
import { limits } from '../../../../src/base/limits';
import { commandPorts } from '../../../support/workspace/command-ports';
import { brokenPathFiles } from '../../../support/workspace/memory-path-files';
import { posix } from '../../../support/platform';

interface Row {
  readonly name: string;
  readonly command: string;
  readonly allow: readonly string[];
  readonly decision: 'auto' | 'ask' | 'deny';
  readonly reason?: RegExp;
  readonly shell?: Shell;
}

const TOOLS = [
  'git status',
  'git diff',
  'ls',
  'cat',
  'echo',
  'find',
  'rg',
  'sed',
  'head',
  'wc',
  'cp',
  'rm',
  'tee',
];

const auto = (name: string, command: string, allow = TOOLS): Row => ({
  name,
  command,
  allow,
  decision: 'auto',
});
/** By a rule of exactly these words. */
const autoExactly = (name: string, command: string, allow = TOOLS): Row =>
  auto(name, command, [...allow, ...command.split(' && ')]);
const ask = (name: string, command: string, reason: RegExp, allow = TOOLS): Row => ({
  name,
  command,
  allow,
  decision: 'ask',
  reason,
});
const deny = (name: string, command: string): Row => ({ name, command, allow: ['ls'], decision: 'deny' });

const rows: readonly Row[] = [
  ask('text with a semicolon glued to a redirect', 'ls ;&>/dev/null', /shells interpret differently/),
  // Rules
  auto('rule', 'git status'),
  auto('rule with more words', 'git status -s src'),
  auto('rule quoted', `g'it' "status"`),
  ask('rule of whole words', 'git stat', /no rule matches git stat/),
  ask('rule with case', 'Git status', /no rule/),
  ask('rule without path stripping', '/usr/bin/git status', /no rule/),
  ask('rule longer than the command', 'git', /no rule/),
  ask('empty rule', 'ls', /no rule/, ['', '  ']),
  ask('no rules', 'ls', /no rule/, []),
  // Installed packages
  auto('G8.installed program', 'node node_modules/.bin/eslint src', ['node node_modules/.bin/eslint']),
  auto('G8.installed folder left out', 'tree -I node_modules', ['tree']),
  auto('G8.installed read', 'cat node_modules/a/package.json'),
  ask('G8.installed written', 'tee node_modules/a.js', /protected/),
  ask('G8.installed copied to', 'cp a node_modules/a.js', /protected/),
  ask('G8.installed deleted', 'rm -r node_modules', /protected/),
  // Lists
  auto('list', 'git status && git diff | head -n 5 || ls; wc x'),
  auto('lines', 'ls\n\n\tls -a\n'),
  auto('lines after operators', 'ls &&\n  ls |\n wc'),
  ask('every part', 'ls && npm test', /no rule matches npm test/),
  ask('every part of a pipeline', 'ls | sh', /no rule/),
  auto('32 commands', Array(32).fill('ls').join(';')),
  ask('33 commands', Array(33).fill('ls').join(';'), /too many/),
  auto('4096 characters', `echo ${'x'.repeat(4_091)}`),
  ask('4097 characters', `echo ${'x'.repeat(4_092)}`, /too long/),
  ask('nothing', '', /no command/),
  ask('only blanks', ' \n', /no command/),
  ask('only a redirect', '>/dev/null', /no command/),
  // Text
  ask('carriage return', 'ls\rx', /hidden/),
  ask('form feed', 'ls\fx', /hidden/),
  ask('vertical tab', 'ls\vx', /hidden/),
  ask('nul', 'ls \0', /hidden/),
  ask('escape', 'echo \u001b[2K', /hidden/),
  ask('zero width', 'echo a\u200bb', /hidden/),
  ask('byte order mark', '\ufeffls', /hidden/),
  ask('direction', 'echo \u202eabc', /hidden/),
  ask('tag character', 'echo \u{e0041}', /hidden/),
  ask('variation selector', 'echo a\ufe0f', /hidden/),
  ask('no-break space', 'ls\u00a0-l', /hidden/),
  ask('ideographic space', 'ls\u3000-l', /hidden/),
  ask('braille blank', 'echo \u2800', /hidden/),
  ask('lone surrogate', 'echo \ud800', /hidden/),
  auto('other letters', 'echo é 漢字 "ü"'),
  // Tree
  ask('background', 'ls &', /plain words: &/),
  ask('background between', 'ls & ls', /plain words/),
  ask('pipe with errors', 'ls |& wc', /plain words/),
  ask('negation', '! ls', /plain words/),
  ask('comment', 'ls # x', /plain words/),
  ask('subshell', '(ls)', /plain words/),
  ask('group', '{ ls; }', /plain words/),
  ask('function', 'ls() { rm x; }', /plain words/),
  ask('if', 'if ls; then ls; fi', /plain words/),
  ask('for', 'for x in a; do ls; done', /plain words/),
  ask('while', 'while ls; do ls; done', /plain words/),
  ask('case', 'case a in a) ls;; esac', /plain words/),
  ask('test', '[[ -f x ]]', /plain words/),
  ask('bracket', '[ -f x ]', /plain words/),
  ask('arithmetic', '((1))', /plain words/),
  ask('assignment', 'A=1', /plain words/),
  ask('assignment in front', 'A=1 ls', /plain words/),
  ask('array assignment', 'a[0]=1', /./),
  ask('here-document', 'cat <<E\nx\nE', /plain words/),
  ask('here-string', 'cat <<<x', /plain words/),
  ask('variable', 'echo $HOME', /plain words/),
  ask('variable quoted', 'echo "$HOME"', /plain words/),
  ask('variable braced', 'echo ${x:-y}', /plain words/),
  ask('substitution', 'echo $(ls)', /plain words/),
  ask('substitution quoted', 'echo "a $(ls)"', /plain words/),
  ask('backtick', 'echo `ls`', /plain words/),
  ask('arithmetic expansion', 'echo $((1+1))', /plain words/),
  ask('process substitution', 'cat <(ls)', /plain words/),
  ask('brace expansion', 'echo {a,b}', /plain words/),
  ask('brace range', 'echo {1..3}', /plain words/),
  ask('ansi quotes', "echo $'a'", /plain words/),
  ask('translated quotes', 'echo $"a"', /plain words/),
  ask('backslash', 'echo a\\ b', /plain words/),
  ask('line continuation', 'ls \\\n-l', /plain words/),
  ask('home', 'ls ~', /plain words/),
  ask('home after =', 'echo x=~/y', /plain words/),
  ask('home after colon', 'echo x=a:~/y', /plain words/),
  ask('zsh path', 'echo =ls', /plain words/),
  ask('dollar at the end of quotes', 'echo "a$"', /plain words/),
  ask('open quote', 'echo "a', /cannot be parsed/),
  ask('stray bracket', 'ls )', /cannot be parsed/),
  auto('tilde inside a word', 'git diff HEAD~1'),
  auto('quoted specials', `echo 'a; b' "c | d" '$x' "\\$x" "a\\\\b"`),
  auto('glued quotes', `echo a"b c"'d e'f`),
  auto('glob', 'ls src/*.ts'),
  auto('glob question mark', 'ls src/?.ts'),
  ask('glob at the beginning', 'ls *', /pattern/),
  ask('glob at the beginning of an option', 'ls -*', /pattern/),
  ask('glob as command', 'l? x', /pattern/),
  // Redirects
  auto('errors to output', 'ls 2>&1'),
  auto('output to errors', 'echo x >&2'),
  auto('null', 'ls >/dev/null 2>/dev/null </dev/null'),
  auto('null appended', 'ls >> /dev/null'),
  auto('both to null', 'ls &>/dev/null'),
  auto('redirect in front', '</dev/null ls'),
  ask('file', 'ls > x', /redirects to x/),
  ask('file glued', 'ls>x', /redirects to x/),
  ask('errors to file', 'ls 2>x', /redirects/),
  ask('both to file', 'ls >& x', /redirects/),
  ask('from file', 'cat < x', /redirects/),
  ask('from a secret', 'cat < .env', /redirects/),
  ask('read and write', 'ls <> /dev/null', /cannot be parsed/),
  ask('over noclobber', 'ls >| /dev/null', /redirects/),
  ask('other descriptor', 'ls >&23', /redirects/),
  ask('closed', 'ls 2>&-', /./),
  ask('moved', 'ls 2>&1-', /redirects/),
  ask('named descriptor', 'ls {fd}>/dev/null', /plain words/),
  ask('word after the target', 'ls >/dev/null x', /plain words/),
  ask('null below', 'ls > /dev/null/../x', /redirects/),
  // Launchers and shell state
  ...Object.keys(launchers)
    .filter((name) => name !== '&' && name !== 'sudo')
    .map((name) => ask(`launcher ${name}`, `${name} ls`, /starts other|plain words/, [name])),
  ask('launcher by path', '/usr/bin/env ls', /starts other/, ['/usr/bin/env']),
  ...[
    'source x',
    '. x',
    'trap x',
    'alias x',
    'hash x',
    'enable x',
    'export X',
    'set x',
    'shopt x',
    'read x',
  ].map((command) => ask(`state ${command}`, command, /always asks|plain words/, [command])),
  ...[
    'unset X',
    'declare X',
    'typeset X',
    'readonly X',
    'cd x',
    'pushd x',
    'popd',
    'less x',
    'more x',
    'man x',
  ].map((command) => ask(`state ${command}`, command, /always asks|plain words/, [command])),
  ...[
    'vi x',
    'vim x',
    'nano x',
    'emacs x',
    'awk x',
    'test -v x',
    'printf -v x y',
    'printf -vx y',
    'let x',
  ].map((command) => ask(`state ${command}`, command, /always asks/, [command.replace(/ .*/u, ''), command])),
  auto('printf', 'printf %s x', ['printf']),
  ask('printf that counts', 'printf x%n PATH', /always asks/, ['printf']),
  ask('printf that counts, spelled out', 'printf -- "%-3ln" PATH', /always asks/, ['printf']),
  // Interpreters and runners
  ...Object.keys(runners).map((name) => ask(`runner ${name} alone`, `${name} x`, /must name/, [name])),
  ask('runner without words', 'make', /must name/, ['make']),
  autoExactly('runner with script', 'python scripts/gen.py --all', ['python scripts/gen.py']),
  auto('runner with module', 'python3 -m pytest -q', ['python3 -m pytest']),
  ask('runner with other module', 'python3 -m http.server', /no rule/, ['python3 -m pytest']),
  ask('runner with module option only', 'python -m x', /must name/, ['python -m']),
  ask('runner with option in front', 'python -u x.py', /must name/, ['python -u']),
  ask('runner with version', 'python3.12 x.py', /must name/, ['python3.12']),
  ask('runner by path', '.venv/bin/python x.py', /must name/, ['.venv/bin/python']),
  ask('runner reading input', 'bash -s', /must name/, ['bash -s']),
  ask('runner with run only', 'npm run build', /must name/, ['npm run']),
  auto('runner with subcommand', 'npm test -- --watch', ['npm test']),
  auto('runner with named script', 'npm run build', ['npm run build']),
  autoExactly('runner with target', 'make test V=1', ['make test']),
  autoExactly('runner with image', 'docker run alpine ls', ['docker run alpine']),
  ask('runner with compose only', 'docker compose up', /must name/, ['docker compose']),
  auto('runner about itself', 'node --version', ['node --version']),
  ask('runner with another target', 'make test deploy', /not known to be harmless/, ['make test']),
  auto('runner with both targets', 'make test deploy', ['make test deploy']),
  auto('runner with values of options', 'gradle test --tests Foo -x lint', ['gradle test']),
  ask('runner with another task after a flag', 'mvn test -q deploy', /not known to be harmless/, [
    'mvn test',
  ]),
  ask('runner with a toolchain only', 'cargo +nightly install x', /must name/, ['cargo +nightly']),
  auto('runner with a toolchain', 'cargo +nightly test -q', ['cargo +nightly test']),
  ask('runner with a workspace only', 'yarn workspace web exec ls', /must name/, ['yarn workspace web']),
  auto('runner with a workspace', 'yarn workspace web test', ['yarn workspace web test']),
  auto('runner with options, named whole', 'node --check src/a.ts', ['node --check src/a.ts']),
  auto('runner with a letter, named whole', 'cmake --build build', ['cmake --build build']),
  ask('runner named whole, and more', 'node --check src/a.ts x', /must name/, ['node --check src/a.ts']),
  ask('runner about itself and more', 'node --version x', /must name/, ['node --version']),
  // Guards
  ask('guard', 'find . -delete', /not known to be harmless/),
  ask('guard in quotes', `find . '-ex'"ec" rm x`, /not known to be harmless/),
  autoExactly('guard named', 'find . -delete', ['find . -delete']),
  ask('guard named elsewhere', 'find . -name x -delete', /no rule/, ['find . -delete']),
  ask('second guard', 'find . -delete -exec x', /not known to be harmless/, ['find . -delete']),
  // Arguments
  auto('path back to the root', 'ls src/..'),
  auto('path inside', 'cat src/a.ts ./src/../src/a.ts'),
  ask('absolute path', 'cat /etc/passwd', /outside/),
  ask('climbing path', 'cat ../x', /outside/),
  ask('climbing path after =', 'cat --file=../x', /outside/),
  ask('climbing path glued', 'cat -f../x', /outside/),
  ask('absolute path glued', 'cat -nf/etc/passwd', /outside/),
  ask('absolute path after colon', 'cat HEAD~1:/etc/passwd', /outside/),
  ask('home in quotes', 'cat "~/x"', /~/),
  ask('unc', "cat '\\\\host\\x'", /network/),
  ask('local url', 'cat file:///etc/passwd', /URL/),
  autoExactly('web address', 'curl -s https://example.com/a?b=/c', ['curl']),
  ask('link outside', 'cat out/x', /outside/),
  ask('glob through a link', 'cat src/*.md', /outside/),
  ask('secret', 'cat .env', /secret/),
  ask('secret after =', 'cat --file=.env', /secret/),
  ask('secret glued', 'cat -f.env', /secret/),
  ask('secret glued to a cluster', 'rg -nfid_rsa', /secret/),
  ask('secret after colon', 'git diff HEAD:.env', /secret/),
  ask('secret pattern', 'cat .e*', /secret/),
  ask('secret pattern in quotes', "rg --glob '*.env' x", /secret/),
  ask('secret met by a pattern', 'cat keys/*', /secret/),
  auto('protected for a reader', 'cat .git/config'),
  ask('protected for a writer', 'cp src/a.ts .git/hooks/x', /protected/),
  ask('protected after an option of git', 'git --no-pager rm .git/hooks/x', /protected/, ['git']),
  ask('protected for tee', 'tee .vscode/tasks.json', /protected/),
  ask('protected after =', 'dd of=.envrc', /protected/, ['dd']),
  ask('protected in a folder', 'rm -r sub', /protected/),
  ask('the workspace itself', 'rm -r .', /workspace folder/),
  auto('ordinary for a writer', 'cp src/a.ts src/b.ts'),
  ask('protected for who may write', 'pandoc x.html -o CLAUDE.md', /protected/, ['pandoc']),
  ask('protected for who may write, glued', 'pandoc x -o.vscode/x', /protected/, ['pandoc']),
  autoExactly('ordinary for who may write', 'pandoc x.html -o x.md', ['pandoc']),
  ask('protected by its address', 'wget -q https://example.com/AGENTS.md', /not known to be harmless/, [
    'wget',
  ]),
  ask(
    'protected folder by its address',
    'wget -x https://example.com/.vscode/x?a',
    /not known to be harmless/,
    ['wget'],
  ),
  ask(
    'protected repository by its address',
    'git clone https://example.com/.claude',
    /not known to be harmless/,
    ['git clone'],
  ),
  ask('protected new repository', 'git worktree add .vscode x', /protected/, ['git worktree']),
  autoExactly('other addresses', 'wget -q https://example.com/a.tgz && git clone https://example.com/a.git', [
    'wget',
    'git clone',
  ]),
  // `.?` is `..` too for shells before bash 5.2
  ask('glob up', 'cat .?/x', /outside/),
  ask('glob up, later', 'cat src/.?/.?/x', /outside/),
  // Printed text and search patterns are not paths
  auto('printed', 'echo "~5 files" /health .env'),
  ask('printed by a program of that name', './echo .env', /secret/, ['./echo']),
  auto('message', 'git commit -am "feat: x\n\nSee https://example.com/x, .env"', ['git commit']),
  autoExactly('message of a tag', 'git tag v1 -m "a b"', ['git tag']),
  ask('file of a message', 'git commit -F ../x', /outside/, ['git commit']),
  auto('sought', 'rg -n "/api/users" src/a.ts'),
  auto('searched after dashes', 'grep -rn -- "// TODO" src/a.ts', ['grep']),
  auto('sought in a file', 'grep -n .env .gitignore', ['grep']),
  ask(
    'searched after an option that may take it',
    'rg --ignore-file /etc/passwd x src',
    /not known to be harmless/,
  ),
  ask('patterns in a file', 'grep -f /etc/passwd src/a.ts', /not known to be harmless/, ['grep']),
  ask('patterns in a file, in a cluster', 'grep -nf ../x src/a.ts', /not known to be harmless/, ['grep']),
  ask('second word of a search', 'grep x ../y', /outside/, ['grep']),
  ask('first word if the pattern is an option', 'grep -e x ../y', /outside/, ['grep']),
  ask('first word without a pattern', 'rg --files ../y', /outside/),
  // Links that an earlier command moved
  ask('behind a moved link', 'mv a/b/l a/l && cat a/l/x', /may change where the paths of/, ['mv', 'cat']),
  ask('behind a checkout', 'git checkout -q pr && cat docs.txt', /may change where the paths of/, [
    'git checkout -q pr',
    'cat',
  ]),
  autoExactly('behind a checkout, by its rule', 'git checkout -q pr && npm run build', [
    'git checkout',
    'npm run build',
  ]),
  autoExactly('behind a checkout, without places', 'git pull -q && git log -p && echo done', [
    'git pull',
    'git log',
    'echo',
  ]),
  auto('behind a copy', 'cp src/a.ts src/b.ts && cat src/b.ts'),
  ask('behind a copy of links', 'cp -a src/l l && cat l/x', /may change where the paths of/, [
    'cp -a src/l l',
    'cat',
  ]),
  // Repositories on this machine, whose hooks and settings would count
  ask('fetching from here', 'git fetch . x:y', /not known to be harmless|must name/, ['git fetch']),
  ask('fetching from files', 'git fetch -q src/x', /not known to be harmless|must name/, ['git']),
  ask('fetching after a value', 'git fetch --depth 1 src/x', /not known to be harmless|must name/, [
    'git fetch',
  ]),
  ask('fetching after an unknown option', 'git fetch --new x.git', /not known to be harmless|must name/, [
    'git fetch',
  ]),
  ask(
    'fetching from one of several',
    'git fetch --multiple origin ./x',
    /not known to be harmless|must name/,
    ['git fetch'],
  ),
  ask('pulling from files', 'git pull --rebase x.git main', /not known to be harmless|must name/, [
    'git pull',
  ]),
  ask('a remote helper', 'git ls-remote x::y', /path of another system/, ['git ls-remote']),
  ask('cloning files', 'git clone x y', /not known to be harmless|must name/, ['git clone']),
  ask('cloning a bundle', 'git clone -b main x.bundle', /not known to be harmless|must name/, ['git clone']),
  ask('a server', 'git upload-pack x', /not known to be harmless|must name/, ['git']),
  ask('archive of another', 'git archive --remote=src/x HEAD', /not known to be harmless|must name/, [
    'git archive',
  ]),
  ask('archive of another word', 'git archive --remote x.git HEAD', /not known to be harmless|must name/, [
    'git archive',
  ]),
  ask('adding and fetching', 'git remote add -f x y', /not known to be harmless|must name/, ['git remote']),
  ask('a submodule of files', 'git submodule add -q ./x y', /not known to be harmless|must name/, [
    'git submodule',
  ]),
  auto('fetching from a remote', 'git fetch --depth 1 origin pull/1/head', ['git fetch']),
  autoExactly('pulling from a remote', 'git pull --rebase -X theirs origin feature/x', ['git pull']),
  autoExactly('cloning a branch', 'git clone -b feature/x git@example.com:a/b.git src/y', ['git clone']),
  autoExactly('archive of paths', 'git archive HEAD ./src', ['git archive']),
  autoExactly('adding a remote', 'git remote add x https://example.com/a.git', ['git remote']),
  auto('fetching from files by its rule', 'git fetch src/x.git', ['git fetch src/x.git']),
  // Unpacking writes files that are not named
  ask('unpacking', 'tar xf x.tar', /not known to be harmless/, ['tar']),
  autoExactly('unpacking by its rule', 'tar xf x.tar', ['tar xf']),
  ask('applying', 'git apply x.patch', /not known to be harmless/, ['git']),
  ask('patching', 'patch -p1', /always asks/, ['patch']),
  // Deny rules
  deny('deny', 'sudo ls'),
  deny('deny subcommand', 'git push -f'),
  deny('deny before allow', 'ls && sudo ls'),
  deny('deny quoted', `s"u"d'o' ls`),
  deny('deny with backslash', '\\sudo ls'),
  deny('deny in subshell', '(sudo ls)'),
  deny('deny in substitution', 'ls "$(sudo ls)"'),
  deny('deny in a loop', 'for x in a; do sudo ls; done'),
  deny('deny in a function', 'f() { sudo ls; }; f'),
  deny('deny after redirect', '>/dev/null sudo ls'),
  deny('deny after assignment', 'A=1 sudo ls'),
  deny('deny after env', 'env -i -u X A=1 sudo ls'),
  deny('deny after env -S', "env -S 'sudo ls'"),
  deny('deny after env -S glued', "env -i -S'sudo ls'"),
  deny('deny after env --split-string', "env --split-string='sudo ls' x"),
  deny('deny after a long option', 'timeout --signal KILL 5 sudo ls'),
  deny('deny after two long options', 'nice --adjustment 5 --x y sudo ls'),
  deny('deny after su -c glued', "su -c'sudo ls'"),
  deny('deny after su --command', "su --command='sudo ls'"),
  deny('deny after fdfind', 'fdfind x -x sudo rm'),
  deny('deny after two', 'nice -n 5 timeout -k 1 5 sudo ls'),
  deny('deny after xargs', 'ls | xargs -I {} sudo rm {}'),
  deny('deny after path', '/usr/bin/env sudo ls'),
  deny('deny after sh -c', "sh -c 'cd x && sudo ls'"),
  deny('deny after bash -lc', "bash -lc 'sudo ls'"),
  deny('deny after eval', 'eval "sudo ls"'),
  deny('deny after su -c', "su -c 'sudo ls'"),
  deny('deny after watch', "watch -n 1 'sudo ls'"),
  deny('deny after ssh', 'ssh -p 22 host sudo ls'),
  deny('deny after find', 'find . -name x -exec sudo rm {} \\;'),
  deny('deny in a long line', `echo ${'x '.repeat(3_000)}; sudo ls`),
  deny('deny in a very long line', `echo ${'x '.repeat(40_000)}; env sudo ls`),
  deny('deny in a line longer than any argument', `echo ${'x '.repeat(70_000)}; s"ud"o ls`),
  ask('line longer than any argument', `echo ${'x '.repeat(70_000)}`, /too long/),
  deny('deny in broken text', 'sudo ls "'),
  deny('deny with hidden characters', 'sudo ls\u200b'),
  ask('deny word as argument', 'echo sudo', /no rule/, []),
  ask('deny word in text', 'git commit -m "a; sudo b"', /no rule/, []),
  ask('deny word in a text after env', 'env git commit -m "sudo fix"', /starts other/, []),
  ask('deny word after a launcher', 'xargs grep sudo', /starts other/, []),
  ask('deny without path stripping', '/usr/bin/sudo ls', /starts other/, []),
  // zsh
  { ...auto('zsh', 'git status -s && ls'), shell: 'zsh' },
  { ...ask('zsh glob', 'ls src/*.ts', /zsh/), shell: 'zsh' },
  { ...ask('zsh path', 'ls =x', /plain words/), shell: 'zsh' },
  { ...ask('zsh modifier', 'noglob ls', /starts other/, ['noglob']), shell: 'zsh' },
  { ...deny('zsh deny', 'nocorrect sudo ls'), shell: 'zsh' },
  // Windows shells
  ...(['powershell', 'cmd'] as const).flatMap((shell): readonly Row[] => [
    { ...auto(shell, 'git status -s src/a.ts'), shell },
    { ...ask(`${shell} rule`, 'git log', /no rule/), shell },
    { ...ask(`${shell} separator`, 'git status; ls', /plain words/), shell },
    { ...ask(`${shell} variable`, 'ls $env:X', /plain words/), shell },
    { ...ask(`${shell} quotes`, 'ls "a"', /plain words/), shell },
    { ...ask(`${shell} backslash`, 'ls src\\a', /plain words/), shell },
    { ...ask(`${shell} newline`, 'ls\nls', /plain words/), shell },
    { ...ask(`${shell} percent`, 'ls %X%', /plain words/), shell },
    { ...ask(`${shell} empty`, '', /plain words/), shell },
    { ...ask(`${shell} launcher`, 'start ls', /starts other/, ['start']), shell },
    { ...ask(`${shell} launcher case`, 'Start.EXE ls', /starts other/, ['Start.EXE']), shell },
    { ...ask(`${shell} interpreter`, 'python x.py', /must name/, ['python']), shell },
    { ...ask(`${shell} guard`, 'rg --pre=x y', /not known/), shell },
    { ...ask(`${shell} guard in a list`, 'rg a,--pre=x y', /not known/), shell },
    { ...ask(`${shell} path`, 'cat ../x', /outside/), shell },
    { ...ask(`${shell} drive`, 'cat C:/x', /./), shell },
    { ...ask(`${shell} secret`, 'cat .env', /secret/), shell },
    { ...deny(`${shell} deny`, 'sudo ls'), shell },
    { ...deny(`${shell} deny case`, 'SUDO.exe ls'), shell },
    { ...deny(`${shell} deny after separator`, 'ls & sudo ls'), shell },
  ]),
];

posix.describe('judgeCommand', () => {
  const ports = commandPorts();
  let root: string;
  before(async () => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-commands-')));
    for (const name of ['src', 'keys', '.git', 'sub/.git'])
      mkdirSync(path.join(root, name), { recursive: true });
    for (const name of ['src/a.ts', 'keys/server.pem', '.git/config'])
      writeFileSync(path.join(root, name), '');
    symlinkSync('/etc', path.join(root, 'out'));
    symlinkSync('/etc/passwd', path.join(root, 'src/x.md'));
    await ports.grammar();
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const request = (command: string, more: Partial<CommandRequest> = {}): CommandRequest => ({
    command,
    shell: 'posix',
    allow: TOOLS,
    deny: ['sudo', 'git push'],
    roots: [root],
    cwd: root,
    ...more,
  });

  for (const { name, command, allow, decision, reason, shell = 'posix' } of rows) {
    const shown = command.length > 60 ? `${command.slice(0, 60)}…` : command;
    it(`G10.${name}: ${JSON.stringify(shown)} → ${decision}`, async () => {
      const verdict = await judgeCommand(request(command, { allow, shell }), ports);
      assert.equal(verdict.decision, decision, verdict.reason);
      if (decision === 'auto') assert.match(verdict.reason, /^matches /);
      if (reason !== undefined) assert.match(verdict.reason, reason);
    });
  }

  it('says which rules match and which words would run', async () => {
    const verdict = await judgeCommand(request('git status -s | wc -l && git status "a b"'), ports);
    assert.deepEqual(verdict, {
      decision: 'auto',
      reason: 'matches git status, wc',
      isPlain: true,
      commands: [
        ['git', 'status', '-s'],
        ['wc', '-l'],
        ['git', 'status', 'a b'],
      ],
    });
  });

  it('names the commands even if it asks', async () => {
    const verdict = await judgeCommand(request('if make; then npm "test"; fi'), ports);
    assert.deepEqual(verdict.commands, [['make'], ['npm', 'test']]);
  });

  it('G10.no grammar: everything asks, deny rules hold', async () => {
    const without = { ...ports, grammar: async () => undefined };
    assert.equal((await judgeCommand(request('ls'), without)).decision, 'ask');
    assert.equal((await judgeCommand(request('ls; sudo ls'), without)).decision, 'deny');
    const broken = { ...ports, grammar: async () => Promise.reject(new Error('no file')) };
    assert.equal((await judgeCommand(request('ls'), broken)).decision, 'ask');
  });

  it('G10.late grammar: asks when the time was not enough', async () => {
    const late = { ...ports, grammar: async () => ({ parse: () => undefined }) };
    assert.equal((await judgeCommand(request('ls'), late)).decision, 'ask');
    let given = 0;
    const seen = {
      ...ports,
      grammar: async () => ({ parse: (_: string, timeoutMs: number) => void (given = timeoutMs) }),
    };
    await judgeCommand(request('ls'), seen);
    assert.equal(given, limits.commandParseMs);
  });

  it('G10.broken file system: asks', async () => {
    assert.equal(
      (await judgeCommand(request('ls src'), { ...ports, files: brokenPathFiles })).decision,
      'ask',
    );
    const unreadable = { ...pathFileSystem, entries: async () => Promise.reject(new Error('no permission')) };
    assert.equal((await judgeCommand(request('ls src/*'), { ...ports, files: unreadable })).decision, 'ask');
  });

  it('G6.working folder must lie inside a root', async () => {
    for (const cwd of [path.dirname(root), '/', path.join(root, 'out')]) {
      assert.equal((await judgeCommand(request('ls', { cwd }), ports)).decision, 'ask', cwd);
    }
    assert.equal((await judgeCommand(request('ls', { roots: [] }), ports)).decision, 'ask');
    assert.equal(
      (await judgeCommand(request('ls ..', { cwd: path.join(root, 'src') }), ports)).decision,
      'auto',
    );
  });

  const offers: readonly { readonly command: string; readonly rules: readonly string[] }[] = [
    { command: 'npm test -- --watch', rules: ['npm test'] },
    { command: 'npm run build', rules: ['npm run build'] },
    { command: 'git commit -m "a b"', rules: ['git commit'] },
    { command: 'ls -la src', rules: ['ls'] },
    { command: 'python scripts/gen.py --all', rules: ['python scripts/gen.py --all'] },
    { command: 'python -m pytest -q', rules: ['python -m pytest'] },
    { command: 'find . -type f -delete', rules: ['find . -type f -delete'] },
    { command: 'git -c core.fsmonitor=x status', rules: [] },
    { command: 'sort -o new in', rules: ['sort -o new in'] },
    { command: 'python -c 1', rules: [] },
    { command: 'node --eval 1', rules: [] },
    { command: 'bash -c ls', rules: [] },
    { command: 'bash build.sh now', rules: ['bash build.sh now'] },
    { command: 'node --test', rules: ['node --test'] },
    { command: './run.sh fast', rules: ['./run.sh fast'] },
    { command: 'echo hello', rules: ['echo'] },
    { command: 'printf x', rules: ['printf'] },
    { command: 'npm test && git status | wc -l', rules: ['npm test', 'git status', 'wc'] },
    { command: 'npm test; npm test x', rules: ['npm test', 'npm test x'] },
    { command: 'make', rules: [] },
    { command: 'make test deploy', rules: ['make test deploy'] },
    { command: 'cargo +nightly test', rules: ['cargo +nightly test'] },
    { command: 'yarn workspace web test', rules: ['yarn workspace web test'] },
    { command: 'docker-compose run web pytest', rules: ['docker-compose run web pytest'] },
    { command: 'cmake --build build', rules: ['cmake --build build'] },
    { command: 'node --check src/a.ts', rules: ['node --check src/a.ts'] },
    { command: 'git apply x.patch', rules: ['git apply x.patch'] },
    ...['cross-env A=1 jest', 'gtimeout 60 npm test', 'hyperfine ls', 'nix-shell --run ls'].map(
      (command) => ({
        command,
        rules: [],
      }),
    ),
    { command: 'env ls', rules: [] },
    { command: 'ls > x', rules: [] },
    { command: 'cat .env', rules: [] },
    { command: 'cat /etc/passwd', rules: [] },
    { command: 'sed -n "1p; 2p" x', rules: ["sed -n '1p; 2p' x"] },
    { command: 'npm test && env ls', rules: [] },
    { command: 'echo $x', rules: [] },
    { command: 'sudo ls', rules: [] },
  ];
  for (const { command, rules } of offers) {
    it(`offers ${rules.length === 0 ? 'no rule' : rules.join(', ')} for ${command}`, async () => {
      assert.deepEqual((await offeredRules(request(command, { allow: [] }), ports)).shorter, rules);
    });
  }

  it('offers rules only for what needs one', async () => {
    assert.deepEqual((await offeredRules(request('ls && npm test'), ports)).shorter, ['npm test']);
  });
});
