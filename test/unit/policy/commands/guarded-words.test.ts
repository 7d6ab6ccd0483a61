import assert from 'node:assert/strict';
import { lastGuardedWord } from '../../../../src/policy/commands/guards';
import { guardedWords } from '../../../../src/policy/commands/guarded-words';

const READS_MORE =
  '/\\b(?:import|include)\\b|\\bload(?:_\\w+)?\\s*\\(|(?<![.\\w])(?:str)?env\\b(?!\\s*:)|envsubst|\\$ENV\\b/u';

const nodeOptions = (program: string): Readonly<Record<string, readonly string[]>> => ({
  c: [`${program} -c`, `${program} -yc`],
  C: [`${program} -C`],
  'script-shell': ['--script-shell=x', '-script-shell=x', '--script-sh=x'].map(
    (option) => `${program} ${option}`,
  ),
  'node-options': [`${program} --node-options=x`],
  call: [`${program} --call=x`],
  prefix: [`${program} --prefix=x`, `${program} --prefix`],
  dir: [`${program} --dir=x`],
  cwd: [`${program} --cwd=x`],
  config: [`${program} --config=x`],
  userconfig: [`${program} --userconfig=x`],
  globalconfig: [`${program} --globalconfig=x`],
  '--config.': [`${program} --config.script-shell=x`],
});

const nodePackages = (program: string): Readonly<Record<string, readonly string[]>> => ({
  ...nodeOptions(program),
  ...Object.fromEntries(
    ['config', 'c'].flatMap((config) =>
      ['set', 'delete', 'edit', 'fix', 'rm'].map((word) => [
        `${config} ${word}`,
        [`${program} ${config} ${word}`],
      ]),
    ),
  ),
});

/** `program` → entry of the table → commands that it must catch. */
const caught: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  find: {
    '-exec': ['find . -exec', 'find . -execdir', 'find . -name x -exec'],
    '-ok': ['find . -ok', 'find . -okdir'],
    '-delete': ['find . -delete'],
    '-fprint': ['find . -fprint', 'find . -fprintf', 'find . -fprint0'],
    '-fls': ['find . -fls'],
    '-files0-from': ['find -files0-from'],
  },
  fd: { x: ['fd -x', 'fd -Hx'], X: ['fd -X'], exec: ['fd --exec'], 'exec-batch': ['fd --exec-batch=rm'] },
  git: {
    c: ['git -c', 'git -cuser.name=x'],
    p: ['git -p', 'git add -p'],
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
    apply: ['git apply', 'git --no-pager apply'],
    am: ['git am'],
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
    config: ['ugrep --config=x'],
    '---': ['ugrep ---x'],
  },
  file: { C: ['file -C', 'file -Cm'], compile: ['file --compile'] },
  yq: {
    i: ['yq -i', 'yq -Pi'],
    s: ['yq -s'],
    inplace: ['yq --inplace'],
    'in-place': ['yq --in-place'],
    'split-exp': ['yq --split-exp=x'],
    [READS_MORE]: ['yq load("x")', 'yq load_str("x")', 'yq env(X)', 'yq import'],
  },
  jq: {
    [READS_MORE]: ['jq import', 'jq include"a";.', 'jq -n env', 'jq -n $ENV', 'jq -n env.HOME', 'jq [env]'],
  },
  uniq: { last: ['uniq in out', 'uniq -c in out', 'uniq -f 1 in out', 'uniq - out'] },
  'json.tool': { last: ['json.tool in out', 'json.tool --sort-keys in out'] },
  xxd: { last: ['xxd in out', 'xxd -p in out', 'xxd -l 16 in out'] },
  xmllint: Object.fromEntries(
    ['noent', 'xinclude', 'loaddtd', 'dtdattr', 'valid', 'postvalid', 'shell', 'output'].map((option) => [
      option,
      [`xmllint --${option}`],
    ]),
  ),
  unzip: { last: ['unzip x.zip', 'unzip -o x.zip -d src', 'unzip -d -l x.zip'] },
  du: { 'files0-from': ['du --files0-from=x'] },
  cp: {
    b: ['cp -b', 'cp -ab'],
    S: ['cp -S', 'cp -S.md'],
    backup: ['cp --backup', 'cp --back=x'],
    suffix: ['cp --suffix=x'],
    'strip-program': ['cp --strip-program=x'],
  },
  split: { filter: ['split --filter=x'] },
  diff3: { 'diff-program': ['diff3 --diff-program=x'] },
  pip: {
    'config set': ['pip config set'],
    'config edit': ['pip config edit'],
    'config unset': ['pip config unset'],
  },
  pylint: {
    'init-hook': ['pylint --init-hook=x'],
    'load-plugins': ['pylint --load-plugins=x'],
    rcfile: ['pylint --rcfile=x'],
  },
  gradle: {
    I: ['gradle -I'],
    'init-script': ['gradle --init-script'],
    'include-build': ['gradle --include-build'],
  },
  gcc: {
    B: ['gcc -B', 'gcc -B./x'],
    wrapper: ['gcc -wrapper'],
    specs: ['gcc -specs=x', 'gcc --specs=x'],
    '-fplugin': ['gcc -fplugin=x'],
    '@': ['gcc @x'],
  },
  kubectl: { kubeconfig: ['kubectl get --kubeconfig=x'] },
  helm: { kubeconfig: ['helm --kubeconfig=x'], 'post-renderer': ['helm template . --post-renderer'] },
  hg: {
    R: ['hg -R'],
    config: ['hg log --config'],
    cwd: ['hg --cwd=x'],
    repository: ['hg --repository=x'],
  },
  svn: Object.fromEntries(
    ['diff-cmd', 'diff3-cmd', 'config-option', 'config-dir', 'editor-cmd'].map((option) => [
      option,
      [`svn diff --${option}`],
    ]),
  ),
  exiftool: Object.fromEntries(
    ['-if', '-p', '-@', '-config', '-execute'].map((option) => [option, [`exiftool ${option}`]]),
  ),
  aria2c: {
    'conf-path': ['aria2c --conf-path=x'],
    'input-file': ['aria2c --input-file=x'],
    '--on-': ['aria2c --on-download-complete=x'],
    '-i': ['aria2c -i'],
  },
  tcpdump: { z: ['tcpdump -z'], w: ['tcpdump -w'], F: ['tcpdump -F'] },
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
    x: ['tar -x', 'tar xf', 'tar -zxf'],
    P: ['tar -P', 'tar cPf'],
    extract: ['tar --extract', 'tar --ext'],
    get: ['tar --get'],
    'absolute-names': ['tar --absolute-names', 'tar --abs'],
    T: ['tar -T', 'tar -cT', 'tar cT'],
    'files-from': ['tar --files-from=x', 'tar --files=x'],
    'to-command': ['tar --to-command=x', 'tar --to-c=x'],
    'checkpoint-action': ['tar --checkpoint-action=exec=x'],
    'use-compress-program': ['tar --use-compress-program=x', 'tar --use=x'],
    'info-script': ['tar --info-script=x'],
    'new-volume-script': ['tar --new-volume-script=x'],
    'rsh-command': ['tar --rsh-command=x'],
    'rmt-command': ['tar --rmt-command=x'],
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
  '7z': { '/^@|^-[ix].*@/u': ['7z a x.7z @list', '7z a x.7z -i@list'], x: ['7z x'], e: ['7z e'] },
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
    '--expand-': ['curl --expand-config'],
    '/file:/iu': ['curl file:///x', 'curl FILE:x'],
    '/^(?!https?:\\/\\/|\\s*[{[]\\s*["{[\\]}]).*[{[]/isu': [
      'curl {file}:x',
      'curl f[i-i]le:x',
      'curl [f-f]x',
    ],
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
    'content-disposition': ['wget --content-disposition'],
    'trust-server-names': ['wget --trust-server-names'],
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
  npm: { ...nodePackages('npm'), set: ['npm set'] },
  npx: nodeOptions('npx'),
  yarn: nodePackages('yarn'),
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
    'device-cgroup-rule': ['docker run --device-cgroup-rule=x'],
    'group-add': ['docker run --group-add=x'],
    userns: ['docker run --userns=host'],
    uts: ['docker run --uts=host'],
    cgroupns: ['docker run --cgroupns=host'],
    'cgroup-parent': ['docker run --cgroup-parent=x'],
    host: ['docker --host=x'],
  },
};

/** What the patterns of the table must catch, the last word of each. */
const caughtByPatterns: readonly string[] = [
  ...[
    'ps e',
    'ps eww',
    'ps aux e',
    'ps axem',
    'ps axeZ',
    'ps auxeww',
    'ps axE',
    'ps -E',
    'ps -axE',
    'ps -auxe',
  ],
  ...['ps -axe', 'ps -o environ', 'ps axo environ'],
  ...['tar xf host:x', 'tar -f user@host:x', 'tar --file=host:x', 'tar -tfhost:x', 'tar --fil=user@host:/x'],
  ...['rsync -a host:x', 'rsync -a x user@host:y', 'rsync x host::y'],
  ...[
    'gradle test -Dorg.gradle.jvmargs=-XX:OnOutOfMemoryError=x',
    'gradle test -Dx=y',
    'gradle test -Px=./y',
  ],
  ...['mvn test -DargLine=-XX:OnOutOfMemoryError=x', 'mvn test -Dexec.executable=x', 'mvn test -D', 'mvn -f'],
  ...['mvn -s', 'mvn -gs', 'mvn test -Dtest=$(x)'],
  ...['dotnet build -p:PreBuildEvent=x', 'dotnet build /p:PostBuildEvent=x', 'dotnet test --property:X=y'],
  ...['dotnet build -p', 'dotnet build @x.rsp', 'dotnet build -logger:x.dll', 'dotnet build /t:deploy'],
  ...[
    'make test PATH=docs',
    'make NODE_OPTIONS=x',
    'make test LD_PRELOAD=x.so',
    'make GIT_SSH=x',
    'make BASH_ENV=x',
  ],
  ...[
    'make test PYTHONPATH=docs',
    'make RUSTC_WRAPPER=x',
    'make CFLAGS=-fplugin=x',
    'make npm_config_node=x',
  ],
];

/** Programs that share the entry of another one. */
const same: Readonly<Record<string, string>> = {
  gmake: 'make',
  gojq: 'jq',
  guniq: 'uniq',
  msbuild: 'dotnet',
  mvnw: 'mvn',
  'py.test': 'pytest',
  uvx: 'uv',
  pnpm: 'npm',
  podman: 'docker',
  nerdctl: 'docker',
  gfind: 'find',
  fdfind: 'fd',
  gsort: 'sort',
  gsed: 'sed',
  gtar: 'tar',
  bsdtar: 'tar',
  mv: 'cp',
  ln: 'cp',
  install: 'cp',
  gradlew: 'gradle',
  'g++': 'gcc',
  cc: 'gcc',
  'c++': 'gcc',
  clang: 'gcc',
  'clang++': 'gcc',
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
  'tar -tf x.tgz',
  'tar --list --file=x.tgz',
  'unzip -l x.zip',
  'ps aux',
  'ps -eo pid,etime,cmd',
  'ps axo pid,etime',
  'ps -C node',
  'ps -eLf',
  'jq .env x.json',
  'jq {env:.a} x.json',
  'uniq -c x',
  'xxd -l 16 x',
  'cargo test --lib',
  'jest --coverage --runInBand',
  'pytest -x --cov=src -rA -p no:cacheprovider',
  'mvn test -DskipTests -Dtest=Foo*',
  'gradle test -Pversion=1.2 --parallel',
  'dotnet test -p:Configuration=Release',
  'eslint --cache .',
  'pip install --pre x',
  'go test -run=TestCase ./...',
  'ps -ef',
  'jq .a x.json',
  'git log -p',
  'git switch -c x',
  'git cherry-pick -x HEAD',
  'git ls-files -o --exclude-standard',
  'git rev-parse --git-dir',
  'git diff --text',
  'npm test -- -c x --config y',
  'npx jest --config x.js',
  'npm config get registry',
  'npm run reset',
  'cp -r a b',
  'curl -d {"a":1} https://example.com',
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
  for (const command of caughtByPatterns) {
    it(`G10.guard catches the last word of ${command}`, () => {
      const words = command.split(' ');
      assert.equal(lastGuardedWord(words[0] ?? '', words), words.length - 1);
    });
  }

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

  for (const [program, guarded] of Object.entries(guardedWords)) {
    it(`G10.guard ${program} catches each entry of the table, however it is written`, () => {
      const commands = [
        ...Array.from(guarded.letters ?? '', (letter) => `${program} -${letter}`),
        ...(guarded.options ?? []).flatMap((option) => [
          `${program} x --${option}`,
          `${program} x --${option}=y`,
        ]),
        ...(guarded.beginnings ?? []).map((beginning) => `${program} x ${beginning}`),
        ...(guarded.subcommands ?? []).map((row) => `${program} ${row.join(' ')}`),
      ];
      for (const command of commands) {
        const words = command.split(' ');
        const { harmless: isHarmless = () => false } = guarded;
        if (!isHarmless(words, words.length - 1))
          assert.equal(lastGuardedWord(program, words), words.length - 1, command);
      }
    });
  }

  it('G10.guard has a row here for every entry of the table that is not a plain word', () => {
    for (const [program, guarded] of Object.entries(guardedWords)) {
      if (program in same) {
        assert.equal(guarded, guardedWords[same[program] ?? ''], program);
        continue;
      }
      const commands = [...caughtByPatterns, ...Object.values(caught[program] ?? {}).flat()].filter(
        (command) => command.startsWith(`${program} `),
      );
      for (const pattern of guarded.patterns ?? [])
        assert.ok(
          commands.some((command) => pattern.test(command.split(' ').at(-1) ?? '')),
          `${program} ${pattern}`,
        );
      if (guarded.last) assert.ok('last' in (caught[program] ?? {}), program);
    }
  });

  for (const command of harmless) {
    it(`lets ${command} pass`, () => {
      const words = command.split(' ');
      assert.equal(lastGuardedWord(words[0] ?? '', words), 0);
    });
  }

  it('returns the last position, because a rule must name all words up to it', () => {
    assert.equal(lastGuardedWord('find', ['find', '.', '-exec', 'rm', '-delete', 'x']), 4);
  });
});
