import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { visibleText } from '../../../base/text';
import type { AllowCommands } from '../../../core/words/verdict';
import { t } from '../l10n';

interface Props {
  readonly grant: AllowCommands;
  readonly isExact: boolean;
  readonly disabled: boolean;
  readonly onChoose: (isExact: boolean) => void;
}

/** Which of the two kinds of rules *Always allow* would save. */
export function RuleChoice({ grant, isExact, disabled, onChoose }: Props): JSX.Element {
  const name = useId();
  const choice = (exact: boolean, rules: AllowCommands['rules'], label: string): JSX.Element => (
    <label>
      <input
        type="radio"
        name={name}
        checked={isExact === exact}
        disabled={disabled}
        onChange={() => onChoose(exact)}
      />{' '}
      {label} <code>{visibleText(rules.map(({ text }) => text).join(', '))}</code>
    </label>
  );
  return (
    <fieldset class="rule-choice">
      <legend class="unseen">{t('What Always allow covers')}</legend>
      {choice(false, grant.rules, t('Also with other harmless arguments:'))}
      {choice(true, grant.exact ?? grant.rules, t('Exactly:'))}
    </fieldset>
  );
}
