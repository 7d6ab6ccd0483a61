import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import { visibleText } from '../../../base/text';
import { SessionSearch } from '../../../sessions/session-search';
import type { SessionStore, SessionSummary } from '../../../sessions/session-store';

interface SessionRow extends vscode.QuickPickItem {
  readonly session: SessionSummary;
}

/** Typing pause in milliseconds before a search starts. */
const PAUSE = 200;

/** Rows after which the list is redrawn. */
const AT_ONCE = 20;

interface SearchParts {
  readonly store: SessionStore;
  /** Label of a session in a list. */
  readonly rowOf: (session: SessionSummary) => vscode.QuickPickItem;
  readonly onError: (error: unknown) => void;
}

/** Lets the user find a session by words in it. */
export async function pickBySearch({
  store,
  rowOf,
  onError,
}: SearchParts): Promise<SessionSummary | undefined> {
  const search = new SessionSearch(store);
  const parts = new DisposableStore();
  const list = parts.add(vscode.window.createQuickPick<SessionRow>());
  list.title = vscode.l10n.t('Search Sessions');
  list.placeholder = vscode.l10n.t('Search titles, messages and answers');
  list.matchOnDetail = true;
  let running = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const find = async ({ signal }: AbortController): Promise<void> => {
    const rows: SessionRow[] = [];
    for await (const { session, line } of search.find(list.value, signal)) {
      if (signal.aborted) return;
      // VS Code would hide rows that its own filter does not match.
      rows.push({ ...rowOf(session), session, alwaysShow: true, ...(line && { detail: visibleText(line) }) });
      if (rows.length % AT_ONCE === 1) list.items = [...rows];
    }
    if (signal.aborted) return;
    list.items = rows;
    list.busy = false;
  };
  const begin = (): void => {
    running.abort();
    running = new AbortController();
    list.busy = true;
    void find(running).catch(onError);
  };
  parts.add(
    list.onDidChangeValue(() => {
      clearTimeout(timer);
      running.abort();
      // Enter must not accept a result for an earlier query.
      list.items = [];
      timer = setTimeout(begin, PAUSE);
    }),
  );
  const picked = new Promise<SessionSummary | undefined>((resolve) => {
    parts.add(list.onDidAccept(() => list.selectedItems[0] && resolve(list.selectedItems[0].session)));
    parts.add(list.onDidHide(() => resolve(undefined)));
  });
  list.show();
  begin();
  const session = await picked;
  clearTimeout(timer);
  running.abort();
  parts.dispose();
  return session;
}
