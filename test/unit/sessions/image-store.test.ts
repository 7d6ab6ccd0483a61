import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ImageStore } from '../../../src/sessions/image-store';
import { NodeSessionFolder } from '../../../src/sessions/node-folder';
import { hashOf } from '../../../src/sessions/record';
import { SessionStore } from '../../../src/sessions/session-store';
import { SessionWriter } from '../../../src/sessions/session-writer';
import { runStart } from '../../support/agent/chat-events';

describe('ImageStore', () => {
  let top: string;
  let place: string;
  let folder: NodeSessionFolder;
  let images: ImageStore;
  const bytes = Buffer.from([0xff, 0xfe, 0, 1, 2]);
  const image = hashOf(bytes);

  beforeEach(async () => {
    top = await mkdtemp(path.join(tmpdir(), 'parley-image-'));
    place = path.join(top, 'sessions');
    folder = new NodeSessionFolder(place);
    images = new ImageStore(folder);
  });
  afterEach(() => rm(top, { recursive: true, force: true }));

  const writer = (start?: ConstructorParameters<typeof SessionWriter>[1]): SessionWriter => {
    const made = new SessionWriter(folder, start, {
      workspace: 'w',
      redact: (text) => text,
      onFile: () => undefined,
      onError: (error) => assert.fail(String(error)),
    });
    made.add(runStart('go'));
    return made;
  };

  it('gives back what it was given, and nothing else', async () => {
    await images.keep('s', bytes);
    assert.deepEqual(await images.read(image), bytes);
    for (const other of [hashOf('x'), 'absent', 'unknown', '', image.slice(1), '../s']) {
      assert.equal(await images.read(other), undefined);
    }
  });

  it('keeps the same content of a session file once, and leaves nothing beside it', async () => {
    await images.keep('s', bytes);
    await images.keep('s', bytes);
    assert.deepEqual(await readdir(place), [`s-${image}.image`]);
  });

  it('G21: only the user can read it', async () => {
    await images.keep('s', bytes);
    assert.equal((await stat(place)).mode & 0o777, 0o700);
    assert.equal((await stat(path.join(place, `s-${image}.image`))).mode & 0o777, 0o600);
  });

  it('does not return a changed copy while another copy is intact', async () => {
    await images.keep('s', bytes);
    await writeFile(path.join(place, `s-${image}.image`), 'torn');
    assert.equal(await images.read(image), undefined);
    await images.keep('t', bytes);
    assert.deepEqual(await images.read(image), bytes);
  });

  it('is deleted with its session, but stays while another session continues from it', async () => {
    const first = writer();
    const id = first.fileId();
    await images.keep(id, bytes);
    first.close();
    const store = new SessionStore(folder);
    const stored = await store.load(id);
    assert.ok(stored);
    const second = writer(stored.start);
    await images.keep(second.fileId(), Buffer.from('later'));
    second.close();
    const [listed, ...others] = await store.list();
    assert.deepEqual(others, []);
    assert.deepEqual(await images.read(image), bytes);
    await store.remove(listed?.id ?? '');
    assert.deepEqual(await readdir(place), []);
  });

  it('is not created by a session that has ended', () => {
    const over = writer();
    over.close();
    assert.throws(() => over.fileId(), /no longer written/);
  });

  it('a failed write leaves nothing', async () => {
    await writeFile(place, 'a file where the folder should be');
    await assert.rejects(images.keep('s', bytes));
    assert.equal(await readFile(place, 'utf8'), 'a file where the folder should be');
  });
});
