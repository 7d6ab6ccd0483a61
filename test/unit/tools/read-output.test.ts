import assert from 'node:assert/strict';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { posix } from '../../support/platform';

posix.describe('read_output', () => {
  let scratch: ScratchWorkspace;

  before(async () => {
    scratch = await ScratchWorkspace.create();
  });
  after(() => scratch.dispose());

  /** Runs a command to its end and gives its log id. */
  async function logOf(command: string): Promise<string> {
    const cwd = await scratch.files.resolve('.', 'list');
    const started = await scratch.processes.start(
      { command, cwd, keepLog: true },
      new AbortController().signal,
    );
    await started.ended;
    return started.logId;
  }

  const FLOOD = `seq 1 3000000`;

  for (const { name, command, input, expect } of [
    { name: 'says when nothing was printed', command: 'true', input: {}, expect: 'It has printed nothing.' },
    { name: 'shows all of little', command: 'seq 1 3', input: {}, expect: '3 lines.\n1\n2\n3' },
    {
      name: 'shows the newest lines',
      command: 'seq 1 9',
      input: { limit: 2 },
      expect: 'Lines 8 to 9 of 9.\n8\n9',
    },
    {
      name: 'shows lines from an offset on and says how to go on',
      command: 'seq 1 9',
      input: { offset: 3, limit: 2 },
      expect: 'Lines 3 to 4 of 9.\n3\n4\n[Go on with offset=5.]',
    },
    {
      name: 'shows the last lines from an offset on',
      command: 'seq 1 9',
      input: { offset: 8 },
      expect: 'Lines 8 to 9 of 9.\n8\n9',
    },
    {
      name: 'says that there is no such line',
      command: 'seq 1 9',
      input: { offset: 10 },
      expect: 'There is no line 10: it has printed 9 lines.',
    },
    {
      name: 'searches a text case-insensitively, not as a pattern',
      command: 'printf "a.c\\nabc\\nA.C\\n"',
      input: { search: 'a.c' },
      expect: '2 lines of 3 hold "a.c".\n1\ta.c\n3\tA.C',
    },
    {
      name: 'says where more lines are that hold a text',
      command: 'seq 1 30',
      input: { search: '2', offset: 3, limit: 2 },
      expect: '11 lines of 30 hold "2" from line 3 on.\n12\t12\n20\t20\n[2 shown. Go on with offset=21.]',
    },
    {
      name: 'cuts an endless line into several without loss',
      command: `head -c 10000 /dev/zero | tr '\\0' x`,
      input: { offset: 3 },
      expect: `Lines 3 to 3 of 3.\n${'x'.repeat(10000 - 2 * 4096)}`,
    },
    {
      name: 'G16 draws what a terminal would obey',
      command: String.raw`printf '\033[31mred\033[0m\n1%%\r2%%\n'`,
      input: {},
      expect: '2 lines.\nred\n2%',
    },
    {
      name: 'reaches the middle of an output that no result can show',
      command: 'seq 1 100000',
      input: { offset: 50_000, limit: 1 },
      expect: 'Lines 50,000 to 50,000 of 100,000.\n50000\n[Go on with offset=50001.]',
    },
    {
      name: 'shows the newest lines of more than is kept',
      command: FLOOD,
      input: { limit: 1 },
      expect: 'The last 1 line; 5.8 MiB before them were not kept. Earlier lines start at offset=1.\n3000000',
    },
    {
      name: 'says where an output ends that is longer than what is kept',
      command: FLOOD,
      input: { offset: 9_000_000 },
      expect:
        /^There is no line 9,000,000: it has printed 2,\d{3},\d{3} lines\. Only 2,\d{3},\d{3} lines are kept; 5\.8 MiB after them are not\. Leave out offset to see the newest\.$/,
    },
  ]) {
    it(name, async () => {
      const text = await scratch.call('read_output', { log_id: await logOf(command), ...input });
      const shown = text.replace(/^Exit code 0 after [\d.]+ m?s\. /, '');
      if (typeof expect === 'string') assert.equal(shown, expect);
      else assert.match(shown, expect);
    });
  }

  it('reads what run_shell_command has left out', async () => {
    const text = await scratch.call('run_shell_command', { command: 'seq 1 100000' });
    const id = /read_output, log_id (log-[0-9a-f]{8})/.exec(text)?.[1] ?? '';
    const found = await scratch.call('read_output', { log_id: id, search: '54321' });
    assert.match(found, / 1 line of 100,000 hold "54321"\.\n54321\t54321$/);
  });

  it('keeps nothing if a result showed everything', async () => {
    const before = scratch.processes.started.length;
    await scratch.call('run_shell_command', { command: 'seq 1 10' });
    assert.equal(scratch.processes.started.length, before);
  });
});
