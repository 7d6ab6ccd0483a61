import assert from 'node:assert/strict';
import { chmod, truncate } from 'node:fs/promises';
import { UNKNOWN, type FileChange } from '../../../../src/core/words/file-change';
import { ToolError } from '../../../../src/core/words/tool';
import { imageName } from '../../../../src/node/surroundings';
import { recordChange } from '../../../../src/tools/files/record-change';
import { runContext } from '../../../support/agent/run-context';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';

describe('recordChange', () => {
  let scratch: ScratchWorkspace;
  let log: string[];
  const images = {
    nameOf: imageName,
    keep: async (bytes: Uint8Array) => log.push(`kept ${Buffer.from(bytes).toString()}`) > 0,
  };
  const names = new Map(['one', 'two', 'other'].map((text) => [imageName(Buffer.from(text)), text]));
  const say = (image: string | undefined): string => names.get(image ?? '') ?? image ?? '…';
  const context = {
    ...runContext(),
    onFileChange: ({ display, before, after }: FileChange) =>
      void log.push(`${display}: ${say(before)} → ${say(after)}`),
  };

  beforeEach(async () => {
    log = [];
    scratch = await ScratchWorkspace.create({ 'a.txt': 'one' }, { images });
  });
  afterEach(() => scratch.dispose());

  async function call(name: string, input: Record<string, unknown>): Promise<void> {
    // SAFETY: the rows below are JSON.
    const prepared = await scratch.prepare(name, input as never);
    await prepared.run(context).catch((error: unknown) => {
      if (!(error instanceof ToolError)) throw error;
      log.push('failed');
    });
  }

  for (const { name, tool, input, expect } of [
    {
      name: 'an edit',
      tool: 'edit_file',
      input: { path: 'a.txt', old: 'one', new: 'two' },
      expect: ['a.txt: one → …', 'kept one', 'a.txt: one → two', 'kept two'],
    },
    {
      name: 'a replaced file',
      tool: 'write_file',
      input: { path: 'a.txt', content: 'two', overwrite: true },
      expect: ['a.txt: one → …', 'kept one', 'a.txt: one → two', 'kept two'],
    },
    {
      name: 'a new file',
      tool: 'write_file',
      input: { path: 'x/b.txt', content: 'two' },
      expect: ['x/b.txt: absent → …', 'x/b.txt: absent → two', 'kept two'],
    },
  ]) {
    it(`tells and keeps what ${name} replaces before it begins, and what it leaves`, async () => {
      await call(tool, input);
      assert.deepEqual(log, expect);
    });
  }

  it('reports for a failed change that nothing changed', async () => {
    const prepared = await scratch.prepare('edit_file', { path: 'a.txt', old: 'one', new: 'two' });
    await scratch.write('a.txt', 'other');
    await assert.rejects(prepared.run(context), ToolError);
    assert.deepEqual(log, ['a.txt: other → …', 'kept other', 'a.txt: other → other', 'kept other']);
  });

  it('changes files that cannot be kept, and says that their content is unknown', async () => {
    await truncate(scratch.path('a.txt'), 11 * 1024 * 1024);
    const place = await scratch.files.resolve('a.txt', 'write');
    const shelf = { files: scratch.files, images };
    await recordChange([place], () => scratch.write('a.txt', 'two'), shelf, context);
    assert.deepEqual(log, [`a.txt: ${UNKNOWN} → …`, `a.txt: ${UNKNOWN} → two`, 'kept two']);
  });

  it('does not begin when the call was stopped meanwhile', async () => {
    const place = await scratch.files.resolve('b.txt', 'write');
    const signal = AbortSignal.abort();
    const change = recordChange(
      [place],
      () => scratch.write('b.txt', 'two'),
      { files: scratch.files, images },
      { ...context, signal },
    );
    await assert.rejects(change, /abort/);
    assert.deepEqual(log, []);
  });

  it('ends within the files it keeps when the call is stopped, and begins nothing', async () => {
    const stop = new AbortController();
    const shelf = {
      files: scratch.files,
      images: {
        ...images,
        keep: async (bytes: Uint8Array) => {
          stop.abort();
          return images.keep(bytes);
        },
      },
    };
    await scratch.write('b.txt', 'two');
    const places = await Promise.all(['a.txt', 'b.txt'].map((file) => scratch.files.resolve(file, 'write')));
    const change = recordChange(places, () => assert.fail('It began.'), shelf, {
      ...context,
      signal: stop.signal,
    });
    await assert.rejects(change, /abort/);
    assert.deepEqual(log, ['a.txt: one → …', 'kept one', 'a.txt: one → one', 'kept one']);
  });

  it('reports the mode of the file, for a later restore', async () => {
    await chmod(scratch.path('a.txt'), 0o750);
    const told: FileChange[] = [];
    const prepared = await scratch.prepare('edit_file', { path: 'a.txt', old: 'one', new: 'two' });
    await prepared.run({ ...context, onFileChange: (change) => void told.push(change) });
    assert.deepEqual(
      told.map(({ mode }) => mode),
      [0o750, 0o750],
    );
  });
});
