import type { Verdict } from '../../core/words/verdict';

export interface Web {
  /** Whether an address may be fetched, judged by its text; `url` as it would be fetched, absent if it is refused. */
  judge(address: string): { readonly verdict: Verdict; readonly url: string | undefined };
  /** Follows redirects within a site only. Throws `ToolError`; otherwise rejects only if the signal aborts. */
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
      /** The page was longer than the limit. */
      readonly isCut: boolean;
      /** The HTML source. */
      readonly isSource: boolean;
      /** Only the first part of long HTML was converted to text. */
      readonly isPart: boolean;
    };
