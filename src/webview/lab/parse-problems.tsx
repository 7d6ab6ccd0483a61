import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { visibleText } from '../../base/visible-text';
import { Icon } from '../shared/icon';
import { t, translated } from '../shared/l10n';
import { useReveal, type SpanLink } from '../shared/span-link';
import type { FoundProblem } from './parse-parts';
import type { Parse } from './use-parse';

interface Props {
  readonly problems: readonly FoundProblem[];
  readonly link: SpanLink;
  readonly parse: Parse;
}

/** What keeps calls from running, and what else was noticed: why, what the model is told, and what a person can do. */
export function FoundProblems({ problems, link, parse }: Props): JSX.Element | null {
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

/** What the person in front of the page can try. */
function Advice({ code, seen, parse }: AdviceProps): JSX.Element | null {
  const other = parse.settings?.protocols.find(({ id }) => id === seen);
  if (other) {
    return (
      <button type="button" class="link-button" onClick={() => parse.choose({ protocol: other.id })}>
        {t('Read it as {0}', other.label)}
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
      return t('enable the tool, or set Tools to none to see the call as it was written.');
    case 'unknown-argument':
    case 'invalid-argument':
    case 'missing-argument':
    case 'duplicate-argument':
      return t('compare it with what the model is told about the tool, below.');
    case 'needs-repair':
      return t('set Strictness to repair: then it would be mended and marked.');
    case 'unfinished':
      return t('raise maxOutputTokens of the model if it stopped at its limit.');
    case 'native-call':
      return t('use the native protocol with this model.');
    default:
      return undefined;
  }
}
