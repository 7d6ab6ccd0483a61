/** Where JavaScript runs that has nothing around it: no files, no network, no modules, no timers. */
export interface Isolate {
  /** Rejects only when the signal aborts. */
  run(code: string, signal: AbortSignal): Promise<IsolateEnd>;
}

export interface IsolateEnd {
  /** What the code printed, a line for each time. */
  readonly printed: string;
  /** It printed more than is kept. */
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
