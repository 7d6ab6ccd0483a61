import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { builtInTools } from '../../../src/cli/built-in';
import type { JsonSchema } from '../../../src/core/words/schema';
import { repository } from '../../hosts/repository';

interface Property {
  readonly default: unknown;
  readonly scope: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Package {
  readonly name: string;
  readonly publisher: string;
  readonly displayName: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string }[] };
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly type?: string }[]>>;
    readonly commands: readonly { readonly command: string; readonly category: string }[];
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Property>> }[];
  };
}

/** Written by hand: what users, scripts and settings rely on. A row changes on purpose and with a line in the changelog. */
const SETTINGS: readonly (readonly [
  key: string,
  value: unknown,
  scope: 'user' | 'any',
  more?: Partial<Property>,
])[] = [
  ['model', 'demo', 'any'],
  ['models', [], 'user'],
  ['agents', [], 'user'],
  ['instructions', '', 'user'],
  ['toolCalling.enabled', true, 'any'],
  ['toolCalling.mode', 'auto', 'user', { enum: ['auto', 'manual'] }],
  [
    'toolCalling.protocol',
    'auto',
    'any',
    {
      enum: ['auto', 'native', 'vcp', 'json', 'xml', 'envelope', 'invoke', 'hermes', 'qwen3-coder', 'glm'],
    },
  ],
  ['toolCalling.toolToggles', {}, 'any'],
  ['toolCalling.defaultToolEnabled', true, 'any'],
  ['toolCalling.maxIterations', 50, 'user', { minimum: 1, maximum: 500 }],
  ['toolCalling.timeout', 30_000, 'user', { minimum: 1_000, maximum: 3_600_000 }],
  ['toolCalling.requireConfirmation', true, 'user'],
  ['toolCalling.parallelExecution', true, 'user'],
  ['toolCalling.recovery', 'ask', 'user', { enum: ['run', 'ask', 'text'] }],
  ['toolCalling.strictness', 'repair', 'user', { enum: ['strict', 'repair', 'lenient'] }],
  ['approvals.allowCommands', [], 'user'],
  [
    'approvals.denyCommands',
    ['sudo', 'su', 'doas', 'shutdown', 'reboot', 'halt', 'poweroff', 'mkfs', 'fdisk', 'dd'],
    'any',
  ],
  ['approvals.secretFiles', [], 'any'],
  ['mcp.enabled', true, 'user'],
  ['mcp.servers', {}, 'user'],
];

const COMMANDS = [
  ...['newSession', 'focusChat', 'stop', 'selectModel', 'selectProtocol', 'selectAgent', 'setApiKey'],
  ...['showCalls', 'showLog', 'openLab', 'enableAllTools', 'disableAllTools', 'resetToolToggles'],
  ...['exportSession', 'openMcpConfig', 'restoreCheckpoint', 'addToChat', 'addFileToChat', 'fixProblem'],
];

/** `name?` need not be given; `name?=value` is `value` then. A name in brackets is a list, its rows are the fields. */
const TOOLS: readonly (readonly [toolset: string, name: string, given: string])[] = [
  ['files', 'read_file', 'path, start_line?, end_line?, tail?'],
  ['files', 'write_file', 'path, content, overwrite?=false'],
  ['files', 'edit_file', 'path, edits?, old?, new?, expect?'],
  ['files', 'edit_file [edits]', 'old, new, expect?=1'],
  ['files', 'read_folder', 'path?=".", depth?=1, include_ignored?=false'],
  ['files', 'find_files', 'glob, path?, max?=200'],
  [
    'files',
    'search_text',
    'query, is_regex?=false, path?, glob?, case_sensitive?=false, context?=0, max?=200',
  ],
  ['files', 'move_path', 'from, to'],
  ['files', 'delete_path', 'path'],
  ['shell', 'run_shell_command', 'command, cwd?, timeout_s?=120, background?=false'],
  ['shell', 'read_output', 'log_id, search?, offset?, limit?'],
  ['shell', 'stop_command', 'log_id'],
  ['editor', 'get_problems', 'path?, severity?'],
  ['editor', 'get_symbols', 'path?, query?'],
  ['agent', 'call_sub_agent', 'task, tools?, max_rounds?=15'],
  ['agent', 'call_skill', 'name, args?'],
  ['agent', 'ask_user', 'question, options?'],
  ['agent', 'update_todos', 'items'],
  ['agent', 'update_todos [items]', 'text, status'],
  ['web', 'fetch_url', 'url'],
  ['sandbox', 'eval_js', 'code'],
];

describe('public surface', () => {
  // SAFETY: the project's own package.json has what VS Code wants of it.
  const file = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as Package;
  const { contributes, capabilities } = file;
  const properties = new Map(contributes.configuration.flatMap((each) => Object.entries(each.properties)));

  it('is that of the extension parley.parley with its command line', () => {
    assert.deepEqual([`${file.publisher}.${file.name}`, file.displayName], ['parley.parley', 'Parley']);
    assert.deepEqual(file.bin, { parley: 'dist/cli.js' });
  });

  it('has the views by their ids', () => {
    assert.deepEqual(
      contributes.viewsContainers.activitybar.map(({ id }) => id),
      ['parley'],
    );
    assert.deepEqual(contributes.views['parley']?.map(({ id, type = 'tree' }) => `${id} ${type}`).sort(), [
      'parley.chat webview',
      'parley.sessions tree',
      'parley.tools tree',
    ]);
  });

  it('has the commands by their ids', () => {
    const ids = contributes.commands
      .filter(({ category }) => category === 'Parley')
      .map(({ command }) => command);
    assert.deepEqual(
      COMMANDS.filter((id) => !ids.includes(`parley.${id}`)),
      [],
    );
  });

  for (const [key, value, scope, more = {}] of SETTINGS) {
    it(`has the setting ${key}`, () => {
      const property = properties.get(`parley.${key}`);
      assert.ok(property);
      assert.deepEqual(property.default, value);
      assert.equal(property.scope, scope === 'user' ? 'application' : 'window');
      for (const [name, wanted] of Object.entries(more))
        assert.deepEqual(property[name as keyof Property], wanted, name);
    });
  }

  it('G3: takes no other setting from a workspace, and these only from one that is trusted', () => {
    const any = SETTINGS.flatMap(([key, , scope]) => (scope === 'any' ? [`parley.${key}`] : [])).sort();
    const taken = [...properties].flatMap(([key, { scope }]) => (scope === 'application' ? [] : [key]));
    assert.deepEqual(taken.sort(), any);
    assert.deepEqual([...capabilities.untrustedWorkspaces.restrictedConfigurations].sort(), any);
  });

  it('has the tools and no other', () => {
    assert.deepEqual(
      builtInTools()
        .map(({ toolset, spec }) => `${toolset} ${spec.name}`)
        .sort(),
      TOOLS.filter(([, name]) => !name.includes('['))
        .map(([toolset, name]) => `${toolset} ${name}`)
        .sort(),
    );
  });

  for (const [, name, given] of TOOLS) {
    it(`has ${name}(${given})`, () => {
      const [tool, list] = name.replace(']', '').split(' [');
      const found = builtInTools().find(({ spec }) => spec.name === tool);
      assert.ok(found);
      const { parameters } = found.spec;
      const schema = list === undefined ? parameters : parameters.properties?.[list]?.items;
      assert.deepEqual(promised(schema ?? {}, given), given.split(', '));
    });
  }
});

/** The arguments of a schema in the words of a row, with the defaults that the row promises. */
function promised({ properties = {}, required = [] }: JsonSchema, row: string): readonly string[] {
  return Object.entries(properties).map(([name, { default: value }]) => {
    const word = required.includes(name) ? name : `${name}?`;
    return row.includes(`${word}=`) ? `${word}=${JSON.stringify(value)}` : word;
  });
}
