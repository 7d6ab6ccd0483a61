/** Runs JavaScript without files, network, modules or timers. */
export interface Isolate {
  /** Rejects only if the signal aborts. */
  run(code: string, signal: AbortSignal): Promise<IsolateEnd>;
}

export interface IsolateEnd {
  /** What the code printed, one line for each call. */
  readonly printed: string;
  /** The code printed more than is kept. */
  readonly isCut: boolean;
  readonly how:
    | {
        readonly type: 'value' | 'error';
        readonly text: string;
        /** Characters of the text that are left out. */
        readonly omitted: number;
      }
    /** The value is a promise that nothing will settle. */
    | { readonly type: 'pending' }
    | { readonly type: 'timeout' }
    /** The engine itself could not go on. */
    | { readonly type: 'crashed' };
}
