import type { JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { JsonSchema } from '../../core/schema';
import { visibleText } from '../../base/visible-text';
import { fieldsOf, readFields, readText, type ArgumentField } from '../shared/argument-fields';
import { ArgumentsForm } from '../shared/arguments-form';
import { t } from '../shared/l10n';
import { useLab } from './lab-context';

/** The arguments as a form. It writes the JSON, and looks at it anew where somebody else has written that. */
export function RunForm({ schema }: { readonly schema: JsonSchema }): JSX.Element {
  const { run } = useLab();
  const [fields, setFields] = useState<readonly ArgumentField[]>([]);
  const source = run.source.value;
  const problem = run.formProblem.value;
  const [isReadable, setReadable] = useState(true);
  useLayoutEffect(() => {
    const read = readText(run.text.value);
    setReadable(read.ok);
    if (read.ok) setFields(fieldsOf(schema, read.values));
  }, [source, schema]);
  const change = (changed: readonly ArgumentField[]): void => {
    setFields(changed);
    const read = readFields(changed);
    run.formProblem.value = read.ok ? '' : read.message;
    if (read.ok) run.fill(JSON.stringify(read.values, undefined, 2));
  };
  return (
    <div class="run-form" role="group" aria-label={t('Arguments')}>
      {fields.length === 0 && <p class="quiet">{t('It takes no arguments.')}</p>}
      <ArgumentsForm fields={fields} disabled={!isReadable} onChange={change} />
      {problem !== '' && (
        <p class="call-failure" role="alert">
          {visibleText(problem)}
        </p>
      )}
    </div>
  );
}
