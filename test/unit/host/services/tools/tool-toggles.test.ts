import assert from 'node:assert/strict';
import type { Toggles } from '../../../../../src/core/words/config';
import type { Tool } from '../../../../../src/core/words/tool';
import { ToolToggles, type ToolRow } from '../../../../../src/host/services/tools/tool-toggles';
import type { SettingsTarget } from '../../../../../src/host/platform/settings';
import { ToolRegistry } from '../../../../../src/tools/registry';

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
const extensions: ToolRow = { toolsetId: 'extensions', methods: [greet] };
const files: ToolRow = { toolsetId: 'files', methods: [read, write] };

/**
 * Toggles over settings in memory, as VS Code joins them: of two entries for a key, the workspace's counts. Models are told
 * of `write_file` by a line.
 */
function toggled(
  given: { workspace?: Toggles; user?: Toggles },
  clicksGoTo: SettingsTarget | undefined = 'workspace',
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
    choiceTarget: 'workspace' as const,
    get: (key: string) => values[key]?.(),
    chosen: (_: string, target: SettingsTarget) => written[target],
    choose: async (_: string, value: Toggles | undefined, target: SettingsTarget) => {
      written[target] = value;
    },
  };
  // SAFETY: toggles ask for no other settings than the two above.
  const parts = { settings: settings as never, tools: { get: async () => registry } };
  const listed = async (): Promise<readonly Tool[]> => [write];
  return { written, toggles: new ToolToggles({ ...parts, listed, targetForClick: async () => clicksGoTo }) };
}

describe('tool toggles', () => {
  it("of a toolset override both scopes' toggles for its tools", async () => {
    const { written, toggles } = toggled({ user: { read_file: true }, workspace: { read_file: true } });
    await toggles.setToolset('files', false);
    assert.deepEqual(written.workspace, { files: false, read_file: false });
    assert.equal(toggles.isOn(read), false);
  });

  type Switch = (toggles: ToolToggles) => Promise<void>;
  const one: Switch = (toggles) => toggles.setTool('read_file', true);
  const set: Switch = (toggles) => toggles.setToolset('files', true);
  const others: Switch = (toggles) => toggles.setToolset('extensions', true);
  const everything: Switch = (toggles) => toggles.setAll(true);
  const switched: readonly {
    readonly name: string;
    readonly given: { readonly workspace?: Toggles; readonly user?: Toggles };
    readonly by: Switch;
    readonly expect: Toggles | undefined;
  }[] = [
    {
      name: 'a tool by taking away what switched it off',
      given: { workspace: { read_file: false } },
      by: one,
      expect: undefined,
    },
    {
      name: 'a tool that its toolset switches off by its name',
      given: { workspace: { files: false } },
      by: one,
      expect: { files: false, read_file: true },
    },
    {
      name: 'a tool back to what its toolset says',
      given: { workspace: { files: 'onDemand', read_file: false } },
      by: one,
      expect: { files: 'onDemand' },
    },
    {
      name: "a tool that the user's settings switch off by its name",
      given: { workspace: { read_file: false }, user: { read_file: false } },
      by: one,
      expect: { read_file: true },
    },
    {
      name: 'a toolset by taking away what switched it and its tools off, and nothing else',
      given: { workspace: { files: false, read_file: false, write_file: 'onDemand' } },
      by: set,
      expect: { write_file: 'onDemand' },
    },
    {
      name: "a tool of a toolset that the user's settings switch off, and no other of it",
      given: { workspace: { files: false }, user: { read_file: false } },
      by: set,
      expect: { read_file: true },
    },
    {
      name: "a toolset that the user's settings switch off",
      given: { user: { files: false } },
      by: set,
      expect: { files: true },
    },
    {
      name: 'a toolset whose tools are off by default',
      given: { workspace: { greet: false } },
      by: others,
      expect: { extensions: true },
    },
    {
      name: 'everything, and keep what is on',
      given: { workspace: { files: false, read_file: 'onDemand' } },
      by: everything,
      expect: { read_file: 'onDemand', extensions: true },
    },
  ];
  for (const { name, given, by, expect } of switched) {
    it(`switch on ${name}`, async () => {
      const { written, toggles } = toggled(given);
      await by(toggles);
      assert.deepEqual(written, { workspace: expect, user: given.user });
    });
  }

  it('do not pin the tools of a toolset that is switched off and on again', async () => {
    const { written, toggles } = toggled({});
    await toggles.setToolset('files', false);
    assert.deepEqual(written.workspace, { files: false });
    await toggles.setToolset('files', true);
    assert.equal(written.workspace, undefined);
  });

  const defined: readonly {
    readonly name: string;
    readonly given: { readonly workspace?: Toggles; readonly user?: Toggles };
    readonly row: ToolRow;
    readonly how: true | 'onDemand';
    readonly expect: Toggles;
  }[] = [
    { name: 'a tool always', given: {}, row: write, how: true, expect: { write_file: true } },
    {
      name: 'a tool on demand',
      given: { workspace: { read_file: true } },
      row: read,
      how: 'onDemand',
      expect: { read_file: 'onDemand' },
    },
    {
      name: "a toolset on demand, whatever the user's settings say of its tools",
      given: { workspace: { write_file: true }, user: { read_file: true } },
      row: files,
      how: 'onDemand',
      expect: { files: 'onDemand', read_file: 'onDemand' },
    },
    {
      name: 'a toolset, and leave off what is off',
      given: { workspace: { read_file: false } },
      row: files,
      how: true,
      expect: { files: true, read_file: false },
    },
    {
      name: 'a toolset that was off',
      given: { workspace: { extensions: false } },
      row: extensions,
      how: 'onDemand',
      expect: { extensions: 'onDemand' },
    },
  ];
  for (const { name, given, row, how, expect } of defined) {
    it(`define ${name}`, async () => {
      const { written, toggles } = toggled(given);
      await toggles.define(row, how);
      assert.deepEqual(written, { workspace: expect, user: given.user });
    });
  }

  it('write nothing if the user declines the scope', async () => {
    const { written, toggles } = toggled({ user: { shell: false } }, undefined);
    await toggles.setTool('read_file', false);
    await toggles.setToolset('files', false);
    await toggles.setAll(false);
    await toggles.reset();
    assert.deepEqual(written, { workspace: undefined, user: { shell: false } });
  });

  it('write to the scope that the user chooses', async () => {
    const { written, toggles } = toggled({}, 'user');
    await toggles.setTool('read_file', false);
    assert.deepEqual(written, { workspace: undefined, user: { read_file: false } });
  });

  it('leave no empty setting', async () => {
    const { written, toggles } = toggled({ workspace: { read_file: false } });
    await toggles.forget(read);
    assert.deepEqual(written, { workspace: undefined, user: undefined });
  });

  const sources = [
    { name: 'nothing', given: {}, expect: undefined },
    {
      name: 'the toolset',
      given: { user: { files: false } },
      expect: { key: 'files', target: 'user' },
    },
    {
      name: 'the tool in the user settings, although the workspace names the toolset',
      given: { workspace: { files: true }, user: { read_file: false } },
      expect: { key: 'read_file', target: 'user' },
    },
    {
      name: 'the workspace, if both name the tool',
      given: { workspace: { read_file: true }, user: { read_file: false } },
      expect: { key: 'read_file', target: 'workspace' },
    },
  ] as const;
  for (const { name, given, expect } of sources) {
    it(`say what switches a tool: ${name}`, () => {
      assert.deepEqual(toggled(given).toggles.sourceOf(read), expect);
    });
  }

  const kept = [
    {
      name: 'a tool in its default state',
      given: {},
      row: greet,
      target: 'user',
      expect: { workspace: undefined, user: { greet: false } },
    },
    {
      name: 'a tool that is on demand by default',
      given: {},
      row: write,
      target: 'user',
      expect: { workspace: undefined, user: { write_file: 'onDemand' } },
    },
    {
      name: 'a tool that is pinned',
      given: { workspace: { write_file: true } },
      row: write,
      target: 'user',
      expect: { workspace: undefined, user: { write_file: true } },
    },
    {
      name: 'a toolset that is on demand but for one tool',
      given: { user: { files: 'onDemand', read_file: true } },
      row: files,
      target: 'workspace',
      expect: { workspace: { files: 'onDemand', read_file: true }, user: undefined },
    },
    {
      name: 'a toolset in its default state',
      given: {},
      row: files,
      target: 'workspace',
      expect: { workspace: { files: true, write_file: 'onDemand' }, user: undefined },
    },
    {
      name: 'a toolset that is off but for one tool',
      given: { workspace: { files: false }, user: { read_file: 'onDemand' } },
      row: files,
      target: 'user',
      expect: { workspace: undefined, user: { files: false, read_file: 'onDemand' } },
    },
    {
      name: 'a tool that the other target has switched',
      given: { workspace: { read_file: false, shell: true } },
      row: read,
      target: 'user',
      expect: { workspace: { shell: true }, user: { read_file: false } },
    },
    {
      name: 'a toolset of which some tools are on',
      given: { workspace: { files: true }, user: { write_file: false } },
      row: files,
      target: 'workspace',
      expect: { workspace: { files: true, write_file: false }, user: undefined },
    },
    {
      name: 'a toolset that is off',
      given: { user: { files: false } },
      row: files,
      target: 'workspace',
      expect: { workspace: { files: false }, user: undefined },
    },
  ] as const;
  for (const { name, given, row, target, expect } of kept) {
    it(`keep ${name} in one target, and change nothing by that`, async () => {
      const { written, toggles } = toggled(given);
      const before = tools.map((each) => toggles.isOn(each));
      await toggles.keep(row, target);
      assert.deepEqual(written, expect);
      assert.deepEqual(
        tools.map((each) => toggles.isOn(each)),
        before,
      );
    });
  }

  it('forget a toolset with what is said of its tools, in both targets', async () => {
    const { written, toggles } = toggled({
      workspace: { files: false, greet: true },
      user: { write_file: true },
    });
    assert.deepEqual(toggles.targetsOf(files), ['workspace', 'user']);
    assert.deepEqual(toggles.targetsOf(read), []);
    await toggles.forget(files);
    assert.deepEqual(written, { workspace: { greet: true }, user: undefined });
  });
});
