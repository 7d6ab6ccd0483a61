import type { JsonObject } from '../../base/json';
import type { Image } from './attachment';
import type { FileChange } from './file-change';
import type { SubReport, SubTask } from './outcome';
import type { JsonSchema } from './schema';
import type { Verdict } from './verdict';
import type { NamedFact } from './workspace-facts';

/** Returns the definitions of tools that are only listed. */
export const LOAD_TOOLS = 'load_tools';

/** Calls a tool whose definition came later, for protocols whose API knows only the tools of the beginning. */
export const CALL_TOOL = 'call_tool';

const LOADING_TOOLS: readonly string[] = [LOAD_TOOLS, CALL_TOOL];

/** Whether a tool only serves others, so that it cannot be switched. */
export function servesOthers({ spec }: Pick<Tool, 'spec'>): boolean {
  return LOADING_TOOLS.includes(spec.name);
}

/** The strongest effect that a call can have. */
export type Effect = 'read' | 'write' | 'execute' | 'network';

/** What a model and a protocol know about a tool. */
export interface ToolSpec {
  /** Wire name, snake_case: `read_file`. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** The parameters shown to models, if fewer than those checked. */
  readonly shown?: JsonSchema;
  /** A few words for lists of tools; by default the first sentence of the description. */
  readonly summary?: string;
  /** `files_readFile`: accepted as another name for the same tool. */
  readonly qualifiedName?: string;
  /** Arguments of a typical call, for prompts. */
  readonly example?: JsonObject;
  /** The tag for calls of this tool in the `invoke` protocol. */
  readonly xmlSchema?: XmlSchema;
  /** The name VCP uses instead of the wire name. */
  readonly vcpCommand?: string;
  /** What arguments name of the workspace, for forms that know it; an argument that is not listed is free. */
  readonly names?: Readonly<Record<string, NamedFact>>;
  /** Set if this is only another way to offer a tool: its calls become calls of that tool. */
  readonly offers?: OfferedTool;
}

/** How calls of an offered definition become calls of the tool that runs, under its wire name, and back. */
export interface OfferedTool {
  readonly spec: ToolSpec;
  /** Arguments that the definition does not have are passed on. */
  readonly toCall: (args: JsonObject) => JsonObject;
  /** `undefined` if the definition cannot say the call. */
  readonly fromCall: (args: JsonObject) => JsonObject | undefined;
}

/** The definition of the tool that runs, whatever it is offered as. */
export function runningSpec(spec: ToolSpec): ToolSpec {
  return spec.offers?.spec ?? spec;
}

/** A tool's XML tag, and how its parameters map to it: AgentPress' `xml_schema`. */
export interface XmlSchema {
  readonly tag_name: string;
  readonly mappings: readonly XmlMapping[];
}

export interface XmlMapping {
  readonly param_name: string;
  readonly node_type: 'attribute' | 'element' | 'content';
  /** Name of the attribute or element; `.` is the parameter's name. */
  readonly path: string;
}

/** A tool is data plus `prepare`, which checks the arguments and describes the effect, and the `run` it returns. */
export interface Tool {
  readonly spec: ToolSpec;
  /** Id of the group it belongs to: `files`, `shell`. */
  readonly toolset: string;
  /** camelCase name inside the toolset: `readFile`. */
  readonly method: string;
  /** For tool pickers: a title, if the words of the method are not one, and a line. */
  readonly displayName?: string;
  readonly userDescription?: string;
  readonly effect: Effect;
  /** Only methods with `true` are offered to models. */
  readonly agentCallable: boolean;
  /** Why the tool is useless now, in one sentence; it is then not offered, whatever the toggles say. */
  readonly whyNotOffered?: string;
  /** Always defined in full: what most tasks need. */
  readonly isCore?: true;
  /** Offered only if its toggle or its toolset's says so: a third-party tool, which the user did not choose. */
  readonly offByDefault?: true;
  /** Where it comes from; absent for built-in tools. */
  readonly origin?: ToolOrigin;
  /** Starts sub-agents; those at the maximum depth are not offered it. */
  readonly delegates?: true;
  /** Its limit in milliseconds; `toolCalling.timeout` if absent. `none`: no limit. */
  readonly timeoutMs?: number | 'none';
  /**
   * `input` is already bound to `spec.parameters` (`core/run/bind.ts`); here it is checked. Throws `ToolError` for
   * invalid arguments or places. Changes nothing.
   */
  prepare(input: JsonObject, signal: AbortSignal, caller?: Caller): Promise<PreparedCall>;
}

/** `skills`: built in, but its abilities come from files of the user or the workspace. */
export type ToolOrigin =
  | { readonly type: 'skills' }
  /** `name` is the extension's display name; absent if no extension declares the tool. */
  | { readonly type: 'extension'; readonly name?: string }
  /** `server`: the configured name of an MCP server. */
  | { readonly type: 'mcp'; readonly server: string };

/** Identity of one conversation history: what a tool has shown in one history, others have not seen. */
export interface Caller {
  /**
   * The identity before the history was rewound or summarized: it has seen the same results, but may no longer have
   * them.
   */
  readonly before?: Caller;
  /** Absolute paths of files that have changed since then. */
  readonly changed?: ReadonlySet<string>;
  /** Owner of the commands that it starts. Commands without an owner end with the window. */
  readonly owner?: object | undefined;
}

/** A call whose arguments are checked and whose places are resolved: what is shown is what runs. */
export interface PreparedCall {
  /** For people, in a few words: `Edit src/a.ts`. */
  readonly title: string;
  /** Everything it would touch, judged. Empty if it touches nothing outside Parley. */
  readonly accesses: readonly Access[];
  readonly preview?: Preview;
  run(context: RunContext): Promise<ToolOutput>;
}

export interface Access {
  readonly effect: Effect;
  /** The place (links resolved; relative inside the workspace) or command as it will really be used. */
  readonly target: string;
  /** "Allow edits" never covers deletes and moves. */
  readonly kind: 'path' | 'edit' | 'move' | 'command' | 'url' | 'agent' | 'mcp';
  readonly verdict: Verdict;
  /** Describes the place for the one who decides: `a folder with 12 files`. Each is a separate clause. */
  readonly notes?: readonly string[];
}

export type Preview =
  | {
      readonly type: 'diff';
      readonly path: string;
      readonly before: string;
      readonly after: string;
      /** The file affects what is run later. */
      readonly runsCode?: true;
    }
  | {
      readonly type: 'command';
      readonly command: string;
      readonly cwd: string;
      /** The simple commands found in it, each as a list of words; empty if it could not be parsed. */
      readonly commands: readonly (readonly string[])[];
      /** The user's line that runs before it in the same shell. */
      readonly setup?: string;
      /** Set if it runs in the sandbox. */
      readonly sandbox?: SandboxBounds;
    };

/** What a command in the sandbox may do besides writing in the workspace. */
export interface SandboxBounds {
  /** Sites that it may reach; none if empty. */
  readonly sites: readonly string[];
}

export interface RunContext {
  /** Aborts when the call is stopped; also when the run ends, with `RunEnded` as the reason. */
  readonly signal: AbortSignal;
  /** Shows output while the call runs. May be called often. */
  readonly onOutput: (text: string) => void;
  /** Reports a change of a file, before and after it. */
  readonly onFileChange: (change: FileChange) => void;
  /** Delegates a task to a sub-agent. Rejects with `ToolError` if that is impossible. */
  readonly delegate: (task: SubTask) => Promise<SubReport>;
  /** Waits for the user's answer, without a time limit. Absent if no user can answer. */
  readonly ask?: (question: Question) => Promise<string>;
}

export interface ToolOutput {
  readonly text: string;
  /** The names of tools whose definitions the text contains. */
  readonly defines?: readonly string[];
  /** Set if it ran in the sandbox. */
  readonly sandbox?: SandboxBounds;
  /** For models with vision. The text describes them. */
  readonly images?: readonly Image[];
}

/** An expected failure of a tool. Its text is sent to the model: what is wrong and the next step. */
export class ToolError extends Error {
  override readonly name = 'ToolError';

  /**
   * By name, because each bundle has a copy of this class: tools throw theirs, and the loop checks for its own copy.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ToolError';
  }
}

/** Abort reason when the user did not stop: the run has ended. What it left running on purpose may continue. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';

  /** As with `ToolError`. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'RunEnded';
  }
}

/** A call's question to the user. Any answer is valid; the options are answers that the model expects. */
export interface Question {
  readonly question: string;
  readonly options: readonly string[];
}
