export const container = { id: 'parley', title: 'Parley', icon: 'media/parley.svg' } as const;

export const views = {
  chat: { id: 'parley.chat', name: 'Chat', type: 'webview', initialSize: 4 },
  // Folded at first: the conversation needs the room. VS Code remembers what the user does with them.
  sessions: { id: 'parley.sessions', name: 'Sessions', initialSize: 1, visibility: 'collapsed' },
  tools: { id: 'parley.tools', name: 'Tools', initialSize: 2, visibility: 'collapsed' },
} as const;

/** Pages that stand where editors do. VS Code brings them back when a window is reloaded. */
export const panels = {
  chat: { id: 'parley.chatInEditor' },
  lab: { id: 'parley.lab' },
} as const;

/** The same, but what it shows goes with the window, and so does it. */
export const inspectorPanel = { id: 'parley.inspector', title: 'Parley Inspector' } as const;
