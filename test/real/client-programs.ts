import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { clients } from '../../src/cli/clients';

/** The gateway that a client talks to. */
export interface Address {
  readonly baseUrl: string;
  readonly token: string;
}

/** The command line of another agent. */
export interface ClientProgram {
  readonly name: string;
  readonly api: 'chat' | 'responses' | 'messages';
  readonly package: string;
  readonly version: string;
  /** npm installs without scripts; this script is needed. */
  readonly script?: string;
  /** Files of its home folder, by path. */
  readonly home: (address: Address) => Readonly<Record<string, string>>;
  readonly env?: (address: Address) => Readonly<Record<string, string>>;
  /** Arguments of a first call that prepares it. */
  readonly first?: (address: Address) => readonly string[];
  /** What it writes of a text into a file, if not all of it. */
  readonly keeps?: (text: string) => string;
  /** What it changes in texts by itself, for the table. */
  readonly note?: string;
  /** Tools that it must offer, because it is here for them. */
  readonly calls?: readonly string[];
  /** Arguments for one message, without questions. */
  readonly args: (message: string) => readonly string[];
}

const MODEL = 'm';

/** Configured as `parley serve --help-client` says if it covers the client; telemetry and updates are off. */
export const CLIENTS: readonly ClientProgram[] = [
  {
    name: 'opencode',
    api: 'chat',
    package: 'opencode-ai',
    version: '1.18.33',
    script: 'postinstall.mjs',
    home: (address) => ({ '.config/opencode/opencode.json': told('opencode', address) }),
    env: () => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ autoupdate: false, share: 'disabled', permission: 'allow' }),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    }),
    args: (message) => ['run', message],
  },
  pi('chat'),
  pi('responses'),
  pi('messages'),
  {
    name: 'continue',
    api: 'chat',
    package: '@continuedev/cli',
    version: '1.5.47',
    home: (address) => ({ '.continue/config.yaml': told('continue', address) }),
    env: () => ({
      CONTINUE_CLI_ENABLE_TELEMETRY: '0',
      CONTINUE_TELEMETRY_ENABLED: '0',
      CONTINUE_CLI_AUTO_UPDATED: '1',
    }),
    args: (message) => ['--print', '--auto', message],
  },
  {
    name: 'cline',
    api: 'chat',
    package: 'cline',
    version: '3.0.65',
    script: 'postinstall.mjs',
    home: () => ({
      '.cline/data/settings/global-settings.json': JSON.stringify({
        telemetryOptOut: true,
        autoUpdateEnabled: false,
      }),
    }),
    // Otherwise it starts a server that outlives it.
    env: () => ({ CLINE_SESSION_BACKEND_MODE: 'local', CLINE_NO_AUTO_UPDATE: '1' }),
    first: (address) => told('cline', address, { at: 1 }).split(' ').slice(1),
    args: (message) => [message],
  },
  {
    name: 'qwen',
    api: 'chat',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    home: () => ({
      '.qwen/settings.json': JSON.stringify({
        general: { enableAutoUpdate: false },
        telemetry: { enabled: false },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: 'openai' } },
      }),
    }),
    env: (address) => ({ ...exported(told('openai', address)), OPENAI_MODEL: MODEL }),
    note: 'its `read_file` drops blanks at line ends',
    args: (message) => ['--yolo', message],
  },
  {
    name: 'claude-code',
    api: 'messages',
    package: '@anthropic-ai/claude-code',
    version: '2.1.332',
    script: 'install.cjs',
    home: () => ({}),
    env: (address) => ({
      ...exported(told('claude-code', address)),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    keeps: (text) =>
      text
        .replaceAll(/[ \t]+$/gm, '')
        .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
    note: 'its `Write` drops blanks at line ends and decodes `\\u0041`',
    args: (message) => ['--print', '--allowed-tools', 'Write,Read,Bash', '--', message],
  },
  codex(MODEL),
  // For models that it knows, Codex offers an edit tool that takes text, not JSON.
  {
    ...codex('gpt-5.5'),
    name: 'codex-patch',
    keeps: (text) => text.replaceAll('\r\n', '\n'),
    note: 'its `apply_patch` writes CR LF as LF',
  },
  // It sends the tools of each MCP server as one tool of type `namespace`.
  {
    ...codex(MODEL),
    name: 'codex-mcp',
    home: (address) => ({ '.codex/config.toml': `${told('codex', address)}\n${FILE_SERVER}` }),
    calls: ['mcp__files__write_file', 'mcp__files__read_text_file'],
  },
];

/** An MCP server for the files of the folder in which the client runs. Codex waits for one that is required. */
const FILE_SERVER = `[mcp_servers.files]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(path.resolve('node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'))}, "."]
default_tools_approval_mode = "approve"
required = true
`;

function pi(api: ClientProgram['api']): ClientProgram {
  const apis = { chat: 'openai-completions', responses: 'openai-responses', messages: 'anthropic-messages' };
  return {
    name: 'pi',
    api,
    package: '@mariozechner/pi-coding-agent',
    version: '0.73.1',
    home: ({ baseUrl, token }) => ({
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          parley: {
            // Anthropic's client adds the version itself.
            baseUrl: api === 'messages' ? baseUrl.replace(/\/v1$/, '') : baseUrl,
            api: apis[api],
            apiKey: token,
            models: [{ id: MODEL }],
          },
        },
      }),
    }),
    env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }),
    args: (message) => ['--print', '--provider', 'parley', '--model', MODEL, message],
  };
}

function codex(model: string): ClientProgram {
  return {
    name: 'codex',
    api: 'responses',
    package: '@openai/codex',
    version: '0.171.0',
    home: (address) => ({ '.codex/config.toml': told('codex', address, { model }) }),
    env: (address) => exported(told('codex', address, { at: 1 })),
    args: (message) => [
      ...['exec', '--skip-git-repo-check', '--ephemeral', '--dangerously-bypass-approvals-and-sandbox'],
      ...['-c', 'analytics.enabled=false', '-c', 'check_for_update_on_startup=false', message],
    ],
  };
}

/** The settings that `parley serve --help-client` prints. */
function told(client: string, { baseUrl, token }: Address, { at = 0, model = MODEL } = {}): string {
  const help = clients[client]?.[at];
  if (!help) throw new Error(`There is no help for ${client}.`);
  return help.text({ address: baseUrl, token, model });
}

/** The variables that these shell lines export. */
function exported(lines: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(lines.matchAll(/^export (\w+)=(.*)$/gm), ([, name = '', value = '']) => [name, value]),
  );
}

const run = promisify(execFile);

/** Installs the client into its own folder, unless it is there, and returns its command. */
export async function install(client: ClientProgram, folder: string): Promise<string> {
  const place = path.join(folder, `${path.basename(client.package)}-${client.version}`);
  const root = path.join(place, 'node_modules', client.package);
  if (!existsSync(path.join(root, 'installed'))) {
    await mkdir(place, { recursive: true });
    const wanted = `${client.package}@${client.version}`;
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', '--prefix', place, ...quiet, wanted], { timeout: MOST_INSTALL });
    // Its home is the package's folder, where it looks for its stored files.
    const env = { ...process.env, HOME: place };
    if (client.script) await run(process.execPath, [client.script], { cwd: root, env });
    await writeFile(path.join(root, 'installed'), '');
  }
  // SAFETY: npm installs packages with this field.
  const { bin } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { bin: Bin };
  const [command] = typeof bin === 'string' ? [bin] : Object.values(bin);
  return path.join(root, command!);
}

type Bin = string | Readonly<Record<string, string>>;

const MOST_INSTALL = 10 * 60_000;
