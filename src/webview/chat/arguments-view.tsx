import type { JSX } from 'preact';
import { isJsonObject } from '../../base/json';
import type { Json, JsonObject } from '../../base/json';
import { visibleText } from '../../base/visible-text';
import { CappedText } from '../shared/capped-text';
import { t } from '../shared/l10n';

const MOST_ENTRIES = 50;
const DEEPEST = 6;
/** Longer text gets a box of its own. */
const LONGEST_INLINE = 200;

/** Arguments as a person reads them: text as text, not as JSON. */
export function ArgumentsView({ values }: { readonly values: JsonObject }): JSX.Element | null {
  const entries = Object.entries(values);
  return entries.length === 0 ? null : <Entries entries={entries} depth={0} />;
}

type Entries = readonly (readonly [string, Json])[];

function Entries({ entries, depth }: { readonly entries: Entries; readonly depth: number }): JSX.Element {
  const more = entries.length - MOST_ENTRIES;
  return (
    <dl class="arguments">
      {entries.slice(0, MOST_ENTRIES).map(([key, value]) => (
        <div key={key} class={`argument${isShort(value) ? '' : ' argument-long'}`}>
          <dt>{visibleText(key)}</dt>
          <dd>
            <Value name={key} value={value} depth={depth} />
          </dd>
        </div>
      ))}
      {more > 0 && (
        <div class="argument">
          <dt>…</dt>
          <dd>{t('{0} more', more)}</dd>
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
  if (entries.length === 0 || depth >= DEEPEST)
    return <>{visibleText(JSON.stringify(value).slice(0, LONGEST_INLINE))}</>;
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
