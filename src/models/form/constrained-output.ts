import type { ResponseFormat, ReplyForm } from '../../core/words/grammar';
import type { Model, ModelDelta, ModelRequest } from '../../core/words/model';
import type { Fact, FormSupport, FormSupports } from '../fact-types';
import type { Layer } from '../layer';
import type { ServerKind } from '../server-facts';
import { formType } from './form-fields';
import { isEnforced, namesTheForm, probeForm, remember } from './form-probe';

/** When the form of replies is enforced: if known to work, always, or never. */
export type ConstrainMode = 'auto' | 'on' | 'off';

export interface ConstrainOptions {
  readonly mode: ConstrainMode;
  readonly server?: ServerKind | undefined;
  /** It may be tested with a short request. */
  readonly mayProbe: boolean;
  readonly support: Fact<FormSupports>;
  /** The form of a reply to such a request; nothing if its protocol has none. */
  readonly formOf: (origin: ModelRequest['origin']) => ReplyForm | undefined;
}

/** Enforces the form of replies if the server can do that. A failure of this never loses a message. */
export function constrainOutput(options: ConstrainOptions): Layer {
  return (next) => {
    const output = new ConstrainedOutput(next, options);
    return { name: next.name, stream: (request, signal) => output.stream(request, signal) };
  };
}

/** Characters of a reply to check if nothing is known of the server. */
const LOOKED_AT = 50_000;

class ConstrainedOutput {
  private isOff = false;
  private hasProbed = false;
  /** A server has accepted a request with a form. */
  private hasWorked = false;

  constructor(
    private readonly next: Model,
    private readonly options: ConstrainOptions,
  ) {}

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta, void, undefined> {
    const { mode, server, formOf } = this.options;
    const form = mode === 'off' || this.isOff ? undefined : formOf(request.origin);
    const type = form && formType(form, server);
    if (form && !type) yield* this.lose('grammar', 'schemas-only');
    const support = type && (yield* this.supportOf(type, signal));
    if (form && type && isEnforced(support))
      yield* this.constrain(request, formatOf(form, type, support), form, signal);
    else yield* this.next.stream(request, signal);
  }

  /** The known or now tested support. If the user insists, it is assumed to work. */
  private async *supportOf(
    type: ResponseFormat['type'],
    signal: AbortSignal,
  ): AsyncGenerator<ModelDelta, FormSupport | undefined, undefined> {
    const { mode, mayProbe, support } = this.options;
    const known = support.read()[type];
    if (mode === 'on') return isEnforced(known) ? known : 'works';
    if (known !== undefined || !mayProbe || this.hasProbed) return known;
    this.hasProbed = true;
    const found = yield* probeForm(this.next, type, signal);
    if (found === undefined) return undefined;
    if (!isEnforced(found)) yield* this.lose(type, found);
    remember(support, type, found);
    return found;
  }

  private async *constrain(
    request: ModelRequest,
    format: ResponseFormat,
    form: ReplyForm,
    signal: AbortSignal,
  ): AsyncGenerator<ModelDelta, void, undefined> {
    const messages = request.messages.map((each, index) =>
      index === 0 && each.role === 'system' ? { ...each, content: form.system(format.type) } : each,
    );
    const isKnown = isEnforced(this.options.support.read()[format.type]);
    let isTaken = false;
    let text = '';
    let hasReasoning = false;
    let hasEnded = false;
    for await (const delta of this.next.stream({ ...request, messages, responseFormat: format }, signal)) {
      if (delta.type === 'failure' && text === '' && !hasReasoning) {
        const isFirst = !this.hasWorked && delta.failure.code === 'rejected';
        const isNamed = namesTheForm(delta.failure);
        if (isFirst || isNamed) {
          // A form that works may have been refused for another reason, so this counts only for this run.
          yield* this.lose(format.type, 'refused', isNamed || !isKnown);
          // A request that a server has accepted is never sent again automatically.
          if (!isTaken) {
            yield* this.next.stream(request, signal);
            return;
          }
        }
      }
      isTaken ||= delta.type === 'progress' && delta.stage === 'taken';
      if (delta.type === 'text' && text.length < LOOKED_AT) text += delta.text;
      hasReasoning ||= delta.type === 'reasoning';
      hasEnded ||= delta.type === 'end' && delta.reason === 'stop';
      yield delta;
    }
    this.hasWorked ||= isTaken;
    // If a probe showed that it works, an empty answer is the model's own.
    if (!hasEnded || isKnown) return;
    if (text.trim() === '' && hasReasoning) yield* this.lose(format.type, 'leaks');
    else if (text.length < LOOKED_AT && !isOf(format, form, text)) yield* this.lose(format.type, 'ignored');
  }

  /** From now on the form is not enforced, which is reported once. */
  private async *lose(
    type: ResponseFormat['type'],
    loss: keyof typeof LOSSES,
    isLasting = true,
  ): AsyncGenerator<ModelDelta, void, undefined> {
    const { mode, support } = this.options;
    const isNews = mode === 'on' || support.read()[type] !== loss;
    this.isOff = true;
    if (isLasting) remember(support, type, loss);
    if (isNews) yield { type: 'unforced', message: LOSSES[loss] };
  }
}

function formatOf(
  form: ReplyForm,
  type: ResponseFormat['type'],
  support: FormSupport | undefined,
): ResponseFormat {
  const schema = type === 'schema' ? form.schema?.() : undefined;
  if (schema) return { type: 'schema', ...schema };
  return { type: 'grammar', gbnf: form.grammar(support === 'works-opened' ? 'opened' : 'may') };
}

/** Reasoning that the server left in the text does not matter here. */
function isOf(format: ResponseFormat, form: ReplyForm, text: string): boolean {
  return format.type === 'schema' ? /^\s*\{/.test(text) : form.accepts(text);
}

/** Why the form is not enforced, and the consequence. */
const LOSSES = {
  refused: 'The server refuses to enforce the form of calls, so replies are no longer constrained.',
  ignored: 'The server accepts the form of calls but does not enforce it, so replies are not constrained.',
  leaks:
    'The server enforces the form of calls on the reasoning instead of the answer, so replies are no longer constrained.',
  endless:
    'With an enforced form, the model does not end its reasoning, so replies are not constrained. Turn its reasoning off, or try another server.',
  'schemas-only':
    'The server can enforce only JSON schemas, and this protocol is not a JSON object, so replies are not constrained. The protocols "json" and "envelope" can be enforced here.',
} as const;
