import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { visibleText } from '../../../base/text';
import { useKept } from '../kept';
import { t } from '../l10n';
import { HIDES_REST, MUST_BE_SEEN } from '../use-all-seen';
import { LineBoxes, unfinishedCharacter } from './line-boxes';
import { linkLines } from './path-anchors';

interface CappedTextProps {
  /** Label for screen readers. */
  readonly label: string;
  readonly text: string;
  /** Number of lines shown at first. */
  readonly lines: number;
  /** Otherwise it takes the height it needs. */
  readonly scrolls?: boolean;
  /** Its end is shown first. */
  readonly isEndFirst?: boolean;
  /** Paths in it are links. */
  readonly isLinked?: boolean;
}

/** Text of any length in a box: its beginning or end, and the rest on request. */
export function CappedText(props: CappedTextProps): JSX.Element {
  const { label, text, lines, scrolls = true, isEndFirst = false, isLinked = false } = props;
  const box = useRef<HTMLDivElement>(null);
  const [isWhole, setWhole] = useKept<boolean>(`whole ${label}`, false);
  const shown = isEndFirst ? tailOf(text, lines) : headOf(text, lines);
  const isCut = !isWhole && shown.length < text.length;
  useLayoutEffect(() => {
    if (isLinked && box.current) linkLines(box.current);
  }, [isLinked, isCut]);
  useLayoutEffect(() => {
    if (isEndFirst && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [isEndFirst]);
  const showAll = (): void => {
    setWhole(true);
    // The button disappears, so the revealed text takes its focus.
    box.current?.focus();
  };
  const showButton = isCut && (
    <button type="button" class="link-button" {...HIDES_REST} onClick={showAll}>
      {t('Show all ({0})', sizeOf(text))}
    </button>
  );
  return (
    <div
      class={scrolls ? 'text-box' : 'text'}
      role="group"
      aria-label={label}
      tabIndex={scrolls ? 0 : -1}
      ref={box}
    >
      {isEndFirst && showButton}
      <TextLines text={isCut ? shown : text} />
      {!isEndFirst && showButton}
    </div>
  );
}

/** Characters that are too much to show at first, however few the lines. */
const LONGEST_HEAD = 16 * 1024;

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return text.endsWith('\n') ? lines - 1 : lines;
}

/** The first lines of a text. If only a few lines would be hidden, all are shown. */
function headOf(text: string, lines: number): string {
  let end = -1;
  for (let line = 0; line < lines; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return text.length > LONGEST_HEAD * 1.25 ? text.slice(0, LONGEST_HEAD) : text;
  }
  const head = text.slice(0, Math.min(end, LONGEST_HEAD));
  return linesOf(text) <= lines * 1.25 && text.length <= LONGEST_HEAD * 1.25 ? text : head;
}

/** The last lines of a text, as many as its beginning would have. */
function tailOf(text: string, lines: number): string {
  if (headOf(text, lines).length === text.length) return text;
  let start = text.length;
  for (let line = 0; line <= lines && start > 0; line += 1) start = text.lastIndexOf('\n', start - 1);
  return text.slice(Math.max(start + 1, text.length - LONGEST_HEAD));
}

/** `34 lines, 1.2 KB` */
export function sizeOf(text: string): string {
  const lines = linesOf(text);
  const count = lines === 1 ? t('1 line') : t('{0} lines', lines.toLocaleString());
  return t('{0}, {1}', count, bytesOf(text));
}

function bytesOf(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1000) return t('{0} B', bytes);
  if (bytes < 1_000_000) return t('{0} KB', (bytes / 1000).toFixed(1));
  return t('{0} MB', (bytes / 1_000_000).toFixed(1));
}

/** Plain text, one element per line. Growing text is appended, not redrawn. */
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
  return <div class="text-lines" {...MUST_BE_SEEN} ref={root} />;
}

const LONGEST = 300;

/** The first line with content, shortened. */
export function firstLine(text: string): string {
  const line = /[^\r\n]+/.exec(text.trimStart())?.[0] ?? '';
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
