import { parseObject } from '../../base/json';
import type { ResponseFormat } from '../../core/words/grammar';
import type { Model, ModelDelta, ModelFailure, ModelRequest } from '../../core/words/model';
import type { Enforced, Fact, FormSupport, FormSupports } from '../fact-types';

export function isEnforced(support: FormSupport | undefined): support is Enforced {
  return support === 'works' || support === 'works-opened';
}

export function remember(
  support: Fact<FormSupports>,
  type: ResponseFormat['type'],
  found: FormSupport,
): void {
  support.write({ ...support.read(), [type]: found });
}

/** Pieces of reasoning after which it counts as endless. */
const ENDLESS = 200;

const TEXT = 'Say hello.';
const PLAIN: ResponseFormat = { type: 'grammar', gbnf: 'root ::= "parley-" [0-9]{4}\n' };
/** The chat template has opened the reasoning: the reply begins inside it. */
const OPENED: ResponseFormat = {
  type: 'grammar',
  gbnf: 'root ::= thought* "</think>" [\\n]* "parley-" [0-9]{4}\nthought ::= [^<] | "<" [^/]\n',
};
const WORD = 'parley-0000';
const SCHEMA: ResponseFormat = {
  type: 'schema',
  isStrict: true,
  schema: {
    type: 'object',
    properties: { say: { enum: [WORD] } },
    required: ['say'],
    additionalProperties: false,
  },
};

/** Asks for something no model says by itself. Nothing if that was inconclusive, for instance without a response. */
export async function* probeForm(
  model: Model,
  type: ResponseFormat['type'],
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, FormSupport | undefined, undefined> {
  if (type === 'schema') return yield* ask(model, SCHEMA, signal);
  const found = yield* ask(model, PLAIN, signal);
  if (found !== 'leaks') return found;
  const opened = yield* ask(model, OPENED, signal);
  return opened === 'works' ? 'works-opened' : opened === 'endless' ? opened : found;
}

/** Reports server activity meanwhile: it may have to load the model first. */
async function* ask(
  model: Model,
  format: ResponseFormat,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, FormSupport | undefined, undefined> {
  const request: ModelRequest = {
    messages: [{ role: 'user', content: TEXT }],
    responseFormat: format,
    origin: {
      protocol: 'none',
      conversation: { instructions: '', turns: [{ type: 'user', text: TEXT }], tools: [] },
    },
  };
  let text = '';
  let reasoning = '';
  let pieces = 0;
  for await (const delta of model.stream(request, signal)) {
    if (delta.type === 'failure') return isAboutTheForm(delta.failure) ? 'refused' : undefined;
    if (delta.type === 'progress' && delta.stage !== 'taken') yield delta;
    if (delta.type === 'text') text += delta.text;
    if (delta.type === 'reasoning') {
      reasoning += delta.text;
      pieces++;
    }
    // Leaving the stream closes the request.
    if (mayBecome(format, text.trim()) === 'no') return 'ignored';
    if (pieces >= ENDLESS && text === '') return 'endless';
  }
  if (signal.aborted) return undefined;
  if (mayBecome(format, text.trim()) === 'is') return 'works';
  return text.trim() === '' && mayBecome(format, reasoning.trim()) === 'is' ? 'leaks' : 'ignored';
}

/** Whether a text is the requested one, can still become it, or cannot. */
function mayBecome({ type }: ResponseFormat, text: string): 'is' | 'may' | 'no' {
  if (type === 'schema') {
    if (parseObject(text)?.['say'] === WORD) return 'is';
    return text === '' || text.startsWith('{') ? 'may' : 'no';
  }
  if (/^parley-\d{4}$/.test(text)) return 'is';
  return 'parley-'.startsWith(text) || /^parley-\d{0,3}$/.test(text) ? 'may' : 'no';
}

/** Terms that servers use when they refuse a form. */
const FORM_WORDS = /grammar|response_format|json_schema|structured|ebnf|guided|schema|constrain/i;

/** A text protocol sends no tools, so an error about tools refers to the form. */
export function namesTheForm({ code, message }: ModelFailure): boolean {
  return (
    code === 'no-tools' || ((code === 'rejected' || code === 'server-error') && FORM_WORDS.test(message))
  );
}

function isAboutTheForm(failure: ModelFailure): boolean {
  return failure.code === 'rejected' || namesTheForm(failure);
}
