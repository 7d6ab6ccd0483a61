/** What the user has set about the sandbox, as it is now. */
export interface SandboxSettings {
  readonly isEnabled: boolean;
  /** Commands in the sandbox run without a question. */
  readonly runUnasked: boolean;
  /** Names of sites that may be reached, `*.example.org` for all below one; none if empty. */
  readonly allowedDomains: readonly string[];
  /** Absolute, or at home with `~/`. */
  readonly readPaths: readonly string[];
  readonly writePaths: readonly string[];
  readonly git: 'read' | 'write';
  /** Rules for commands that run outside without a question. */
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
