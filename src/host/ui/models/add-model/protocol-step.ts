import * as vscode from 'vscode';
import type { ConnectionReport } from '../../../../models/connection-test';
import { withFacts } from '../../../../models/profiles';
import { findProtocolName } from '../../../../protocols/choose';
import { protocolNames } from '../../../../protocols/names';
import { onOneLine } from '../../../platform/input-text';
import { translated } from '../../../platform/translated';
import { expectationText } from '../../../services/models/expectation-text';
import { factsText } from '../../../services/models/facts-text';
import type { StepOutcome } from './draft-server';
import { askInList, type StepRow } from './ask-step';
import type { Chosen, Draft, TriedSteps } from './draft';
import { adviseProtocol, type AutoReason } from './protocol-rows';
import { minutesToTry } from './try-step';

/** Step 5: how the model calls tools. Shows the test result above. */
export async function askProtocol(draft: Draft): Promise<StepOutcome> {
  const { chosen, report, tried } = draft;
  if (!chosen) throw new Error('No model was chosen.');
  const answer = await askInList<string>({
    step: 5,
    title: vscode.l10n.t('Add Model: how {0} calls tools', onOneLine(chosen.model)),
    placeholder: [resultText(report), triedText(tried), onOneLine(factsOf(chosen))]
      .filter(Boolean)
      .join(' · '),
    rows: () => rows(chosen, draft),
  });
  if (answer.type !== 'given') return answer;
  const { value } = answer;
  if (value === 'try') return { type: 'next', step: 'try', draft, isPassed: true };
  if (value === 'doctor') return { type: 'done', draft: { ...draft, isForDoctor: true } };
  return { type: 'done', draft: value === 'auto' ? draft : { ...draft, protocol: value } };
}

function rows(chosen: Chosen, draft: Draft): readonly StepRow<string>[] {
  const { report } = draft;
  const { auto, why, instead } = adviseProtocol(chosen, report);
  return [
    ...(instead === undefined
      ? []
      : [
          {
            label: labelOf(instead),
            description: vscode.l10n.t('recommended'),
            detail: vscode.l10n.t(
              'The endpoint refused native tools in the test. This protocol sends calls as text.',
            ),
            value: instead,
          },
        ]),
    {
      label: vscode.l10n.t('Auto ({0})', labelOf(auto)),
      ...(instead === undefined && { description: vscode.l10n.t('recommended') }),
      detail: reasonText(why),
      value: 'auto',
    },
    ...(report?.type === 'works' ? [tryRow(draft)] : []),
    {
      label: vscode.l10n.t('Find the best protocol…'),
      detail: vscode.l10n.t('Tests which protocol works best with the model. Takes some minutes and tokens.'),
      value: 'doctor',
    },
    { label: vscode.l10n.t('Always use this protocol'), kind: vscode.QuickPickItemKind.Separator },
    ...protocolNames
      .filter(({ id }) => id !== instead)
      .map(({ id, description }) => ({ label: labelOf(id), detail: translated(description), value: id })),
  ];
}

function labelOf(id: string): string {
  return translated(findProtocolName(id)?.label ?? id);
}

function factsOf({ model, provider, facts }: Chosen): string {
  const profile = withFacts({ id: model, provider, model }, facts);
  return [factsText(profile), expectationText(profile)].filter(Boolean).join(' · ');
}

/** Offers three steps, and says how long they take. */
function tryRow(draft: Draft): StepRow<string> {
  const minutes = minutesToTry(draft);
  const what = vscode.l10n.t(
    'The model reads, changes and creates a file in a folder of its own. Runs no command.',
  );
  const time =
    minutes === undefined
      ? vscode.l10n.t('Takes some minutes.')
      : vscode.l10n.t('Takes about {0} min at the measured speed.', minutes);
  const label = draft.tried ? vscode.l10n.t('Try three steps again…') : vscode.l10n.t('Try three steps…');
  return { label, detail: `${what} ${time}`, value: 'try' };
}

function triedText(tried: TriedSteps | undefined): string {
  if (!tried) return '';
  if ('problem' in tried) return vscode.l10n.t('Steps not tried: {0}', onOneLine(translated(tried.problem)));
  return vscode.l10n.t('{0} of {1} steps right', tried.solved, tried.of);
}

/** The test result in a few words. */
function resultText(report: ConnectionReport | undefined): string {
  if (report?.type !== 'works') return vscode.l10n.t('Not tested');
  const seconds = (report.firstMs / 1000).toFixed(1);
  switch (report.tools) {
    case 'called':
      return vscode.l10n.t('Answered after {0} s and called a native tool', seconds);
    case 'accepted':
      return vscode.l10n.t('Answered after {0} s', seconds);
    case 'refused':
      return vscode.l10n.t('Answered after {0} s, no native tool support', seconds);
  }
}

function reasonText(why: AutoReason): string {
  switch (why) {
    case 'called':
      return vscode.l10n.t('The model called a native tool in the test.');
    case 'reported':
      return vscode.l10n.t('The server reports native tool support for this model.');
    case 'dropped':
      return vscode.l10n.t('The server drops native tools for this model, so calls are sent as text.');
    case 'small':
      return vscode.l10n.t('Small models work in steps of one call, which this protocol suits.');
    case 'trained':
      return vscode.l10n.t('Works best for models with this name.');
    case 'usual':
      return vscode.l10n.t('Works with most models and servers. If it fails, the chat suggests another one.');
  }
}
