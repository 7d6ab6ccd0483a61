import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Session } from '../../src/core/session';
import type { SavedSessions } from '../../src/host/services/sessions/saved-sessions';
import { SessionKeeper } from '../../src/host/services/sessions/session-keeper';
import { Secrets } from '../../src/host/platform/secrets';
import { canaryKey, canaryIn, filesWithCanary } from '../support/workspace/canary-key';

describe('stored keys', () => {
  it('G19.export: are removed from a text even if this window has not used them', async () => {
    const stored = new Map([
      ['key:http://127.0.0.1:1', canaryKey],
      ['secret:team:http://127.0.0.1:1', 'secret-of-the-team'],
    ]);
    // SAFETY: keys are only read here.
    const storage = { get: async (key: string) => stored.get(key) } as unknown as vscode.SecretStorage;
    const secrets = new Secrets(storage);
    const text = `${canaryKey} and secret-of-the-team`;
    assert.equal(secrets.redact(text), text);
    const profile = { provider: 'openai', model: 'm' } as const;
    await secrets.learn([
      { id: 'none', provider: 'demo' },
      { id: 'wrong', ...profile, baseUrl: 'no address' },
      { id: 'one', ...profile, baseUrl: 'http://127.0.0.1:1/v1', headers: { 'x-team': '${secret:team}' } },
    ]);
    assert.equal(secrets.redact(text), '[key] and [key]');
    assert.equal(canaryIn(secrets.redact(text)), undefined);
  });

  for (const { name, content } of [
    { name: 'in plain text', content: `a ${canaryKey} b` },
    { name: 'URL-encoded', content: `?key=${encodeURIComponent(canaryKey)}&x` },
    { name: 'in Base64', content: Buffer.from(`user:${canaryKey}`).toString('base64') },
    { name: 'in Base64 for URLs', content: Buffer.from(`team:${canaryKey}!`).toString('base64url') },
  ]) {
    it(`G19.images: are found in the bytes of a file ${name}, whatever its encoding`, async () => {
      // SAFETY: keys are only read here.
      const storage = { get: async () => canaryKey } as unknown as vscode.SecretStorage;
      const secrets = new Secrets(storage);
      assert.equal(secrets.isIn(Buffer.from(content)), false);
      await secrets.learn([{ id: 'one', provider: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:1/v1' }]);
      assert.equal(secrets.isIn(Buffer.from(content)), true);
      assert.equal(secrets.isIn(Buffer.from(content, 'utf16le')), true);
      assert.equal(secrets.isIn(Buffer.from('canary of another kind')), false);
    });
  }

  it('G19.images: of an unused profile prevent keeping a file', async () => {
    const warnings: string[] = [];
    // SAFETY: keys are only read here.
    const storage = { get: async () => canaryKey } as unknown as vscode.SecretStorage;
    const top = await mkdtemp(path.join(tmpdir(), 'parley-keeper-'));
    const models = [{ id: 'one', provider: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:1/v1' }];
    const session = {};
    const saved = {
      parts: {
        context: { globalStorageUri: vscode.Uri.file(top) },
        conversation: { session },
        secrets: new Secrets(storage),
        settings: { get: () => models },
        output: { warn: (text: string) => warnings.push(text), error: assert.ifError },
      },
      show: () => undefined,
    };
    // SAFETY: the keeper uses only the members above to keep an image.
    const keeper = new SessionKeeper(saved as unknown as SavedSessions);
    try {
      // SAFETY: it is only compared with the shown one.
      keeper.record({ type: 'run-start', text: 'go', time: 0 }, session as Session);
      const encoded = Buffer.from(`user:${canaryKey}`).toString('base64');
      assert.equal(await keeper.keepImage(Buffer.from(encoded)), false);
      assert.equal(await keeper.keepImage(Buffer.from('nothing to hide')), true);
      assert.match(warnings.join(), /there is a key in it/);
      assert.deepEqual(filesWithCanary(top), []);
    } finally {
      keeper.dispose();
      await rm(top, { recursive: true, force: true });
    }
  });
});
