import type { ResponseFormat, ReplyForm } from '../../core/words/grammar';
import type { Model, ModelDelta, ModelRequest } from '../../core/words/model';
import type { ServerKind } from '../server-facts';
import { formType } from './form-fields';
import { isHeld, namesTheForm, probeForm, type FormSupport } from './form-probe';

/** When the form of replies is enforced: if known to work, always, or never. */
export type ForcedForm = 'auto' | 'on' | 'off';

/** Remembers what is known of a server and its model, so that it is tested only once. */
export interface FormBook {
  read(type: ResponseFormat['type']): FormSupport | undefined;
  write(type: ResponseFormat['type'], support: FormSupport): void;
}

/** For as long as it lives. */
export function emptyFormBook(): FormBook {
  const kept = new Map<ResponseFormat['type'], FormSupport>();
  return { read: (type) => kept.get(type), write: (type, support) => void kept.set(type, support) };
}

export interface Forcing {
  readonly mode: ForcedForm;
  readonly server?: ServerKind | undefined;
  /** It may be tested with a short request. */
  readonly mayProbe: boolean;
  readonly book: FormBook;
  /** The form of a reply to such a request; nothing if its protocol has none. */
  readonly formOf: (origin: ModelRequest['origin']) => ReplyForm | undefined;
}

/** Wraps a model: enforces the form of replies if its server can do that. A failure of this never loses a message. */
export function forcing(model: Model, options: Forcing): Model {
  const forced = new Forced(model, options);
  return { name: model.name, stream: (request, signal) => forced.stream(request, signal) };
}

/** Characters of a reply to check if nothing is known of the server. */
const LOOKED_AT = 50_000;

class Forced {
  private isOff = false;
  private hasProbed = false;
  /** A server has accepted a request with a form. */
  private hasWorked = false;

  constructor(
    private readonly model: Model,
    private readonly options: Forcing,
  ) {}

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta, void, undefined> {
    const { mode, server, formOf } = this.options;
    const form = mode === 'off' || this.isOff ? undefined : formOf(request.origin);
    const type = form && formType(form, server);
    if (form && !type) yield* this.lose('grammar', 'schemas-only');
    const support = type && (yield* this.supportOf(type, signal));
    if (form && type && isHeld(support))
      yield* this.held(request, heldForm(form, type, support), form, signal);
    else yield* this.model.stream(request, signal);
  }

  /** The known or now tested support. If the user insists, it is assumed to work. */
  private async *supportOf(
    type: ResponseFormat['type'],
    signal: AbortSignal,
  ): AsyncGenerator<ModelDelta, FormSupport | undefined, undefined> {
    const { mode, mayProbe, book } = this.options;
    const known = book.read(type);
    if (mode === 'on') return isHeld(known) ? known : 'works';
    if (known !== undefined || !mayProbe || this.hasProbed) return known;
    this.hasProbed = true;
    const found = yield* probeForm(this.model, type, signal);
    if (found === undefined) return undefined;
    if (!isHeld(found)) yield* this.lose(type, found);
    book.write(type, found);
    return found;
  }

  private async *held(
    request: ModelRequest,
    held: ResponseFormat,
    form: ReplyForm,
    signal: AbortSignal,
  ): AsyncGenerator<ModelDelta, void, undefined> {
    const messages = request.messages.map((each, index) =>
      index === 0 && each.role === 'system' ? { ...each, content: form.system(held.type) } : each,
    );
    const isKnown = isHeld(this.options.book.read(held.type));
    let isTaken = false;
    let text = '';
    let hasThoughts = false;
    let hasEnded = false;
    for await (const delta of this.model.stream({ ...request, messages, held }, signal)) {
      if (delta.type === 'failure' && text === '' && !hasThoughts) {
        const isFirst = !this.hasWorked && delta.failure.code === 'rejected';
        const isNamed = namesTheForm(delta.failure);
        if (isFirst || isNamed) {
          // A form that works may have been refused for another reason, so this counts only for this run.
          yield* this.lose(held.type, 'refused', isNamed || !isKnown);
          // A request that a server has accepted is never sent again automatically.
          if (!isTaken) {
            yield* this.model.stream(request, signal);
            return;
          }
        }
      }
      isTaken ||= delta.type === 'progress' && delta.stage === 'taken';
      if (delta.type === 'text' && text.length < LOOKED_AT) text += delta.text;
      hasThoughts ||= delta.type === 'reasoning';
      hasEnded ||= delta.type === 'end' && delta.reason === 'stop';
      yield delta;
    }
    this.hasWorked ||= isTaken;
    // If a probe showed that it works, an empty answer is the model's own.
    if (!hasEnded || isKnown) return;
    if (text.trim() === '' && hasThoughts) yield* this.lose(held.type, 'leaks');
    else if (text.length < LOOKED_AT && !isOf(held, form, text)) yield* this.lose(held.type, 'ignored');
  }

  /** From now on the form is not enforced, which is reported once. */
  private async *lose(
    type: ResponseFormat['type'],
    support: keyof typeof LOSSES,
    isKept = true,
  ): AsyncGenerator<ModelDelta, void, undefined> {
    const { mode, book } = this.options;
    const isNews = mode === 'on' || book.read(type) !== support;
    this.isOff = true;
    if (isKept) book.write(type, support);
    if (isNews) yield { type: 'unforced', message: LOSSES[support] };
  }
}

function heldForm(
  form: ReplyForm,
  type: ResponseFormat['type'],
  support: FormSupport | undefined,
): ResponseFormat {
  const schema = type === 'schema' ? form.schema?.() : undefined;
  if (schema) return { type: 'schema', ...schema };
  return { type: 'grammar', gbnf: form.grammar(support === 'works-opened' ? 'opened' : 'may') };
}

/** Reasoning that the server left in the text does not matter here. */
function isOf(held: ResponseFormat, form: ReplyForm, text: string): boolean {
  return held.type === 'schema' ? /^\s*\{/.test(text) : form.accepts(text);
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
