import type { Steps } from '../core/words/grammar';
import type { PromptForm } from '../core/words/model';
import { COOL } from './exam-rooms';
import type { Contestant, Help } from './take-exam';

/** How a model can work: everything that is recommended together. */
export interface Way {
  /** `hermes, many`, `plain+forced, one` */
  readonly id: string;
  /** Id of the contestant: `plain+forced`. */
  readonly contestant: string;
  /** Id of the protocol. */
  readonly protocol: string;
  readonly isForced: boolean;
  readonly steps: Steps;
  /** `few`: the simple ones that come with steps of one call; `all`: the agent's. */
  readonly tools: 'few' | 'all';
  /** Sent if the profile has none. */
  readonly temperature?: number;
  readonly promptForm?: PromptForm;
}

interface Plan {
  readonly protocol: string;
  readonly steps: Steps;
}

/**
 * The different ways to try, the likeliest first: as the model works now, with its best protocol, then with each kind
 * of steps. Plans without a contestant for their protocol are left out.
 */
export function waysFor(
  contestants: readonly Contestant[],
  [now, ...plans]: readonly Plan[],
  best?: Contestant,
): readonly Way[] {
  const waysOf = (plan: Plan | undefined): readonly Way[] => {
    const speaking = contestants.filter(({ protocol }) => protocol.id === plan?.protocol);
    const contestant = speaking.find(({ isForced }) => isForced) ?? speaking[0];
    return plan && contestant ? [wayOf(contestant, plan.steps)] : [];
  };
  const ofBest = best ? [wayOf(best, 'many')] : [];
  const others = plans.filter(({ steps }) => steps === 'one' || !best).flatMap(waysOf);
  const planned = [...waysOf(now), ...ofBest, ...others];
  const hasOne = planned.some(({ steps }) => steps === 'one');
  const ways = best && !hasOne ? [...planned, wayOf(best, 'one')] : planned;
  return ways.filter(({ id }, at) => ways.findIndex((other) => other.id === id) === at);
}

function wayOf({ id, protocol, isForced, help }: Contestant, steps: Steps): Way {
  const isOne = steps === 'one';
  const temperature = isOne || help === 'cool' ? COOL : undefined;
  return {
    ...{ id: `${id}, ${steps}`, contestant: id, protocol: protocol.id, isForced, steps },
    tools: isOne ? 'few' : 'all',
    ...(temperature !== undefined && { temperature }),
    ...(isPromptForm(help) && { promptForm: help }),
  };
}

function isPromptForm(help: Help | undefined): help is 'short' | 'example' {
  return help === 'short' || help === 'example';
}
