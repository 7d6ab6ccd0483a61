/** A VS Code release, with the package that ships its server and the Node version that it needs. */
export interface VsCodeRelease {
  readonly version: string;
  readonly codeServer: string;
  readonly node: string;
  /**
   * Whether it loads an extension under development only with its test driver enabled. The oldest release does not
   * need the driver, and would refuse every dialog with it; the newest shows dialogs either way.
   */
  readonly needsDriver: boolean;
}

/** The oldest version Parley supports: `engines.vscode` in package.json. */
export const floor: VsCodeRelease = {
  version: '1.104.0',
  codeServer: '4.104.0',
  node: '22.23.3',
  needsDriver: false,
};

/** The newest version Parley is tested with. */
export const newest: VsCodeRelease = {
  version: '1.139.1',
  codeServer: '4.139.1',
  node: '24.21.0',
  needsDriver: true,
};

/** The release for workbench tests: the oldest, or the newest with `PARLEY_WORKBENCH=newest`. */
export const workbenchRelease: VsCodeRelease = process.env['PARLEY_WORKBENCH'] === 'newest' ? newest : floor;
