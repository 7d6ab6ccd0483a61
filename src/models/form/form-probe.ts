import { parseObject } from '../../base/json';
import type { HeldForm } from '../../core/words/grammar';
import type { Model, ModelDelta, ModelFailure, ModelRequest } from '../../core/words/model';

/**
 * Whether a server can hold the replies of a model to a form. `works`: it does. `works-opened`: it does, where the grammar
 * has the thinking that the chat template opens. `refused`: it answers with an error. `ignored`: the reply is free.
 * `leaks`: the thinking is held to the form, and no answer comes. `endless`: the thinking finds no end. `schemas-only`: it
 * takes no grammar.
 */
export type FormSupport = Held | 'refused' | 'ignored' | 'leaks' | 'endless' | 'schemas-only';

type Held = 'works' | 'works-opened';

export function isHeld(support: FormSupport | undefined): support is Held {
  return support === 'works' || support === 'works-opened';
}

/** Pieces of thinking after which it has no end. */
const ENDLESS = 200;

const TEXT = 'Say hello.';
const PLAIN: HeldForm = { type: 'grammar', gbnf: 'root ::= "parley-" [0-9]{4}\n' };
/** The chat template has opened the thinking: the reply begins in the middle of it. */
const OPENED: HeldForm = {
  type: 'grammar',
  gbnf: 'root ::= thought* "</think>" [\\n]* "parley-" [0-9]{4}\nthought ::= [^<] | "<" [^/]\n',
};
const WORD = 'parley-0000';
const SCHEMA: HeldForm = {
  type: 'schema',
  isStrict: true,
  schema: {
    type: 'object',
    properties: { say: { enum: [WORD] } },
    required: ['say'],
    additionalProperties: false,
  },
};

/** Asks for what no model says by itself. Nothing where that taught nothing, for instance because nobody answers. */
export async function* probeForm(
  model: Model,
  type: HeldForm['type'],
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, FormSupport | undefined, undefined> {
  if (type === 'schema') return yield* ask(model, SCHEMA, signal);
  const found = yield* ask(model, PLAIN, signal);
  if (found !== 'leaks') return found;
  const opened = yield* ask(model, OPENED, signal);
  return opened === 'works' ? 'works-opened' : opened === 'endless' ? opened : found;
}

/** Passes on what the server does meanwhile: it may have to load the model first. */
async function* ask(
  model: Model,
  held: HeldForm,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, FormSupport | undefined, undefined> {
  const request: ModelRequest = {
    messages: [{ role: 'user', content: TEXT }],
    held,
    origin: {
      protocol: 'none',
      conversation: { instructions: '', turns: [{ type: 'user', text: TEXT }], tools: [] },
    },
  };
  let text = '';
  let thoughts = '';
  let pieces = 0;
  for await (const delta of model.stream(request, signal)) {
    if (delta.type === 'failure') return isAboutTheForm(delta.failure) ? 'refused' : undefined;
    if (delta.type === 'progress' && delta.stage !== 'taken') yield delta;
    if (delta.type === 'text') text += delta.text;
    if (delta.type === 'reasoning') {
      thoughts += delta.text;
      pieces++;
    }
    // Leaving the stream closes the request.
    if (mayBecome(held, text.trim()) === 'no') return 'ignored';
    if (pieces >= ENDLESS && text === '') return 'endless';
  }
  if (signal.aborted) return undefined;
  if (mayBecome(held, text.trim()) === 'is') return 'works';
  return text.trim() === '' && mayBecome(held, thoughts.trim()) === 'is' ? 'leaks' : 'ignored';
}

/** Whether a text is what was asked for, can still become that, or cannot. */
function mayBecome({ type }: HeldForm, text: string): 'is' | 'may' | 'no' {
  if (type === 'schema') {
    if (parseObject(text)?.['say'] === WORD) return 'is';
    return text === '' || text.startsWith('{') ? 'may' : 'no';
  }
  if (/^parley-\d{4}$/.test(text)) return 'is';
  return 'parley-'.startsWith(text) || /^parley-\d{0,3}$/.test(text) ? 'may' : 'no';
}

/** What servers call such things when they refuse them. */
const FORM_WORDS = /grammar|response_format|json_schema|structured|ebnf|guided|schema|constrain/i;

/** A text protocol sends no tools, so that a server which speaks of those means the form. */
export function namesTheForm({ code, message }: ModelFailure): boolean {
  return (
    code === 'no-tools' || ((code === 'rejected' || code === 'server-error') && FORM_WORDS.test(message))
  );
}

function isAboutTheForm(failure: ModelFailure): boolean {
  return failure.code === 'rejected' || namesTheForm(failure);
}
