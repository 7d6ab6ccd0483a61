import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { Secrets } from '../../src/host/secrets';
import { CANARY, canaryIn } from '../support/canary';

describe('stored keys', () => {
  it('G19.export: are taken out of a text also when this window has used none of them', async () => {
    const stored = new Map([
      ['key:http://127.0.0.1:1', CANARY],
      ['secret:team:http://127.0.0.1:1', 'secret-of-the-team'],
    ]);
    // SAFETY: keys are only read here.
    const storage = { get: async (key: string) => stored.get(key) } as unknown as vscode.SecretStorage;
    const secrets = new Secrets(storage);
    const text = `${CANARY} and secret-of-the-team`;
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
});
