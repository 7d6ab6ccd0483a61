import assert from 'node:assert/strict';
import { afterSetup } from '../../../../src/node/processes/setup-line';
import { runContext } from '../../../support/agent/run-context';
import { posix } from '../../../support/platform';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';

posix.describe('a setup line', () => {
  let scratch: ScratchWorkspace;
  let setup = '';
  const variables: Record<string, string | null> = { ADDED: 'yes', GONE: null, MY_API_KEY: 'k' };

  before(async () => {
    process.env['GONE'] = 'there';
    scratch = await ScratchWorkspace.create({}, { setup: () => setup, variables: () => variables });
  });
  after(async () => {
    delete process.env['GONE'];
    await scratch.dispose();
  });

  for (const { line, command, expect } of [
    { line: '', command: 'echo "$0:$#"', expect: /^\S*bash:0$/ },
    { line: 'tool() { echo "tool $*"; }', command: 'tool a', expect: /^tool a$/ },
    { line: 'X="a b"', command: 'echo "$X"', expect: /^a b$/ },
    { line: 'set -- 1 2', command: 'echo "$#"', expect: /^0$/ },
    { line: 'true', command: 'exit 4', expect: /^Exit code 4 / },
    { line: 'true', command: 'false\necho after', expect: /^after$/ },
    {
      line: 'false',
      command: 'echo ran',
      expect: /^Exit code 1 [^\n]*\nThe line of parley\.commands\.setup failed/,
    },
    { line: 'exit 0', command: 'echo ran', expect: /^The line of parley\.commands\.setup failed/ },
    {
      line: '. /no/such/file',
      command: 'echo ran',
      expect: /No such file[^\n]*\nThe line of parley\.commands\.setup/,
    },
    { line: 'echo "', command: 'echo ran; echo "', expect: /\nThe line of parley\.commands\.setup failed/ },
    { line: 'if', command: 'echo ran; fi', expect: /\nThe line of parley\.commands\.setup failed/ },
    { line: 'echo # comment', command: 'echo ran', expect: /^ran$/ },
  ])
    it(`${JSON.stringify(line)} before ${JSON.stringify(command)}`, async () => {
      setup = line;
      const text = (await scratch.call('run_shell_command', { command })).trimStart();
      assert.match(text, expect);
      if (!expect.test('ran')) assert.doesNotMatch(text, /^ran$/m);
    });

  it('is shown with the command, and runs as it was shown', async () => {
    setup = 'X=shown';
    const prepared = await scratch.prepare('run_shell_command', { command: 'echo $X' });
    const { preview } = prepared;
    assert.equal(preview?.type === 'command' && preview.setup, 'X=shown');
    setup = 'X=later';
    assert.equal((await prepared.run(runContext(new AbortController().signal))).text, 'shown');
  });

  it('is not needed for the variables of the user, without keys', async () => {
    setup = '';
    const command = 'echo "$ADDED,$GONE,$MY_API_KEY"';
    assert.equal(await scratch.call('run_shell_command', { command }), 'yes,,');
  });

  it('is quoted for PowerShell', () => {
    const { script, more } = afterSetup("$a = 'b'", 'Get-Item', 'powershell');
    assert.ok(script.startsWith("try { . ([scriptblock]::Create('$a = ''b''')); "), script);
    assert.ok(script.endsWith('\nGet-Item'));
    assert.deepEqual(more, []);
  });
});
