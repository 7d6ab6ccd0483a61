// The small edition: this is loaded at activation, and the full one takes longer than all the rest together.
import * as z from 'zod/mini';
import { protocolNames } from '../protocols/names';
import { described } from './described';
import { hooks } from './hooks';
import { namePattern } from './name-pattern';
import { profile, profilePresets } from './profile';

/** Who may set a value: `user` ignores the workspace, `any` obeys it once the workspace is trusted. */
type Scope = 'user' | 'any';

export interface Setting<Schema extends z.ZodMiniType> {
  readonly schema: Schema;
  readonly default: z.output<Schema>;
  readonly scope: Scope;
  readonly description: string;
  /** What each of its values means, where they are an enumeration. */
  readonly values?: Readonly<Record<string, string>>;
  /** Entries of a list that the editor offers to write. */
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

/** The name of a site, or `*.` and a name. */
const domain = z
  .string()
  .check(
    z.maxLength(253),
    z.regex(/^(?:\*\.)?[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i),
  );

/** What both the settings and an agent may say about calling tools. */
const toolCalling = {
  enabled: z.boolean(),
  mode: z.enum(['auto', 'manual']),
  protocol: z.enum(['auto', ...protocolIds]),
  toolToggles: z.record(z.string(), z.union([z.boolean(), z.literal('onDemand')])),
  defaultToolEnabled: z.boolean(),
  toolsOnDemand: z.enum(['auto', 'on', 'off']),
  maxIterations: z.number().check(z.int(), z.minimum(1), z.maximum(500)),
  timeout: z.number().check(z.int(), z.minimum(1_000), z.maximum(3_600_000)),
  requireConfirmation: z.boolean(),
  parallelExecution: z.boolean(),
  recovery: z.enum(['run', 'ask', 'text']),
  strictness: z.enum(['strict', 'repair', 'lenient']),
} as const;

/** Tools are what both the settings and the agent allow; of everything else the agent decides. */
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
  id: described(
    z.clone(text),
    'Names the agent; `agent`, `ask` or `plan` takes the place of the built-in one.',
  ),
  name: described(z.clone(text), 'Shown in the agent picker.'),
  instructions: z.optional(described(z.string(), 'Added to the instructions of its conversations.')),
  readOnly: z.optional(described(z.boolean(), 'Whether it is offered only tools that read.')),
  model: z.optional(
    described(
      z.clone(text),
      'The `id` of the profile in `parley.models` that it works with. A model that is picked while the agent is counts instead.',
    ),
  ),
  ...agentToolCalling,
});

/** Whole numbers from 0, which stands for no limit. */
const orNone = z.number().check(z.int(), z.minimum(0));

/** Every setting of Parley by its key under `parley.`, with what it may hold. */
export const settings = {
  model: setting(z.string(), {
    default: 'demo',
    scope: 'any',
    description: 'Profile of the model that new conversations use; `demo` needs no key and no network.',
  }),
  models: setting(z.array(profile), {
    default: [],
    scope: 'user',
    description:
      'Models to choose from; the profile `demo` always exists. `provider` `openai` is any endpoint of the Chat Completions API: give it `baseUrl` (usually ending in `/v1`) and `model`. `protocol` is used when `#parley.toolCalling.protocol#` is `auto`; `headers` and `extraBody` go with every request.',
    presets: profilePresets,
  }),
  summaryModel: setting(z.string(), {
    default: '',
    scope: 'user',
    description:
      'Profile of the model that summarizes older messages when a conversation gets long, by its `id`: a cheaper or faster one. Empty: the model of the conversation.',
  }),
  agents: setting(z.array(agent), {
    default: [],
    scope: 'user',
    description:
      'Agents to choose from, besides `agent`, `ask` and `plan`: `id`, `name`, `instructions` of its own, `readOnly` for tools that only read, `model` that it works with, and any field of `#parley.toolCalling.mode#` and its neighbours, which then counts instead of the setting. Tools are what both the settings and the agent allow.',
  }),
  instructions: setting(z.string(), {
    default: '',
    scope: 'user',
    description:
      'Text added to the instructions of every conversation. It counts more than `AGENTS.md` and the like of a trusted workspace.',
  }),
  'context.editor': setting(z.boolean(), {
    default: true,
    scope: 'user',
    description:
      'Whether messages take along what the editor shows: the names of open files, and the selected text. The chat shows what would go along and has a button that decides for the window.',
  }),
  'toolCalling.enabled': setting(toolCalling.enabled, {
    default: true,
    scope: 'any',
    description: 'Whether models may call tools at all.',
  }),
  'toolCalling.mode': setting(toolCalling.mode, {
    default: 'auto',
    scope: 'user',
    description: 'Which calls wait for you.',
    values: {
      auto: 'Those that change, run or send something, or read what is secret or outside, as far as you have not allowed them.',
      manual: 'Every call, reads too.',
    },
  }),
  'toolCalling.protocol': setting(toolCalling.protocol, {
    default: 'auto',
    scope: 'any',
    description:
      'How models call tools, as long as the chat has not picked a protocol. `auto` takes the `protocol` of the model in `#parley.models#`; without one what suits the model by its name, else `native`.',
    values: {
      auto: "The profile's own protocol, else what suits the model by its name, else native.",
      ...Object.fromEntries(protocolNames.map(({ id, description }) => [id, description])),
    },
  }),
  'toolCalling.toolToggles': setting(toolCalling.toolToggles, {
    default: {},
    scope: 'any',
    description:
      'Tools switched on or off, by name (`run_shell_command`) or toolset (`shell`); the name wins. `true`: models are always told all of it; `"onDemand"`: by a line that names it, until they ask for more. Decides what is offered, never what is approved.',
  }),
  'toolCalling.defaultToolEnabled': setting(toolCalling.defaultToolEnabled, {
    default: true,
    scope: 'any',
    description: 'Whether a tool is offered that `parley.toolCalling.toolToggles` does not mention.',
  }),
  'toolCalling.toolsOnDemand': setting(toolCalling.toolsOnDemand, {
    default: 'auto',
    scope: 'user',
    description:
      'Which tools models are told of by a line each, until they ask for the definition. What `parley.toolCalling.toolToggles` says of a tool counts more.',
    values: {
      auto: 'Built-in tools that few tasks need; those of servers and extensions where that saves more than 1,500 tokens.',
      on: 'All but those that most tasks need.',
      off: 'None.',
    },
  }),
  'toolCalling.maxIterations': setting(toolCalling.maxIterations, {
    default: 50,
    scope: 'user',
    description: 'Rounds (requests to the model) after which a run pauses and asks whether to go on.',
  }),
  'toolCalling.timeout': setting(toolCalling.timeout, {
    default: 30_000,
    scope: 'user',
    description: 'Milliseconds for one tool call that has no limit of its own. Waiting for you never counts.',
  }),
  'toolCalling.requireConfirmation': setting(toolCalling.requireConfirmation, {
    default: true,
    scope: 'user',
    description: 'Off: ordinary edits inside the workspace run unasked. Nothing else changes.',
  }),
  'toolCalling.parallelExecution': setting(toolCalling.parallelExecution, {
    default: true,
    scope: 'user',
    description: 'Whether read-only calls of one reply run side by side.',
  }),
  'toolCalling.recovery': setting(toolCalling.recovery, {
    default: 'ask',
    scope: 'user',
    description:
      'What becomes of a whole call of an offered tool that is written in another form than the one asked for.',
    values: {
      run: 'It is treated like a repaired call: reads run, everything else asks.',
      ask: 'It waits for you.',
      text: 'It stays text.',
    },
  }),
  'toolCalling.strictness': setting(toolCalling.strictness, {
    default: 'repair',
    scope: 'user',
    description:
      'What becomes of a call that is not quite in form. Mended calls ask before they write, run or fetch.',
    values: {
      strict: 'It is rejected.',
      repair: 'It is mended where it has only one reading.',
      lenient: 'It is mended, and what is most likely meant as a call is read as one.',
    },
  }),
  'budget.tokens': setting(orNone, {
    default: 0,
    scope: 'user',
    description:
      'Tokens, sent and received, after which a run pauses and asks whether to go on; `0` is no limit.',
  }),
  'budget.cost': setting(z.number().check(z.minimum(0)), {
    default: 0,
    scope: 'user',
    description:
      'Dollars after which a run pauses and asks whether to go on; `0` is no limit. Counts models whose profile has a `price`.',
  }),
  'budget.minutes': setting(orNone, {
    default: 60,
    scope: 'user',
    description:
      'Minutes of work after which a run pauses and asks whether to go on; `0` is no limit. Waiting for you does not count.',
  }),
  'approvals.allowCommands': setting(rules, {
    default: [],
    scope: 'user',
    description: 'Commands that run unasked, by their first words: `git status`. More arguments may follow.',
  }),
  'approvals.denyCommands': setting(rules, {
    default: ['sudo', 'su', 'doas', 'shutdown', 'reboot', 'halt', 'poweroff', 'mkfs', 'fdisk', 'dd'],
    scope: 'any',
    description:
      'Commands that are always refused, by their first words. Entries of the workspace are added to yours.',
  }),
  'approvals.secretFiles': setting(z.array(namePattern), {
    default: [],
    scope: 'any',
    description:
      'Names of more files that hold keys, which are read, searched and attached only after a question: `*.vault`. A `*` stands for any characters, at most twice in a name. Entries of the workspace are added to yours.',
  }),
  hooks: setting(hooks, {
    default: {},
    scope: 'user',
    description:
      'Programs of yours that are told of calls and runs, as JSON on their standard input. They can only be stricter than your other settings.',
  }),
  notifyWhenWaiting: setting(z.enum(['off', 'notice', 'sound', 'system']), {
    default: 'notice',
    scope: 'user',
    description:
      'What tells you that a call waits for you, or a question, when the chat is not in sight or you are at another window.',
    values: {
      off: 'Only the number on the icon of the chat, and the status bar.',
      notice: 'A notice of VS Code.',
      sound: 'A notice and a short sound, where a chat is in sight and VS Code lets it make one.',
      system:
        'A notice, and one of the system while VS Code is in the background: on Linux (`notify-send`) and macOS, in windows of this machine.',
    },
  }),
  'sandbox.enabled': setting(z.enum(['off', 'on']), {
    default: 'off',
    scope: 'user',
    description:
      'Whether commands run in a sandbox: they write only in the folders of the workspace, see neither your home folder nor secret files, and have no network. Needs Linux or WSL2, and the package `bubblewrap`.',
    values: {
      off: 'Commands run as programs that you start yourself.',
      on: 'Commands run in the sandbox. What cannot work there asks to run outside.',
    },
  }),
  'sandbox.runUnasked': setting(z.boolean(), {
    default: false,
    scope: 'user',
    description:
      'Whether commands in the sandbox run without a question. Commands that are always refused stay refused.',
  }),
  'sandbox.allowedDomains': setting(z.array(domain), {
    default: [],
    scope: 'user',
    description:
      'Sites that commands in the sandbox may reach over HTTP and HTTPS: `registry.npmjs.org`, or `*.example.org` for all names below one. Empty: none.',
  }),
  'sandbox.readPaths': setting(rules, {
    default: [],
    scope: 'user',
    description:
      'Further files and folders that commands in the sandbox may read, absolute or with `~/`. Secret files in them stay hidden.',
  }),
  'sandbox.writePaths': setting(rules, {
    default: [],
    scope: 'user',
    description: 'Further folders that commands in the sandbox may change, absolute or with `~/`.',
  }),
  'sandbox.git': setting(z.enum(['read', 'write']), {
    default: 'read',
    scope: 'user',
    description: 'What commands in the sandbox may do with the repository.',
    values: {
      read: 'Look at it. Commits and the like ask to run outside.',
      write: 'Change it, but for its hooks and settings.',
    },
  }),
  'sandbox.outsideCommands': setting(rules, {
    default: [],
    scope: 'user',
    description:
      'Commands that run outside the sandbox without a question, by their first words: `git commit`. More arguments may follow.',
  }),
  'mcp.enabled': setting(z.boolean(), {
    default: true,
    scope: 'user',
    description:
      'Whether the MCP servers of `.mcp.json` and of `#parley.mcp.servers#` are used. Each asks before it starts for the first time, and only in a trusted workspace.',
  }),
  // Each server is looked at by itself when it is used: a slip in one stops neither the others nor the chat.
  'mcp.servers': setting(z.unknown(), {
    default: {},
    scope: 'user',
    description:
      'MCP servers for all workspaces, by a name of your choice, as in `.mcp.json`: a program (`command`, `args`, `env`, `cwd`) or an address (`type` `http`, `url`, `headers`). Values may hold `${workspaceFolder}`, `${env:NAME}` and `${input:ID}`.',
  }),
} as const;

export type SettingKey = keyof typeof settings;
export type SettingValue<Key extends SettingKey> = z.output<(typeof settings)[Key]['schema']>;
