import assert from 'node:assert/strict';
import { guardedWords, lastGuardedWord } from '../../../src/policy/command-options';

/** `program` → entry of the table → commands that it must catch. */
const caught: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  find: {
    '-exec': ['find . -exec', 'find . -execdir', 'find . -name x -exec'],
    '-ok': ['find . -ok', 'find . -okdir'],
    '-delete': ['find . -delete'],
    '-fprint': ['find . -fprint', 'find . -fprintf', 'find . -fprint0'],
    '-fls': ['find . -fls'],
  },
  fd: { x: ['fd -x', 'fd -Hx'], X: ['fd -X'], exec: ['fd --exec'], 'exec-batch': ['fd --exec-batch=rm'] },
  git: {
    c: ['git -c', 'git -cuser.name=x'],
    p: ['git -p', 'git log -p'],
    O: ['git grep -O', 'git grep -Ovim'],
    x: ['git difftool -x', 'git rebase -x'],
    'config-env': ['git --config-env=a=b', 'git --config-env'],
    'exec-path': ['git --exec-path=/x'],
    'git-dir': ['git --git-dir=x', 'git --git-dir'],
    'work-tree': ['git --work-tree=x'],
    paginate: ['git --paginate'],
    output: ['git log --output=x', 'git diff --output', 'git diff --outp=x'],
    'output-directory': ['git format-patch --output-directory=x'],
    'open-files-in-pager': ['git grep --open-files-in-pager=x'],
    'ext-diff': ['git diff --ext-diff'],
    textconv: ['git diff --textconv'],
    contents: ['git blame --contents'],
    'upload-pack': ['git fetch --upload-pack=x', 'git clone --upload-p'],
    'receive-pack': ['git push --receive-pack=x'],
    exec: ['git push --exec=x'],
    extcmd: ['git difftool --extcmd=x'],
    template: ['git clone --template=x', 'git init --templ=x'],
    '-o': ['git archive -o', 'git format-patch -ox'],
    'clone -u': ['git clone -u', 'git clone -q -u', 'git clone -u./x'],
    '/ext::/u': ['git clone ext::x', 'git clone --foo=ext::x'],
    '/^:\\(/u': ['git grep x :(top)', 'git diff :(top,glob)src'],
    difftool: ['git difftool'],
    mergetool: ['git mergetool'],
    'bisect run': ['git bisect run'],
    'submodule foreach': ['git submodule foreach', 'git submodule --quiet foreach'],
    'filter-branch': ['git filter-branch'],
    'for-each-repo': ['git for-each-repo'],
    'hook run': ['git hook run'],
    credential: ['git credential'],
    last: [
      'git config user.name x',
      'git config user.name',
      'git config --add a.b c',
      'git config --unset a.b',
      'git config -e',
      'git config set a.b c',
      'git config --get a.b --add',
      'git -C sub config a.b c',
      'git -C',
      'git --no-pager -C',
    ],
  },
  rg: {
    z: ['rg -z', 'rg -nz'],
    pre: ['rg --pre=x', 'rg --pre'],
    'hostname-bin': ['rg --hostname-bin=x'],
    'search-zip': ['rg --search-zip'],
  },
  sort: {
    o: ['sort -o', 'sort -ofile', 'sort -no'],
    output: ['sort --output=x', 'sort --outp=x', 'sort --o'],
    'compress-program': ['sort --compress-program=x', 'sort --comp=x'],
    'files0-from': ['sort --files0-from=x', 'sort --files=x'],
  },
  tree: { o: ['tree -o'] },
  ag: { pager: ['ag --pager=x', 'ag --pager'] },
  ack: {
    x: ['ack -x', 'ack -ix'],
    pager: ['ack --pager=x'],
    'files-from': ['ack --files-from=x', 'ack --files-fr=x'],
  },
  ugrep: {
    pager: ['ugrep --pager=x', 'ugrep --pager'],
    view: ['ugrep --view=x'],
    filter: ['ugrep --filter=x'],
    from: ['ugrep --from=x'],
  },
  file: { C: ['file -C', 'file -Cm'], compile: ['file --compile'] },
  yq: {
    i: ['yq -i', 'yq -Pi'],
    s: ['yq -s'],
    inplace: ['yq --inplace'],
    'in-place': ['yq --in-place'],
    'split-exp': ['yq --split-exp=x'],
  },
  sed: {
    last: [
      'sed -i',
      'sed -n 1p -i',
      'sed -f',
      'sed --in-place',
      'sed -n 1p -s',
      'sed -e',
      'sed --',
      'sed 1,5p',
      'sed -n w',
      'sed -n 1w',
      'sed e',
      'sed s/a/b/e',
      'sed s/a/b/w',
      'sed s/a/b/;e',
      'sed s/a/b',
      'sed s/a/b/M',
      'sed 1d',
      'sed y/a/b/',
      'sed séaébé',
      'sed s_a_b_',
      'sed s;a;b;',
    ],
  },
  tar: {
    I: ['tar -I', 'tar -xIf', 'tar xI'],
    F: ['tar -F', 'tar cF'],
    T: ['tar -T', 'tar -cT', 'tar cT'],
    'files-from': ['tar --files-from=x', 'tar --files=x'],
    'to-command': ['tar --to-command=x', 'tar --to-c=x'],
    'checkpoint-action': ['tar --checkpoint-action=exec=x'],
    'use-compress-program': ['tar --use-compress-program=x', 'tar --use=x'],
    'info-script': ['tar --info-script=x'],
    'new-volume-script': ['tar --new-volume-script=x'],
    'rsh-command': ['tar --rsh-command=x'],
    'rmt-command': ['tar --rmt-command=x'],
    '/^[\\w.@-]+:/u': ['tar xf host:x', 'tar -f user@host:x'],
  },
  rsync: {
    e: ['rsync -e', 'rsync -ave'],
    rsh: ['rsync --rsh=x'],
    'rsync-path': ['rsync --rsync-path=x'],
    'files-from': ['rsync --files-from=x'],
  },
  zip: {
    T: ['zip -T', 'zip -TT'],
    '@': ['zip x -@', 'zip x -q@'],
    'unzip-command': ['zip --unzip-command=x'],
    'names-stdin': ['zip x --names-stdin'],
  },
  '7z': { '/^@/u': ['7z a x.7z @list'] },
  curl: {
    o: ['curl -o', 'curl -so'],
    O: ['curl -O', 'curl -sSLO'],
    T: ['curl -T'],
    K: ['curl -K'],
    output: ['curl --output'],
    'output-dir': ['curl --output-dir'],
    'remote-name': ['curl --remote-name'],
    'remote-name-all': ['curl --remote-name-all'],
    'upload-file': ['curl --upload-file=x'],
    config: ['curl --config'],
    c: ['curl -c', 'curl -sc'],
    D: ['curl -D', 'curl -D-'],
    n: ['curl -n', 'curl -sn'],
    'cookie-jar': ['curl --cookie-jar=x'],
    'dump-header': ['curl --dump-header'],
    trace: ['curl --trace'],
    'trace-ascii': ['curl --trace-ascii'],
    libcurl: ['curl --libcurl'],
    stderr: ['curl --stderr'],
    'etag-save': ['curl --etag-save'],
    hsts: ['curl --hsts'],
    'alt-svc': ['curl --alt-svc'],
    netrc: ['curl --netrc'],
    'netrc-optional': ['curl --netrc-optional'],
    'netrc-file': ['curl --netrc-file=x'],
    '/%output\\{/u': ['curl -w x%output{y}'],
    '/[@<]/u': ['curl -d @x', 'curl -d@x', 'curl --data=@x', 'curl -F a=@x', 'curl -F a=<x'],
  },
  wget: {
    O: ['wget -O', 'wget -qO-'],
    e: ['wget -e'],
    'output-document': ['wget --output-document=x'],
    execute: ['wget --execute=x'],
    'post-file': ['wget --post-file=x'],
    'body-file': ['wget --body-file=x'],
    'use-askpass': ['wget --use-askpass=x'],
    config: ['wget --config=x'],
  },
  make: {
    f: ['make -f', 'make -fx'],
    C: ['make -C'],
    E: ['make -E'],
    file: ['make --file=x'],
    makefile: ['make --makefile=x'],
    directory: ['make --directory=x'],
    eval: ['make --eval=x'],
    '/^(?:SHELL|\\.SHELLFLAGS|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES)[\\s:?+]*=/u': [
      'make SHELL=x',
      'make SHELL:=x',
      'make .SHELLFLAGS=x',
      'make MAKEFLAGS+=x',
      'make GNUMAKEFLAGS=x',
      'make MAKEFILES=x',
    ],
    '/!=/u': ['make X!=id'],
    '/\\$/u': ['make X=$(shell)', 'make X=${x}'],
    '/^[\\w.-]+[\\s:?+]*=.*[\\s/;&|<>`(){}]/u': ['make CC=./x', 'make CC:=a;b', 'make X=`id`'],
  },
  npm: {
    c: ['npm exec -c'],
    C: ['npm -C'],
    'script-shell': ['npm --script-shell=x', 'npm -script-shell=x', 'npm --script-sh=x'],
    'node-options': ['npm --node-options=x'],
    call: ['npm exec --call=x'],
    prefix: ['npm --prefix=x', 'npm --prefix'],
    dir: ['npm --dir=x'],
    cwd: ['npm --cwd=x'],
    config: ['npm --config=x'],
    userconfig: ['npm --userconfig=x'],
    globalconfig: ['npm --globalconfig=x'],
    '--config.': ['npm --config.script-shell=x'],
  },
  go: {
    exec: ['go test -exec', 'go test --exec=x', 'go test -exec=x'],
    toolexec: ['go build -toolexec'],
    vettool: ['go vet -vettool=x'],
    ldflags: ['go build -ldflags=x'],
    'env -w': ['go env -w'],
  },
  cargo: { Z: ['cargo -Z'], config: ['cargo --config=x', 'cargo --config'] },
  docker: {
    v: ['docker run -v', 'docker run -v/:/host'],
    H: ['docker -H'],
    volume: ['docker run --volume=/:/x'],
    'volumes-from': ['docker run --volumes-from=x'],
    mount: ['docker run --mount'],
    privileged: ['docker run --privileged'],
    'cap-add': ['docker run --cap-add=x'],
    device: ['docker run --device=x'],
    'security-opt': ['docker run --security-opt=x'],
    pid: ['docker run --pid=host'],
    ipc: ['docker run --ipc=host'],
    host: ['docker --host=x'],
  },
};

/** Programs that share the entry of another one. */
const same: Readonly<Record<string, string>> = {
  gmake: 'make',
  pnpm: 'npm',
  yarn: 'npm',
  npx: 'npm',
  podman: 'docker',
  nerdctl: 'docker',
  gfind: 'find',
  fdfind: 'fd',
  gsort: 'sort',
  gsed: 'sed',
  gtar: 'tar',
  bsdtar: 'tar',
  ug: 'ugrep',
  '7za': '7z',
  '7zz': '7z',
  bat: 'ag',
  batcat: 'ag',
};

const harmless: readonly string[] = [
  'find . -name x -type f',
  'git status -sb',
  'git status -uno',
  'git push -u origin main',
  'git log --oneline -n 5 --stat',
  'git diff --cached --no-ext-diff',
  'git commit -am x',
  'git config --get user.name',
  'git config --global --list',
  'git config list',
  'git diff config',
  'git diff -C',
  'git status --untracked-files=no',
  'git branch --contains x',
  'rg -n --pretty x',
  'rg --pre-glob x',
  'sort -rn -k2,2',
  'sed -n 1,5p x',
  'sed -n 1,$p x',
  'sed s/a/b/ x',
  'sed -E s/(a|b)/c\\/d/g x',
  'sed s|a|b|2p x',
  'tar czf x.tgz INFO',
  'tar -xf x.tgz',
  'rsync -av a b',
  'curl -fsSL https://example.com',
  'wget -q https://example.com',
  'make -j4 test V=1',
  'npm run build -- --watch',
  'npm ci --no-audit',
  'go test -run TestX ./...',
  'go env GOPATH',
  'make test CFLAGS=-O2 NAME=a.b',
  'yq .a x.yml',
  'cargo test --release',
  'docker ps -a',
  'docker compose up -d',
  'constructor -x',
];

describe('guarded words', () => {
  for (const [program, entries] of Object.entries(caught)) {
    for (const [entry, commands] of Object.entries(entries)) {
      it(`G10.guard ${program} ${entry}`, () => {
        for (const command of commands) {
          const words = command.split(' ');
          assert.equal(lastGuardedWord(program, words), words.length - 1, command);
        }
      });
    }
  }

  it('G10.guard has a row here for each entry of the table', () => {
    for (const [program, guarded] of Object.entries(guardedWords)) {
      if (program in same) {
        assert.equal(guarded, guardedWords[same[program] ?? ''], program);
        continue;
      }
      const entries = [
        ...Array.from(guarded.letters ?? ''),
        ...(guarded.options ?? []),
        ...(guarded.beginnings ?? []),
        ...(guarded.patterns ?? []).map(String),
        ...(guarded.subcommands ?? []).map((row) => row.join(' ')),
        ...(guarded.last === undefined ? [] : ['last']),
      ];
      assert.deepEqual(Object.keys(caught[program] ?? {}).sort(), entries.sort(), program);
    }
  });

  for (const command of harmless) {
    it(`lets ${command} pass`, () => {
      const words = command.split(' ');
      assert.equal(lastGuardedWord(words[0] ?? '', words), 0);
    });
  }

  it('gives the last place, for a rule must name all up to it', () => {
    assert.equal(lastGuardedWord('find', ['find', '.', '-exec', 'rm', '-delete', 'x']), 4);
  });
});
