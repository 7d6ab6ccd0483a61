import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { visibleText } from '../../base/text';
import type { JsonSchema } from '../../core/words/schema';
import { fieldsOf, readFields, readText, type ArgumentField } from '../shared/argument-fields';
import { ArgumentsForm } from '../shared/arguments-form';
import { Icon } from '../shared/icon';
import { t } from '../shared/l10n';
import { Notice } from '../shared/notice';
import { checkArguments } from './check-arguments';
import { JsonEditor } from './json-editor';
import { useLab } from './lab-state';
import { LastRuns, RunView } from './run-result';

/** One call of any tool: its arguments as form and JSON, and its result. */
export function RunTab(): JSX.Element {
  const { tools, run } = useLab();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const text = run.text.value;
  const name = run.tool.value;
  const tool = tools.find(name.trim());
  const schema = tool?.parameters ?? ANY;
  const read = useMemo(() => readText(text), [text]);
  const problems = useMemo(() => (read.ok ? checkArguments(read.values, schema) : []), [read, schema]);
  const canRun = !run.isBusy && name.trim() !== '' && read.ok && run.formProblem.value === '';
  const requests = run.focusRequests.value;
  useEffect(() => {
    if (requests > 0) button.current?.focus();
  }, [requests]);
  const start = (): void => {
    if (canRun) void run.start();
  };
  return (
    <div class="run">
      <div class="run-tool">
        <label for={`${id}-tool`}>{t('Tool')}</label>
        <input
          id={`${id}-tool`}
          class="text-field"
          list={`${id}-tools`}
          spellcheck={false}
          autocomplete="off"
          placeholder={t('Wire name or qualified name')}
          aria-describedby={`${id}-about`}
          value={name}
          onInput={(event) => run.change({ tool: event.currentTarget.value })}
        />
        <datalist id={`${id}-tools`}>
          {tools.all.map((each) => (
            <option key={each.name} value={each.name} label={each.qualifiedName} />
          ))}
        </datalist>
        <p class="quiet" id={`${id}-about`}>
          {aboutText(name, tool?.description, tools.isLoaded.value)}
        </p>
      </div>
      <div class="run-arguments">
        {tool && <RunForm schema={schema} />}
        <div class="run-json">
          <p class="run-label" aria-hidden="true">
            {t('Arguments (JSON)')}
          </p>
          <JsonEditor
            label={t('Arguments (JSON)')}
            text={text}
            schema={schema}
            onChange={(changed) => {
              if (changed !== run.text.value) run.change({ text: changed });
            }}
            onRun={start}
          />
          <ul class="run-problems" aria-label={t('Problems in the arguments')} aria-live="polite">
            {!read.ok && <li>{read.message}</li>}
            {problems.map(({ path, message }) => (
              <li key={`${path.join('/')} ${message}`}>
                {path.length > 0 && <code>{visibleText(path.join('.'))}</code>} {visibleText(message)}
              </li>
            ))}
          </ul>
        </div>
      </div>
      <div class="buttons">
        <button
          type="button"
          class="button"
          ref={button}
          // Not `disabled`, which would lose the focus.
          aria-disabled={!canRun}
          onClick={start}
        >
          <Icon name="play" />
          {t('Run tool')}
        </button>
        {run.live.value.running && (
          <button
            type="button"
            class="button button-secondary"
            onClick={() => {
              run.stop();
              run.requestFocus();
            }}
          >
            <Icon name="debug-stop" />
            {t('Stop')}
          </button>
        )}
      </div>
      {run.problem.value !== '' && <Notice icon="error" text={run.problem.value} isAlert />}
      <RunView />
      <LastRuns />
    </div>
  );
}

const ANY = {};

function aboutText(name: string, description: string | undefined, isLoaded: boolean): string {
  if (description !== undefined) return visibleText(description);
  if (name.trim() === '' || !isLoaded) return t('Select a tool here, or load one from the Tools tab.');
  return t('There is no tool with this name. Select one from the list.');
}

/** Arguments as a form. It writes the JSON, and reads it again if it was changed elsewhere. */
function RunForm({ schema }: { readonly schema: JsonSchema }): JSX.Element {
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
      {fields.length === 0 && <p class="quiet">{t('This tool has no arguments.')}</p>}
      <ArgumentsForm fields={fields} disabled={!isReadable} onChange={change} />
      {problem !== '' && (
        <p class="call-failure" role="alert">
          {visibleText(problem)}
        </p>
      )}
    </div>
  );
}
