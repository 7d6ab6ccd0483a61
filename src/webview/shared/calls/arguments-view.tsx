import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isJsonObject, type Json, type JsonObject } from '../../../base/json';
import { visibleText } from '../../../base/text';
import { CappedText } from '../text/capped-text';
import { t } from '../l10n';
import { HIDES_REST, MUST_BE_SEEN } from '../use-all-seen';

const MOST_ENTRIES = 50;
const DEEPEST = 6;
/** Longer text gets a separate box. */
const LONGEST_INLINE = 200;

/** Arguments in readable form: text as text, not as JSON. */
export function ArgumentsView({ values }: { readonly values: JsonObject }): JSX.Element | null {
  const entries = Object.entries(values);
  return entries.length === 0 ? null : <Entries entries={entries} depth={0} />;
}

type Entries = readonly (readonly [string, Json])[];

function Entries({ entries, depth }: { readonly entries: Entries; readonly depth: number }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? entries : entries.slice(0, MOST_ENTRIES);
  return (
    <dl class="arguments" {...MUST_BE_SEEN}>
      {shown.map(([key, value]) => (
        <div key={key} class={`argument${isShort(value) ? '' : ' argument-long'}`}>
          <dt>{visibleText(key)}</dt>
          <dd>
            <Value name={key} value={value} depth={depth} />
          </dd>
        </div>
      ))}
      {shown.length < entries.length && (
        <div class="argument">
          <dt>…</dt>
          <dd>
            <button type="button" class="link-button" {...HIDES_REST} onClick={() => setWhole(true)}>
              {t('Show {0} more', entries.length - shown.length)}
            </button>
          </dd>
        </div>
      )}
    </dl>
  );
}

interface ValueProps {
  readonly name: string;
  readonly value: Json;
  readonly depth: number;
}

function Value({ name, value, depth }: ValueProps): JSX.Element {
  if (typeof value === 'string') {
    if (value === '') return <span class="quiet">{t('(empty)')}</span>;
    return isShort(value) ? (
      <>{visibleText(value)}</>
    ) : (
      <CappedText label={visibleText(name)} text={value} lines={20} />
    );
  }
  const entries = childrenOf(value);
  if (entries.length === 0) return <>{visibleText(JSON.stringify(value))}</>;
  if (depth >= DEEPEST)
    return <CappedText label={visibleText(name)} text={JSON.stringify(value, undefined, 2)} lines={20} />;
  return <Entries entries={entries} depth={depth + 1} />;
}

function childrenOf(value: Json): Entries {
  if (Array.isArray(value)) return value.map((item: Json, index) => [String(index + 1), item]);
  return isJsonObject(value) ? Object.entries(value) : [];
}

function isShort(value: Json): boolean {
  if (typeof value === 'string') return value.length <= LONGEST_INLINE && !value.includes('\n');
  return childrenOf(value).length === 0;
}
