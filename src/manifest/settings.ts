// The small edition, because this is loaded at activation and the full one takes longer than everything else
// together.
import * as z from 'zod/mini';
import { protocolNames } from '../protocols/names';
import type { DocsPlace } from './docs';
import { described, namePattern } from './schema-parts';
import { hooks } from './hooks';
import { profile, profilePresets } from './profile';

/** Who may set a value: `user` ignores the workspace, `any` uses it once the workspace is trusted. */
type Scope = 'user' | 'any';

export interface Setting<Schema extends z.ZodMiniType> {
  readonly schema: Schema;
  readonly default: z.output<Schema>;
  readonly scope: Scope;
  readonly description: string;
  /** Where the documentation says more. */
  readonly docs?: DocsPlace;
  /** Descriptions of its values, for an enumeration. */
  readonly values?: Readonly<Record<string, string>>;
  /** Suggested entries of a list. */
  readonly presets?: readonly { readonly label: string; readonly body: object }[];
}

function setting<Schema extends z.ZodMiniType>(
  schema: Schema,
  rest: Omit<Setting<Schema>, 'schema'>,
): Setting<Schema> {
  return { schema, ...rest };
}

const protocolIds = protocolNames.map(({ id }) => id);

const text = z.string().check(z.minLength(1));
const rules = z.array(text);

/** A rule that lets commands run. */
const allowRule = z.string().check(z.minLength(1));
z.globalRegistry.add(allowRule, {
  if: { pattern: '(?:^|[\\s/])\\*\\*$' },
  then: {
    deprecationMessage:
      'This rule also covers arguments that can load, start or write anything. Rules without ** cover only what is known to be harmless.',
  },
});
const allowRules = z.array(allowRule);

/** A host name, or `*.` and a name. */
const domain = z
  .string()
  .check(
    z.maxLength(253),
    z.regex(/^(?:\*\.)?[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i),
  );

/** What both the settings and an agent may set about tool calling. */
const toolCalling = {
  enabled: z.boolean(),
  mode: z.enum(['auto', 'manual']),
  protocol: z.enum(['auto', ...protocolIds]),
  toolToggles: z.record(
    z.string(),
    z.union([z.boolean(), z.literal('onDemand')], 'use true, false or "onDemand"'),
  ),
  defaultToolEnabled: z.boolean(),
  toolsOnDemand: z.enum(['auto', 'on', 'off']),
  maxIterations: z.number().check(z.int(), z.minimum(1), z.maximum(500)),
  timeout: z.number().check(z.int(), z.minimum(1_000), z.maximum(3_600_000)),
  requireConfirmation: z.boolean(),
  parallelExecution: z.boolean(),
  recovery: z.enum(['run', 'ask', 'text']),
  strictness: z.enum(['strict', 'repair', 'lenient']),
} as const;

/** Tools must be allowed by both the settings and the agent; all other fields of the agent override the settings. */
const JOINED: readonly string[] = ['enabled', 'toolToggles', 'defaultToolEnabled'];

const agentToolCalling = z.partial(z.strictObject(toolCalling)).shape;
for (const [field, schema] of Object.entries(agentToolCalling)) {
  const setting = `\`parley.toolCalling.${field}\``;
  described(
    schema,
    JOINED.includes(field)
      ? `Counts besides ${setting}: both must allow a tool.`
      : `Counts instead of ${setting}.`,
  );
}

const agent = z.strictObject({
  id: described(z.clone(text), 'Id of the agent. `agent`, `ask` or `plan` replaces the built-in agent.'),
  name: described(z.clone(text), 'Shown in the agent picker.'),
  instructions: z.optional(
    described(z.string(), 'Added to the instructions of conversations with this agent.'),
  ),
  readOnly: z.optional(described(z.boolean(), 'Whether only read-only tools are offered.')),
  model: z.optional(
    described(
      z.clone(text),
      'The `id` of a profile in `parley.models`, used while the agent is selected. A model that you pick then overrides it.',
    ),
  ),
  ...agentToolCalling,
});

/** Whole numbers from 0, which means no limit. */
const orNone = z.number().check(z.int(), z.minimum(0));

/** Every setting of Parley by its key under `parley.`, with what it may hold. */
export const settings = {
  model: setting(z.string(), {
    default: 'demo',
    scope: 'any',
    description: 'Profile of the model for new conversations. `demo` needs no key and no network.',
  }),
  models: setting(z.array(profile), {
    default: [],
    scope: 'user',
    description:
      'Models to choose from. The profile `demo` always exists. `provider` `openai` is any endpoint of the Chat Completions API: set `baseUrl` (usually ending in `/v1`) and `model`. `protocol` is used when `#parley.toolCalling.protocol#` is `auto`; `headers` and `extraBody` are sent with every request.',
    docs: ['models', 'profiles'],
    presets: profilePresets,
  }),
  summaryModel: setting(z.string(), {
    default: '',
    scope: 'user',
    description:
      'Profile (`id`) of the model that summarizes older messages when a conversation gets long, for example a cheaper or faster one. If empty, the model of the conversation.',
    docs: ['chat', 'when-the-conversation-gets-long'],
  }),
  agents: setting(z.array(agent), {
    default: [],
    scope: 'user',
    description:
      'Agents to choose from, in addition to `agent`, `ask` and `plan`: `id`, `name`, `instructions`, `readOnly` for read-only tools, `model`, and any field of `#parley.toolCalling.mode#` and its neighbours, which then overrides the setting. An agent has the tools that both the settings and the agent allow.',
    docs: ['chat', 'agents'],
  }),
  instructions: setting(z.string(), {
    default: '',
    scope: 'user',
    description:
      'Text added to the instructions of every conversation. Takes precedence over `AGENTS.md` and similar files of a trusted workspace.',
    docs: ['chat', 'rules-files'],
  }),
  'context.editor': setting(z.boolean(), {
    default: true,
    scope: 'user',
    description:
      'Whether editor context is sent with messages: the names of open files, and the selected text. The chat shows what would be sent and has a button to change this for the window.',
    docs: ['chat', 'attachments'],
  }),
  'toolCalling.enabled': setting(toolCalling.enabled, {
    default: true,
    scope: 'any',
    description: 'Off: a plain chat without tools.',
  }),
  'toolCalling.mode': setting(toolCalling.mode, {
    default: 'auto',
    scope: 'user',
    description: 'Which calls wait for your approval.',
    docs: ['approvals'],
    values: {
      auto: 'Calls that change, run or send something, or read secret or outside files, unless you have allowed them.',
      manual: 'Every call, including reads.',
    },
  }),
  'toolCalling.protocol': setting(toolCalling.protocol, {
    default: 'auto',
    scope: 'any',
    description:
      'How models call tools if no protocol is picked in the chat. `auto` uses the `protocol` of the model in `#parley.models#`, otherwise the best match for the model name, otherwise `native`.',
    docs: ['protocols', 'choosing-one'],
    values: {
      auto: 'The protocol of the profile, otherwise the best match for the model name, otherwise native.',
      ...Object.fromEntries(protocolNames.map(({ id, description }) => [id, description])),
    },
  }),
  'toolCalling.toolToggles': setting(toolCalling.toolToggles, {
    default: {},
    scope: 'any',
    description:
      'Managed in the Tools view. Each entry turns a tool (`run_shell_command`) or a toolset (`shell`) on or off; a tool takes precedence. `true` always sends the full description, `"onDemand"` only the name until the model asks for the rest. Decides what models are offered, never what is approved.',
    docs: ['tools', 'the-tools-view'],
  }),
  'toolCalling.defaultToolEnabled': setting(toolCalling.defaultToolEnabled, {
    default: true,
    scope: 'any',
    description: 'Whether tools are on that no toggle names. Managed in the Tools view.',
  }),
  'toolCalling.toolsOnDemand': setting(toolCalling.toolsOnDemand, {
    default: 'auto',
    scope: 'user',
    description:
      'Send only the names of rarely used tools; the model asks for the rest. What the Tools view sets for a tool takes precedence.',
    docs: ['tools', 'the-tools-view'],
    values: {
      auto: 'Built-in tools that few tasks need, and tools of servers and extensions if that saves more than 1,500 tokens.',
      on: 'All tools except those that most tasks need.',
      off: 'None.',
    },
  }),
  'toolCalling.maxIterations': setting(toolCalling.maxIterations, {
    default: 50,
    scope: 'user',
    description: 'Maximum rounds (requests to the model) before a run pauses and asks whether to continue.',
  }),
  'toolCalling.timeout': setting(toolCalling.timeout, {
    default: 30_000,
    scope: 'user',
    description:
      'Milliseconds a single call may take, unless its tool has a limit of its own. Time spent waiting for you does not count.',
  }),
  'toolCalling.requireConfirmation': setting(toolCalling.requireConfirmation, {
    default: true,
    scope: 'user',
    description:
      'Ask before ordinary edits. If off, edits inside the workspace run without asking, except for protected files. Nothing else changes.',
    docs: ['approvals'],
  }),
  'toolCalling.parallelExecution': setting(toolCalling.parallelExecution, {
    default: true,
    scope: 'user',
    description: 'Run several reads of one reply at once.',
  }),
  'toolCalling.recovery': setting(toolCalling.recovery, {
    default: 'ask',
    scope: 'user',
    description:
      "What to do with a call in another form than the protocol's: ask, run it like others, or show it as text.",
    docs: ['protocols', 'calls-in-another-form'],
    values: {
      run: 'Treat it like a repaired call: reads run, everything else asks.',
      ask: 'Ask before it runs.',
      text: 'Show it as text.',
    },
  }),
  'toolCalling.strictness': setting(toolCalling.strictness, {
    default: 'repair',
    scope: 'user',
    description:
      'How much of a damaged call may be repaired. Repaired calls ask before they write, run or fetch.',
    docs: ['protocols', 'calls-in-another-form'],
    values: {
      strict: 'Reject it.',
      repair: 'Repair it if there is only one way to read it.',
      lenient: 'Repair it, and read what is most likely a call as one.',
    },
  }),
  'budget.tokens': setting(orNone, {
    default: 0,
    scope: 'user',
    description:
      'Maximum tokens, sent and received, before a run pauses and asks whether to continue. `0` means no limit.',
  }),
  'budget.cost': setting(z.number().check(z.minimum(0)), {
    default: 0,
    scope: 'user',
    description:
      'Maximum cost in dollars before a run pauses and asks whether to continue. `0` means no limit. Counts models whose profile has a `price`.',
  }),
  'budget.minutes': setting(orNone, {
    default: 60,
    scope: 'user',
    description:
      'Maximum minutes of work before a run pauses and asks whether to continue. `0` means no limit. Time spent waiting for you does not count.',
  }),
  'approvals.allowCommands': setting(allowRules, {
    default: [],
    scope: 'user',
    description:
      'Commands that run without asking, by their first words: `git status`. Arguments that are known to be harmless may follow.',
    docs: ['approvals', 'rules-for-commands'],
  }),
  'approvals.denyCommands': setting(rules, {
    default: ['sudo', 'su', 'doas', 'shutdown', 'reboot', 'halt', 'poweroff', 'mkfs', 'fdisk', 'dd'],
    scope: 'any',
    description:
      'Commands that are always refused, by their first words. Workspace entries are added to yours.',
    docs: ['approvals', 'rules-for-commands'],
  }),
  'approvals.secretFiles': setting(z.array(namePattern), {
    default: [],
    scope: 'any',
    description:
      'Names of more files that contain keys. Reading, searching or attaching them always asks: `*.vault`. `*` matches any characters and may occur twice in a name. Workspace entries are added to yours.',
    docs: ['approvals'],
  }),
  hooks: setting(hooks, {
    default: {},
    scope: 'user',
    description:
      'Programs that get calls and runs as JSON on standard input. They can only be stricter than your other settings.',
    docs: ['approvals', 'hooks'],
  }),
  notifyWhenWaiting: setting(z.enum(['off', 'notice', 'sound', 'system']), {
    default: 'notice',
    scope: 'user',
    description:
      'How you are notified of a waiting call or question when the chat is not visible or you are in another window.',
    values: {
      off: 'Only the badge on the chat icon and the status bar.',
      notice: 'A VS Code notification.',
      sound: 'A notification and a short sound, if a chat is visible and VS Code allows sound.',
      system:
        'A notification, and a system notification while VS Code is in the background: on Linux (`notify-send`) and macOS, in local windows.',
    },
  }),
  'sandbox.enabled': setting(z.enum(['off', 'on']), {
    default: 'off',
    scope: 'user',
    description:
      'Run commands in a sandbox. They then write only in the workspace folders, cannot see your home folder or secret files, and have no network. Needs Linux or WSL2, and the package `bubblewrap`.',
    docs: ['sandbox', 'turning-it-on'],
    values: {
      off: 'Commands run with your full permissions.',
      on: 'Commands run in the sandbox. Commands that cannot work there ask to run outside.',
    },
  }),
  'sandbox.runUnasked': setting(z.boolean(), {
    default: false,
    scope: 'user',
    description: 'Whether sandboxed commands run without asking. Denied commands are still refused.',
    docs: ['sandbox', 'settings'],
  }),
  'sandbox.allowedDomains': setting(z.array(domain), {
    default: [],
    scope: 'user',
    description:
      'Sites that sandboxed commands may reach over HTTP and HTTPS: `registry.npmjs.org`, or `*.example.org` for all its subdomains. If empty, no sites.',
    docs: ['sandbox', 'settings'],
  }),
  'sandbox.readPaths': setting(rules, {
    default: [],
    scope: 'user',
    description:
      'More files and folders that sandboxed commands may read, absolute or with `~/`. Secret files in them stay hidden.',
  }),
  'sandbox.writePaths': setting(rules, {
    default: [],
    scope: 'user',
    description: 'More folders that sandboxed commands may change, absolute or with `~/`.',
  }),
  'sandbox.git': setting(z.enum(['read', 'write']), {
    default: 'read',
    scope: 'user',
    description: 'What sandboxed commands may do with the repository.',
    values: {
      read: 'Read it. Commands such as commit ask to run outside the sandbox.',
      write: 'Change it, except hooks and settings.',
    },
  }),
  'sandbox.outsideCommands': setting(allowRules, {
    default: [],
    scope: 'user',
    description:
      'Commands that run outside the sandbox without asking, by their first words: `git commit`. Arguments that are known to be harmless may follow.',
    docs: ['sandbox', 'what-asks-to-run-outside'],
  }),
  'commands.setup': setting(z.string(), {
    default: '',
    scope: 'user',
    description:
      'A line that runs before each command in the same shell, for example `. ~/.nvm/nvm.sh`. If it fails, the command does not run.',
  }),
  'commands.shell': setting(z.enum(['auto', 'powershell', 'pwsh', 'bash']), {
    default: 'auto',
    scope: 'user',
    description: 'The shell that runs commands on Windows. Linux and macOS have only one.',
    values: {
      auto: 'Windows PowerShell.',
      powershell: 'Windows PowerShell 5.1, which belongs to Windows.',
      pwsh: 'PowerShell 7, if it is installed in the folder for programs.',
      bash: 'Git Bash, where the installer of Git for Windows has registered it.',
    },
  }),
  'mcp.enabled': setting(z.boolean(), {
    default: true,
    scope: 'user',
    description:
      'Whether MCP servers in `.mcp.json` and `#parley.mcp.servers#` are used. Each server asks before its first start, and runs only in a trusted workspace.',
    docs: ['mcp'],
  }),
  // Each server is validated when it is used: an error in one affects neither the others nor the chat.
  'mcp.servers': setting(z.unknown(), {
    default: {},
    scope: 'user',
    description:
      'MCP servers for all workspaces, by name, as in `.mcp.json`: a program (`command`, `args`, `env`, `cwd`) or an address (`type` `http`, `url`, `headers`). Values may contain `${workspaceFolder}`, `${env:NAME}` and `${input:ID}`.',
    docs: ['mcp'],
  }),
} as const;

export type SettingKey = keyof typeof settings;
export type SettingValue<Key extends SettingKey> = z.output<(typeof settings)[Key]['schema']>;
