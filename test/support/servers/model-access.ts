import { ModelFacts } from '../../../src/models/model-facts';
import type { ModelAccess } from '../../../src/models/open-model';
import { createTransport } from '../../../src/node/endpoint/transport';
import { renderReply, replyForm } from '../../../src/protocols';

/** Without keys, and with facts in memory. */
export function modelAccess(given: Partial<ModelAccess> = {}): ModelAccess {
  return {
    credentials: () => ({ apiKey: async () => undefined }),
    facts: new ModelFacts(),
    fetch: createTransport(),
    protocols: async () => ({ renderReply, replyForm }),
    demoPauseMs: 0,
    ...given,
  };
}
