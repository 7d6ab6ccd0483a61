import assert from 'node:assert/strict';
import type { Verdict } from '../../../../src/core/words/verdict';
import { whyBeyondSandbox } from '../../../../src/policy/commands/beyond-sandbox';
import { ChangedInSandbox, placeCommand, type SandboxRules } from '../../../../src/policy/commands/sandboxed';
import { ask } from '../../../../src/policy/verdicts';

const words = (command: string): readonly (readonly string[])[] =>
  command.split(' && ').map((simple) => simple.split(' '));

describe('whyBeyondSandbox', () => {
  const reach = { isGitWritable: false, hasNetwork: false };

  for (const [reason, commands] of Object.entries({
    'it needs the network': [
      ...['curl https://a.example', 'wget a', 'ssh host', 'git push', 'git fetch origin', 'git -C sub pull'],
      ...['npm publish', 'npm view left-pad', 'cargo publish', 'kubectl get pods', 'true && curl a'],
      ...['/usr/bin/curl a', 'git clone a', 'gh pr list'],
    ],
    'it changes the repository': [
      ...['git commit -m a', 'git add -A', 'git checkout main', 'git branch new', 'git stash', 'git tag v1'],
      ...['git config core.fsmonitor a', 'git worktree add ../a', 'git remote add a b', 'git reset --hard'],
      ...['git rebase --continue', 'git apply --index a.patch'],
    ],
    'it installs packages': [
      ...[
        'npm install',
        'npm ci',
        'npm i left-pad',
        'npm exec a',
        'yarn',
        'yarn add a',
        'pnpm dlx a',
        'bun add a',
      ],
      ...['pip install a', 'python3 -m pip install a', 'python -m venv .venv', 'pipx run a', 'uv sync'],
      ...['cargo add a', 'go get a', 'go mod tidy', 'gem install a', 'bundle install', 'apt-get install a'],
    ],
    'it uses a container service': ['docker ps', 'docker-compose up', 'podman run a', 'minikube start'],
    'it needs the rights of another user': ['sudo ls', 'su root', 'doas ls', 'pkexec ls'],
    'it changes the system': ['systemctl restart a', 'mount a b', 'useradd a', 'sysctl a=b'],
  })) {
    it(`says of a command that ${reason}`, () => {
      for (const command of commands) assert.equal(whyBeyondSandbox(words(command), reach), reason, command);
    });
  }

  it('allows ordinary work inside', () => {
    for (const command of [
      ...[
        'ls -la',
        'npm test',
        'npm run build',
        'npm run install-hooks',
        'node a.js',
        'python3 a.py',
        'pytest',
      ],
      ...[
        'make',
        'cargo build',
        'cargo test',
        'go build ./...',
        'go mod graph',
        'tsc -p .',
        'yarn test',
        'yarn --version',
      ],
      ...[
        'git status',
        'git diff',
        'git log',
        'git show',
        'git blame a',
        'git branch',
        'git branch -a',
        'git stash list',
      ],
      ...[
        'git tag -l',
        'git config --get user.name',
        'git remote -v',
        'git worktree list',
        'git submodule status',
      ],
      ...[
        'git apply a.patch',
        'git bisect log',
        'git notes list',
        'git reflog',
        'grep curl a',
        'echo sudo',
        'cat docker',
      ],
      ...['pip list', 'python -m pip list', 'python -m http.server', 'toString', 'git constructor'],
    ])
      assert.equal(whyBeyondSandbox(words(command), reach), undefined, command);
  });

  it('knows what the settings allow inside', () => {
    const all = { isGitWritable: true, hasNetwork: true };
    for (const command of ['git commit -m a', 'curl a', 'git push', 'git rebase main'])
      assert.equal(whyBeyondSandbox(words(command), all), undefined, command);
    for (const command of ['npm install', 'docker ps', 'sudo ls', 'mount a b'])
      assert.notEqual(whyBeyondSandbox(words(command), all), undefined, command);
    assert.equal(whyBeyondSandbox(words('git push'), { ...all, hasNetwork: false }), 'it needs the network');
    assert.equal(
      whyBeyondSandbox(words('git commit'), { ...all, isGitWritable: false }),
      'it changes the repository',
    );
  });
});

describe('placeCommand', () => {
  const auto: Verdict = { decision: 'auto', reason: 'a rule' };
  const asks = ask('no rule');
  const base: SandboxRules = {
    runUnasked: true,
    isGitWritable: false,
    hasNetwork: false,
    wantsOutside: false,
    isElsewhere: false,
    outside: ask('no rule'),
  };
  const inside = { verdict: { decision: 'auto', reason: 'it runs in the sandbox' }, isInside: true };
  const outside = (reason: string) => ({ verdict: ask(reason), isInside: false });

  for (const [name, judged, command, rules, expected] of [
    ['lets a command run inside unasked', asks, 'make', {}, inside],
    ['lets a command that a rule allows run inside', auto, 'make', {}, inside],
    [
      'asks as before if nothing runs unasked',
      asks,
      'make',
      { runUnasked: false },
      { verdict: asks, isInside: true },
    ],
    [
      'follows rules if nothing runs unasked',
      auto,
      'make',
      { runUnasked: false },
      { verdict: auto, isInside: true },
    ],
    [
      'asks if the model wants to run outside, whatever rules say',
      auto,
      'make',
      { wantsOutside: true, outside: auto },
      outside('the model asks to run it outside the sandbox'),
    ],
    [
      'asks about commands that need more, even if a rule allows them',
      auto,
      'npm install',
      {},
      outside('it installs packages, so it would run outside the sandbox'),
    ],
    [
      'asks in a folder that the sandbox does not show',
      auto,
      'make',
      { isElsewhere: true },
      outside('its folder is outside the workspace, so it would run outside the sandbox'),
    ],
    [
      'lets a command that the user allows outside run there',
      asks,
      'npm install',
      { outside: auto },
      { verdict: auto, isInside: false },
    ],
    [
      'asks about commands that need more if nothing runs unasked',
      auto,
      'git push',
      { runUnasked: false },
      outside('it needs the network, so it would run outside the sandbox'),
    ],
  ] as const) {
    it(name, () => assert.deepEqual(placeCommand(judged, words(command), { ...base, ...rules }), expected));
  }
});

describe('ChangedInSandbox', () => {
  it('G39 asks about what runs a changed file outside, until the user has agreed', () => {
    const changed = new ChangedInSandbox();
    assert.equal(changed.question(words('npm test')), undefined);
    changed.add(['package.json']);
    assert.match(changed.question(words('npm test')) ?? '', /changed package\.json/u);
    assert.match(changed.question(words('true && make all')) ?? '', /changed package\.json/u);
    assert.equal(changed.question(words('ls')), undefined);
    changed.forget();
    assert.equal(changed.question(words('npm test')), undefined);
  });
});
