import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { toolsWithoutFolder } from '../../../src/cli/built-in';
import { buildManifest } from '../../../src/manifest/contributes';
import { mcpFileSchema } from '../../../src/manifest/mcp';
import { profilePresets } from '../../../src/manifest/profile';
import { settings } from '../../../src/manifest/settings';

interface Field {
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly items?: { readonly properties?: Readonly<Record<string, Field>> };
}

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}

/** What the settings editor gets, by the whole key. */
function contributed(): Readonly<Record<string, unknown>> {
  const { contributes } = buildManifest(toolsWithoutFolder()).package as unknown as {
    contributes: { configuration: readonly { properties: Record<string, unknown> }[] };
  };
  return Object.fromEntries(
    contributes.configuration.flatMap(({ properties }) => Object.entries(properties)),
  );
}

describe('manifest', () => {
  const manifest = buildManifest(toolsWithoutFolder());

  it('is what package.json says; `npm run manifest` writes it', () => {
    const { activationEvents, contributes, capabilities, description } = readJson('package.json');
    assert.deepEqual(
      { activationEvents, contributes, capabilities, description },
      JSON.parse(JSON.stringify(manifest.package)),
    );
    assert.deepEqual(readJson('package.nls.json'), manifest.texts);
  });

  it('has the schema that the editor checks .mcp.json by', () => {
    assert.deepEqual(readJson('media/mcp.schema.json'), JSON.parse(JSON.stringify(mcpFileSchema())));
    const { contributes } = readJson('package.json') as { contributes: { jsonValidation: unknown } };
    assert.deepEqual(contributes.jsonValidation, [
      { fileMatch: '.mcp.json', url: './media/mcp.schema.json' },
    ]);
  });

  it('says in the editor what every field of a server is for', () => {
    const { additionalProperties } = contributed()['parley.mcp.servers'] as {
      additionalProperties: { properties: Record<string, { markdownDescription?: unknown }> };
    };
    for (const [name, field] of Object.entries(additionalProperties.properties))
      assert.match(String(field.markdownDescription), /^%[\w.]+%$/, name);
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
      const written = JSON.stringify(body)
        .replace(/"\^(\$\{\d:[^}]*\})"/g, '$1')
        .replace(/\$\{\d:([^}]*)\}/g, '$1');
      assert.equal(settings.models.schema.safeParse([JSON.parse(written)]).success, true, label);
    }
  });

  it('has a place for the window in the presets of servers that are started with one', () => {
    const local = profilePresets.filter(({ body }) => body.baseUrl.includes('127.0.0.1'));
    assert.deepEqual(
      local.map(({ label, body }) => `${label} ${body.contextWindow}`),
      ['Ollama', 'LM Studio', 'llama.cpp', 'vLLM'].map((label) => `${label} ^\${4:32768}`),
    );
  });

  for (const key of ['parley.models', 'parley.agents']) {
    it(`says in the editor what every field of ${key} is for`, () => {
      const { properties } = (contributed()[key] as { items: { properties: Record<string, object> } }).items;
      for (const [name, field] of Object.entries(properties)) {
        assert.match(
          String((field as { markdownDescription?: unknown }).markdownDescription),
          /^%[\w.]+%$/,
          name,
        );
      }
    });
  }

  it('says in the editor what each enum value means', () => {
    // SAFETY: the manifest consists of these.
    const all = contributed() as Readonly<Record<string, Field>>;
    const provider = all['parley.models']?.items?.properties?.['provider'];
    const chosen = [...Object.values(all), provider].filter((field) => field?.enum !== undefined);
    assert.equal(chosen.length, 10);
    for (const field of chosen) {
      const said = field?.enumDescriptions?.map((key) => manifest.texts[key.slice(1, -1)] ?? '') ?? [];
      assert.equal(said.filter((text) => text !== '').length, field?.enum?.length);
    }
  });

  it('tells people of each tool that VS Code lists what it does', () => {
    const { languageModelTools } = manifest.package.contributes as {
      languageModelTools: readonly { name: string; userDescription?: string; icon: string }[];
    };
    assert.ok(languageModelTools.length > 0);
    for (const { name, userDescription, icon } of languageModelTools) {
      assert.equal(userDescription, `%${name.replace('parley_', 'tool.')}.description%`);
      assert.match(icon, /^\$\(\w+\)$/);
    }
  });

  it('activates only for what a user opens', () => {
    assert.deepEqual(readJson('package.json').activationEvents, [
      'onWebviewPanel:parley.chatInEditor',
      'onWebviewPanel:parley.lab',
    ]);
  });
});
