import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { builtInTools } from '../../../src/cli/built-in';
import { buildManifest } from '../../../src/manifest/contributes';
import { profilePresets } from '../../../src/manifest/profile';
import { settings } from '../../../src/manifest/settings';

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}

/** What the settings editor gets, by the whole key. */
function contributed(): Readonly<Record<string, unknown>> {
  const { contributes } = buildManifest(builtInTools()).package as unknown as {
    contributes: { configuration: readonly { properties: Record<string, unknown> }[] };
  };
  return Object.fromEntries(
    contributes.configuration.flatMap(({ properties }) => Object.entries(properties)),
  );
}

describe('manifest', () => {
  const manifest = buildManifest(builtInTools());

  it('is what package.json says; `npm run manifest` writes it', () => {
    const { activationEvents, contributes, capabilities, description } = readJson('package.json');
    assert.deepEqual(
      { activationEvents, contributes, capabilities, description },
      JSON.parse(JSON.stringify(manifest.package)),
    );
    assert.deepEqual(readJson('package.nls.json'), manifest.texts);
  });

  it('has every setting in a section of the settings editor', () => {
    const keys = Object.keys(settings).map((key) => `parley.${key}`);
    assert.deepEqual(Object.keys(contributed()).sort(), keys.sort());
  });

  it('has a default for every setting that its own schema accepts', () => {
    for (const [key, setting] of Object.entries(settings)) {
      assert.deepEqual(setting.schema.parse(setting.default), setting.default, key);
    }
  });

  it('offers presets that the setting accepts as they are written', () => {
    for (const { label, body } of profilePresets) {
      const written = JSON.parse(JSON.stringify(body).replace(/\$\{\d:([^}]*)\}/g, '$1')) as unknown;
      assert.equal(settings.models.schema.safeParse([written]).success, true, label);
    }
  });

  it('says in the editor what every field of a profile is for', () => {
    const { properties } = (
      contributed()['parley.models'] as { items: { properties: Record<string, object> } }
    ).items;
    for (const [name, field] of Object.entries(properties)) {
      assert.match(
        String((field as { markdownDescription?: unknown }).markdownDescription),
        /^%[\w.]+%$/,
        name,
      );
    }
  });

  it('activates for nothing but what a user opens', () => {
    assert.deepEqual(readJson('package.json').activationEvents, ['onWebviewPanel:parley.lab']);
  });
});
