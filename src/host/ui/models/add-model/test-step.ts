import * as vscode from 'vscode';
import type { ModelFailure } from '../../../../core/words/model';
import type { JobReply } from '../../../../doctor/do-job';
import type { ConnectionReport } from '../../../../models/connection-test';
import { ModelFacts } from '../../../../models/model-facts';
import { mergeFacts, type ServerFacts } from '../../../../models/server-facts';
import { askServer } from '../../../../models/servers/ask';
import { linesFor, onOneLine } from '../../../platform/input-text';
import { translated } from '../../../platform/translated';
import { tryModel } from '../test-connection';
import { addressOf, secretsOf, type AddParts, type StepOutcome } from './draft-server';
import { askInList, type StepRow } from './ask-step';
import { profileOf, type Chosen, type Draft } from './draft';

interface Tested {
  readonly report: ConnectionReport;
  readonly facts: ServerFacts;
  readonly replies: readonly JobReply[];
}

/** Step 4: a short request shows whether the model answers, and what it supports. */
export async function testStep(draft: Draft, parts: AddParts): Promise<StepOutcome> {
  const { chosen } = draft;
  if (!chosen) throw new Error('No model was chosen.');
  const testing = await askInList<Tested | 'skip'>({
    step: 4,
    placeholder: vscode.l10n.t(
      'Testing {0}… This takes longer if the model must be loaded first.',
      chosen.model,
    ),
    rows: () => [
      {
        label: vscode.l10n.t('Skip test'),
        detail: vscode.l10n.t("Parley detects the model's capabilities with the first message"),
        alwaysShow: true,
        value: 'skip',
      },
    ],
    meanwhile: (signal) => test(chosen, draft, parts, signal),
  });
  if (testing.type !== 'given') return testing;
  if (testing.value === 'skip') return { type: 'next', step: 'protocol', draft, isPassed: true };
  const { report, facts, replies } = testing.value;
  const after: Draft = { ...draft, chosen: { ...chosen, facts }, report, replies };
  if (report.type === 'failed') return tellFailure(report.failure, after.chosen ?? chosen, after);
  return { type: 'next', step: 'protocol', draft: after, isPassed: true };
}

async function test(
  chosen: Chosen,
  draft: Draft,
  parts: AddParts,
  signal: AbortSignal,
): Promise<Tested | undefined> {
  const { baseUrl, model, facts = {} } = chosen;
  const replies: JobReply[] = [];
  const report = await tryModel(
    profileOf(draft, []),
    {
      secrets: secretsOf(draft, parts),
      // Escape must leave nothing behind.
      facts: new ModelFacts(),
    },
    signal,
    (reply) => replies.push(reply),
  );
  if (signal.aborted) return undefined;
  if (report.type !== 'works' || baseUrl === undefined) return { report, facts, replies };
  // Ollama and others report the window only now, when the model is loaded.
  const reported = (await askServer(await addressOf(baseUrl, draft, parts), model, signal)) ?? {};
  return { report, facts: mergeFacts([reported, facts]), replies };
}

type Next = 'again' | 'key' | 'model' | 'save';

/** The full error, below the possible actions. */
async function tellFailure(
  { code, message }: ModelFailure,
  chosen: Chosen,
  draft: Draft,
): Promise<StepOutcome> {
  const { baseUrl, label, model } = chosen;
  const again: StepRow<Next> = { label: vscode.l10n.t('Try again'), alwaysShow: true, value: 'again' };
  const key: StepRow<Next> = { label: vscode.l10n.t('Enter another key…'), alwaysShow: true, value: 'key' };
  const answer = await askInList<Next>({
    step: 4,
    placeholder: vscode.l10n.t('Testing {0} failed. Choose how to continue.', onOneLine(model)),
    rows: () => [
      ...(baseUrl === undefined ? [again] : code === 'unauthorized' ? [key, again] : [again, key]),
      { label: vscode.l10n.t('Select another model'), alwaysShow: true, value: 'model' },
      { label: vscode.l10n.t('Save anyway'), alwaysShow: true, value: 'save' },
      // A heading would be in the way of the first line.
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      ...linesFor(translated(message)).map((line) => ({ label: line, alwaysShow: true })),
    ],
  });
  if (answer.type !== 'given') return answer;
  const { report: _, ...untested } = draft;
  switch (answer.value) {
    case 'again':
      return { type: 'next', step: 'test', draft: untested, isPassed: true };
    case 'key': {
      const locked = { label, baseUrl: baseUrl ?? '', isRefused: code === 'unauthorized' };
      return { type: 'next', step: 'key', draft: { ...untested, locked }, isPassed: true };
    }
    case 'model':
      return { type: 'back' };
    case 'save':
      return { type: 'next', step: 'protocol', draft, isPassed: true };
  }
}
