/** Something noticed while a reply was read. Positions are UTF-16 offsets in the raw text of the reply. */
export interface Diagnostic {
  /** Stable kebab-case word for tests, tables and translations: `unfinished`, `unknown-tool`. */
  readonly code: string;
  readonly level: 'info' | 'warning' | 'error';
  /** One sentence for people. */
  readonly message: string;
  /** What the model should do instead, in one sentence. */
  readonly hint: string;
  /** Another protocol than the one in use, in whose form the model wrote. */
  readonly seen?: string;
  readonly start: number;
  readonly end: number;
}
