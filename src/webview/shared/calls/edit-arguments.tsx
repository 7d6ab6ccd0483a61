import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../../../base/json';
import { visibleText } from '../../../base/text';
import { most } from '../../../contract/most';
import type { ApprovalRequest } from '../../../core/words/approval';
import { fieldsOf, readFields, readText, type ArgumentField, type ReadArguments } from '../argument-fields';
import { ArgumentsForm } from '../arguments-form';
import { useKept } from '../kept';
import { t, translated } from '../l10n';
import { mayFollowClick } from '../focus';

interface Props {
  readonly request: ApprovalRequest;
  readonly disabled: boolean;
  /** The arguments as JSON. */
  readonly onApply: (text: string) => void;
  readonly onCancel: () => void;
}

/** Edits the arguments of a waiting call as fields or as JSON. Their effect is previewed before the call runs. */
export function EditArguments({ request, disabled, onApply, onCancel }: Props): JSX.Element {
  const { call, parameters = {}, edited, problem } = request;
  const [written, setWritten] = useKept<readonly string[] | null>('fields', null);
  const [fields, setFields] = useState(() =>
    withTexts(fieldsOf(parameters, edited ?? call.arguments), written),
  );
  /** `null` while the fields are edited. */
  const [json, setJson] = useKept<string | null>('json', null);
  const [error, setError] = useState('');
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (mayFollowClick()) box.current?.querySelector<HTMLElement>('textarea, select')?.focus();
  }, []);
  const change = (changed: readonly ArgumentField[]): void => {
    setFields(changed);
    setWritten(changed.map(({ text }) => text));
  };
  const cancel = (): void => {
    setWritten(null);
    setJson(null);
    onCancel();
  };
  const read = (): ReadArguments => (json === null ? readFields(fields) : readText(json));
  const use = (then: (values: JsonObject) => void): void => {
    const found = read();
    setError(found.ok ? '' : found.message);
    if (found.ok) then(found.values);
  };
  const apply = (values: JsonObject): void => {
    const text = JSON.stringify(values);
    if (text.length > most.arguments) setError(t('These arguments are too long. Shorten them.'));
    else onApply(text);
  };
  const turn = (): void =>
    use((values) => {
      if (json === null) setJson(JSON.stringify(values, undefined, 2));
      else {
        change(fieldsOf(parameters, values));
        setJson(null);
      }
    });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    // One step at a time: the next Escape leaves the call.
    event.stopPropagation();
    cancel();
  };
  const message = error || translated(problem ?? '');
  return (
    <div class="edit-arguments" role="group" aria-label={t('Arguments')} ref={box} onKeyDown={onKeyDown}>
      {json === null ? (
        <ArgumentsForm fields={fields} disabled={disabled} onChange={change} />
      ) : (
        <textarea
          class="text-field code-field"
          aria-label={t('Arguments (JSON)')}
          spellcheck={false}
          value={json}
          disabled={disabled}
          onInput={(event) => setJson(event.currentTarget.value)}
        />
      )}
      {message !== '' && (
        <p class="call-failure" role="alert">
          {visibleText(message)}
        </p>
      )}
      <div class="buttons">
        <button type="button" class="button" disabled={disabled} onClick={() => use(apply)}>
          {t('Apply changes')}
        </button>
        <button type="button" class="button button-secondary" onClick={cancel}>
          {t('Cancel')}
        </button>
        <button type="button" class="link-button" disabled={disabled} onClick={turn}>
          {json === null ? t('Edit as JSON') : t('Edit as form')}
        </button>
      </div>
    </div>
  );
}

/** The fields with values the user typed before a reload. */
function withTexts(
  fields: readonly ArgumentField[],
  texts: readonly string[] | null,
): readonly ArgumentField[] {
  if (texts?.length !== fields.length) return fields;
  return fields.map((field, index) => {
    const text = texts[index] ?? field.text;
    return { ...field, text, isGiven: field.isGiven && text === field.text };
  });
}
