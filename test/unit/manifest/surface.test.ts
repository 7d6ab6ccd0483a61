import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../../hosts/repository';
import { frozenSurface, surfaceNow } from '../../support/generate/surface';

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

const frozen = frozenSurface();

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
  ['toolCalling.protocol', 'auto', 'any', { enum: ['auto', ...frozen.protocols] }],
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

describe('public surface', () => {
  // SAFETY: the project's package.json has the fields that VS Code requires.
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

  it('G3: reads no other setting from a workspace, and these only from a trusted one', () => {
    const any = SETTINGS.flatMap(([key, , scope]) => (scope === 'any' ? [`parley.${key}`] : [])).sort();
    const taken = [...properties].flatMap(([key, { scope }]) => (scope === 'application' ? [] : [key]));
    assert.deepEqual(taken.sort(), any);
    assert.deepEqual([...capabilities.untrustedWorkspaces.restrictedConfigurations].sort(), any);
  });

  it('has the protocols and tools that are frozen; `npm run manifest` adds new ones, with UPDATE=1 it writes all', () => {
    assert.deepEqual(surfaceNow(), frozen);
  });
});
