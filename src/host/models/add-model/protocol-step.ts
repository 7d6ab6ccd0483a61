import * as vscode from 'vscode';
import type { ConnectionReport } from '../../../models/connection-test';
import { withFacts } from '../../../models/profiles';
import { findProtocolName } from '../../../protocols/choose';
import { protocolNames } from '../../../protocols/names';
import { onOneLine } from '../../window/input-text';
import { translated } from '../../window/translated';
import { factsText } from '../facts-text';
import type { StepOutcome } from './add-parts';
import { askInList, type Row } from './ask-step';
import type { Chosen, Draft } from './draft';
import { adviseProtocol, type AutoReason } from './protocol-rows';

/** The id of a protocol, or `doctor`. */
type Choice = string;

/** Step 5: how the model calls tools. What came of the test stands above. */
export async function askProtocol(draft: Draft): Promise<StepOutcome> {
  const { chosen, report } = draft;
  if (!chosen) throw new Error('No model was chosen.');
  const answer = await askInList<Choice>({
    step: 5,
    title: vscode.l10n.t('Add Model: how {0} calls tools', onOneLine(chosen.model)),
    placeholder: [resultText(report), onOneLine(factsOf(chosen))].filter(Boolean).join(' · '),
    rows: () => rows(chosen, report),
  });
  if (answer.type !== 'given') return answer;
  const { value } = answer;
  if (value === 'doctor') return { type: 'done', draft: { ...draft, isForDoctor: true } };
  return { type: 'done', draft: value === 'auto' ? draft : { ...draft, protocol: value } };
}

function rows(chosen: Chosen, report: ConnectionReport | undefined): readonly Row<Choice>[] {
  const { auto, why, instead } = adviseProtocol(chosen, report);
  return [
    ...(instead === undefined
      ? []
      : [
          {
            label: labelOf(instead),
            description: vscode.l10n.t('recommended'),
            detail: vscode.l10n.t('In the test the endpoint refused native tools; this form goes over text.'),
            value: instead,
          },
        ]),
    {
      label: vscode.l10n.t('Auto ({0})', labelOf(auto)),
      ...(instead === undefined && { description: vscode.l10n.t('recommended') }),
      detail: reasonText(why),
      value: 'auto',
    },
    {
      label: vscode.l10n.t('Let the doctor find out…'),
      detail: vscode.l10n.t(
        'Measures which protocol the model speaks best. It takes some minutes and tokens; you start it.',
      ),
      value: 'doctor',
    },
    { label: vscode.l10n.t('Always this one'), kind: vscode.QuickPickItemKind.Separator },
    ...protocolNames
      .filter(({ id }) => id !== instead)
      .map(({ id, description }) => ({ label: labelOf(id), detail: translated(description), value: id })),
  ];
}

function labelOf(id: string): string {
  return translated(findProtocolName(id)?.label ?? id);
}

function factsOf({ model, provider, facts }: Chosen): string {
  return factsText(withFacts({ id: model, provider, model }, facts));
}

/** What came of the test, in a few words. */
function resultText(report: ConnectionReport | undefined): string {
  if (report?.type !== 'works') return vscode.l10n.t('Not tested');
  const seconds = (report.firstMs / 1000).toFixed(1);
  switch (report.tools) {
    case 'called':
      return vscode.l10n.t('It answered after {0} s and called a native tool', seconds);
    case 'accepted':
      return vscode.l10n.t('It answered after {0} s', seconds);
    case 'refused':
      return vscode.l10n.t('It answered after {0} s and takes no native tools', seconds);
  }
}

function reasonText(why: AutoReason): string {
  switch (why) {
    case 'called':
      return vscode.l10n.t('In the test it called a native tool.');
    case 'told':
      return vscode.l10n.t('The server says that the model has native tools.');
    case 'dropped':
      return vscode.l10n.t('The server drops native tools for this model, so calls go over text.');
    case 'trained':
      return vscode.l10n.t('Models of this name do best with it.');
    case 'usual':
      return vscode.l10n.t('What most models and servers take. The chat advises another one where it fails.');
  }
}
