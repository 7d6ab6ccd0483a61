/** Every command, by its id after `parley.`. The category in the palette is `Parley`. */
export const commands = {
  newSession: { title: 'New Session', icon: '$(add)' },
  openWalkthrough: { title: 'Get Started', icon: '$(rocket)' },
  focusChat: { title: 'Open Chat', icon: '$(comment-discussion)' },
  openChatInEditor: { title: 'Open Chat in Editor', icon: '$(open-preview)' },
  moveChat: { title: 'Move Chat to Secondary Side Bar…' },
  showTools: { title: 'Show Tools', icon: '$(tools)' },
  openSession: { title: 'Open Session…', icon: '$(history)' },
  searchSessions: { title: 'Search Sessions…', icon: '$(search)' },
  renameSession: { title: 'Rename Session…', icon: '$(edit)' },
  deleteSession: { title: 'Delete Session…', icon: '$(trash)' },
  exportSession: { title: 'Export Session…', icon: '$(export)' },
  compactSession: { title: 'Summarize Older Messages', enablement: '!parley.running' },
  restoreCheckpoint: { title: 'Restore Files…', icon: '$(discard)', enablement: '!parley.running' },
  stop: { title: 'Stop', icon: '$(debug-stop)', enablement: 'parley.running' },
  addToChat: { title: 'Add Selection to Parley Chat' },
  addFileToChat: { title: 'Add to Parley Chat' },
  addTerminalSelectionToChat: { title: 'Add Selection to Parley Chat', needsTarget: true },
  addTerminalToChat: { title: 'Add Last Command to Parley Chat' },
  fixProblem: { title: 'Fix with Parley' },
  selectModel: { title: 'Select Model…' },
  findLocalServers: { title: 'Find Local Servers…' },
  addModel: { title: 'Add Model…' },
  importModels: { title: 'Import Models…' },
  openModelSettings: { title: 'Open Model Settings' },
  testConnection: { title: 'Test Connection to Model' },
  findProtocol: { title: 'Find Best Protocol…' },
  selectProtocol: { title: 'Select Protocol…' },
  selectAgent: { title: 'Select Agent…' },
  startGateway: { title: 'Start Gateway', icon: '$(broadcast)' },
  stopGateway: { title: 'Stop Gateway', icon: '$(debug-stop)', enablement: 'parley.gateway' },
  sandboxStatus: { title: 'Sandbox Status', icon: '$(shield)' },
  setApiKey: { title: 'Set API Key…', icon: '$(key)' },
  openLab: { title: 'Open Lab', icon: '$(beaker)' },
  inspectReply: { title: 'Inspect Last Reply', icon: '$(inspect)' },
  showCalls: { title: 'Show Tool Calls', icon: '$(output)' },
  showLog: { title: 'Show Log' },
  openMcpConfig: { title: 'Open MCP Configuration', icon: '$(edit)' },
  addMcpServer: { title: 'Add MCP Server…', icon: '$(add)' },
  approveMcpServer: { title: 'Review and Start MCP Server…', icon: '$(shield)' },
  reviewMcpTools: { title: 'Review Changed MCP Tools…', icon: '$(diff)' },
  signInMcpServer: { title: 'Sign In to MCP Server', icon: '$(sign-in)', needsTarget: true },
  restartMcpServer: { title: 'Restart MCP Server', icon: '$(debug-restart)' },
  stopMcpServer: { title: 'Stop MCP Server', icon: '$(debug-stop)' },
  showMcpLog: { title: 'Show MCP Server Log', icon: '$(output)' },
  signOutMcpServer: { title: 'Sign Out of MCP Server' },
  forgetMcpInputs: { title: 'Forget What Was Entered for MCP Server' },
  enableAllTools: { title: 'Enable All Tools', icon: '$(check-all)' },
  disableAllTools: { title: 'Disable All Tools', icon: '$(circle-slash)' },
  resetToolToggles: { title: 'Reset Tools to Default', icon: '$(discard)' },
  tryInLab: { title: 'Try in Lab', needsTarget: true },
  copyToolName: { title: 'Copy Wire Name', needsTarget: true },
  defineToolAlways: { title: 'Always Define', needsTarget: true },
  defineToolOnDemand: { title: 'Define on Demand', needsTarget: true },
  keepToolInWorkspace: { title: 'Store for This Workspace', needsTarget: true },
  keepToolForUser: { title: 'Store for All Workspaces', needsTarget: true },
  resetTool: { title: 'Reset to Default', needsTarget: true },
} as const satisfies Record<string, Command>;

export interface Command {
  readonly title: string;
  readonly icon?: string;
  readonly enablement?: string;
  /** Acts on what it is called for, so the palette does not list it. */
  readonly needsTarget?: true;
}

export type CommandId = keyof typeof commands;
