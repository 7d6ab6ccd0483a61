import type { JSX } from 'preact';
import { CaseList } from './parse-cases';
import { ParseOptions } from './parse-options';
import { ParseResult } from './parse-result';
import { ReplyBox } from './parse-reply-box';
import { useParse } from './use-parse';

/** What would be parsed out of a reply: pasted, recorded in a file, or one of the conversation. */
export function ParseTab(): JSX.Element {
  const parse = useParse();
  return (
    <div class="parse-tab">
      <ParseOptions parse={parse} />
      <ReplyBox parse={parse} />
      <ParseResult parse={parse} />
      <CaseList onOpen={parse.open} />
    </div>
  );
}
