import { Emitter, type Disposable } from '../base/disposable';
import { limits } from '../base/limits';
import { joinedTexts, rawText } from '../core/reply/deltas';
import type { ModelDelta, Usage } from '../core/words/model';
import type { GatewayEvent } from './relay';

/** The state of a client's request. */
export interface ServedRequest {
  readonly id: number;
  /** Where the client connected: to the gateway's APIs, or through VS Code. */
  readonly door: 'gateway' | 'vscode';
  readonly model: string;
  /** When it arrived, in milliseconds since 1970. */
  readonly time: number;
  /** `stopped`: the client disconnected. */
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  /** Milliseconds, once it has ended. */
  readonly durationMs?: number;
  /** Calls that the client got, and how many of them were repaired or recovered. */
  readonly calls: number;
  readonly repaired: number;
  /** Malformed calls that were requested again, and those that were finally shown as text. */
  readonly retried: number;
  readonly rejected: number;
  /** Tools that the model was not offered, because only the client's own service could run them. */
  readonly leftOut: readonly string[];
  /** Problems of malformed calls and of the upstream: English sentences. */
  readonly problems: readonly string[];
  /** Input of the last reply, output of all; `isEstimated` if the upstream reported none. */
  readonly usage?: Usage & { readonly isEstimated: boolean };
  /** All replies of the upstream, by attempt. */
  readonly replies: readonly UpstreamReply[];
}

/** One reply as it arrived. */
export interface UpstreamReply {
  /** The id of the protocol that read it. */
  readonly protocol: string;
  readonly deltas: readonly ModelDelta[];
}

/** Where a request comes from, and which model answers it. */
export type RequestOrigin = Pick<ServedRequest, 'door' | 'model'>;

interface ServedRequestsOptions {
  /** In milliseconds since 1970. */
  readonly now: () => number;
  /** Receives a sentence for the log. */
  readonly note: (sentence: string) => void;
}

/** The last requests of clients, newest first, kept while the process runs. */
export class ServedRequests implements Disposable {
  private readonly changed = new Emitter<void>();
  private kept: readonly ServedRequest[] = [];
  private last = 0;

  /** Fires when the record of a request changes; single pieces of text do not change it. */
  readonly onChange = this.changed.event;

  constructor(private readonly options: ServedRequestsOptions) {}

  get requests(): readonly ServedRequest[] {
    return this.kept;
  }

  /** Passes on the events of a request, and records them. */
  async *watch(
    events: AsyncIterable<GatewayEvent>,
    origin: RequestOrigin,
  ): AsyncGenerator<GatewayEvent, void, undefined> {
    const { now, note } = this.options;
    let request: ServedRequest = { ...newRequest, ...origin, id: ++this.last, time: now() };
    const update = (change: Partial<ServedRequest>): void => {
      request = { ...request, ...change };
      this.put(request);
    };
    update({});
    try {
      for await (const event of events) {
        const change = changeBy(event, request);
        if (change) update(change);
        const said = eventNote(event);
        if (said !== undefined) note(said);
        yield event;
      }
    } finally {
      const state = request.state === 'running' ? 'stopped' : request.state;
      update({ state, durationMs: now() - request.time });
      note(requestNote(request));
    }
  }

  /** Notes fields of a client's request that the API of the model does not have. */
  noteDropped(names: readonly string[]): void {
    if (names.length > 0)
      this.options.note(
        `Left out of a request, because the API of the model does not have it: ${names.join(', ')}.`,
      );
  }

  forget(): void {
    this.kept = this.kept.filter(({ state }) => state === 'running');
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private put(request: ServedRequest): void {
    const isKnown = this.kept.some(({ id }) => id === request.id);
    const all = isKnown
      ? this.kept.map((each) => (each.id === request.id ? request : each))
      : [request, ...this.kept];
    this.kept = lastOf(all);
    this.changed.fire();
  }
}

const newRequest: Omit<ServedRequest, 'id' | 'door' | 'model' | 'time'> = {
  state: 'running',
  calls: 0,
  repaired: 0,
  retried: 0,
  rejected: 0,
  leftOut: [],
  problems: [],
  replies: [],
};

/** The newest requests up to a limit, fewer if their replies are long. */
function lastOf(requests: readonly ServedRequest[]): readonly ServedRequest[] {
  let length = 0;
  return requests.slice(0, limits.gatewayRequestsKept).filter((request, at) => {
    length += lengthOf(request);
    return at === 0 || length <= limits.gatewayCharsKept;
  });
}

function lengthOf({ replies }: ServedRequest): number {
  return replies.flatMap(({ deltas }) => deltas).reduce((sum, delta) => sum + rawText(delta).length, 0);
}

/** `undefined` if the event changes nothing in the record. */
function changeBy(event: GatewayEvent, request: ServedRequest): Partial<ServedRequest> | undefined {
  const { calls, repaired, retried, rejected, problems, replies } = request;
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'reasoning-end':
      return undefined;
    case 'call':
      return { calls: calls + 1, repaired: repaired + (event.call.mark === 'clean' ? 0 : 1) };
    case 'malformed': {
      const found = [...problems, event.malformed.diagnostic.message];
      const count = event.isAskedAgain ? { retried: retried + 1 } : { rejected: rejected + 1 };
      return { ...count, problems: found };
    }
    case 'reply':
      return { replies: [...replies, { protocol: event.protocol, deltas: joinedTexts(event.deltas) }] };
    case 'left-out':
      return { leftOut: event.names };
    case 'usage':
      return { usage: { ...event.usage, isEstimated: event.isEstimated } };
    case 'end':
      return { state: 'done' };
    case 'failure':
      return { state: 'failed', problems: [...problems, event.failure.message] };
  }
}

/** For the log: malformed calls and failures. */
function eventNote(event: GatewayEvent): string | undefined {
  if (event.type === 'failure') return event.failure.message;
  if (event.type !== 'malformed') return undefined;
  const { name, diagnostic } = event.malformed;
  return `${name || 'A call'}: ${diagnostic.message} ${event.isAskedAgain ? 'Asked again.' : 'Shown as text.'}`;
}

/** How a request went, in numbers. */
function requestNote(request: ServedRequest): string {
  const { state, calls, repaired, retried, rejected, leftOut, usage, durationMs = 0, replies } = request;
  const counts = [
    `calls: ${calls}`,
    ...(repaired > 0 ? [`repaired: ${repaired}`] : []),
    ...(retried > 0 ? [`asked again: ${retried}`] : []),
    ...(rejected > 0 ? [`shown as text: ${rejected}`] : []),
    ...(leftOut.length > 0 ? [`tools left out: ${leftOut.join(' ')}`] : []),
    ...(usage
      ? [`tokens: ${usage.isEstimated ? 'about ' : ''}${usage.inputTokens} + ${usage.outputTokens}`]
      : []),
  ];
  const protocol = replies.at(-1)?.protocol;
  const over = { running: 'Running', done: 'Answered', failed: 'Failed', stopped: 'Stopped' }[state];
  const how = protocol === undefined ? '' : ` over ${protocol}`;
  return `${over}${how} after ${(durationMs / 1000).toFixed(1)} s (${counts.join(', ')}).`;
}
