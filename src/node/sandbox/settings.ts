/** The user's current settings for the sandbox. */
export interface SandboxSettings {
  readonly isEnabled: boolean;
  /** Whether commands in the sandbox run without approval. */
  readonly runUnasked: boolean;
  /** Hosts that commands may reach; `*.example.org` includes all subdomains; empty for none. */
  readonly allowedDomains: readonly string[];
  /** Absolute, or in the home folder with `~/`. */
  readonly readPaths: readonly string[];
  readonly writePaths: readonly string[];
  readonly git: 'read' | 'write';
  /** Rules for commands that run outside the sandbox without approval. */
  readonly outsideCommands: readonly string[];
}

export const noSandbox: SandboxSettings = {
  isEnabled: false,
  runUnasked: false,
  allowedDomains: [],
  readPaths: [],
  writePaths: [],
  git: 'read',
  outsideCommands: [],
};
