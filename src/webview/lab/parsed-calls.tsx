import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { visibleText } from '../../base/visible-text';
import type { ToolCall } from '../../core/messages';
import { ArgumentsView } from '../shared/calls/arguments-view';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { NoteList } from '../shared/note-list';
import { useReveal, type SpanLink } from '../shared/span-link';
import type { FoundCall } from './parse-parts';

interface Props {
  readonly calls: readonly FoundCall[];
  readonly link: SpanLink;
}

/** What would run, were this a reply in a conversation. */
export function ParsedCalls({ calls, link }: Props): JSX.Element {
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
      return t('Repaired: its text had to be mended, so it would ask before it acts.');
    case 'recovered':
      return t('Recovered: written in another form, so it would ask before it acts.');
    case 'echoed':
      return t('Echoed: it stands in an earlier result, so it would ask.');
  }
}
