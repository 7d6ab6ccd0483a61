type Keep = (bytes: Uint8Array) => Promise<boolean>;

/**
 * Saves the contents of files before a tool changes them, with the session that the window shows. Tools exist before
 * any session.
 */
export class SessionImages {
  private keepInSession: Keep | undefined;

  /** Whether it is saved. */
  readonly keep: Keep = async (bytes) => (await this.keepInSession?.(bytes)) ?? false;

  saveBy(keep: Keep): void {
    this.keepInSession = keep;
  }
}
