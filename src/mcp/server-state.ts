/** How it stands with a server. */
export type ServerState =
  /** Nobody has asked for it, or the user has stopped it. */
  | { readonly type: 'stopped' }
  /** The user has not approved this definition. `isChanged`: but another one of the same name. */
  | { readonly type: 'unapproved'; readonly isChanged: boolean }
  | { readonly type: 'starting' }
  /** The user has to sign in with their browser. */
  | { readonly type: 'signing-in' }
  | { readonly type: 'running'; readonly changed: readonly string[] }
  /** It ended by itself and is started again soon. */
  | { readonly type: 'restarting'; readonly inMs: number }
  /** In one sentence with the next step. */
  | { readonly type: 'failed'; readonly problem: string };
