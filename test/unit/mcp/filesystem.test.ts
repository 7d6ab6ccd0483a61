import { equal, match } from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FILESYSTEM_SERVER, McpHarness, programServer } from '../../support/servers/mcp-harness';

describe('a real server for files', () => {
  let harness: McpHarness;

  before(async function () {
    this.timeout(60_000);
    harness = await McpHarness.create();
    await harness.start(programServer('my files', FILESYSTEM_SERVER, harness.folder));
  });
  after(() => harness.dispose());

  it('reads and writes in the folder that it was given', async () => {
    const file = path.join(harness.folder, 'a.txt');
    await writeFile(file, 'one\ntwo\n');
    match((await harness.call('mcp_my_files_read_text_file', { path: file })).text, /one\ntwo/);
    await harness.call('mcp_my_files_write_file', { path: file, content: 'three\n' });
    equal(await readFile(file, 'utf8'), 'three\n');
  });

  it('says why it refuses', async () => {
    match(
      await harness.failure('mcp_my_files_read_text_file', { path: '/etc/hostname' }),
      /mcp_my_files_read_text_file failed: .*denied/,
    );
  });

  it('takes lists and nested objects', async () => {
    const file = path.join(harness.folder, 'b.txt');
    await writeFile(file, 'one\n');
    const edits = [{ oldText: 'one', newText: 'two' }];
    await harness.call('mcp_my_files_edit_file', { path: file, edits });
    equal(await readFile(file, 'utf8'), 'two\n');
    match(
      await harness.failure('mcp_my_files_edit_file', { path: file, edits: [{ oldText: 'two' }] }),
      /newText/,
    );
  });
});
