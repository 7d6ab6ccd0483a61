export type Settings = Readonly<Record<string, unknown>>;

/** User settings that keep everything but Parley quiet. A folder opens in Restricted Mode. */
export const restricted: Settings = {
  'telemetry.telemetryLevel': 'off',
  // VS Code would wait a minute for experiments before it registers walkthroughs.
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  // Newer versions would show some editors in a modal above all others.
  'workbench.editor.useModal': 'off',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

/** The same settings, with every folder trusted. */
export const trusted: Settings = { ...restricted, 'security.workspace.trust.enabled': false };
