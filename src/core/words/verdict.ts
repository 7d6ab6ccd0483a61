/** The policy's verdict on one access of a call. `ask` waits for the user; `deny` cannot be approved. */
export interface Verdict {
  readonly decision: 'auto' | 'ask' | 'deny';
  /** One clause for people: "inside the workspace", "matches git status". */
  readonly reason: string;
  /** The place is outside the workspace, or may be: its real location is unknown. */
  readonly isOutside?: true;
  /** The kind of place, in a clause: "git hooks". */
  readonly note?: string;
  /** The file affects what builds, tests or scripts run; the user should know before approving a change. */
  readonly runsCode?: true;
  /** With `ask`: a grant with which similar calls run without asking. */
  readonly grant?: Grant;
  /** With `grant`: another one that also covers calls of other kinds. */
  readonly wider?: Grant;
}

/**
 * What a call would do at a path. `delete` and `move` apply to the entry itself: a link at the end of the path is not
 * followed.
 */
export type PathUse = 'read' | 'write' | 'list' | 'search' | 'delete' | 'move';

/**
 * A standing permission that the user may give with an approval. Its scope is fixed when the call is prepared; an
 * answer only names its type and how long it lasts. All but `LastingGrant` end with the session.
 */
export type Grant =
  | { readonly type: 'edits-in-session' }
  /** Moves and deletions inside the workspace, except of protected or secret files. */
  | { readonly type: 'moves-in-session' }
  /** `path` is absolute, links resolved. */
  | { readonly type: 'read-file-in-session'; readonly path: string }
  /** The folder and everything in it that is neither secret nor hidden. */
  | { readonly type: 'read-folder-in-session'; readonly path: string }
  /** Pages of one site: scheme, host and port. */
  | { readonly type: 'fetch-origin-in-session'; readonly origin: string }
  | AllowMcpServer
  | LastingGrant;

export type LastingGrant = AllowCommands | AllowMcpTool;

export function isLasting(grant: Grant): grant is LastingGrant {
  const isOfSession = 'scope' in grant && grant.scope === 'session';
  return !isOfSession && (grant.type === 'allow-commands' || grant.type === 'allow-mcp-tool');
}

/** How long a grant lasts that the user may also give for ever: as offered, or less. */
export type GrantScope = 'session' | 'workspace';

/** Lasting: the rules are added to the user's settings, or to what is allowed in this workspace. */
export interface AllowCommands {
  readonly type: 'allow-commands';
  /** Absent: in every workspace, for ever. */
  readonly scope?: GrantScope;
  /** Each as short as is safe. */
  readonly rules: readonly OfferedRule[];
  /** The same commands by rules of exactly their words, which the user may choose instead; absent if they are the same. */
  readonly exact?: readonly OfferedRule[];
}

/** Lasting: calls of this tool run without asking while its server's definition of it stays the same. */
interface AllowMcpTool {
  readonly type: 'allow-mcp-tool';
  /** Absent: for ever. */
  readonly scope?: 'session';
  readonly server: string;
  /** The server's name of it. */
  readonly tool: string;
  /** SHA-256 of the server's definition and of everything that it says about the tool. */
  readonly digest: string;
}

/** All tools of a server, while it describes itself and each of them as it did when the user was asked. */
interface AllowMcpServer {
  readonly type: 'mcp-server-in-session';
  readonly server: string;
  /** SHA-256 of the server's definition and of everything that it says about itself and its tools. */
  readonly digest: string;
}

interface OfferedRule {
  /** As in the settings: `git status`. */
  readonly text: string;
  /** It allows the project's code to run, whatever that contains later. */
  readonly runsCode: boolean;
}
