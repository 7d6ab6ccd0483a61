export const container = { id: 'parley', title: 'Parley', icon: 'media/parley.svg' } as const;

export const views = {
  chat: { id: 'parley.chat', name: 'Chat', type: 'webview', initialSize: 4 },
  // Collapsed at first to leave room for the conversation. VS Code remembers what the user does with them.
  sessions: { id: 'parley.sessions', name: 'Sessions', initialSize: 1, visibility: 'collapsed' },
  tools: { id: 'parley.tools', name: 'Tools', initialSize: 2, visibility: 'collapsed' },
} as const;

/** Pages in editor tabs. VS Code restores them when a window is reloaded. */
export const panels = {
  chat: { id: 'parley.chatInEditor' },
  lab: { id: 'parley.lab', title: 'Parley Lab' },
} as const;

export const walkthroughId = 'start';
