import type { JsonObject } from '../base/json';
import type { AgentEvent } from './events';
import type { ToolCall } from './messages';
import type { JsonSchema } from './schema';
import type { Access, Effect, Preview } from './tool';

/** What the policy says about one thing a call would do. `ask` stops for the user; `deny` cannot be approved. */
export interface Verdict {
  readonly decision: 'auto' | 'ask' | 'deny';
  /** One clause for people: "inside the workspace", "matches git status". */
  readonly reason: string;
  /** The place lies outside the workspace, or may: where it leads is not known. */
  readonly isOutside?: true;
  /** The file decides what builds, tests or scripts run; whoever approves a change of it should know. */
  readonly runsCode?: true;
  /** With `ask`: what the user may allow beyond this call so that the like runs unasked. */
  readonly grant?: Grant;
}

/** A prepared call as the policy and the user see it. The host keeps it and runs exactly this. */
export interface ApprovalRequest {
  readonly call: ToolCall;
  readonly effect: Effect;
  readonly title: string;
  readonly accesses: readonly Access[];
  readonly preview?: Preview;
  /** The tool's schema, for whoever changes the arguments. */
  readonly parameters?: JsonSchema;
  /** The arguments as the user changed them; without it they are the call's own. */
  readonly edited?: JsonObject;
  /** Why the user's last change of the arguments could not be taken: what is asked is what was asked before it. */
  readonly problem?: string;
}

/**
 * A standing permission that the user may give along with a call. What it covers is fixed when the call is prepared;
 * an answer only names its type. All but `LastingGrant` end with the session.
 */
export type Grant =
  | { readonly type: 'edits-in-session' }
  /** Moves and deletions inside the workspace, but of what is protected or secret. */
  | { readonly type: 'moves-in-session' }
  /** `path` is absolute, links resolved. */
  | { readonly type: 'read-file-in-session'; readonly path: string }
  /** The folder and everything below it that is neither secret nor hidden. */
  | { readonly type: 'read-folder-in-session'; readonly path: string }
  /** Pages of one site: scheme, host and port. */
  | { readonly type: 'fetch-origin-in-session'; readonly origin: string }
  | LastingGrant;

export type LastingGrant = AllowCommands | AllowMcpTool;

export function isLasting(grant: Grant): grant is LastingGrant {
  return grant.type === 'allow-commands' || grant.type === 'allow-mcp-tool';
}

/** Lasts: the rules go into the user's settings. */
export interface AllowCommands {
  readonly type: 'allow-commands';
  readonly rules: readonly OfferedRule[];
}

/** Lasts: calls of this tool run unasked as long as all that its server says of it stays the same. */
export interface AllowMcpTool {
  readonly type: 'allow-mcp-tool';
  readonly server: string;
  /** The server's own name of it. */
  readonly tool: string;
  /** SHA-256 of the definition of the server and of everything that is told of the tool. */
  readonly digest: string;
}

export interface OfferedRule {
  /** As in the settings: `git status`. */
  readonly text: string;
  /** What it lets run is code of the project, whatever that says by then. */
  readonly runsCode: boolean;
}

export type Decision =
  | { readonly type: 'run'; readonly by: 'policy' | 'user'; readonly reason: string }
  | { readonly type: 'reject'; readonly by: 'policy' | 'user'; readonly reason: string };

/** The user has changed the arguments: what the call would do now has to be shown and decided anew. */
export interface ArgumentEdit {
  readonly type: 'edit';
  readonly arguments: JsonObject;
}

/** What was asked about a call, and what was decided. */
export interface Approval {
  readonly request: ApprovalRequest;
  readonly decision: Decision;
}

/**
 * Decides about one call; waits for the user where the policy asks, which is told through `emit`. Rejects only when the
 * signal aborts.
 */
export type Approve = (
  request: ApprovalRequest,
  emit: (event: AgentEvent) => void,
  signal: AbortSignal,
) => Promise<Decision | ArgumentEdit>;
