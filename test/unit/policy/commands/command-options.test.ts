import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rowsOf } from '../../../../src/policy/commands/argument-rows';
import { judgeCommand } from '../../../../src/policy/commands/commands';
import { ruleText } from '../../../../src/policy/commands/rules';
import { tables } from '../../../../src/policy/commands/tables';
import { commandPorts } from '../../../support/workspace/command-ports';

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

/** `program` → kind of word → commands that no rule covers but one of all their words. */
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

/** More of them. */
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
  ...[
    'ps -axe',
    'ps -o environ',
    'ps axo environ',
    'ps -e x',
    'ps -e u',
    'ps -e -f u',
    'ps -ef aux',
    'ps -e -j a',
  ],
  ...['gh run view 1 -w ci', 'gh run view -w ci'],
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

/** Programs that take the same words as another one. */
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

/** Words that make a program run, load, write or read what it is told to, or work elsewhere. No table may have a row. */
const harmful: Readonly<Record<string, string>> = {
  find: '-exec -ok -delete -fprint -fls -files0-from',
  fd: '-x -X --exec --exec-batch',
  git: '-c -p -O -x --config-env --exec-path --git-dir --work-tree --paginate --output --output-directory --open-files-in-pager --ext-diff --textconv --contents --upload-pack --receive-pack --exec --extcmd --template -o',
  rg: '-z --pre --hostname-bin --search-zip',
  ag: '--pager',
  ack: '-x --pager --files-from',
  ugrep: '--pager --view --filter --from --config ---',
  sort: '-o --output --compress-program --files0-from',
  tree: '-o',
  file: '-C --compile',
  jq: '-f -L --from-file --library-path',
  yq: '-i -s --inplace --in-place --split-exp',
  xmllint: '--noent --xinclude --loaddtd --dtdattr --valid --postvalid --shell --output',
  tar: '-I -F -T -x -P --files-from --to-command --checkpoint-action --use-compress-program --info-script --new-volume-script --rsh-command --rmt-command --extract --get --absolute-names',
  rsync: '-e --rsh --rsync-path --files-from',
  zip: '-T -@ --unzip-command --names-stdin',
  du: '--files0-from',
  cp: '-b -S --backup --suffix --strip-program',
  split: '--filter',
  diff3: '--diff-program',
  sdiff: '-o --diff-program --output',
  xxd: '-r --revert',
  shuf: '-o --output',
  iconv: '-o --output',
  cloc: '--vcs --config --extract-with --script-lang --force-lang-def --read-lang-def --sdir --out --report-file --sql --sql-append --sql-project --write-lang-def --write-lang-def-incl-dup --counted --ignored --found --categorized --unicode --diff-alignment --list-file',
  wc: '--files0-from',
  curl: '-o -O -T -K -c -D -n --output --output-dir --remote-name --remote-name-all --upload-file --config --cookie-jar --dump-header --trace --trace-ascii --libcurl --stderr --etag-save --hsts --alt-svc --netrc --netrc-optional --netrc-file --expand-',
  wget: '-O -e --output-document --execute --post-file --body-file --use-askpass --config --content-disposition --trust-server-names',
  gcc: '-B --wrapper --specs -fplugin @',
  kubectl: '--kubeconfig',
  helm: '--kubeconfig --post-renderer',
  hg: '-R --config --cwd --repository',
  svn: '--diff-cmd --diff3-cmd --config-option --config-dir --editor-cmd',
  exiftool: '-if -p -@ -config -execute',
  aria2c: '--conf-path --input-file --on- -i',
  tcpdump: '-z -w -F',
  docker:
    '-v -H --volume --volumes-from --mount --privileged --cap-add --device --security-opt --pid --ipc --host --device-cgroup-rule --group-add --userns --uts --cgroupns --cgroup-parent',
  make: '-f -C -E --file --makefile --directory --eval',
  npm: '-c -C -w -F -r --script-shell --node-options --call --prefix --dir --cwd --config --userconfig --globalconfig --workspace --workspaces --filter --recursive --config.',
  yarn: '-c -C --script-shell --node-options --call --prefix --dir --cwd --config --userconfig --globalconfig --config.',
  npx: '-c -C --script-shell --node-options --call --prefix --dir --cwd --config --userconfig --globalconfig --config.',
  bun: '--cwd --config --preload --filter',
  pip: '-i --index-url --extra-index-url --find-links --proxy --trusted-host --target --prefix --root --python',
  pylint: '--init-hook --load-plugins --rcfile',
  uv: '--directory --project --config-file --python',
  poetry: '-C -P --directory --project',
  composer: '-d --working-dir',
  bundle: '--gemfile',
  dotnet: '--test-adapter-path --settings',
  gradle:
    '-I --init-script --include-build --project-dir --gradle-user-home --build-file --settings-file -p -g -b -c',
  mvn: '--file --settings --global-settings --toolchains --global-toolchains --define --gs --gt',
  just: '-f -d --justfile --working-directory --set --shell --shell-arg --dotenv-path --command',
  task: '-t -d --taskfile --dir',
  turbo: '--cwd --root-turbo-json',
  rake: '-e -E -p -f -r -R -I -C --execute --execute-print --execute-continue --rakefile --require --libdir',
  ctest:
    '-S -D -M -T --build-and-test --test-command --build-generator --build-makeprogram --script --script-new-process --dashboard',
  meson: '--wrapper --gdb --gdb-path --native-file --cross-file',
  ninja: '-t',
  jest: '--transform --setupFiles --setupFilesAfterEnv --globalSetup --globalTeardown --resolver --runner --testRunner --testSequencer --snapshotSerializers --watchPlugins --moduleNameMapper --haste --globals --cacheDirectory --clearCache --outputFile --coverageDirectory --rootDir --roots',
  vitest: '--globalSetup --setupFiles --runner --root --dir --outputFile',
  mocha: '-r --require --loader --import --config --package --opts --reporter-option',
  ava: '--require --config',
  pytest:
    '-p -c -o --rootdir --confcutdir --override-ini --config-file --cov-config --basetemp --junitxml --junit-xml --log-file --report-log --result-log --pastebin --debug',
  phpunit: '--bootstrap --extension --log-junit --log-teamcity',
  rspec: '-r -I -O --require --options',
  eslint:
    '-o --plugin --rulesdir --resolve-plugins-relative-to --init --cache-location --cache-file --output-file',
  prettier: '--plugin --plugin-search-dir --cache-location',
  mypy: '--python-executable --cache-dir --junit-xml',
  go: '--exec --toolexec --vettool --ldflags --overlay --modfile --C',
  cargo: '-Z -C --config --manifest-path',
};

/** The same letter means something else after these. */
const others: ReadonlySet<string> = new Set([
  'git log -p',
  'git show -p',
  'git diff -p',
  'git grep -p',
  'git cat-file -p',
  'git fetch -p',
  'git ls-files -c',
  'git ls-files -o',
  'git shortlog -c',
  'git grep -c',
  'git grep -o',
  'git diff -c',
  'git blame -C',
  'git rev-parse --git-dir',
  // Only to leave a plugin out.
  'pytest -p',
]);

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

describe('options of commands', () => {
  const ports = commandPorts();
  let root: string;
  before(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-options-')));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  async function asksBeyond(rule: readonly string[], command: readonly string[]): Promise<void> {
    const request = { shell: 'posix', deny: [], roots: [root], cwd: root } as const;
    const allow = [ruleText(rule)];
    const { decision, reason } = await judgeCommand({ ...request, command: ruleText(command), allow }, ports);
    assert.equal(decision, 'ask', `${ruleText(command)}: ${reason}`);
  }

  /** By a rule of all words but the last, and by every shorter one. */
  async function asksAtLast(command: readonly string[]): Promise<void> {
    for (let length = 1; length < command.length; length++)
      await asksBeyond(command.slice(0, length), command);
  }

  for (const command of caughtByPatterns) {
    it(`G48 ${command} asks`, async () => asksAtLast(command.split(' ')));
  }

  for (const [program, entries] of Object.entries(caught)) {
    for (const [entry, commands] of Object.entries(entries)) {
      it(`G48 ${program} ${entry} asks`, async () => {
        const names = [program, ...Object.keys(same).filter((name) => same[name] === program)];
        for (const command of commands)
          for (const name of names) await asksAtLast([name, ...command.split(' ').slice(1)]);
      });
    }
  }

  for (const [program, list] of Object.entries(harmful)) {
    it(`G48 ${program}: no rule covers a word that makes it do something else`, async () => {
      const names = Object.keys(tables).filter((name) => name === program || name.startsWith(`${program} `));
      for (const name of names.length === 0 ? [program] : names) {
        const rule = words(name.replace('*', 'test'));
        for (const word of words(list)) {
          for (const last of [[word], [`${word}=x`]]) {
            if (others.has(`${name} ${word}`)) continue;
            await asksBeyond(rule, [...rule, ...last]);
          }
        }
      }
    });

    it(`G48 ${program}: no row has one of these words`, () => {
      for (const [name, table] of Object.entries(tables)) {
        if (name !== program && !name.startsWith(`${program} `)) continue;
        const { options } = rowsOf(table);
        const found = words(list).filter((word) => options.has(word) && !others.has(`${name} ${word}`));
        assert.deepEqual(found, [], name);
      }
    });
  }
});
