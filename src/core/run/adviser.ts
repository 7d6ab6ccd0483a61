import type { AgentOptions } from './agent-options';
import type { Reply } from './reply';

/** Malformed replies in a row after which another protocol is offered. */
const MALFORMED_ROUNDS = 2;

/** Notices that a model does not keep to the protocol in use, and says so once in a run. */
export class Adviser {
  private malformedRounds = 0;
  private hasSpoken = false;

  constructor(private readonly options: Pick<AgentOptions, 'emit' | 'protocol' | 'suggestProtocol'>) {}

  look({ requests, seen, failure }: Reply): void {
    const isMalformed = requests.length > 0 && requests.every(({ type }) => type === 'malformed');
    this.malformedRounds = isMalformed ? this.malformedRounds + 1 : 0;
    if (seen !== undefined) this.offer(seen, 'The model writes its calls in the form of another protocol.');
    else if (failure?.code === 'no-tools') this.offer(undefined, 'The endpoint takes no native tools.');
    else if (this.malformedRounds >= MALFORMED_ROUNDS)
      this.offer(undefined, 'The model has trouble with this protocol.');
  }

  private offer(seen: string | undefined, message: string): void {
    const { emit, protocol, suggestProtocol } = this.options;
    const suggested = suggestProtocol?.(seen);
    if (this.hasSpoken || suggested === undefined || suggested === protocol.id) return;
    this.hasSpoken = true;
    emit({ type: 'advice', protocol: suggested, message });
  }
}
