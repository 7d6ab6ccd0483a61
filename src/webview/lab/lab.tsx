import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { KeepingStates } from '../shared/kept';
import { t } from '../shared/l10n';
import { DoctorTab } from './doctor-tab';
import { GatewayTab } from './gateway-tab';
import { useLab, type TabId } from './lab-state';
import { ParseTab } from './parse-tab';
import { RequestsTab } from './requests-tab';
import { RunTab } from './run-tab';
import { ToolsTab } from './tools-tab';

interface Tab {
  readonly id: TabId;
  readonly label: string;
  readonly Panel: () => JSX.Element;
}

/** The tabs of the lab in order. Hidden tabs keep their state. */
export function Lab(): JSX.Element {
  const tabs: readonly Tab[] = [
    { id: 'requests', label: t('Requests'), Panel: RequestsTab },
    { id: 'tools', label: t('Tools'), Panel: ToolsTab },
    { id: 'run', label: t('Run'), Panel: RunTab },
    { id: 'parse', label: t('Parse'), Panel: ParseTab },
    { id: 'doctor', label: t('Doctor'), Panel: DoctorTab },
    { id: 'gateway', label: t('Gateway'), Panel: GatewayTab },
  ];
  const lab = useLab();
  const shown = lab.tab.value;
  return (
    <main class="lab">
      <h1 class="unseen">{t('Parley lab')}</h1>
      <TabList tabs={tabs} />
      {tabs.map(({ id, Panel }) => (
        <div
          key={id}
          id={`panel-${id}`}
          class="tab-panel"
          role="tabpanel"
          aria-labelledby={`tab-${id}`}
          hidden={id !== shown}
        >
          {/* What was unfolded or half written for one reply or run is not for the next. */}
          {id === 'requests' || id === 'run' ? (
            <Panel />
          ) : (
            <KeepingStates states={lab}>
              <Panel />
            </KeepingStates>
          )}
        </div>
      ))}
    </main>
  );
}

/** One tab stop; the arrow keys move between tabs. */
function TabList({ tabs }: { readonly tabs: readonly Tab[] }): JSX.Element {
  const lab = useLab();
  const list = useRef<HTMLDivElement>(null);
  const shown = lab.tab.value;
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === shown);
    const next = tabs.at(nextIndex(event.key, at, tabs.length));
    if (!next || next.id === shown) return;
    event.preventDefault();
    lab.show(next.id);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <div class="tab-list" role="tablist" aria-label={t('Lab')} ref={list} onKeyDown={onKeyDown}>
      {tabs.map(({ id, label }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          class="tab"
          role="tab"
          aria-selected={id === shown}
          aria-controls={`panel-${id}`}
          tabIndex={id === shown ? 0 : -1}
          onClick={() => lab.show(id)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

function nextIndex(key: string, at: number, count: number): number {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowLeft':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return at;
  }
}
