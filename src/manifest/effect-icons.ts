import type { Effect } from '../core/tool';

/** The codicon of a tool, by the strongest that it may do. */
export const effectIcons: Readonly<Record<Effect, string>> = {
  read: 'eye',
  write: 'edit',
  execute: 'terminal',
  network: 'globe',
};
