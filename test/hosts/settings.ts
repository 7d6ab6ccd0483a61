export type Settings = Readonly<Record<string, unknown>>;

/** User settings with which nothing but Parley asks for attention. A folder opens in Restricted Mode. */
export const restricted: Settings = {
  'telemetry.telemetryLevel': 'off',
  // VS Code would wait a minute for them before it knows walkthroughs.
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  // Newer versions would show some editors above all others.
  'workbench.editor.useModal': 'off',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
};

/** The same, with every folder trusted. */
export const trusted: Settings = { ...restricted, 'security.workspace.trust.enabled': false };
