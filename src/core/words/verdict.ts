/** What the policy says about one thing a call would do. `ask` stops for the user; `deny` cannot be approved. */
export interface Verdict {
  readonly decision: 'auto' | 'ask' | 'deny';
  /** One clause for people: "inside the workspace", "matches git status". */
  readonly reason: string;
  /** The place lies outside the workspace, or may: where it leads is not known. */
  readonly isOutside?: true;
  /** What kind of place it is, in a clause: "git hooks". */
  readonly note?: string;
  /** The file decides what builds, tests or scripts run; whoever approves a change of it should know. */
  readonly runsCode?: true;
  /** With `ask`: what the user may allow beyond this call so that the like runs unasked. */
  readonly grant?: Grant;
}

/**
 * What a call would do at a path. `delete` and `move` are about the entry itself: a link at the end of the path is not
 * followed.
 */
export type PathUse = 'read' | 'write' | 'list' | 'search' | 'delete' | 'move';

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
interface AllowMcpTool {
  readonly type: 'allow-mcp-tool';
  readonly server: string;
  /** The server's own name of it. */
  readonly tool: string;
  /** SHA-256 of the definition of the server and of everything that is told of the tool. */
  readonly digest: string;
}

interface OfferedRule {
  /** As in the settings: `git status`. */
  readonly text: string;
  /** What it lets run is code of the project, whatever that says by then. */
  readonly runsCode: boolean;
}
