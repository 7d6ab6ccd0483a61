import type { Conversation } from '../conversation';
import type { DiffView } from '../diff-view';
import type { SavedSessions } from './saved-sessions';
import type { WindowTools } from '../tools/window-tools';

export interface CheckpointParts {
  readonly conversation: Conversation;
  readonly saved: SavedSessions;
  readonly tools: WindowTools;
  readonly diffs: DiffView;
}

/** Every message is a point to which the files that were changed since can be put back. The work is a bundle of its own. */
export class Checkpoints {
  private isBusy = false;

  constructor(private readonly parts: CheckpointParts) {}

  /**
   * Puts files back as they were before an entry of the shown conversation; without one the user chooses a message.
   * `false` where it was not begun: the user would rather not, or none can be.
   */
  async restore(entry?: number): Promise<boolean> {
    // What the user answers now belongs to the first one.
    if (this.isBusy) return false;
    this.isBusy = true;
    try {
      const { restoreFiles } = await import('./restore-files');
      return await restoreFiles(this.parts, entry);
    } finally {
      this.isBusy = false;
    }
  }

  /** Opens the diff of a file that the shown conversation has changed: what it was at first, and what it is now. */
  async showChange(path: string): Promise<void> {
    const { showChange } = await import('./restore-files');
    await showChange(this.parts, path);
  }
}
