import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable';
import { parseObject } from '../../../base/json';
import type { RunToHost } from '../../../contract/lab-run';
import { EventFeed, redactEvent } from '../../../core/transcript/event-feed';
import type { AgentEvent } from '../../../core/words/events';
import { pageDecisions } from '../chat/page-decisions';
import type { LabParts, LabTab, PagePort } from './lab-parts';
import type { LabRuns } from './lab-runs';

/** Runs a tool for the page and posts its events. */
export function runTab(
  { diffs, secrets, output }: LabParts,
  runs: LabRuns,
  { tell }: PagePort,
): LabTab<RunToHost> {
  const store = new DisposableStore();
  const decisions = pageDecisions({ diffs, output }, { isPagesOwn: true });
  const feed = store.add(new EventFeed((events) => tell({ type: 'run-events', events })));
  const safe = (event: AgentEvent): AgentEvent => redactEvent(event, (text) => secrets.redact(text));
  store.add(runs.onEvent((event) => feed.add(safe(event))));
  store.add(
    runs.onChange((run) => {
      // The end is shown before it is saved.
      feed.flush();
      // Existing runs may be large.
      if (run) tell({ type: 'run-kept', run, kept: runs.runs.map(({ id }) => id) });
      else tell({ type: 'runs', runs: runs.runs });
    }),
  );
  return {
    handlers: {
      'list-runs': async () => {
        await runs.loaded;
        // Pending events are among the events.
        feed.clear();
        const { transcript, events } = runs.session;
        return { runs: runs.runs, events: transcript.running ? events.map(safe) : [] };
      },
      'run-tool': async ({ tool, arguments: text }) => {
        const values = parseObject(text);
        const problem = values
          ? await runs.start(tool, values)
          : vscode.l10n.t('The arguments are not a JSON object. Check the brackets, quotes and commas.');
        return problem === undefined ? {} : { problem };
      },
      stop: () => runs.session.stop(),
      'forget-runs': () => runs.forget(),
      decide: (message) => {
        if (!decisions.take(runs.session, message)) {
          output.warn('The lab page sent arguments that are no JSON object.');
        }
      },
      answer: ({ callId, text }) => runs.session.answerQuestion(callId, text),
      'show-diff': ({ callId }) => diffs.show(runs.session.transcript, callId),
    },
    dispose: () => store.dispose(),
  };
}
