import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { visibleText } from '../../base/text';
import type { CaseItem, CaseOutcome, OpenedReply } from '../../contract/lab-parse';
import { Icon } from '../shared/icon';
import { Fold } from '../shared/kept';
import { t } from '../shared/l10n';
import { SearchField } from './fields';
import { useLab } from './lab-state';

/** Number of cases listed; the filter finds the others. */
const MOST_LISTED = 200;

interface Props {
  readonly onOpen: (opened: OpenedReply) => void;
}

/** The cases that the protocols are tested with, to view, change and parse. */
export function CaseList({ onOpen }: Props): JSX.Element {
  return (
    <Fold summary={t('Hard cases')} detail={t("replies from Parley's tests")}>
      <Cases onOpen={onOpen} />
    </Fold>
  );
}

function Cases({ onOpen }: Props): JSX.Element {
  const lab = useLab();
  const [cases, setCases] = useState<readonly CaseItem[]>();
  const [filter, setFilter] = useState('');
  const [problem, setProblem] = useState<string>();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, CaseOutcome>>(new Map());
  const [isRunning, setRunning] = useState(false);
  useEffect(() => {
    void lab.request<'list-cases'>({ type: 'list-cases' }).then((answer) => {
      if (answer.ok) setCases(answer.value);
      else setProblem(answer.problem);
    });
  }, [lab]);
  const shown = (cases ?? []).filter((item) => fits(item, filter));

  const open = async ({ number }: CaseItem): Promise<void> => {
    const answer = await lab.request<'open-case'>({ type: 'open-case', case: number });
    const value = answer.ok ? answer.value : answer;
    if ('problem' in value) setProblem(value.problem);
    else onOpen(value);
  };
  const run = async (): Promise<void> => {
    setRunning(true);
    setProblem(undefined);
    const answer = await lab.request<'run-cases'>({
      type: 'run-cases',
      cases: shown.map(({ number }) => number),
    });
    setRunning(false);
    const value = answer.ok ? answer.value : answer;
    if ('problem' in value) setProblem(value.problem);
    else setOutcomes(new Map(value.map((outcome) => [outcome.number, outcome])));
  };
  return (
    <div class="cases">
      <div class="case-buttons">
        <SearchField
          label={t('Filter cases')}
          placeholder={t('Filter cases: name or protocol')}
          value={filter}
          onInput={setFilter}
        />
        <button
          type="button"
          class="button button-secondary"
          disabled={isRunning || shown.length === 0}
          onClick={() => void run()}
        >
          {t('Run {0} cases', shown.length)}
        </button>
        <span role="status">{isRunning ? t('Running…') : resultText(outcomes)}</span>
      </div>
      {problem !== undefined && <p role="alert">{visibleText(problem)}</p>}
      <ul class="case-list" aria-label={t('Hard cases')}>
        {shown.slice(0, MOST_LISTED).map((item) => (
          <CaseRow
            key={item.number}
            item={item}
            outcome={outcomes.get(item.number)}
            onOpen={() => void open(item)}
          />
        ))}
      </ul>
      {shown.length > MOST_LISTED && (
        <p class="quiet">{t('{0} more. Use the filter to find them.', shown.length - MOST_LISTED)}</p>
      )}
    </div>
  );
}

/** All words of the filter, in any order. */
function fits({ name, protocol }: CaseItem, filter: string): boolean {
  const text = `${protocol} ${name}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function resultText(outcomes: ReadonlyMap<number, CaseOutcome>): string {
  if (outcomes.size === 0) return '';
  const passed = [...outcomes.values()].filter(isPassed).length;
  return t('{0} of {1} passed.', passed, outcomes.size);
}

function isPassed({ actual, expected }: CaseOutcome): boolean {
  return actual === expected;
}

interface RowProps {
  readonly item: CaseItem;
  readonly outcome: CaseOutcome | undefined;
  readonly onOpen: () => void;
}

function CaseRow({ item: { name, protocol }, outcome, onOpen }: RowProps): JSX.Element {
  return (
    <li class="case-row">
      <button type="button" class="link-button case-name" onClick={onOpen}>
        {visibleText(name)}
      </button>
      <span class="quiet">{protocol}</span>
      {outcome && (
        <span class="case-outcome">
          <Icon name={isPassed(outcome) ? 'pass' : 'error'} />
          {isPassed(outcome) ? t('passed') : t('failed')}
        </span>
      )}
      {outcome && !isPassed(outcome) && (
        <dl class="case-difference">
          <dt>{t('The case expects')}</dt>
          <dd>{visibleText(outcome.expected)}</dd>
          <dt>{t('Parsed')}</dt>
          <dd>{visibleText(outcome.actual)}</dd>
        </dl>
      )}
    </li>
  );
}
