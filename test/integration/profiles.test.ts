import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { profileProblem } from '../../src/host/services/models/profile-problem';
import { Secrets } from '../../src/host/platform/secrets';
import { demoProfile, type ModelProfile } from '../../src/models/profiles';
import { protocolNames } from '../../src/protocols/names';

const good: ModelProfile = { id: 'a', provider: 'openai', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' };

describe('profiles', () => {
  const rows: { name: string; profile: ModelProfile; others?: readonly ModelProfile[]; says: string }[] = [
    {
      name: 'without an address',
      profile: { id: 'a', provider: 'openai', model: 'm' },
      says: 'The profile "a" in "parley.models" needs both "baseUrl" and "model".',
    },
    {
      name: 'without a model',
      profile: { id: 'a', provider: 'openai', baseUrl: 'http://127.0.0.1:1/v1' },
      says: 'The profile "a" in "parley.models" needs both "baseUrl" and "model".',
    },
    {
      name: 'of VS Code without a model',
      profile: { id: 'a', provider: 'vscode' },
      says: 'The profile "a" in "parley.models" needs a "model", such as "copilot/gpt-4o".',
    },
    {
      name: 'with an unknown protocol',
      profile: { ...good, protocol: 'telepathy' },
      says: `The profile "a" in "parley.models" has the unknown protocol "telepathy". Use one of: ${protocolNames.map(({ id }) => id).join(', ')}.`,
    },
    {
      name: 'with a duplicate id',
      profile: good,
      others: [{ ...good, model: 'n' }],
      says: '2 profiles in "parley.models" have the id "a". Give each a unique id.',
    },
    {
      name: 'with the id of the demo',
      profile: { ...good, id: 'demo' },
      says: 'The id "demo" in "parley.models" belongs to the built-in demo. Give that profile another id.',
    },
    {
      name: 'with a header that cannot be sent',
      profile: { ...good, headers: { fine: 'x', 'X-Key': 'a\nb' } },
      says: 'The profile "a" in "parley.models" has a header "X-Key" that cannot be sent. Remove line breaks and special characters.',
    },
  ];
  for (const { name, profile, others = [], says } of rows) {
    it(`explains a profile ${name} in one sentence`, () => {
      assert.equal(profileProblem(profile, [profile, ...others]), says);
    });
  }

  it('accepts valid profiles beside invalid ones', () => {
    const headers = { Authorization: 'Token ${secret:T}' };
    const full = { ...good, protocol: 'vcp', headers };
    const all = [full, { ...good, id: 'b' }, { id: 'c', provider: 'openai' } as const];
    assert.equal(profileProblem(full, all), undefined);
    assert.equal(profileProblem(demoProfile, all), undefined);
  });
});

describe('secrets', () => {
  /** SecretStorage in memory, only the used part. */
  function storage(): vscode.SecretStorage {
    const stored = new Map<string, string>();
    const part: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'> = {
      get: async (key) => stored.get(key),
      store: async (key, value) => void stored.set(key, value),
      delete: async (key) => void stored.delete(key),
    };
    // SAFETY: nothing else of it is used.
    return part as vscode.SecretStorage;
  }

  it('G20.headers: binds header secrets to the origin they were entered for, each under its name', async () => {
    const store = storage();
    const secrets = new Secrets(store);
    await store.store('secret:T:http://127.0.0.1:1', 'canary-t');
    await store.store('key:http://127.0.0.1:1', 'canary-key');
    assert.equal(await secrets.named('T', 'http://127.0.0.1:1/v1'), 'canary-t');
    assert.equal(await secrets.named('T', 'http://127.0.0.1:2/v1'), undefined);
    assert.equal(await secrets.named('T', 'https://127.0.0.1:1/v1'), undefined);
    assert.equal(await secrets.named('U', 'http://127.0.0.1:1/v1'), undefined);
    assert.equal(await secrets.keyFor('http://127.0.0.1:1/v2'), 'canary-key');
  });

  it('G19.redact: removes every secret from written texts', async () => {
    const store = storage();
    const secrets = new Secrets(store);
    await store.store('secret:T:http://127.0.0.1:1', 'canary-t');
    await secrets.named('T', 'http://127.0.0.1:1/v1');
    assert.equal(secrets.redact('x canary-t y'), 'x [key] y');
  });
});
