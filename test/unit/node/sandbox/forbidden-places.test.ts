import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ForbiddenEntries } from '../../../../src/node/sandbox/sandbox';
import { noSandbox, type SandboxSettings } from '../../../../src/node/sandbox/settings';
import type { CommandEnd } from '../../../../src/tools/ports/processes';
import { eventually } from '../../../support/eventually';
import { isSandboxAvailable } from '../../../support/sandbox-available';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';
import { linux } from '../../../support/platform';

/** What commands may not create, created while one runs. */
linux.describe('what appears while a command runs in the sandbox', () => {
  let folder: string;
  let scratch: ScratchWorkspace;
  let settings: SandboxSettings;
  let reported: ForbiddenEntries[];

  before(async function () {
    if (!(await isSandboxAvailable(this))) this.skip();
  });
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'parley-forbidden-')));
    await mkdir(path.join(folder, 'workspace/sub'), { recursive: true });
    settings = { ...noSandbox, isEnabled: true, runUnasked: true };
    reported = [];
    const sandbox = {
      settings: () => settings,
      stateFolder: path.join(folder, 'state'),
    };
    scratch = ScratchWorkspace.over(path.join(folder, 'workspace'), { sandbox });
    const made = scratch.surroundings.sandbox ?? assert.fail();
    made.onForbidden = (entries) => void reported.push(entries);
  });
  afterEach(async () => {
    await scratch.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const cases: readonly {
    readonly name: string;
    readonly command: string;
    readonly isBackground: boolean;
    readonly place: string;
    readonly expected: 'stays' | 'moved';
  }[] = [
    {
      name: 'in a workspace folder, beside a background command',
      command: 'mkdir .vscode',
      isBackground: true,
      place: '.vscode',
      expected: 'stays',
    },
    {
      name: 'in a workspace folder, by a command that is waited for',
      command: 'mkdir .vscode',
      isBackground: false,
      place: '.vscode',
      expected: 'moved',
    },
    {
      name: 'in a folder below',
      command: 'mkdir sub/.git',
      isBackground: true,
      place: 'sub/.git',
      expected: 'moved',
    },
    {
      name: 'in a new folder',
      command: 'mkdir -p new/deep/er && echo x > new/deep/er/AGENTS.md',
      isBackground: true,
      place: 'new/deep/er/AGENTS.md',
      expected: 'moved',
    },
    {
      name: 'in a folder that was moved to another place',
      command: 'mkdir -p new/deep; mv new sub/old; mkdir sub/old/deep/.vscode',
      isBackground: true,
      place: 'sub/old/deep/.vscode',
      expected: 'moved',
    },
    {
      name: 'as a link',
      command: 'ln -s / sub/.vscode',
      isBackground: true,
      place: 'sub/.vscode',
      expected: 'moved',
    },
    {
      name: 'by renaming',
      command: 'mkdir sub/later; touch sub/later/config; mv sub/later sub/.git',
      isBackground: true,
      place: 'sub/.git',
      expected: 'moved',
    },
    {
      name: 'with a name that is no text',
      command: `mkdir "$(printf 'sub/\\377')"; mkdir "$(printf 'sub/\\377')/.vscode"`,
      isBackground: true,
      place: 'sub/\ufffd/.vscode',
      expected: 'moved',
    },
  ];

  for (const { name, command, isBackground, place, expected } of cases) {
    it(`G38 stops the command at once: ${name}`, async () => {
      const end = await run(`${command}; while :; do sleep 1; done`, isBackground);
      assert.deepEqual(end.how, { type: 'killed', why: 'forbidden' });
      const { removed, unclaimed, remaining, keptIn = '' } = end.sandbox ?? assert.fail();
      assert.deepEqual(remaining, []);
      assert.deepEqual([removed, unclaimed], expected === 'moved' ? [[place], []] : [[], [place]]);
      assert.equal(existsSync(scratch.path(place)), expected === 'stays');
      if (expected === 'moved') assert.deepEqual((await readdir(keptIn)).length, 1);
    });
  }

  it('G38 keeps a whole repository of the user, and the background command is stopped', async () => {
    const ending = run('while :; do sleep 1; done', true);
    await eventually(() => scratch.processes.started.length === 1);
    await hasBegun();
    await scratch.write('AGENTS.md', 'mine');
    await ending;
    await scratch.write('.git/config', 'mine');
    assert.equal(await scratch.read('AGENTS.md'), 'mine');
    assert.deepEqual(
      reported.map(({ unclaimed }) => unclaimed.map((entry) => entry.name)),
      [['AGENTS.md']],
    );
  });

  it('keeps a file that the user has approved, and nothing beside it', async () => {
    const ending = run(
      'while [ ! -e sub/.vscode ]; do :; done; touch sub/.vscode/other; while :; do sleep 1; done',
      true,
    );
    await eventually(() => scratch.processes.started.length === 1);
    await hasBegun();
    const file = await scratch.files.resolve('sub/.vscode/tasks.json', 'write');
    await scratch.files.writeText(file, '{}', undefined);
    const { how, sandbox } = await ending;
    assert.deepEqual(how, { type: 'killed', why: 'forbidden' });
    assert.deepEqual(sandbox?.unclaimed, ['sub/.vscode']);
    assert.deepEqual(await readdir(scratch.path('sub/.vscode')), ['tasks.json']);
  });

  it('lets the user move it away', async () => {
    await run('echo x > .mcp.json; while :; do sleep 1; done', true);
    const [entry] = reported[0]?.unclaimed ?? [];
    assert.equal(await entry?.move(), true);
    assert.ok(!existsSync(scratch.path('.mcp.json')));
    assert.equal(await entry?.move(), false);
  });

  it('lets the user put it back, but not over something new', async () => {
    const ends = [
      'mkdir made; echo x > made/a; mv made sub/.vscode',
      'echo x > made.md; mv made.md sub/AGENTS.md',
    ];
    for (const command of ends) await run(`${command}; while :; do sleep 1; done`, true);
    const [folderBack, fileBack] = reported.map(({ moved }) => moved[0]);
    await scratch.write('sub/AGENTS.md', 'mine');
    assert.equal(await fileBack?.move(), false);
    assert.equal(await scratch.read('sub/AGENTS.md'), 'mine');
    await rm(scratch.path('sub/AGENTS.md'));
    assert.equal(await fileBack?.move(), true);
    assert.equal(await folderBack?.move(), true);
    assert.equal(await scratch.read('sub/AGENTS.md'), 'x\n');
    assert.equal(await scratch.read('sub/.vscode/a'), 'x\n');
  });

  it('stops no command for what may be created', async () => {
    const { how, sandbox } = await run(
      'mkdir -p src/git .github/docs; touch src/git/config .gitignore; echo K=1 > .env.example',
      false,
    );
    assert.deepEqual([how, sandbox?.removed], [{ type: 'exited', code: 0, leftRunning: false }, []]);
    assert.deepEqual(reported, []);
  });

  it('G38 watches repositories that commands may write to', async () => {
    for (const each of ['HEAD', 'config']) await scratch.write(`.git/${each}`, '');
    settings = { ...settings, git: 'write' };
    const end = await run('touch .git/index.lock; mkdir .git/hooks; while :; do sleep 1; done', false);
    assert.deepEqual(end.how, { type: 'killed', why: 'forbidden' });
    assert.deepEqual(end.sandbox?.removed, ['.git/hooks']);
  });

  it("G38 leaves what may be the user's when it cleans up after a killed window", async () => {
    const ending = run('while :; do sleep 1; done', true);
    await eventually(() => scratch.processes.started.length === 1);
    await hasBegun();
    const state = path.join(folder, 'state');
    const [note = ''] = (await readdir(state)).filter((name) => name.endsWith('.json'));
    const running = JSON.parse(await readFile(path.join(state, note), 'utf8')) as object;
    await scratch.processes.started[0]?.stop();
    await ending;
    // As if the window had been killed while it ran.
    await writeFile(path.join(state, 'killed.json'), JSON.stringify({ ...running, start: 'long ago' }));
    for (const each of ['.git', 'sub/.git']) await scratch.write(`${each}/config`, '');
    const reports = await scratch.surroundings.sandbox?.recover();
    assert.deepEqual(
      reports?.map(({ removed, unclaimed }) => [removed, unclaimed]),
      [[['sub/.git'], ['.git']]],
    );
    assert.deepEqual(
      reported.map(({ unclaimed }) => unclaimed.map((entry) => entry.name)),
      [['.git']],
    );
    assert.ok(existsSync(scratch.path('.git/config')));
  });

  it('tells the model', async () => {
    const cwd = await scratch.files.resolve('.', 'list');
    const command = 'mkdir .vscode sub/.vscode; while :; do sleep 1; done';
    const options = { command, cwd, inSandbox: true, isBackground: true, keepLog: true };
    const started = await scratch.processes.start(options, new AbortController().signal);
    await started.ended;
    const text = await scratch.call('stop_command', { log_id: started.logId });
    assert.match(
      text,
      /Stopped after .*, because something appeared that commands in the sandbox may not create/u,
    );
    assert.match(text, /only the user may create it: \.vscode\./u);
  });

  async function run(command: string, isBackground: boolean): Promise<CommandEnd> {
    const cwd = await scratch.files.resolve('.', 'list');
    const options = { command: `echo begun; ${command}`, cwd, inSandbox: true, isBackground, keepLog: true };
    const started = await scratch.processes.start(options, new AbortController().signal);
    return started.ended;
  }

  async function hasBegun(): Promise<void> {
    await eventually(() => scratch.processes.started.at(-1)?.log.excerpt().head === 'begun\n');
  }
});
