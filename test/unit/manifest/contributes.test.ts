import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { buildManifest } from '../../../src/manifest/contributes';
import { settings } from '../../../src/manifest/settings';

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}

describe('manifest', () => {
  const manifest = buildManifest();

  it('is what package.json says; `npm run manifest` writes it', () => {
    const { contributes, capabilities } = readJson('package.json');
    assert.deepEqual({ contributes, capabilities }, JSON.parse(JSON.stringify(manifest.package)));
    assert.deepEqual(readJson('package.nls.json'), manifest.texts);
  });

  it('has a default for every setting that its own schema accepts', () => {
    for (const [key, setting] of Object.entries(settings)) {
      assert.deepEqual(setting.schema.parse(setting.default), setting.default, key);
    }
  });

  it('activates for nothing but what a user opens', () => {
    assert.equal(readJson('package.json').activationEvents, undefined);
  });
});
