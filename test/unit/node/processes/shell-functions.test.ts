import assert from 'node:assert/strict';
import { findShellFunction } from '../../../../src/node/processes/shell-functions';
import { posix } from '../../../support/platform';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';

describe('a name that commands lack', () => {
  for (const { name, files, expect } of [
    {
      name: 'nvm',
      files: { '.bashrc': '[ -s "$NVM_DIR/nvm.sh" ] && \\. "$NVM_DIR/nvm.sh"\n' },
      expect: { file: '~/.bashrc', line: '. ~/.nvm/nvm.sh' },
    },
    {
      name: 'nvm',
      files: { '.bashrc': 'nvm() { echo; }\n' },
      expect: { file: '~/.bashrc', line: '. ~/.nvm/nvm.sh' },
    },
    {
      name: 'conda',
      files: { '.zshrc': '# >>> conda initialize >>>\n' },
      expect: { file: '~/.zshrc', line: '. ~/miniconda3/etc/profile.d/conda.sh' },
    },
    {
      name: 'deploy',
      files: { '.profile': 'x=1\nfunction deploy {\n' },
      expect: { file: '~/.profile', line: '. ~/.profile' },
    },
    {
      name: 'll',
      files: { '.bash_aliases': "alias ll='ls -l'\n" },
      expect: { file: '~/.bash_aliases', line: '. ~/.bash_aliases' },
    },
    { name: 'nvm', files: { '.bashrc': 'echo hello\n' }, expect: undefined },
    { name: 'sdk', files: { '.bashrc': 'nvm() { echo; }\n' }, expect: undefined },
    { name: 'x', files: { '.bashrc': 'xyz() { echo; }\nalias xy=z\n' }, expect: undefined },
    { name: '.*', files: { '.bashrc': 'nvm() { echo; }\n' }, expect: undefined },
  ])
    it(`${name} in ${JSON.stringify(files)}`, async () => {
      const home = await ScratchWorkspace.create(files);
      try {
        assert.deepEqual(await findShellFunction(name, home.root), expect);
      } finally {
        await home.dispose();
      }
    });

  posix.it('is explained in the result', async () => {
    const home = await ScratchWorkspace.create({ '.bashrc': 'nvm() { echo; }\n' });
    const before = process.env['HOME'];
    process.env['HOME'] = home.root;
    try {
      const text = await home.call('run_shell_command', { command: 'nvm use 20' });
      assert.match(text, /^Exit code 127 /);
      assert.ok(
        text.endsWith(
          '\nnvm comes from ~/.bashrc, which commands do not read. The user can set parley.commands.setup (--setup on the command line) to a line that runs before each command, for example: . ~/.nvm/nvm.sh',
        ),
        text,
      );
      assert.doesNotMatch(await home.call('run_shell_command', { command: 'nosuch' }), /parley\.commands/);
    } finally {
      process.env['HOME'] = before;
      await home.dispose();
    }
  });
});
