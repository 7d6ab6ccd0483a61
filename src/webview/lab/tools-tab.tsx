import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { visibleText } from '../../base/visible-text';
import type { LabTool, LabToolset } from '../../contract/lab-tools';
import { useKept } from '../shared/kept';
import { t } from '../shared/l10n';
import { useLab } from './lab-context';
import { SearchField } from './search-field';
import { fitting, sorted, type ToolOrder } from './sort-tools';
import { ToolDetail } from './tool-detail';

/** Every tool of the window by its toolset, and all about the one that is picked. */
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
        {tool ? <ToolDetail tool={tool} /> : <p class="quiet">{t('Pick a tool to see all about it.')}</p>}
      </section>
    </div>
  );
}

interface ToolsetsProps {
  readonly toolsets: readonly LabToolset[];
  readonly picked: string;
  readonly onPick: (name: string) => void;
}

/** One stop for the keyboard; the arrow keys go from tool to tool. */
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
  /** The keyboard comes here first. */
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
  if (!isLoaded) return t('Looking for tools…');
  return problem === '' ? t('No tool fits. Search for another word.') : problem;
}
