import * as vscode from 'vscode';
import { Emitter, type Disposable } from '../../../base/disposable';
import { callsIn, noCounts, sumOfCounts, type CallCounts } from '../../../core/words/call-counts';
import { isWorse, ReplyCounter } from '../../../doctor/call-counts';
import type { ProtocolCounts } from '../../../models/fact-types';
import type { ModelFacts } from '../../../models/model-facts';
import { modelKey, type ModelProfile } from '../../../models/profiles';
import type { Conversation } from '../conversation/conversation';

/** Minimum number of calls for a statement. */
const ENOUGH = 20;

/** Number of calls after which the last ones are compared with those before. */
const BATCH = 30;

export interface CountedProtocol {
  readonly protocol: string;
  readonly counts: CallCounts;
}

/** Why another protocol may work better. */
export interface CountsHint {
  readonly profile: ModelProfile;
  readonly protocol: string;
  /** The better protocol; absent if the model does worse than before. */
  readonly better?: string;
}

/**
 * How well each model called tools in each protocol, across windows and conversations on this machine: only numbers,
 * no content.
 */
export class CallStatistics implements Disposable {
  private readonly hints = new Emitter<CountsHint>();
  /** Each hint is given once. */
  private readonly hinted = new Set<string>();

  readonly onHint = this.hints.event;

  constructor(private readonly facts: ModelFacts) {}

  /** Counts the calls of the conversation. */
  follow(
    conversation: Conversation,
    choices: { readonly profile: ModelProfile | undefined },
  ): vscode.Disposable {
    const counter = new ReplyCounter();
    // The user may pick another model during the answer.
    let asked = choices.profile;
    return conversation.onEvent((event) => {
      if (event.type === 'run-start' || event.type === 'run-resume') asked = choices.profile;
      const reply = counter.take(event);
      // The demo model's replies are scripted.
      if (reply && asked && asked.provider !== 'demo') this.add(asked, reply);
    });
  }

  /** By protocol, in order of first use. */
  of(profile: ModelProfile): readonly CountedProtocol[] {
    const counts = this.facts.of(profile).counts.read();
    return Object.entries(counts).map(([protocol, { before, last }]) => {
      return { protocol, counts: sumOfCounts(before, last) };
    });
  }

  /** `97 % clean of 212 calls`; nothing while there are too few. */
  textFor(profile: ModelProfile, protocol: string): string | undefined {
    const counts = this.of(profile).find((each) => each.protocol === protocol)?.counts ?? noCounts;
    const calls = callsIn(counts);
    if (calls < ENOUGH) return undefined;
    // Never 100 % if a single call was not clean.
    const share = Math.floor((counts.clean * 100) / calls);
    return vscode.l10n.t('{0} % clean of {1} calls', share, calls.toLocaleString(vscode.env.language));
  }

  /** All counts of all models. */
  async forget(): Promise<void> {
    this.hinted.clear();
    await this.facts.forget('counts');
  }

  dispose(): void {
    this.hints.dispose();
  }

  private add(profile: ModelProfile, { protocol, counts }: CountedProtocol): void {
    const all = this.facts.of(profile).counts;
    const { before, last } = all.read()[protocol] ?? { before: noCounts, last: noCounts };
    const added = sumOfCounts(last, counts);
    const isFull = callsIn(added) >= BATCH;
    if (isFull && callsIn(before) >= ENOUGH && isWorse(added, before)) this.hint({ profile, protocol });
    const next: ProtocolCounts = isFull
      ? { before: sumOfCounts(before, added), last: noCounts }
      : { before, last: added };
    all.write({ ...all.read(), [protocol]: next });
    if (callsIn(counts) > 0) this.compare(profile, protocol, sumOfCounts(next.before, next.last));
  }

  private compare(profile: ModelProfile, protocol: string, counts: CallCounts): void {
    if (callsIn(counts) < ENOUGH) return;
    const better = this.of(profile).find(
      (other) => callsIn(other.counts) >= ENOUGH && isWorse(counts, other.counts),
    );
    if (better) this.hint({ profile, protocol, better: better.protocol });
  }

  private hint(hint: CountsHint): void {
    const key = `${modelKey(hint.profile)} ${hint.protocol}`;
    if (this.hinted.has(key)) return;
    this.hinted.add(key);
    this.hints.fire(hint);
  }
}

/** Offers the doctor for it. */
export async function showCountsHint(
  { profile, protocol, better }: CountsHint,
  findProtocol: (profile: ModelProfile) => Promise<void>,
): Promise<void> {
  const name = profile.name ?? profile.id;
  const text =
    better === undefined
      ? vscode.l10n.t(
          '{0} writes fewer clean calls in {1} than before. Another protocol may work better.',
          name,
          protocol,
        )
      : vscode.l10n.t('{0} has written more clean calls in {1} than in {2}.', name, better, protocol);
  const find = vscode.l10n.t('Find best protocol…');
  if ((await vscode.window.showInformationMessage(text, find)) === find) await findProtocol(profile);
}
