import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { LabTool } from '../../contract/lab-tools';
import { CappedText } from '../shared/capped-text';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { Notice } from '../shared/notice';
import { useLab } from './lab-context';

/** All about one tool, and the way to run it. */
export function ToolDetail({ tool }: { readonly tool: LabTool }): JSX.Element {
  const { run } = useLab();
  const { name, qualifiedName, description, parameters, problem, isOn, words } = tool;
  return (
    <>
      <div class="detail-head">
        <h2>{visibleText(name)}</h2>
        <button type="button" class="button" onClick={() => run.take(name)}>
          <Icon name="play" />
          {t('Load into Run')}
        </button>
      </div>
      <dl class="detail-facts">
        {qualifiedName !== undefined && <Fact name={t('Qualified name')} value={qualifiedName} isCode />}
        <Fact name={t('Switch')} value={isOn ? t('on') : t('off')} />
        <Fact name={t('Effect')} value={words.effect} />
        <Fact name={t('Source')} value={words.source} />
        <Fact name={t('Cost')} value={words.cost} />
      </dl>
      {problem !== undefined && <Notice icon="warning" text={problem} />}
      <p class="detail-description">{visibleText(description)}</p>
      <h3>{t('JSON Schema')}</h3>
      <CappedText label={t('JSON Schema')} text={JSON.stringify(parameters, undefined, 2)} lines={200} />
    </>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly isCode?: boolean;
}

function Fact({ name, value, isCode = false }: FactProps): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{isCode ? <code>{visibleText(value)}</code> : visibleText(value)}</dd>
    </div>
  );
}
