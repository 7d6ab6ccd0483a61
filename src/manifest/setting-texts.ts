import { protocolNames } from '../protocols/names';
import type { DocsPlace } from './docs';
import { profilePresets } from './profile';
import type { SettingKey } from './settings';

/** What VS Code's editor for settings says of one. Apart from the settings, which are loaded at activation. */
export interface SettingText {
  readonly description: string;
  /** Where the documentation says more. */
  readonly docs?: DocsPlace;
  /** Descriptions of its values, for an enumeration. */
  readonly values?: Readonly<Record<string, string>>;
  /** Suggested entries of a list. */
  readonly presets?: readonly { readonly label: string; readonly body: object }[];
}

export const settingTexts: Readonly<Record<SettingKey, SettingText>> = {
  model: {
    description: 'Profile of the model for new conversations. `demo` needs no key and no network.',
  },
  models: {
    description:
      'Models to choose from. The profile `demo` always exists. `provider` `openai` is any endpoint of the Chat Completions API: set `baseUrl` (usually ending in `/v1`) and `model`. `protocol` is used when `#parley.toolCalling.protocol#` is `auto`; `headers` and `extraBody` are sent with every request.',
    docs: ['models', 'profiles'],
    presets: profilePresets,
  },
  summaryModel: {
    description:
      'Profile (`id`) of the model that summarizes older messages when a conversation gets long, for example a cheaper or faster one. If empty, the model of the conversation.',
    docs: ['chat', 'when-the-conversation-gets-long'],
  },
  agents: {
    description:
      'Agents to choose from, in addition to `agent`, `ask` and `plan`: `id`, `name`, `instructions`, `readOnly` for read-only tools, `model`, and any field of `#parley.toolCalling.mode#` and its neighbours, which then overrides the setting. An agent has the tools that both the settings and the agent allow.',
    docs: ['chat', 'agents'],
  },
  instructions: {
    description:
      'Text added to the instructions of every conversation. Takes precedence over `AGENTS.md` and similar files of a trusted workspace.',
    docs: ['chat', 'rules-files'],
  },
  'context.editor': {
    description:
      'Whether editor context is sent with messages: the names of open files, and the selected text. The chat shows what would be sent and has a button to change this for the window.',
    docs: ['chat', 'attachments'],
  },
  'toolCalling.enabled': {
    description: 'Off: a plain chat without tools.',
  },
  'toolCalling.mode': {
    description: 'Which calls wait for your approval.',
    docs: ['approvals'],
    values: {
      auto: 'Calls that change, run or send something, or read secret or outside files, unless you have allowed them.',
      manual: 'Every call, including reads.',
    },
  },
  'toolCalling.protocol': {
    description:
      'How models call tools if no protocol is picked in the chat. `auto` uses the `protocol` of the model in `#parley.models#`, otherwise the best match for the model name, otherwise `native`.',
    docs: ['protocols', 'choosing-one'],
    values: {
      auto: 'The protocol of the profile, otherwise the best match for the model name, otherwise native.',
      ...Object.fromEntries(protocolNames.map(({ id, description }) => [id, description])),
    },
  },
  'toolCalling.toolToggles': {
    description:
      'Managed in the Tools view. Each entry turns a tool (`run_shell_command`) or a toolset (`shell`) on or off; a tool takes precedence. `true` always sends the full description, `"onDemand"` only the name until the model asks for the rest. Decides what models are offered, never what is approved.',
    docs: ['tools', 'the-tools-view'],
  },
  'toolCalling.defaultToolEnabled': {
    description: 'Whether tools are on that no toggle names. Managed in the Tools view.',
  },
  'toolCalling.toolsOnDemand': {
    description:
      'Send only the names of rarely used tools; the model asks for the rest. What the Tools view sets for a tool takes precedence.',
    docs: ['tools', 'the-tools-view'],
    values: {
      auto: 'Built-in tools that few tasks need, and tools of servers and extensions if that saves more than 1,500 tokens.',
      on: 'All tools except those that most tasks need.',
      off: 'None.',
    },
  },
  'toolCalling.maxIterations': {
    description: 'Maximum rounds (requests to the model) before a run pauses and asks whether to continue.',
  },
  'toolCalling.timeout': {
    description:
      'Milliseconds a single call may take, unless its tool has a limit of its own. Time spent waiting for you does not count.',
  },
  'toolCalling.requireConfirmation': {
    description:
      'Ask before ordinary edits. If off, edits inside the workspace run without asking, except for protected files. Nothing else changes.',
    docs: ['approvals'],
  },
  'toolCalling.parallelExecution': {
    description: 'Run several reads of one reply at once.',
  },
  'toolCalling.recovery': {
    description:
      "What to do with a call in another form than the protocol's: ask, run it like others, or show it as text.",
    docs: ['protocols', 'calls-in-another-form'],
    values: {
      run: 'Treat it like a repaired call: reads run, everything else asks.',
      ask: 'Ask before it runs.',
      text: 'Show it as text.',
    },
  },
  'toolCalling.strictness': {
    description:
      'How much of a damaged call may be repaired. Repaired calls ask before they write, run or fetch.',
    docs: ['protocols', 'calls-in-another-form'],
    values: {
      strict: 'Reject it.',
      repair: 'Repair it if there is only one way to read it.',
      lenient: 'Repair it, and read what is most likely a call as one.',
    },
  },
  'budget.tokens': {
    description:
      'Maximum tokens, sent and received, before a run pauses and asks whether to continue. `0` means no limit.',
  },
  'budget.cost': {
    description:
      'Maximum cost in dollars before a run pauses and asks whether to continue. `0` means no limit. Counts models whose profile has a `price`.',
  },
  'budget.minutes': {
    description:
      'Maximum minutes of work before a run pauses and asks whether to continue. `0` means no limit. Time spent waiting for you does not count.',
  },
  'approvals.allowCommands': {
    description:
      'Commands that run without asking, by their first words: `git status`. Arguments that are known to be harmless may follow.',
    docs: ['approvals', 'rules-for-commands'],
  },
  'approvals.denyCommands': {
    description:
      'Commands that are always refused, by their first words. Workspace entries are added to yours.',
    docs: ['approvals', 'rules-for-commands'],
  },
  'approvals.secretFiles': {
    description:
      'Names of more files that contain keys. Reading, searching or attaching them always asks: `*.vault`. `*` matches any characters and may occur twice in a name. Workspace entries are added to yours.',
    docs: ['approvals'],
  },
  hooks: {
    description:
      'Programs that get calls and runs as JSON on standard input. They can only be stricter than your other settings.',
    docs: ['approvals', 'hooks'],
  },
  notifyWhenWaiting: {
    description:
      'How you are notified of a waiting call or question when the chat is not visible or you are in another window.',
    values: {
      off: 'Only the badge on the chat icon and the status bar.',
      notice: 'A VS Code notification.',
      sound: 'A notification and a short sound, if a chat is visible and VS Code allows sound.',
      system:
        'A notification, and a system notification while VS Code is in the background: on Linux (`notify-send`) and macOS, in local windows.',
    },
  },
  'sandbox.enabled': {
    description:
      'Run commands in a sandbox. They then write only in the workspace folders, cannot see your home folder or secret files, and have no network. Needs Linux or WSL2, and the package `bubblewrap`.',
    docs: ['sandbox', 'turning-it-on'],
    values: {
      off: 'Commands run with your full permissions.',
      on: 'Commands run in the sandbox. Commands that cannot work there ask to run outside.',
    },
  },
  'sandbox.runUnasked': {
    description: 'Whether sandboxed commands run without asking. Denied commands are still refused.',
    docs: ['sandbox', 'settings'],
  },
  'sandbox.allowedDomains': {
    description:
      'Sites that sandboxed commands may reach over HTTP and HTTPS: `registry.npmjs.org`, or `*.example.org` for all its subdomains. If empty, no sites.',
    docs: ['sandbox', 'settings'],
  },
  'sandbox.readPaths': {
    description:
      'More files and folders that sandboxed commands may read, absolute or with `~/`. Secret files in them stay hidden.',
  },
  'sandbox.writePaths': {
    description: 'More folders that sandboxed commands may change, absolute or with `~/`.',
  },
  'sandbox.git': {
    description: 'What sandboxed commands may do with the repository.',
    values: {
      read: 'Read it. Commands such as commit ask to run outside the sandbox.',
      write: 'Change it, except hooks and settings.',
    },
  },
  'sandbox.outsideCommands': {
    description:
      'Commands that run outside the sandbox without asking, by their first words: `git commit`. Arguments that are known to be harmless may follow.',
    docs: ['sandbox', 'what-asks-to-run-outside'],
  },
  'commands.setup': {
    description:
      'A line that runs before each command in the same shell, for example `. ~/.nvm/nvm.sh`. If it fails, the command does not run.',
  },
  'commands.shell': {
    description: 'The shell that runs commands on Windows. Linux and macOS have only one.',
    values: {
      auto: 'Windows PowerShell.',
      powershell: 'Windows PowerShell 5.1, which belongs to Windows.',
      pwsh: 'PowerShell 7, if it is installed in the folder for programs.',
      bash: 'Git Bash, where the installer of Git for Windows has registered it.',
    },
  },
  'mcp.enabled': {
    description:
      'Whether MCP servers in `.mcp.json` and `#parley.mcp.servers#` are used. Each server asks before its first start, and runs only in a trusted workspace.',
    docs: ['mcp'],
  },
  'mcp.servers': {
    description:
      'MCP servers for all workspaces, by name, as in `.mcp.json`: a program (`command`, `args`, `env`, `cwd`) or an address (`type` `http`, `url`, `headers`). Values may contain `${workspaceFolder}`, `${env:NAME}` and `${input:ID}`.',
    docs: ['mcp'],
  },
};
