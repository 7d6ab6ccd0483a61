import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { appendFile, chmod, copyFile, mkdir, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../../src/base/limits';
import type { ConfiguredServer, StdioDefinition } from '../../../src/mcp/definition';
import { ProgramFiles } from '../../../src/mcp/program-files';
import { HOSTILE_SERVER, McpHarness } from '../../support/servers/mcp-harness';
import { processesWith } from '../../support/processes/process-list';
import { posix } from '../../support/platform';

describe('the content of MCP programs', () => {
  let harness: McpHarness;
  let trace: string;

  beforeEach(async () => {
    harness = await McpHarness.create();
    trace = randomUUID();
    await mkdir(at('lib/inner'), { recursive: true });
    for (const name of ['server.js', 'lib/index.js', 'lib/inner/more.js', 'lib/package.json', 'data.db'])
      await writeFile(at(name), '// as it was approved\n');
    await copyFile(HOSTILE_SERVER, at('real.js'));
  });
  afterEach(() => harness.dispose());

  const at = (name: string): string => path.join(harness.folder, name);
  const server = (definition: Partial<StdioDefinition>): ConfiguredServer => ({
    name: 's',
    scope: 'workspace',
    folder: harness.folder,
    definition: { type: 'stdio', command: process.execPath, args: [], env: {}, ...definition },
  });
  const approved = (definition: Partial<StdioDefinition>): Promise<string> => {
    harness.servers.update([server(definition)]);
    return harness.servers.get('s')?.definitionToApprove() ?? Promise.resolve('');
  };

  const named: readonly {
    readonly name: string;
    readonly definition: Partial<StdioDefinition>;
    readonly file: string;
    readonly asks?: false;
  }[] = [
    { name: 'a script', definition: { args: ['server.js'] }, file: 'server.js' },
    { name: 'a script with a dot', definition: { args: ['./server.js', '-v'] }, file: 'server.js' },
    {
      name: 'a script by a variable',
      definition: { args: ['${workspaceFolder}/server.js'] },
      file: 'server.js',
    },
    { name: 'a script after options', definition: { args: ['--inspect', 'server.js'] }, file: 'server.js' },
    {
      name: 'a script of another folder',
      definition: { args: ['more.js'], cwd: 'lib/inner' },
      file: 'lib/inner/more.js',
    },
    { name: 'a script without its ending', definition: { args: ['server'] }, file: 'server.js' },
    { name: 'a folder with a script', definition: { args: ['lib'] }, file: 'lib/index.js' },
    { name: 'a package', definition: { args: ['./lib'] }, file: 'lib/package.json' },
    { name: 'what is loaded first', definition: { args: ['--require=./server.js', 'x'] }, file: 'server.js' },
    {
      name: 'what a variable loads',
      definition: { env: { NODE_OPTIONS: '--require ./server.js' } },
      file: 'server.js',
    },
    {
      name: 'a line for a shell',
      definition: { command: 'sh', args: ['-c', 'exec node "server.js" &'] },
      file: 'server.js',
    },
    {
      name: 'a script below a folder that is named',
      definition: { args: ['--directory', 'lib', 'run', 'inner/more.js'] },
      file: 'lib/inner/more.js',
    },
    { name: 'a second script', definition: { args: ['x', 'server.js'] }, file: 'server.js' },
    { name: 'a database that is run', definition: { args: ['data.db'] }, file: 'data.db' },
    {
      name: 'a database',
      definition: { args: ['server.js', '--db', 'data.db'] },
      file: 'data.db',
      asks: false,
    },
    {
      name: 'a file that is not named',
      definition: { args: ['server.js'] },
      file: 'lib/index.js',
      asks: false,
    },
  ];
  for (const { name, definition, file, asks } of named) {
    it(`G22.content: ${name} that changes ${asks === false ? 'does not ask' : 'asks'} again`, async () => {
      const before = await approved(definition);
      await appendFile(at(file), '// changed\n');
      equal((await approved(definition)) === before, asks === false, before);
    });
  }

  it('G22.content: a touch without a change does not ask', async () => {
    const definition = { args: ['server.js'] };
    const before = await approved(definition);
    await utimes(at('server.js'), new Date(), new Date());
    equal(await approved(definition), before);
  });

  it('G22.content: a change of the same length at the same time asks', async () => {
    const definition = { args: ['server.js'] };
    const time = new Date(0);
    await utimes(at('server.js'), time, time);
    const before = await approved(definition);
    await writeFile(at('server.js'), '// as it was APPROVED\n');
    await utimes(at('server.js'), time, time);
    equal((await approved(definition)) === before, false);
  });

  it('G22.content: a file that is gone asks, and so does one that comes', async () => {
    const definition = { args: ['server.js', 'plugin.js'] };
    const before = await approved(definition);
    await writeFile(at('plugin.js'), '');
    const came = await approved(definition);
    await rm(at('server.js'));
    equal(new Set([before, came, await approved(definition)]).size, 3);
  });

  it('G22.content: is shown with the definition', async () => {
    const shown = await approved({ args: ['server.js'] });
    match(shown, /"files": \[[^]*server\.js",\s+"sha256": "[\da-f]{64}"/);
    match(shown, new RegExp(`"path": ${JSON.stringify(process.execPath).replace(/[.\\/]/g, '\\$&')}`));
  });

  it('G22.content: of a very large file any touch counts, and nothing is read', async () => {
    const files = new ProgramFiles({ ...limits, mcpProgramBytes: 4 });
    const of = async () => files.of(server({ args: ['server.js'] }), at('server.js'));
    const before = await of();
    match(before[0]?.sha256 ?? '', /^not read, /);
    deepEqual(await of(), before);
    await utimes(at('server.js'), new Date(), new Date());
    equal((await of())[0]?.sha256 === before[0]?.sha256, false);
  });

  it('G22.content: a definition with more words than are looked at is not started', async () => {
    const args = Array.from({ length: limits.mcpProgramWords + 1 }, (_, index) => `x${index}`);
    harness.servers.update([server({ args })]);
    await harness.servers.start();
    equal(harness.servers.get('s')?.state.type, 'failed');
  });

  describe('of one that runs', () => {
    const real = (): ConfiguredServer => server({ args: [at('real.js'), 'good', trace] });

    it('G22.script-changed: asks at the next start and at a restart', async () => {
      await harness.start(real());
      equal(harness.servers.get('s')?.state.type, 'running');
      await appendFile(at('real.js'), '\n');
      await harness.servers.get('s')?.startAnew();
      deepEqual(harness.servers.get('s')?.state, { type: 'unapproved', isChanged: true });
      deepEqual(processesWith(trace), []);
      await harness.approve('s');
      equal(harness.servers.get('s')?.state.type, 'running');
    });

    posix.it('G22.program-changed: other content at the place of the program asks', async () => {
      const program = at('run');
      await copyFile(process.execPath, program);
      await chmod(program, 0o755);
      const configured = server({ command: program, args: [at('real.js'), 'good', trace] });
      await harness.start(configured);
      equal(harness.servers.get('s')?.state.type, 'running');
      await harness.servers.get('s')?.stop();
      await unlink(program);
      await writeFile(program, '#!/bin/sh\nexec node "$@"\n', { mode: 0o755 });
      await harness.servers.get('s')?.startAnew();
      equal(harness.servers.get('s')?.state.type, 'unapproved');
    });

    posix.it('G22.link-changed: another target of a script that is a link asks', async () => {
      await symlink(at('real.js'), at('link.js'));
      await harness.start(server({ args: [at('link.js'), 'good', trace] }));
      await copyFile(at('real.js'), at('other.js'));
      await appendFile(at('other.js'), '\n');
      await unlink(at('link.js'));
      await symlink(at('other.js'), at('link.js'));
      await harness.servers.get('s')?.startAnew();
      equal(harness.servers.get('s')?.state.type, 'unapproved');
    });
  });

  it('G22.script-changed: asks even if it changes while the user is asked for input', async () => {
    await harness.dispose();
    let hasChanged = false;
    harness = await McpHarness.create({
      resolve: async ({ definition }, executable = '') => {
        if (hasChanged) await appendFile(at('real.js'), '\n');
        return definition.type === 'http' ? definition : { ...definition, cwd: harness.folder, executable };
      },
    });
    await copyFile(HOSTILE_SERVER, at('real.js'));
    await harness.start(server({ args: [at('real.js'), 'good', trace] }));
    hasChanged = true;
    await harness.servers.get('s')?.startAnew();
    deepEqual(harness.servers.get('s')?.state, { type: 'unapproved', isChanged: true });
    deepEqual(processesWith(trace), []);
  });
});
