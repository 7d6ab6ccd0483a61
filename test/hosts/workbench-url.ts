export interface Window {
  readonly port: number;
  /** Absolute path; without it the window has no folder. */
  readonly folder?: string | undefined;
  /**
   * Absolute path of the extension under development, or of a folder that holds several; undefined if it is
   * installed.
   */
  readonly extension?: string | undefined;
  /** Absolute path of a module that exports `run()`; the extension host calls it and reports the result. */
  readonly tests?: string | undefined;
}

/** Returns the address at which a VS Code server shows this window. */
export function workbenchUrl({ port, folder, extension, tests }: Window): string {
  const remote = (file: string): string => `vscode-remote://127.0.0.1:${port}${file}`;
  const payload = [
    ...(extension === undefined ? [] : [['extensionDevelopmentPath', remote(extension)]]),
    ...(tests === undefined ? [] : [['extensionTestsPath', remote(tests)]]),
    ['skipWelcome', 'true'],
  ];
  const query = new URLSearchParams(folder === undefined ? { ew: 'true' } : { folder });
  query.set('payload', JSON.stringify(payload));
  return `http://127.0.0.1:${port}/?${query.toString()}`;
}
