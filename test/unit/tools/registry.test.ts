import assert from 'node:assert/strict';
import * as z from 'zod';
import { Emitter } from '../../../src/base/disposable';
import type { Tool } from '../../../src/core/words/tool';
import { defineTool } from '../../../src/tools/define';
import { ToolRegistry, type ToggleConfig } from '../../../src/tools/registry';

const on: ToggleConfig = { enabled: true, toolToggles: {}, defaultToolEnabled: true };

const registry = new ToolRegistry({
  tools: () => [
    tool('files', 'readFile'),
    tool('files', 'editFile'),
    tool('my_tools', 'doIt'),
    tool('lab', 'secret', false),
  ],
});

describe('ToolRegistry', () => {
  it('groups the methods that agents may call by toolset', () => {
    const found = registry
      .getDiscoveredMethods()
      .map(({ toolsetId, methods }) => [toolsetId, ...methods.map((each) => each.method)]);
    assert.deepEqual(found, [
      ['files', 'readFile', 'editFile'],
      ['my_tools', 'doIt'],
    ]);
  });

  it('groups what a filter lets through', () => {
    const found = registry.getDiscoveredMethods((each) => each.method === 'secret');
    assert.deepEqual(
      found.map(({ toolsetId }) => toolsetId),
      ['lab'],
    );
  });

  for (const { name, config, expect } of [
    { name: 'offers everything callable', config: on, expect: 'read_file edit_file do_it' },
    { name: 'offers nothing when tool calling is off', config: { ...on, enabled: false }, expect: '' },
    { name: 'switches a toolset off', config: { ...on, toolToggles: { files: false } }, expect: 'do_it' },
    {
      name: 'lets the wire name win over the toolset',
      config: { ...on, toolToggles: { files: false, read_file: true } },
      expect: 'read_file do_it',
    },
    {
      name: 'offers only what is switched on when the default is off',
      config: { ...on, defaultToolEnabled: false, toolToggles: { edit_file: true } },
      expect: 'edit_file',
    },
    {
      name: 'never offers what agents may not call',
      config: { ...on, toolToggles: { secret: true } },
      expect: 'read_file edit_file do_it',
    },
  ]) {
    it(name, () =>
      assert.equal(
        registry
          .offered(config)
          .map((each) => each.spec.name)
          .join(' '),
        expect,
      ),
    );
  }

  for (const { name, expect } of [
    { name: 'read_file', expect: 'read_file' },
    { name: 'files_readFile', expect: 'read_file' },
    { name: 'my_tools_doIt', expect: 'do_it' },
    { name: 'my_toolsdoIt', expect: undefined },
    { name: 'mcp_files_readFile', expect: undefined },
    { name: 'readFile', expect: undefined },
    { name: '', expect: undefined },
  ]) {
    it(`resolves "${name}" to ${expect ?? 'nothing'}`, () =>
      assert.equal(registry.resolve(name)?.spec.name, expect));
  }

  it('says why a tool is not offered', () => {
    const why = (name: string, config: Partial<ToggleConfig> = {}) =>
      registry.whyUnavailable(name, { ...on, ...config });
    assert.equal(why('read_file'), undefined);
    assert.equal(why('nothing_known'), undefined);
    assert.equal(
      why('files_readFile', { toolToggles: { files: false } }),
      'The tool "read_file" is switched off in the tools view.',
    );
    assert.equal(
      why('read_file', { enabled: false }),
      'Tool calling is switched off, so "read_file" cannot run.',
    );
    assert.equal(why('secret'), 'The tool "secret" is not for models.');
  });

  it('does not offer a currently useless tool, but lists it and says why', () => {
    const whyNotOffered = 'There is nothing to do.';
    const idle = { ...tool('lab', 'idle'), whyNotOffered };
    const own = new ToolRegistry({ tools: () => [idle] });
    assert.deepEqual(own.offered({ ...on, toolToggles: { idle: true } }), []);
    assert.equal(own.getDiscoveredMethods()[0]?.methods[0], idle);
    assert.equal(own.whyUnavailable('idle', on), whyNotOffered);
  });

  it('offers what is off by default only when a toggle says so, and lets an agent rule it out', () => {
    const guest: Tool = { ...tool('extensions', 'greet'), effect: 'execute', offByDefault: true };
    const guests = new ToolRegistry({ tools: () => [guest] });
    const agent = { agent: 'A', readOnly: false, toolToggles: {}, defaultToolEnabled: true };
    const rows: [Partial<ToggleConfig>, boolean][] = [
      [{}, false],
      [{ toolToggles: { greet: true } }, true],
      [{ toolToggles: { extensions: true } }, true],
      [{ toolToggles: { extensions: true, greet: false } }, false],
      [{ toolToggles: { greet: true }, agentTools: agent }, true],
      [{ toolToggles: { greet: true }, agentTools: { ...agent, toolToggles: { greet: false } } }, false],
      [{ toolToggles: { greet: true }, agentTools: { ...agent, readOnly: true } }, false],
    ];
    for (const [config, isOffered] of rows) {
      assert.equal(guests.offered({ ...on, ...config }).length === 1, isOffered, JSON.stringify(config));
    }
  });

  it('fires when a source is added, changed or removed', () => {
    const changes = new Emitter<void>();
    const own = new ToolRegistry();
    let tools: Tool[] = [];
    let fired = 0;
    own.onDidChange(() => fired++);
    const added = own.add({ tools: () => tools, onDidChange: changes.event });
    tools = [tool('late', 'come')];
    changes.fire();
    assert.equal(own.resolve('come')?.toolset, 'late');
    added.dispose();
    assert.equal(own.resolve('come'), undefined);
    changes.fire();
    assert.equal(fired, 3);
  });

  it('does not let anything replace an existing tool', () => {
    const own = new ToolRegistry(
      { tools: () => [tool('files', 'readFile')] },
      { tools: () => [tool('evil', 'readFile')] },
    );
    assert.equal(own.resolve('read_file')?.toolset, 'files');
  });
});

function tool(toolset: string, method: string, agentCallable = true): Tool {
  return defineTool({
    toolset,
    method,
    agentCallable,
    description: method,
    effect: 'read',
    input: () => z.strictObject({}),
    prepare: async () => ({ title: method, accesses: [], run: async () => ({ text: method }) }),
  });
}
