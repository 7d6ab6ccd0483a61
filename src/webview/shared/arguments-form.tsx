import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { visibleText } from '../../base/visible-text';
import type { ArgumentField } from './argument-fields';
import { t } from './l10n';

interface Props {
  readonly fields: readonly ArgumentField[];
  readonly disabled: boolean;
  readonly onChange: (fields: readonly ArgumentField[]) => void;
}

/** Arguments as fields, one below the other. */
export function ArgumentsForm({ fields, disabled, onChange }: Props): JSX.Element {
  const change = (key: string, text: string): void =>
    onChange(fields.map((field) => (field.key === key ? { ...field, text } : field)));
  return (
    <div class="form">
      {fields.map((field) => (
        <Field
          key={field.key}
          field={field}
          disabled={disabled}
          onInput={(text) => change(field.key, text)}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  readonly field: ArgumentField;
  readonly disabled: boolean;
  readonly onInput: (text: string) => void;
}

function Field({ field, disabled, onInput }: FieldProps): JSX.Element {
  const id = useId();
  const { key, isRequired, description } = field;
  return (
    <div class="form-field">
      <label for={id}>
        {visibleText(key)}
        {!isRequired && <span class="quiet"> {t('optional')}</span>}
      </label>
      <Control id={id} field={field} disabled={disabled} onInput={onInput} />
      {description !== '' && (
        <p class="quiet" id={`${id}-hint`}>
          {visibleText(description)}
        </p>
      )}
    </div>
  );
}

function Control({ id, field, disabled, onInput }: FieldProps & { readonly id: string }): JSX.Element {
  const { kind, isRequired, options, text } = field;
  const common = {
    id,
    disabled,
    class: 'text-field',
    value: text,
    'aria-describedby': field.description === '' ? undefined : `${id}-hint`,
  };
  if (kind === 'choice') {
    return (
      <select {...common} onChange={(event) => onInput(event.currentTarget.value)}>
        {!isRequired && <option value="">{t('(left out)')}</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {visibleText(option)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <textarea
      {...common}
      rows={1}
      spellcheck={false}
      placeholder={kind === 'json' ? 'JSON' : undefined}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}
