import type { JsonObject } from '../../base/json';
import type { RunSetup } from '../../core/session';
import type { Tool } from '../../core/tool';
import { contextWindow, demoProfile } from '../../models/profiles';
import { scriptedModel } from '../../models/scripted';
import { countTokens } from '../../node/tokens';
import { toolCallConfig } from '../run-setup';
import type { LabParts } from './lab-window';

export interface OneCall {
  readonly tool: Tool;
  readonly arguments: JsonObject;
}

/** A run whose model writes this call, and no more: the loop does with it what it does with any. */
export async function prepareCall(
  call: OneCall | undefined,
  { settings, choices }: Pick<LabParts, 'settings' | 'choices'>,
): Promise<RunSetup | { readonly problem: string }> {
  if (!call) throw new Error('The lab runs a call without one.');
  const [malformed] = settings.problems();
  if (malformed !== undefined) return { problem: malformed };
  const { findProtocol, renderReply } = await import('../../protocols');
  const protocol = findProtocol('native');
  if (!protocol) throw new Error('There is no protocol "native".');
  const { tool, arguments: values } = call;
  return {
    model: scriptedModel({
      name: 'Lab (scripted)',
      script: ({ turns }) =>
        turns.at(-1)?.type === 'results'
          ? [{ type: 'text', text: 'Done.' }]
          : [{ type: 'call', call: { id: 'lab_1', name: tool.spec.name, arguments: values } }],
      render: renderReply,
      pauseMs: 0,
    }),
    protocol,
    window: contextWindow(demoProfile, countTokens),
    instructions: '',
    tools: { offered: () => [tool], whyUnavailable: () => undefined },
    // One request for the call, one for the end.
    config: () => ({ ...toolCallConfig(settings, choices), enabled: true, maxIterations: 2 }),
    budget: () => ({
      tokens: settings.get('budget.tokens'),
      minutes: settings.get('budget.minutes'),
      cost: settings.get('budget.cost'),
    }),
  };
}
