import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { MarkdownStream } from './markdown-stream';

/** Text of a model. `open` while more may come; `text` only grows. */
export function Markdown({ text, open }: { readonly text: string; readonly open: boolean }): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const stream = useRef<MarkdownStream>(undefined);
  const shown = useRef(0);
  useLayoutEffect(() => {
    if (!root.current) return;
    stream.current ??= new MarkdownStream(root.current);
    stream.current.update({ more: text.slice(shown.current), open });
    shown.current = text.length;
  }, [text, open]);
  return <div class="markdown" ref={root} />;
}
