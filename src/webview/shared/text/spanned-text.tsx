import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { visibleText } from '../../../base/text';
import { Icon } from '../icon';
import { t } from '../l10n';
import { memo } from '../memo';
import { useNearby } from '../use-nearby';
import { useReveal, type SpanLink, type TieSpan } from './span-link';
import {
  cutAtSpans,
  inOrder,
  TextRows,
  touches,
  type Piece,
  type Row,
  type SpanKind,
  type TextSpan,
} from './text-rows';

interface SpannedTextProps {
  /** Label for screen readers. */
  readonly label: string;
  /** The text; hidden characters are made visible. Megabytes are fine. */
  readonly text: string;
  /** In any order; they may overlap. */
  readonly spans: readonly TextSpan[];
  /** Links them to a list: `useSpanLink`, and `useReveal` on the side of the list. */
  readonly link: SpanLink;
}

/** Number of spans reachable by keyboard and page search, however long the text is. */
const MOST_HELD = 200;

/** Boxes (`TextRows`) that a selection keeps drawn: some hundred thousand characters. */
const MOST_SELECTED = 40;

/** A text of any length with marked parts, each preceded by its name. Only nearby parts are in the page. */
export function SpannedText(props: SpannedTextProps): JSX.Element {
  const rows = useMemo(() => new TextRows(props.text), [props.text]);
  // A different text has different boxes, so measured heights are dropped.
  return <Boxes key={rows} rows={rows} {...props} />;
}

function Boxes({
  label,
  text,
  spans,
  link,
  rows,
}: SpannedTextProps & { readonly rows: TextRows }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const marks = useMemo(() => inOrder(spans).filter(({ kind }) => kind !== 'text'), [spans]);
  const held = useMemo(() => marks.slice(0, MOST_HELD).map(({ start }) => rows.boxAt(start)), [marks, rows]);
  const picked = marks.find(({ id }) => id === link.picked?.id);
  const marked = marks.find(({ id }) => id === link.marked);
  const { drawn, heightOf } = useNearby({
    scroller,
    content,
    count: rows.boxes.length,
    held: picked ? [...held, rows.boxAt(picked.start)] : held,
    mostSelected: MOST_SELECTED,
  });
  useReveal(link, 'text', content);
  return (
    <div class="text-box spanned-text" role="group" aria-label={label} tabIndex={0} ref={scroller}>
      <div class="spanned-text-content" ref={content}>
        {drawn.map((item) =>
          typeof item === 'number' ? (
            <Box
              key={item}
              text={text}
              index={item}
              rows={rows}
              marks={marks}
              marked={marked && touches(marked, rows.rangeOf(item)) ? marked.id : undefined}
              tie={link.tie}
            />
          ) : (
            <div key={`away-${item.from}`} class="away" style={{ height: `${heightOf(item)}px` }} />
          ),
        )}
      </div>
    </div>
  );
}

interface BoxProps {
  readonly index: number;
  readonly text: string;
  readonly rows: TextRows;
  readonly marks: readonly TextSpan[];
  readonly marked: string | undefined;
  readonly tie: TieSpan;
}

/** Rows that the browser lays out separately. */
const Box = memo(({ index, text, rows, marks, marked, tie }: BoxProps): JSX.Element => {
  const range = rows.rangeOf(index);
  const near = marks.filter((span) => touches(span, range));
  return (
    <div class="line-box" data-entry={index}>
      {rows.rowsOf(index).map((row) => (
        <div key={row.start} class="line">
          {cutAtSpans({ start: row.start, end: row.next, isLast: row.next === text.length }, near).map(
            (piece) => (
              <PieceView
                key={piece.start}
                piece={piece}
                text={drawnText(text, piece, row)}
                marked={marked}
                tie={tie}
              />
            ),
          )}
        </div>
      ))}
    </div>
  );
});

function drawnText(text: string, { start, end }: Piece, row: Row): string {
  const raw = text.slice(start, Math.min(end, row.end));
  // Only a text of very many lines has line ends inside of a row.
  return visibleText(raw).replaceAll('\n', '↵');
}

interface PieceProps {
  readonly piece: Piece;
  readonly text: string;
  readonly marked: string | undefined;
  readonly tie: TieSpan;
}

function PieceView({ piece: { spans, opened }, text, marked, tie }: PieceProps): JSX.Element {
  const innermost = spans.at(-1);
  return (
    <>
      {opened.map((span) => (
        <Tag key={span.id} span={span} isMarked={marked === span.id} tie={tie} />
      ))}
      {innermost && text !== '' ? (
        <Marked span={innermost} isMarked={spans.some(({ id }) => id === marked)} text={text} tie={tie} />
      ) : (
        text
      )}
    </>
  );
}

interface TagProps {
  readonly span: TextSpan;
  readonly isMarked: boolean;
  readonly tie: TieSpan;
}

/** The name of a span, at its beginning. */
function Tag({ span: { id, kind, label }, isMarked, tie }: TagProps): JSX.Element {
  return (
    <button type="button" class={`span-tag span-tag-${kind}`} aria-current={isMarked} {...tie(id, 'text')}>
      <Icon name={ICONS[kind]} />
      {label !== kindName(kind) && <span class="unseen">{`${kindName(kind)}: `}</span>}
      {visibleText(label)}
    </button>
  );
}

/** For the pointer only: by keyboard a span is reached through its name. */
function Marked({ span, isMarked, text, tie }: TagProps & { readonly text: string }): JSX.Element {
  const { onMouseEnter, onMouseLeave, onClick } = tie(span.id, 'text');
  return (
    <mark
      class={`span span-${span.kind}${isMarked ? ' span-marked' : ''}`}
      onMouseEnter={onMouseEnter}
      onMouseLeave={onMouseLeave}
      onClick={onClick}
    >
      {text}
    </mark>
  );
}

const ICONS: Readonly<Record<SpanKind, string>> = {
  text: 'note',
  reasoning: 'lightbulb',
  call: 'tools',
  malformed: 'error',
  warning: 'warning',
  form: 'symbol-ruler',
};

function kindName(kind: SpanKind): string {
  switch (kind) {
    case 'text':
      return t('Text');
    case 'reasoning':
      return t('Reasoning');
    case 'call':
      return t('Call');
    case 'malformed':
      return t('Malformed call');
    case 'warning':
      return t('Warning');
    case 'form':
      return t('Form');
  }
}
