import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CallStatistics } from '../../src/host/services/models/call-statistics';
import type { Tool } from '../../src/core/words/tool';
import { ModelFacts } from '../../src/models/model-facts';
import { Choices } from '../../src/host/services/choices/choices';
import type { SpokenProtocols } from '../../src/host/services/choices/spoken-protocols';
import { VsCodeModels } from '../../src/host/services/models/vscode-models';
import { listedNow } from '../../src/host/services/tools/tool-facts';
import { ToolToggles } from '../../src/host/services/tools/tool-toggles';
import { ToolRows } from '../../src/host/ui/tools/tools-tree';
import { SettingsStore } from '../../src/host/platform/settings';
import { ToolRegistry } from '../../src/tools/registry';
import { emptyMemento } from '../support/vscode/empty-memento';

const own: Tool = {
  spec: {
    name: 'read_file',
    description: 'Reads a file.\nNothing else.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where it | is.' },
        lines: { type: 'array', items: { type: 'integer' } },
      },
      required: ['path'],
    },
  },
  toolset: 'files',
  method: 'readFile',
  effect: 'read',
  agentCallable: true,
  isCore: true,
  prepare: () => Promise.reject(new Error('It is not called.')),
};
const { isCore: _, ...foreign } = own;
const other: Tool = {
  ...foreign,
  spec: {
    name: 'greet',
    description: '![x](https://evil.example/a.png) [click](command:x) <b>bold</b>',
    parameters: { type: 'object' },
  },
  toolset: 'extensions',
  effect: 'execute',
  origin: { type: 'extension', name: 'Fixture' },
  offByDefault: true,
};
const useless: Tool = {
  ...own,
  spec: { name: 'call_skill', description: 'Loads a skill.', parameters: {} },
  toolset: 'agent',
  origin: { type: 'skills' },
  whyNotOffered: 'There is no skill.',
};
/** Too many to list by name. */
const many = Array.from({ length: 80 }, (_, at): Tool => ({
  ...foreign,
  spec: { ...own.spec, name: `mcp_many_with_a_long_name_${at}` },
  toolset: 'mcp_many',
  origin: { type: 'mcp', server: 'many' },
}));
const write: Tool = { ...own, spec: { ...own.spec, name: 'write_file' }, effect: 'write' };

describe('rows of the tools tree', () => {
  let settings: SettingsStore;
  let choices: Choices;
  let rows: ToolRows;

  beforeEach(() => {
    settings = new SettingsStore();
    // SAFETY: nothing here uses the protocol of a model.
    choices = new Choices(
      settings,
      { of: () => undefined } as unknown as SpokenProtocols,
      new VsCodeModels(),
      emptyMemento,
      {
        known: (profile) => profile,
        isUnasked: () => false,
        ask: async () => undefined,
        takesEffort: () => false,
        onChange: new vscode.EventEmitter<undefined>().event,
      },
      new CallStatistics(new ModelFacts()),
    );
    const registry = new ToolRegistry({ tools: () => [own, write, other, useless, ...many] });
    const tools = {
      get: async () => registry,
      onChange: new vscode.EventEmitter<undefined>().event,
      skillProblems: async () => [],
    };
    const targetForClick = async () => 'workspace' as const;
    const listed = () => listedNow({ settings, tools, choices });
    const toggles = new ToolToggles({ settings, tools, targetForClick, listed });
    const mcp = { servers: [], problems: [], onDidChange: () => ({ dispose: () => undefined }) };
    rows = new ToolRows({ tools, mcp, settings, toggles, choices });
  });
  afterEach(async () => {
    await settings.choose('toolCalling.toolToggles', undefined);
    await settings.choose('toolCalling.toolsOnDemand', undefined, 'user');
    rows.dispose();
    choices.dispose();
    settings.dispose();
  });

  async function items(): Promise<Readonly<Partial<Record<string, vscode.TreeItem>>>> {
    const found: Record<string, vscode.TreeItem> = {};
    for (const toolset of await rows.getChildren()) {
      for (const row of [toolset, ...(await rows.getChildren(toolset))]) {
        const item = await rows.getTreeItem(row);
        if (typeof item.label === 'string') found[item.label] = item;
      }
    }
    return found;
  }

  const stateOf = (item: vscode.TreeItem | undefined): unknown =>
    typeof item?.checkboxState === 'object' ? item.checkboxState.state : undefined;

  const tokensOf = (item: vscode.TreeItem | undefined): number =>
    Number(/([\d,]+) tokens/.exec(String(item?.description))?.[1]?.replace(',', ''));

  it('show in the header how many tools are on, and what they cost', async () => {
    const [, on, all] = /^(\d+) of (\d+) on · [\d.]+k? tokens$/.exec(await rows.header()) ?? [];
    // Tools of other extensions are off by default.
    assert.equal(Number(on), Number(all) - 1);
    await settings.choose('toolCalling.toolToggles', { [own.spec.name]: false });
    assert.match(await rows.header(), new RegExp(`^${Number(on) - 1} of ${all} on · `));
  });

  it('show what a tool does, what it costs and where it comes from', async () => {
    const { read_file: read, greet, call_skill: skill } = await items();
    assert.match(String(read?.description), /^\d+ tokens · reads$/);
    assert.deepEqual(read?.iconPath, new vscode.ThemeIcon('eye'));
    assert.equal(stateOf(read), vscode.TreeItemCheckboxState.Checked);
    assert.match(
      read.accessibilityInformation?.label ?? '',
      /^read_file, on, reads, built in, About \d+ tokens in every request$/,
    );
    assert.match(greet?.accessibilityInformation?.label ?? '', /^greet, off, .*from the extension Fixture/);
    assert.match(String(skill?.description), /^not offered/);
    assert.match(
      skill?.accessibilityInformation?.label ?? '',
      /Not offered: There is no skill\.,.*from skills/,
    );
  });

  it('show that some tools of a toolset are on, and where that is set', async () => {
    await settings.choose('toolCalling.toolToggles', { write_file: false });
    const { files, write_file: off, read_file: on } = await items();
    assert.match(String(files?.description), /^1 of 2 on · \d+ tokens · set for the workspace$/);
    assert.equal(stateOf(files), vscode.TreeItemCheckboxState.Unchecked);
    const box = files?.checkboxState;
    assert.match(typeof box === 'object' ? (box.tooltip ?? '') : '', /Some tools of files are on\. Click/);
    assert.match(String(off?.description), /set for the workspace$/);
    assert.equal(off?.contextValue, 'tool workspace');
    assert.equal(on?.contextValue, 'tool');
  });

  it('show which tools are on demand, what they cost now, and the size of their definitions', async () => {
    const before = await items();
    await settings.choose('toolCalling.toolToggles', { read_file: 'onDemand' });
    const { files, read_file: read, write_file: other } = await items();
    assert.match(String(read?.description), /^on demand · \d+ tokens · reads · set for the workspace$/);
    assert.match(
      read?.accessibilityInformation?.label ?? '',
      /^read_file, on demand, reads, built in, About \d+ tokens in every request, and \d+ tokens more after the model loads its definition, set for the workspace$/,
    );
    assert.equal(stateOf(read), vscode.TreeItemCheckboxState.Checked);
    assert.equal(read?.contextValue, 'tool workspace onDemand');
    assert.match(String(other?.description), /^\d+ tokens · writes/);
    assert.match(String(files?.description), /^2 of 2 on, 1 of them on demand · \d+ tokens · set/);
    assert.equal(stateOf(files), vscode.TreeItemCheckboxState.Checked);
    assert.ok(tokensOf(read) < tokensOf(before.read_file));
    assert.equal(tokensOf(files), tokensOf(read) + tokensOf(other));
    assert.match(await tooltip(own), /On demand by the workspace's settings: .*`"read_file"`/);
  });

  it('share the row of their server if it is listed as a whole', async () => {
    const { mcp_many: server, mcp_many_with_a_long_name_7: tool } = await items();
    assert.match(String(tool?.description), /^on demand · 1 token · reads$/);
    assert.match(String(server?.description), /^80 of 80 on, on demand · \d+ tokens$/);
    assert.ok(tokensOf(server) < 40);
    assert.equal(server?.contextValue, 'toolset');
  });

  it('show which tools are always defined', async () => {
    await settings.choose('toolCalling.toolToggles', { mcp_many: true });
    const { mcp_many: server, mcp_many_with_a_long_name_7: tool } = await items();
    assert.match(String(tool?.description), /^\d+ tokens · reads$/);
    assert.match(String(server?.description), /^80 of 80 on · [\d,]+ tokens · set for the workspace$/);
    assert.deepEqual([server?.contextValue, tool?.contextValue], ['toolset workspace always', 'tool always']);
  });

  it('follow toolsOnDemand if they have no toggle', async () => {
    const changed = new Promise<void>((resolve) => rows.onDidChangeTreeData(() => resolve()));
    await settings.choose('toolCalling.toolsOnDemand', 'off', 'user');
    await changed;
    assert.match(String((await items()).mcp_many?.description), /^80 of 80 on · /);
  });

  it('show that the picked agent may not use a tool', async () => {
    await choices.pick('agent', 'ask');
    const { write_file: write, read_file: read } = await items();
    assert.match(String(write?.description), /^not for the agent Ask/);
    assert.match(String(read?.description), /^\d+ tokens · reads/);
  });

  it('get a tooltip on hover, with the arguments as a table', async () => {
    assert.equal((await items()).read_file?.tooltip, undefined);
    const text = await tooltip(own);
    assert.match(text, /Reads a file\\\.\n\nNothing else/);
    assert.match(text, /\| path \| string, required \| Where it \\\| is\\\. \|/);
    assert.match(text, /\| lines \| list of integer, optional \|  \|/);
    assert.match(text, /On by default: `parley\.toolCalling\.toolToggles` → `"read_file"`/);
    await settings.choose('toolCalling.toolToggles', { files: false });
    assert.match(await tooltip(own), /Off by the workspace's settings: .*`"files"`/);
  });

  it('G14 show descriptions from other extensions as plain text', async () => {
    const text = await tooltip(other);
    assert.doesNotMatch(text, /(?<!\\)[[\]()<>!]/);
    assert.match(text, /Fixture/);
  });

  async function tooltip(tool: Tool): Promise<string> {
    const item = await rows.resolveTreeItem(await rows.getTreeItem(tool), tool);
    assert.ok(item.tooltip instanceof vscode.MarkdownString);
    return item.tooltip.value;
  }
});
