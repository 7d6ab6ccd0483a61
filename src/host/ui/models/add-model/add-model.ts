import type { AddParts, AddStep } from './draft-server';
import type { Draft } from './draft';
import { lookOnMachine } from './machine-step';
import { askModel } from './model-step';
import { askProtocol } from './protocol-step';
import { saveModel } from './save-model';
import { askKey, askServerStep } from './server-step';
import { testStep } from './test-step';
import { trySteps } from './try-step';
import { askVsCodeModel } from './vscode-step';
import { walk, type Steps } from './walk';
import { askWhere } from './where-step';

/**
 * Adds a model: its server, a key if needed, the model, a test, the protocol. Nothing is saved before the last
 * answer. `from` this machine searches for local servers at once.
 */
export async function addModel(parts: AddParts, from: 'where' | 'machine' = 'where'): Promise<void> {
  const steps: Steps<AddStep, Draft> = {
    where: (draft) => askWhere(draft),
    machine: (draft) => lookOnMachine(draft, parts),
    server: (draft) => askServerStep(draft, parts),
    key: (draft) => askKey(draft, parts),
    vscode: (draft) => askVsCodeModel(draft, parts),
    model: (draft) => askModel(draft, parts),
    test: (draft) => testStep(draft, parts),
    protocol: (draft) => askProtocol(draft),
    try: (draft) => trySteps(draft, parts),
  };
  const first = { step: 'where', draft: {} } as const;
  const draft =
    from === 'where' ? await walk(steps, first) : await walk(steps, { step: from, draft: {} }, [first]);
  if (draft) await saveModel(draft, parts);
}
