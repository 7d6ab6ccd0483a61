import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { visibleText } from '../../base/text';
import type { ShownPart } from '../../contract/lab-parse';
import type { Diagnostic, ToolCall } from '../../core/words/messages';
import { ArgumentsView } from '../shared/calls/arguments-view';
import { Icon } from '../shared/icon';
import { t, translated } from '../shared/l10n';
import { NoteList } from '../shared/notice';
import { useReveal, type SpanLink } from '../shared/text/span-link';
import type { TextSpan } from '../shared/text/text-rows';
import type { Parse } from './use-parse';

interface FoundProblemsProps {
  readonly problems: readonly FoundProblem[];
  readonly link: SpanLink;
  readonly parse: Parse;
}

/**
 * Errors that keep calls from running, and warnings: the reason, the message to the model, and what the user can do.
 */
export function FoundProblems({ problems, link, parse }: FoundProblemsProps): JSX.Element | null {
  const list = useRef<HTMLUListElement>(null);
  useReveal(link, 'list', list);
  if (problems.length === 0) return null;
  return (
    <>
      <h2>{t('Errors and warnings')}</h2>
      <ul class="parsed-calls" aria-label={t('Errors and warnings')} ref={list}>
        {problems.map(({ id, kind, name, diagnostic }) => (
          <li key={id} class={`parsed-call${link.marked === id ? ' parsed-marked' : ''}`}>
            <button
              type="button"
              class="parsed-name"
              aria-current={link.marked === id}
              {...link.tie(id, 'list')}
            >
              <Icon name={kind === 'malformed' ? 'error' : 'warning'} />
              <span>{visibleText(name === '' ? diagnostic.code : `${name}: ${diagnostic.code}`)}</span>
              <span class="quiet">{t('characters {0}–{1}', diagnostic.start, diagnostic.end)}</span>
            </button>
            <p>{visibleText(translated(diagnostic.message))}</p>
            <p class="quiet">{t('To the model: {0}', visibleText(translated(diagnostic.hint)))}</p>
            <Advice code={diagnostic.code} seen={diagnostic.seen} parse={parse} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface AdviceProps {
  readonly code: string;
  readonly seen: string | undefined;
  readonly parse: Parse;
}

/** What the user can try. */
function Advice({ code, seen, parse }: AdviceProps): JSX.Element | null {
  const other = parse.settings?.protocols.find(({ id }) => id === seen);
  if (other) {
    return (
      <button type="button" class="link-button" onClick={() => parse.choose({ protocol: other.id })}>
        {t('Parse as {0}', other.label)}
      </button>
    );
  }
  const advice = adviceFor(code);
  return advice === undefined ? null : <p class="quiet">{t('You can: {0}', advice)}</p>;
}

function adviceFor(code: string): string | undefined {
  switch (code) {
    case 'unknown-tool':
    case 'unavailable-tool':
      return t('enable the tool, or set Tools to None to see the call as written.');
    case 'unknown-argument':
    case 'invalid-argument':
    case 'missing-argument':
    case 'duplicate-argument':
      return t('compare it with the tool description sent to the model, below.');
    case 'needs-repair':
      return t('set Strictness to repair, which fixes and marks such calls.');
    case 'unfinished':
      return t('increase maxOutputTokens of the model if it stopped at its limit.');
    case 'native-call':
      return t('use the native protocol with this model.');
    default:
      return undefined;
  }
}

interface ParsedCallsProps {
  readonly calls: readonly FoundCall[];
  readonly link: SpanLink;
}

/** The calls that would run if this were a reply in a conversation. */
export function ParsedCalls({ calls, link }: ParsedCallsProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  useReveal(link, 'list', list);
  return (
    <>
      <h2>{t('Calls')}</h2>
      {calls.length === 0 && <p class="quiet">{t('None.')}</p>}
      <ul class="parsed-calls" aria-label={t('Parsed calls')} ref={list}>
        {calls.map(({ id, call }) => (
          <li key={id} class={`parsed-call${link.marked === id ? ' parsed-marked' : ''}`}>
            <button
              type="button"
              class="parsed-name"
              aria-current={link.marked === id}
              {...link.tie(id, 'list')}
            >
              <Icon name="tools" />
              <span>{visibleText(call.name)}</span>
              <span class="quiet">{t('characters {0}–{1}', call.start, call.end)}</span>
            </button>
            {call.mark !== 'clean' && <p>{markText(call.mark)}</p>}
            <ArgumentsView values={call.arguments} />
            <NoteList notes={call.notes} />
          </li>
        ))}
      </ul>
    </>
  );
}

function markText(mark: Exclude<ToolCall['mark'], 'clean'>): string {
  switch (mark) {
    case 'repaired':
      return t('Repaired: Parley fixed its form, so it asks before it acts.');
    case 'recovered':
      return t('Recovered: written in another form, so it asks before it acts.');
    case 'echoed':
      return t('Echoed: copied from an earlier result, so it asks.');
  }
}

/** A part of a reply that is listed beside the text; its id is the id of its span. */
interface FoundCall {
  readonly id: string;
  readonly call: ToolCall;
}

interface FoundProblem {
  readonly id: string;
  readonly kind: 'malformed' | 'warning';
  /** Name of the tool, if it could be parsed. */
  readonly name: string;
  readonly diagnostic: Diagnostic;
}

export function parsedCalls(parts: readonly ShownPart[]): readonly FoundCall[] {
  return parts.flatMap((part, index) => (part.type === 'call' ? [{ id: idOf(index), call: part.call }] : []));
}

export function foundProblems(parts: readonly ShownPart[]): readonly FoundProblem[] {
  return parts.flatMap((part, index): FoundProblem[] => {
    const id = idOf(index);
    if (part.type === 'malformed') {
      const { name, diagnostic } = part.malformed;
      return [{ id, kind: 'malformed', name, diagnostic }];
    }
    if (part.type === 'warning') return [{ id, kind: 'warning', name: '', diagnostic: part.diagnostic }];
    return [];
  });
}

/** Positions of the parts in the raw text, if known. */
export function partSpans(parts: readonly ShownPart[]): readonly TextSpan[] {
  return parts.flatMap((part, index): TextSpan[] => {
    const id = idOf(index);
    switch (part.type) {
      case 'call': {
        const { start, end, name } = part.call;
        return [{ id, kind: 'call', start, end, label: name }];
      }
      case 'malformed': {
        const { name, diagnostic } = part.malformed;
        const { start, end, code } = diagnostic;
        return [{ id, kind: 'malformed', start, end, label: name === '' ? code : name }];
      }
      case 'warning': {
        const { start, end, code } = part.diagnostic;
        return [{ id, kind: 'warning', start, end, label: code }];
      }
      case 'reasoning':
        if (!('start' in part)) return [];
        return [{ id, kind: 'reasoning', start: part.start, end: part.end, label: t('Reasoning') }];
      case 'text':
        return [];
    }
  });
}

function idOf(index: number): string {
  return `part-${index}`;
}
