import type { JsonObject } from '../../base/json';
import type { Image } from './attachment';
import type { FileChange } from './file-change';
import type { SubReport, SubTask } from './outcome';
import type { JsonSchema } from './schema';
import type { Verdict } from './verdict';

/** Brings the definitions of tools that are named in a list. */
export const LOAD_TOOLS = 'load_tools';

/** Calls a tool whose definition came later, over protocols whose API knows those of the beginning only. */
export const CALL_TOOL = 'call_tool';

/** What a call can do to the world, the strongest it may do. */
export type Effect = 'read' | 'write' | 'execute' | 'network';

/** What a model and a protocol know about a tool. */
export interface ToolSpec {
  /** Wire name, snake_case: `read_file`. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** What a model reads of them, where that is less than what is checked. */
  readonly shown?: JsonSchema;
  /** What it is for, in a few words, where it is only named in a list; the first sentence of the description if not given. */
  readonly summary?: string;
  /** `files_readFile`: accepted as another name for the same tool. */
  readonly qualifiedName?: string;
  /** Arguments of a typical call, for prompts. */
  readonly example?: JsonObject;
  /** The tag that stands for a call of this tool in the `invoke` protocol. */
  readonly xmlSchema?: XmlSchema;
  /** The name VCP uses instead of the wire name. */
  readonly vcpCommand?: string;
}

/** A tag of its own for a tool, and where its parameters stand: AgentPress' `xml_schema`. */
export interface XmlSchema {
  readonly tag_name: string;
  readonly mappings: readonly XmlMapping[];
}

export interface XmlMapping {
  readonly param_name: string;
  readonly node_type: 'attribute' | 'element' | 'content';
  /** Name of the attribute or element; `.` is the parameter's own name. */
  readonly path: string;
}

/** A tool is data plus `prepare`, which checks the arguments and says what would happen, and the `run` it returns. */
export interface Tool {
  readonly spec: ToolSpec;
  /** Id of the group it belongs to: `files`, `shell`. */
  readonly toolset: string;
  /** camelCase name inside the toolset: `readFile`. */
  readonly method: string;
  /** For people who pick it from a list: a title, where the words of the method are none, and one line. */
  readonly displayName?: string;
  readonly userDescription?: string;
  readonly effect: Effect;
  /** Only methods marked so are offered to models. */
  readonly agentCallable: boolean;
  /** Why there is no use for it now, in one sentence; then it is not offered, whatever the toggles say. */
  readonly whyNotOffered?: string;
  /** Models are always told all of it: what most tasks need. */
  readonly isCore?: true;
  /** Offered only when its own toggle or that of its toolset says so: it is nobody's choice that it is there. */
  readonly offByDefault?: true;
  /** Where it comes from; nothing for what is built in. */
  readonly origin?: ToolOrigin;
  /** Hands work to agents of its own; the deepest of these are not offered it. */
  readonly delegates?: true;
  /** A limit of its own in milliseconds; without one `toolCalling.timeout` applies. `none` never ends by time. */
  readonly timeoutMs?: number | 'none';
  /**
   * `input` is bound to `spec.parameters` already (`core/run/bind.ts`); here it is checked. Throws `ToolError` for
   * arguments or places that cannot be. Changes nothing.
   */
  prepare(input: JsonObject, signal: AbortSignal, caller?: Caller): Promise<PreparedCall>;
}

/** `skills`: it is built in, and what it can do lies in files of the user or the workspace. */
export type ToolOrigin =
  | { readonly type: 'skills' }
  /** `name` is that of the extension, as people know it; absent where no extension says that the tool is its own. */
  | { readonly type: 'extension'; readonly name?: string }
  /** `server`: the name of an MCP server as it is configured. */
  | { readonly type: 'mcp'; readonly server: string };

/** Stands for whoever calls, one for each history: what a tool has shown to one of them, the others have not seen. */
export interface Caller {
  /**
   * Who it was before it went back in its history, or a part of that was put in short: it has read the same, but may not
   * have the results any more.
   */
  readonly before?: Caller;
  /** Absolute paths of files that have become others since then. */
  readonly changed?: ReadonlySet<string>;
  /** Whose the commands are that it starts. Those of nobody end with the window. */
  readonly owner?: object | undefined;
}

/** A call whose arguments are checked and whose places are resolved: what is shown is what runs. */
export interface PreparedCall {
  /** For people, in a few words: `Edit src/a.ts`. */
  readonly title: string;
  /** Everything it would touch, judged. Empty when it touches nothing outside itself. */
  readonly accesses: readonly Access[];
  readonly preview?: Preview;
  run(context: RunContext): Promise<ToolOutput>;
}

export interface Access {
  readonly effect: Effect;
  /** The place (links resolved; relative inside the workspace) or command as it will really be used. */
  readonly target: string;
  /** Deletes and moves are never covered by "allow edits". */
  readonly kind: 'path' | 'edit' | 'move' | 'command' | 'url' | 'agent' | 'mcp';
  readonly verdict: Verdict;
  /** What the place is, for whoever decides: `a folder with 12 files`. Each is a clause of its own. */
  readonly notes?: readonly string[];
}

export type Preview =
  | {
      readonly type: 'diff';
      readonly path: string;
      readonly before: string;
      readonly after: string;
      /** The file decides what is run later. */
      readonly runsCode?: true;
    }
  | {
      readonly type: 'command';
      readonly command: string;
      readonly cwd: string;
      /** The simple commands found in it, each as its words; empty when it could not be read. */
      readonly commands: readonly (readonly string[])[];
      /** Set where it runs in the sandbox. */
      readonly sandbox?: SandboxBounds;
    };

/** What a command in the sandbox may do besides writing in the workspace. */
export interface SandboxBounds {
  /** Sites that it may reach; none if empty. */
  readonly sites: readonly string[];
}

export interface RunContext {
  /** Aborts when the call is stopped; also when the run ends, and then with `RunEnded` as the reason. */
  readonly signal: AbortSignal;
  /** Shows output while the call runs. May be called often. */
  readonly onOutput: (text: string) => void;
  /** Tells of a change of a file, before and after it. */
  readonly onFileChange: (change: FileChange) => void;
  /** Has a task done by an agent of its own. Rejects with `ToolError` where that cannot be. */
  readonly delegate: (task: SubTask) => Promise<SubReport>;
  /** Waits for the user's answer, however long that takes. Absent where nobody is there to answer. */
  readonly ask?: (question: Question) => Promise<string>;
}

export interface ToolOutput {
  readonly text: string;
  /** The names of tools whose definitions the text brings. */
  readonly defines?: readonly string[];
  /** Set where it ran in the sandbox. */
  readonly sandbox?: SandboxBounds;
  /** For models that see. The text says what they are. */
  readonly images?: readonly Image[];
}

/** An expected failure of a tool. Its text goes to the model: what is wrong and the next step. */
export class ToolError extends Error {
  override readonly name = 'ToolError';

  /** By name, because each bundle has a copy of this class: tools throw theirs, and the loop looks for its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ToolError';
  }
}

/** Why a signal aborts when nobody stopped it: the run has come to its end. What it left on purpose may go on. */
export class RunEnded extends Error {
  override readonly name = 'RunEnded';

  /** As with `ToolError`. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'RunEnded';
  }
}

/** What a call asks the user. Anything may be answered; the options are answers that the model expects. */
export interface Question {
  readonly question: string;
  readonly options: readonly string[];
}
