import assert from 'node:assert/strict';
import { commandEnvironment } from '../../../../src/node/processes/environment';
import { posix } from '../../../support/platform';

describe('commandEnvironment', () => {
  it('W9: compares names without case on Windows', () => {
    const given = {
      ...{ node_options: '--require x', Bash_Env: 'x', MY_LOGIN: 'x', Vscode_Ipc: 'x', Git_Dir: 'x' },
      ...{ Path: 'C:\\bin', UserName: 'u' },
    };
    const names = (platform: NodeJS.Platform): string[] =>
      Object.keys(commandEnvironment(given, { roots: [], withheld: ['my_login'], platform }));
    for (const name of ['node_options', 'Bash_Env', 'MY_LOGIN', 'Vscode_Ipc', 'Git_Dir']) {
      assert.ok(!names('win32').includes(name), name);
      assert.ok(names('linux').includes(name), name);
    }
    assert.ok(names('win32').includes('UserName'));
  });

  it('tells Windows not to look for programs in the working folder', () => {
    const variable = 'NoDefaultCurrentDirectoryInExePath';
    assert.equal(commandEnvironment({}, { roots: [], platform: 'win32' })[variable], '1');
    assert.equal(commandEnvironment({}, { roots: [], platform: 'linux' })[variable], undefined);
  });

  it('withholds what looks like a key', () => {
    const names = [
      'PARLEY_API_KEY',
      'AWS_ACCESS_KEY_ID',
      'OPENAI_APIKEY',
      'GITHUB_TOKEN',
      'npm_token',
      'DB_PASSWORD',
      'MY_SECRET',
      'X_CREDENTIALS',
      'npm_config__auth',
      'DOCKER_AUTH_CONFIG',
      'MYSQL_PWD',
      'AZURE_DEVOPS_EXT_PAT',
    ];
    const plain = ['HOME', 'LANG', 'KEYBOARD', 'SSH_AUTH_SOCK', 'GIT_AUTHOR_NAME', 'OLDPWD', 'JAVA_HOME'];
    const given = Object.fromEntries([...names, ...plain].map((name) => [name, 'x']));
    const kept = commandEnvironment(given, { roots: [] });
    assert.deepEqual(
      names.filter((name) => name in kept),
      [],
    );
    for (const name of plain) assert.equal(kept[name], 'x', name);
  });

  it('withholds what looks like a key under any name', () => {
    const values = [
      'sk-proj-canary',
      'ghp_canary',
      'github_pat_canary',
      'xoxb-canary',
      'AKIAIOSFODNN7EXAMPLE',
      'AIzaCanary',
      'eyJhbGciOi.eyJzdWIi.x',
      '-----BEGIN PRIVATE KEY-----',
    ];
    const given = Object.fromEntries(values.map((value, index) => [`PLAIN_${index}`, value]));
    const kept = commandEnvironment({ ...given, PLAIN: 'skeleton' }, { roots: [] });
    assert.deepEqual(
      Object.keys(kept).filter((name) => name.startsWith('PLAIN')),
      ['PLAIN'],
    );
  });

  it('leads git to no other repository', () => {
    const kept = commandEnvironment(
      { GIT_DIR: '/x', GIT_WORK_TREE: '/x', GIT_CONFIG_PARAMETERS: 'x' },
      { roots: [] },
    );
    assert.deepEqual(
      ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_CONFIG_PARAMETERS'].filter((name) => name in kept),
      [],
    );
  });

  it('withholds the variables it is told', () => {
    assert.equal(commandEnvironment({ MINE: 'x' }, { roots: [], withheld: ['MINE'] })['MINE'], undefined);
  });

  it('withholds what steers a shell', () => {
    const given = {
      BASH_ENV: '/x',
      'BASH_FUNC_git%%': '() { evil; }',
      NODE_OPTIONS: '--require x',
      VSCODE_PID: '1',
      ELECTRON_RUN_AS_NODE: '1',
    };
    const kept = commandEnvironment(given, { roots: [] });
    assert.deepEqual(
      Object.keys(given).filter((name) => name in kept),
      [],
    );
  });

  posix.it('runs no program from the workspace or a relative folder', () => {
    const path = '/usr/bin:/ws/..bin:/ws/node_modules/.bin:.:bin::/ws:/ws-other/bin';
    assert.equal(commandEnvironment({ PATH: path }, { roots: ['/ws'] })['PATH'], '/usr/bin:/ws-other/bin');
  });

  it('keeps programs from waiting for a person', () => {
    const { GIT_PAGER, PAGER, GIT_TERMINAL_PROMPT } = commandEnvironment({ PAGER: 'less' }, { roots: [] });
    assert.deepEqual([GIT_PAGER, PAGER, GIT_TERMINAL_PROMPT], ['cat', 'cat', '0']);
  });

  it('adds to the settings of git that are there', () => {
    const kept = commandEnvironment(
      { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' },
      { roots: [] },
    );
    assert.equal(kept['GIT_CONFIG_COUNT'], '3');
    assert.equal(kept['GIT_CONFIG_KEY_0'], 'a.b');
    assert.equal(kept['GIT_CONFIG_KEY_1'], 'core.fsmonitor');
    assert.equal(kept['GIT_CONFIG_VALUE_1'], 'false');
  });
});
