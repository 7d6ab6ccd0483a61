import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { visibleText } from '../../base/text';
import type { LabTool, LabToolset } from '../../contract/lab-tools';
import { Icon } from '../shared/icon';
import { useKept } from '../shared/kept';
import { t } from '../shared/l10n';
import { Notice } from '../shared/notice';
import { CappedText } from '../shared/text/capped-text';
import { SearchField } from './fields';
import { useLab } from './lab-state';

/** All tools of the window by toolset, and details of the selected one. */
export function ToolsTab(): JSX.Element {
  const { tools } = useLab();
  const [query, setQuery] = useKept<string>('tools-query', '');
  const [order, setOrder] = useKept<ToolOrder>('tools-order', 'name');
  const [picked, setPicked] = useKept<string>('tools-picked', '');
  const toolsets = sorted(fitting(tools.toolsets.value, query), order);
  const tool = tools.find(picked);
  return (
    <div class="tools">
      <div class="tools-list">
        <div class="tools-look">
          <SearchField label={t('Search tools')} value={query} onInput={setQuery} />
          <select
            class="text-field"
            aria-label={t('Sort')}
            value={order}
            // SAFETY: these are the values of the options.
            onChange={(event) => setOrder(event.currentTarget.value as ToolOrder)}
          >
            <option value="name">{t('By name')}</option>
            <option value="methods">{t('By number of methods')}</option>
          </select>
        </div>
        <p class="unseen" role="status">
          {countText(tools.isLoaded.value, toolsets)}
        </p>
        {toolsets.length === 0 && <p class="quiet">{emptyText(tools.isLoaded.value, tools.problem.value)}</p>}
        <Toolsets toolsets={toolsets} picked={picked} onPick={setPicked} />
      </div>
      <section class="tools-detail" aria-label={t('Tool')}>
        {tool ? <ToolDetail tool={tool} /> : <p class="quiet">{t('Select a tool to see its details.')}</p>}
      </section>
    </div>
  );
}

interface ToolsetsProps {
  readonly toolsets: readonly LabToolset[];
  readonly picked: string;
  readonly onPick: (name: string) => void;
}

/** One tab stop; the arrow keys move between tools. */
function Toolsets({ toolsets, picked, onPick }: ToolsetsProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const names = toolsets.flatMap(({ tools }) => tools.map(({ name }) => name));
  const stop = names.includes(picked) ? picked : names[0];
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = names[nextIndex(event.key, names.indexOf(stop ?? ''), names.length)];
    if (next === undefined) return;
    event.preventDefault();
    onPick(next);
    list.current?.querySelector<HTMLElement>(`[data-tool="${CSS.escape(next)}"]`)?.focus();
  };
  return (
    <div ref={list} onKeyDown={onKeyDown}>
      {toolsets.map(({ id, tools }) => (
        <section key={id} class="toolset" aria-label={t('{0}, toolset', visibleText(id))}>
          <h2>
            {visibleText(id)} <span class="quiet">{tools.length}</span>
          </h2>
          <ul>
            {tools.map((tool) => (
              <li key={tool.name}>
                <ToolButton
                  tool={tool}
                  isPicked={tool.name === picked}
                  isStop={tool.name === stop}
                  onPick={onPick}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface ToolButtonProps {
  readonly tool: LabTool;
  readonly isPicked: boolean;
  /** The keyboard reaches this element first. */
  readonly isStop: boolean;
  readonly onPick: (name: string) => void;
}

function ToolButton({ tool, isPicked, isStop, onPick }: ToolButtonProps): JSX.Element {
  const isOffered = tool.isOn && tool.problem === undefined;
  return (
    <button
      type="button"
      class="tool"
      data-tool={tool.name}
      aria-current={isPicked ? 'true' : undefined}
      tabIndex={isStop ? 0 : -1}
      onClick={() => onPick(tool.name)}
    >
      <span class="tool-name">{visibleText(tool.name)}</span>
      {!isOffered && <span class="quiet">{tool.isOn ? t('not offered') : t('off')}</span>}
    </button>
  );
}

function nextIndex(key: string, at: number, count: number): number {
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, count - 1);
    case 'ArrowUp':
      return Math.max(at - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return -1;
  }
}

function countText(isLoaded: boolean, toolsets: readonly LabToolset[]): string {
  const count = toolsets.reduce((sum, { tools }) => sum + tools.length, 0);
  return isLoaded ? t('{0} tools', count) : '';
}

function emptyText(isLoaded: boolean, problem: string): string {
  if (!isLoaded) return t('Loading tools…');
  return problem === '' ? t('No tools found. Try another search.') : problem;
}

/** Details of one tool, and the button to run it. */
function ToolDetail({ tool }: { readonly tool: LabTool }): JSX.Element {
  const { run } = useLab();
  const { name, qualifiedName, description, parameters, problem, words } = tool;
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
        <Fact name={t('Switch')} value={words.state} />
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

/** `methods`: toolsets with the most methods first. */
type ToolOrder = 'name' | 'methods';

/** Tools that have every word of the query in their names, toolset or description. */
export function fitting(toolsets: readonly LabToolset[], query: string): readonly LabToolset[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return toolsets
    .map((toolset) => ({
      ...toolset,
      tools: toolset.tools.filter((tool) => words.every((word) => textOf(toolset, tool).includes(word))),
    }))
    .filter(({ tools }) => tools.length > 0);
}

export function sorted(toolsets: readonly LabToolset[], order: ToolOrder): readonly LabToolset[] {
  const byName = [...toolsets]
    .sort((one, other) => compare(one.id, other.id))
    .map((toolset) => ({
      ...toolset,
      tools: [...toolset.tools].sort((one, other) => compare(one.name, other.name)),
    }));
  return order === 'name' ? byName : byName.sort((one, other) => other.tools.length - one.tools.length);
}

function textOf({ id }: LabToolset, { name, qualifiedName = '', description }: LabTool): string {
  return [id, name, qualifiedName, description].join('\n').toLowerCase();
}

/** The same in every language, like the names. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
