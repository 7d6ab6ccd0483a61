import * as vscode from 'vscode';
import { callsIn, noCounts, ReplyCounter, sumOfCounts, type CallCounts } from '../../doctor/call-counts';
import type { ModelProfile } from '../../models/profiles';
import type { Conversation } from '../chat/conversation';

const KEY = 'parley.callCounts';

/** So many calls say something. */
const ENOUGH = 20;

type Counts = Readonly<Record<string, CallCounts>>;

/**
 * How the calls of each model came in each protocol, over all windows and conversations on this machine: numbers, and
 * nothing of what was said.
 */
export class KeptCounts {
  constructor(private readonly memory: vscode.Memento) {}

  /** Counts what the conversation brings. */
  follow(
    conversation: Conversation,
    choices: { readonly profile: ModelProfile | undefined },
  ): vscode.Disposable {
    const counter = new ReplyCounter();
    // The user may pick another one while it answers.
    let asked = choices.profile;
    return conversation.onEvent((event) => {
      if (event.type === 'run-start' || event.type === 'run-resume') asked = choices.profile;
      const reply = counter.take(event);
      // What the demo model says is written here.
      if (!reply || !asked || asked.provider === 'demo') return;
      const key = keyOf(asked, reply.protocol);
      const sum = sumOfCounts(this.all()[key] ?? noCounts, reply.counts);
      void this.memory.update(KEY, { ...this.all(), [key]: sum });
    });
  }

  /** `97 % clean of 212 calls`; nothing while there are too few. */
  textFor(profile: ModelProfile, protocol: string): string | undefined {
    const counts = this.all()[keyOf(profile, protocol)] ?? noCounts;
    const calls = callsIn(counts);
    if (calls < ENOUGH) return undefined;
    // Never all, as long as one was not.
    const share = Math.floor((counts.clean * 100) / calls);
    return vscode.l10n.t('{0} % clean of {1} calls', share, calls.toLocaleString(vscode.env.language));
  }

  private all(): Counts {
    return this.memory.get<Counts>(KEY, {});
  }
}

/** Another address or model begins anew. */
function keyOf({ id, baseUrl = '', model = '' }: ModelProfile, protocol: string): string {
  return JSON.stringify([id, baseUrl, model, protocol]);
}
