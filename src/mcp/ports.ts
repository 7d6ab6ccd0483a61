import type { Readable, Writable } from 'node:stream';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import type { Disposable } from '../base/disposable';
import type { Image } from '../core/words/attachment';
import type { ConfiguredServer, ResolvedDefinition, ResolvedProgram } from './definition';
import type { FieldValue, Form } from './form';
import type { Pins } from './pins';

/** What MCP servers need from their environment. */
export interface McpSurroundings {
  readonly limits: McpLimits;
  /** The program of a definition; nothing for a server over HTTP. Rejects with `ServerProblem` if there is none. */
  readonly locate: (server: ConfiguredServer) => Promise<string | undefined>;
  /**
   * Replaces variables and may ask the user, so it is called only for approved definitions. Rejects with
   * `ServerProblem` if something is missing or not allowed.
   */
  readonly resolve: (server: ConfiguredServer, executable: string | undefined) => Promise<ResolvedDefinition>;
  readonly startProgram: (program: ResolvedProgram) => Promise<ServerProcess>;
  readonly fetch: typeof fetch;
  /** Nothing for bytes that are not a supported image. */
  readonly imageOf: (bytes: Buffer) => Image | undefined;
  readonly approvals: Approvals;
  /** The folders of the workspace. */
  readonly roots: () => readonly Root[];
  readonly onRootsChange: (listener: () => void) => Disposable;
  /** Shows a form for a server and waits for the user. */
  readonly elicit: (server: string, form: Form, signal: AbortSignal) => Promise<FormAnswer>;
  /** Signs in to a server over HTTP if it requires that. */
  readonly signIn: (server: ConfiguredServer, url: string) => SignIn;
  /** For the log of a server: its output and events. */
  readonly log: (server: string, text: string) => void;
  /** Called with processes that could not be ended. */
  readonly onSurvivors: (server: string, pids: readonly number[]) => void;
}

export interface McpLimits {
  readonly mcpProgramBytes: number;
  readonly mcpProgramWords: number;
  readonly mcpToolsPerServer: number;
  readonly mcpPrompts: number;
  readonly mcpResources: number;
  readonly mcpDescriptionBytes: number;
  readonly mcpSchemaBytes: number;
  readonly mcpSchemaDepth: number;
  readonly mcpSchemaNodes: number;
  readonly mcpListPages: number;
  readonly mcpListMs: number;
  readonly mcpStartTimeoutMs: number;
  readonly mcpFirstStartTimeoutMs: number;
  readonly mcpCallTimeoutMs: number;
  readonly mcpFrameBytes: number;
  readonly mcpMessagesPerSecond: number;
  readonly mcpBadLines: number;
  readonly mcpToolBytes: number;
  readonly mcpDismissedForms: number;
  readonly mcpStderrBytes: number;
  readonly mcpResultTextBytes: number;
  readonly mcpResultImageBytes: number;
  readonly mcpResultImages: number;
  readonly mcpRestarts: number;
  readonly mcpRestartWindowMs: number;
  readonly mcpRestartDelayMs: number;
  readonly mcpGoodbyeMs: number;
}

/** What the user has approved, stored by content outside of every workspace. */
export interface Approvals {
  /** `changed`: not this definition, but another one of this server. */
  readonly of: (server: ConfiguredServer, canonical: string) => Promise<'approved' | 'changed' | 'none'>;
  readonly approve: (server: ConfiguredServer, canonical: string) => Promise<void>;
  /** The tools of a server as the user last saw them; nothing before its first start with this definition. */
  readonly pins: (canonical: string) => Promise<Pins | undefined>;
  readonly pin: (canonical: string, pins: Pins) => Promise<void>;
  /** Whether calls of the tool with this digest run without asking. */
  readonly isAllowed: (digest: string) => boolean;
  readonly allow: (digest: string) => void;
}

/** A started program. Its end is reported once and never rejects. */
export interface ServerProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** For display: `exit code 1`, `signal SIGKILL`. */
  readonly ended: Promise<string>;
  /** Ends it and everything it has started. Returns processes that are still running. */
  end(): Promise<readonly number[]>;
}

export interface Root {
  readonly uri: string;
  readonly name: string;
}

export type FormAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, FieldValue>> }
  | { readonly action: 'decline' | 'cancel' };

export interface SignIn {
  readonly provider: OAuthClientProvider;
  /** Waits until the user returns from the browser; resolves to the parameters of the redirect. */
  readonly callback: (signal: AbortSignal) => Promise<URLSearchParams>;
}

/** Why a server cannot be used, in one sentence with the next step, for the tree and the Problems view. */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';

  /** By name, because each bundle has a copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'ServerProblem';
  }
}

/** State of a server. */
export type ServerState =
  /** Not requested yet, or stopped by the user. */
  | { readonly type: 'stopped' }
  /** The user has not approved this definition. `isChanged`: but another one of the same name. */
  | { readonly type: 'unapproved'; readonly isChanged: boolean }
  /** `output`: its last line so far. */
  | { readonly type: 'starting'; readonly output?: string }
  /** The user has to sign in with their browser. */
  | { readonly type: 'signing-in' }
  | { readonly type: 'running'; readonly changed: readonly string[] }
  /** It ended by itself and is started again soon. */
  | { readonly type: 'restarting'; readonly inMs: number }
  /** In one sentence with the next step. */
  | { readonly type: 'failed'; readonly problem: string };
