import type { Verdict } from '../../core/words/verdict';

export interface Web {
  /** What may be fetched, as far as the address says; `url` as it would be fetched, absent when it is refused. */
  judge(address: string): { readonly verdict: Verdict; readonly url: string | undefined };
  /** Follows redirects within a site only. Throws `ToolError`; rejects otherwise only when the signal aborts. */
  fetch(url: string, signal: AbortSignal): Promise<Fetched>;
}

export type Fetched =
  | { readonly type: 'redirect'; readonly url: string }
  | {
      readonly type: 'page';
      readonly url: string;
      /** As the server says; may be empty. */
      readonly contentType: string;
      readonly text: string;
      /** There was more than is fetched. */
      readonly isCut: boolean;
      /** HTML as it came. */
      readonly isSource: boolean;
      /** Of long HTML only the first part was turned into text. */
      readonly isPart: boolean;
    };
