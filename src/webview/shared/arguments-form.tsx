import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { visibleText } from '../../base/text';
import { newItem, type ArgumentField } from './argument-fields';
import { Icon } from './icon';
import { t } from './l10n';

interface Props {
  readonly fields: readonly ArgumentField[];
  readonly disabled: boolean;
  readonly onChange: (fields: readonly ArgumentField[]) => void;
}

/** Arguments as fields, one below the other. */
export function ArgumentsForm({ fields, disabled, onChange }: Props): JSX.Element {
  return (
    <div class="form">
      {fields.map((field, index) => (
        <Field
          key={field.key}
          field={field}
          disabled={disabled}
          onChange={(changed) => onChange(fields.with(index, { ...changed, isGiven: false }))}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  readonly field: ArgumentField;
  readonly disabled: boolean;
  readonly onChange: (field: ArgumentField) => void;
}

function Field(props: FieldProps): JSX.Element {
  switch (props.field.kind) {
    case 'group':
      return <Group {...props} />;
    case 'list':
      return <List {...props} />;
    default:
      return <Single {...props} />;
  }
}

function Single({ field, disabled, onChange }: FieldProps): JSX.Element {
  const id = useId();
  return (
    <div class="form-field">
      <label for={id}>
        <Name field={field} />
      </label>
      <Control id={id} field={field} disabled={disabled} onInput={(text) => onChange({ ...field, text })} />
      <Hint id={id} field={field} />
    </div>
  );
}

function Group({ field, disabled, onChange }: FieldProps): JSX.Element {
  const id = useId();
  return (
    <fieldset class="form-group" aria-describedby={hintId(id, field)}>
      <legend>
        <Name field={field} />
      </legend>
      <Hint id={id} field={field} />
      <ArgumentsForm
        fields={field.fields}
        disabled={disabled}
        onChange={(fields) => onChange({ ...field, fields })}
      />
    </fieldset>
  );
}

function List({ field, disabled, onChange }: FieldProps): JSX.Element {
  const id = useId();
  const add = useRef<HTMLButtonElement>(null);
  const { key, fields } = field;
  const name = visibleText(key);
  const remove = (index: number): void => {
    const left = fields.filter((_, other) => other !== index);
    onChange({ ...field, fields: left.map((item, place) => ({ ...item, key: String(place + 1) })) });
    // The button disappears with its item.
    add.current?.focus();
  };
  return (
    <fieldset class="form-group" aria-describedby={hintId(id, field)}>
      <legend>
        <Name field={field} />
      </legend>
      <Hint id={id} field={field} />
      {fields.map((item, index) => (
        <div class="form-item" key={index}>
          <Field
            field={item}
            disabled={disabled}
            onChange={(changed) => onChange({ ...field, fields: fields.with(index, changed) })}
          />
          <button
            type="button"
            class="icon-button"
            disabled={disabled}
            aria-label={t('Remove item {0} of {1}', index + 1, name)}
            title={t('Remove')}
            onClick={() => remove(index)}
          >
            <Icon name="trash" />
          </button>
        </div>
      ))}
      <button
        type="button"
        class="link-button"
        ref={add}
        disabled={disabled}
        aria-label={t('Add item to {0}', name)}
        onClick={() => onChange({ ...field, fields: [...fields, newItem(field)] })}
      >
        <Icon name="add" />
        {t('Add item')}
      </button>
    </fieldset>
  );
}

function Name({ field }: { readonly field: ArgumentField }): JSX.Element {
  return (
    <>
      {visibleText(field.key)}
      {!field.isRequired && <span class="quiet"> {t('optional')}</span>}
    </>
  );
}

function Hint({ id, field }: { readonly id: string; readonly field: ArgumentField }): JSX.Element | null {
  if (field.description === '') return null;
  return (
    <p class="quiet form-hint" id={hintId(id, field)}>
      {visibleText(field.description)}
    </p>
  );
}

function hintId(id: string, { description }: ArgumentField): string | undefined {
  return description === '' ? undefined : `${id}-hint`;
}

interface ControlProps {
  readonly id: string;
  readonly field: ArgumentField;
  readonly disabled: boolean;
  readonly onInput: (text: string) => void;
}

function Control({ id, field, disabled, onInput }: ControlProps): JSX.Element {
  const { kind, isRequired, options, text } = field;
  const common = {
    id,
    disabled,
    class: 'text-field',
    value: text,
    'aria-describedby': hintId(id, field),
  };
  if (kind === 'choice') {
    return (
      <select {...common} onChange={(event) => onInput(event.currentTarget.value)}>
        {(!isRequired || text === '') && <option value="">{t('(left out)')}</option>}
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
