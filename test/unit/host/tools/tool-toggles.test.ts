import assert from 'node:assert/strict';
import type { Tool } from '../../../../src/core/words/tool';
import { ToolToggles, type ToolRow } from '../../../../src/host/tools/tool-toggles';
import type { SettingsPlace } from '../../../../src/host/window/settings';
import { ToolRegistry } from '../../../../src/tools/registry';

type Toggles = Readonly<Record<string, boolean>>;

function tool(name: string, toolset: string, offByDefault = false): Tool {
  return {
    spec: { name, description: '', parameters: {} },
    toolset,
    method: name,
    effect: 'read',
    agentCallable: true,
    ...(offByDefault && { offByDefault }),
    prepare: () => Promise.reject(new Error('It is not called.')),
  };
}

const read = tool('read_file', 'files');
const write = tool('write_file', 'files');
const greet = tool('greet', 'extensions', true);
const tools = [read, write, greet];
const files: ToolRow = { toolsetId: 'files', methods: [read, write] };

/** Toggles over settings in memory, as VS Code joins them: of two entries for a key, the workspace's counts. */
function toggled(
  given: { workspace?: Toggles; user?: Toggles },
  clicksGoTo: SettingsPlace | undefined = 'workspace',
) {
  const written: { workspace: Toggles | undefined; user: Toggles | undefined } = {
    workspace: given.workspace,
    user: given.user,
  };
  const values: Readonly<Record<string, () => unknown>> = {
    'toolCalling.toolToggles': () => ({ ...written.user, ...written.workspace }),
    'toolCalling.defaultToolEnabled': () => true,
  };
  const registry = new ToolRegistry({ tools: () => tools });
  const settings = {
    choicePlace: 'workspace' as const,
    get: (key: string) => values[key]?.(),
    chosen: (_: string, place: SettingsPlace) => written[place],
    choose: async (_: string, value: Toggles | undefined, place: SettingsPlace) => {
      written[place] = value;
    },
  };
  // SAFETY: toggles ask for no other settings than the two above.
  const parts = { settings: settings as never, tools: { get: async () => registry } };
  return { written, toggles: new ToolToggles({ ...parts, placeForClick: async () => clicksGoTo }) };
}

describe('tool toggles', () => {
  it('of a toolset win over what both scopes say about its tools', async () => {
    const { written, toggles } = toggled({ user: { read_file: false }, workspace: { read_file: false } });
    await toggles.setToolset('files', true);
    assert.deepEqual(written.workspace, { files: true, read_file: true });
    assert.equal(toggles.isOn(read), true);
  });

  it('write nothing where the user says no to the place', async () => {
    const { written, toggles } = toggled({ user: { shell: false } }, undefined);
    await toggles.setTool('read_file', false);
    await toggles.setToolset('files', false);
    await toggles.setAll(false);
    await toggles.reset();
    assert.deepEqual(written, { workspace: undefined, user: { shell: false } });
  });

  it('write where the user says to', async () => {
    const { written, toggles } = toggled({}, 'user');
    await toggles.setTool('read_file', false);
    assert.deepEqual(written, { workspace: undefined, user: { read_file: false } });
  });

  it('leave no empty setting behind', async () => {
    const { written, toggles } = toggled({ workspace: { read_file: false } });
    await toggles.forget(read);
    assert.deepEqual(written, { workspace: undefined, user: undefined });
  });

  const sources = [
    { name: 'nothing', given: {}, expect: undefined },
    {
      name: 'the toolset',
      given: { user: { files: false } },
      expect: { key: 'files', place: 'user' },
    },
    {
      name: 'the tool in the user settings, although the workspace names the toolset',
      given: { workspace: { files: true }, user: { read_file: false } },
      expect: { key: 'read_file', place: 'user' },
    },
    {
      name: 'the workspace, where both name the tool',
      given: { workspace: { read_file: true }, user: { read_file: false } },
      expect: { key: 'read_file', place: 'workspace' },
    },
  ] as const;
  for (const { name, given, expect } of sources) {
    it(`say what switches a tool: ${name}`, () => {
      assert.deepEqual(toggled(given).toggles.sourceOf(read), expect);
    });
  }

  const kept = [
    {
      name: 'a tool as it is by default',
      given: {},
      row: greet,
      place: 'user',
      expect: { workspace: undefined, user: { greet: false } },
    },
    {
      name: 'a tool that the other place has switched',
      given: { workspace: { read_file: false, shell: true } },
      row: read,
      place: 'user',
      expect: { workspace: { shell: true }, user: { read_file: false } },
    },
    {
      name: 'a toolset of which some tools are on',
      given: { workspace: { files: true }, user: { write_file: false } },
      row: files,
      place: 'workspace',
      expect: { workspace: { files: true, write_file: false }, user: undefined },
    },
    {
      name: 'a toolset that is off',
      given: { user: { files: false } },
      row: files,
      place: 'workspace',
      expect: { workspace: { files: false }, user: undefined },
    },
  ] as const;
  for (const { name, given, row, place, expect } of kept) {
    it(`keep ${name} in one place, and change nothing by that`, async () => {
      const { written, toggles } = toggled(given);
      const before = tools.map((each) => toggles.isOn(each));
      await toggles.keep(row, place);
      assert.deepEqual(written, expect);
      assert.deepEqual(
        tools.map((each) => toggles.isOn(each)),
        before,
      );
    });
  }

  it('forget a toolset with what is said of its tools, in both places', async () => {
    const { written, toggles } = toggled({
      workspace: { files: false, greet: true },
      user: { write_file: true },
    });
    assert.deepEqual(toggles.placesOf(files), ['workspace', 'user']);
    assert.deepEqual(toggles.placesOf(read), []);
    await toggles.forget(files);
    assert.deepEqual(written, { workspace: { greet: true }, user: undefined });
  });
});
