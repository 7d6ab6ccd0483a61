import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApprovalFiles } from '../../../src/mcp/approval-files';
import { canonicalDefinition, type ConfiguredServer, type Input } from '../../../src/mcp/definition';

const server: ConfiguredServer = {
  name: 'a',
  scope: 'workspace',
  folder: '/w',
  definition: { type: 'stdio', command: 'x', args: ['1'], env: {} },
};
const canonical = canonicalDefinition(server, '/bin/x');

describe('approvals of servers', () => {
  let folder: string;
  let approvals: ApprovalFiles;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'parley-approvals-'));
    approvals = new ApprovalFiles(path.join(folder, 'mcp'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('G22.fingerprint: hold for one definition, and for no other of its name', async () => {
    assert.equal(await approvals.of(server, canonical), 'none');
    await approvals.approve(server, canonical);
    assert.equal(await approvals.of(server, canonical), 'approved');
    const others = [
      canonicalDefinition(server, '/tmp/x'),
      canonicalDefinition(
        { ...server, definition: { ...server.definition, args: ['1', ''] } as never },
        '/bin/x',
      ),
      canonicalDefinition(
        { ...server, definition: { ...server.definition, env: { A: '' } } as never },
        '/bin/x',
      ),
      canonicalDefinition({ ...server, inputs: [{ id: 'k' }] }, '/bin/x'),
    ];
    for (const other of others) assert.equal(await approvals.of(server, other), 'changed');
    assert.equal(await approvals.last(server), canonical);
    assert.equal(await approvals.of({ ...server, folder: '/other' }, `${canonical} `), 'none');
  });

  it('G22.inputs: hold for what the user is asked for, word by word', () => {
    const asking = (input: Partial<Input>): string =>
      canonicalDefinition({ ...server, inputs: [{ id: 'k', ...input }] }, '/bin/x');
    const texts = [
      asking({}),
      asking({ type: 'promptString' }),
      asking({ description: 'Name' }),
      asking({ default: 'Name' }),
      asking({ password: false }),
      asking({ options: [] }),
    ];
    assert.equal(new Set(texts).size, texts.length);
    assert.equal(asking({ description: 'a', default: 'b' }), asking({ default: 'b', description: 'a' }));
  });

  it('G4: are there in the next window, and readable only for the user', async () => {
    await approvals.approve(server, canonical);
    approvals.allow('d'.repeat(64));
    const again = new ApprovalFiles(path.join(folder, 'mcp'));
    assert.equal(await again.of(server, canonical), 'approved');
    assert.equal(again.isAllowed('d'.repeat(64)), true);
    assert.equal(again.isAllowed('e'.repeat(64)), false);
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (process.platform !== 'win32') assert.equal(statSync(path.join(folder, name)).mode & 0o077, 0, name);
    }
  });

  it('are dropped if their file is damaged', async () => {
    await approvals.approve(server, canonical);
    const definitions = path.join(folder, 'mcp', 'definitions');
    for (const name of readdirSync(definitions))
      writeFileSync(path.join(definitions, name), canonical.slice(1));
    assert.equal(await approvals.of(server, canonical), 'changed');
  });

  it('G23: treat damaged pins as tools not yet seen', async () => {
    await approvals.pin(canonical, { instructions: '', tools: { a: '{}' } });
    const pins = path.join(folder, 'mcp', 'pins');
    for (const name of readdirSync(pins)) writeFileSync(path.join(pins, name), '{"tools":');
    assert.deepEqual(await approvals.pins(canonical), { instructions: '', tools: {} });
  });
});
