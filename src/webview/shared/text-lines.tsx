import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visibleText } from '../../base/visible-text';
import { LineBoxes } from './line-boxes';
import { unfinishedCharacter } from './unfinished-character';

/** Plain text, one element a line. Text that grows is appended to, not drawn again. */
export function TextLines({ text }: { readonly text: string }): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const shown = useRef<{ text: string; lines: LineBoxes }>(undefined);
  useLayoutEffect(() => {
    if (!root.current) return;
    if (!shown.current || !text.startsWith(shown.current.text)) {
      root.current.replaceChildren();
      shown.current = { text: '', lines: new LineBoxes(root.current) };
    }
    const whole = text.slice(0, text.length - unfinishedCharacter(text));
    shown.current.lines.append(visibleText(whole.slice(shown.current.text.length)));
    shown.current.text = whole;
  }, [text]);
  return <div class="text-lines" ref={root} />;
}
