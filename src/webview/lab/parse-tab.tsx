import type { JSX } from 'preact';
import { t } from '../shared/l10n';
import { SelectField } from './fields';
import { CaseList } from './parse-cases';
import { ReplyBox } from './parse-reply-box';
import { ParseResult } from './parse-result';
import { useParse, type Parse, type ParseChoices } from './use-parse';

/** Parses a reply: pasted, from a file, or from the conversation. */
export function ParseTab(): JSX.Element {
  const parse = useParse();
  return (
    <div class="parse-tab">
      <ParseOptions parse={parse} />
      <ReplyBox parse={parse} />
      <ParseResult parse={parse} />
      <CaseList onOpen={parse.open} />
    </div>
  );
}

/** Parse options. */
function ParseOptions({ parse }: { readonly parse: Parse }): JSX.Element {
  const { choices, choose, reply, settings } = parse;
  const named = reply.opened?.case?.tools;
  return (
    <div class="parse-options">
      <SelectField
        label={t('Protocol')}
        value={choices.protocol}
        options={[
          { value: 'auto', label: t('Auto: detect from the reply') },
          ...(settings?.protocols ?? []).map(({ id, label }) => ({ value: id, label })),
          { value: 'all', label: t('All side by side') },
        ]}
        onPick={(protocol) => choose({ protocol })}
      />
      <SelectField
        label={t('Tools')}
        value={choices.tools}
        options={[
          { value: 'enabled', label: t('Enabled in this window') },
          { value: 'none', label: t('None: accept any name, check nothing') },
          ...(named !== undefined && named !== 'none'
            ? [{ value: 'case', label: t('From the case: {0}', named.join(', ')) } as const]
            : []),
        ]}
        onPick={(tools) => choose({ tools })}
      />
      <SelectField
        label={t('Strictness')}
        value={choices.strictness ?? ''}
        options={[
          { value: '', label: t('From settings ({0})', settings?.strictness ?? '…') },
          ...(['strict', 'repair', 'lenient'] as const).map(same),
        ]}
        onPick={(value) => choose({ strictness: value === '' ? null : value })}
      />
      <SelectField
        label={t('Recovery')}
        value={choices.recovery ?? ''}
        options={[
          { value: '', label: t('From settings ({0})', settings?.recovery ?? '…') },
          ...(['run', 'ask', 'text'] as const).map(same),
        ]}
        onPick={(value) => choose({ recovery: value === '' ? null : value })}
      />
      <label class="field">
        <span>{t('Chunk size')}</span>
        <input
          class="text-field"
          type="number"
          min={0}
          step={1}
          value={choices.chunk}
          aria-describedby="parse-chunk-hint"
          onInput={(event) => chooseChunk(event.currentTarget, choose)}
        />
        <span id="parse-chunk-hint" class="quiet">
          {t('characters; 0: whole')}
        </span>
      </label>
    </div>
  );
}

function same<Value extends string>(value: Value): { readonly value: Value; readonly label: string } {
  return { value, label: value };
}

/** Ignores input that is not a number of characters. */
function chooseChunk(input: HTMLInputElement, choose: (choices: Partial<ParseChoices>) => void): void {
  const chunk = input.value === '' ? 0 : input.valueAsNumber;
  if (Number.isSafeInteger(chunk) && chunk >= 0) choose({ chunk });
}
