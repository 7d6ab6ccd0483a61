import type { ResponseFormat } from '../../core/words/grammar';
import type { Model, ModelRequest } from '../../core/words/model';
import type { Protocol } from '../../core/words/protocol';
import type { Fact, FormSupports, LostMarkers } from '../fact-types';
import { isEnforced } from './form-probe';

type Spoken = Pick<Protocol, 'id' | 'renderReply'>;

/** The name of the tool in the forced calls. */
const WORD = 'parley';
/** The last line: the reply has arrived as far as the server passes it on. */
const END = 'parley-end';

/**
 * Finds out whether the beginning of a call arrives whole in each protocol, with one reply that the server is made to
 * write. A model that is asked to repeat a marker proves nothing. Needs a server that enforces grammars.
 */
export async function findLostMarkers(
  model: Model,
  protocols: readonly Spoken[],
  { forms, lostMarkers }: { readonly forms: FormSupports; readonly lostMarkers: Fact<LostMarkers> },
  signal: AbortSignal,
): Promise<void> {
  const { grammar } = forms;
  if (!isEnforced(grammar)) return;
  const begun = protocols.flatMap((protocol) => beginningOf(protocol) ?? []);
  const lines = [...new Set(begun.map(({ text }) => text)), END];
  const written = lines.map((line) => JSON.stringify(`${line}\n`)).join(' ');
  const gbnf =
    grammar === 'works-opened' ? `root ::= ${THOUGHT} ${written}\n${OPENED}` : `root ::= ${written}\n`;
  const reply = await answer(model, { type: 'grammar', gbnf }, signal);
  if (!reply.includes(END)) return;
  lostMarkers.write({ protocols: begun.flatMap(({ id, text }) => (reply.includes(text) ? [] : [id])) });
}

const THOUGHT = 'thought* "</think>" [\\n]*';
const OPENED = 'thought ::= [^<] | "<" [^/]\n';

/** A call up to the name of its tool; nothing if the protocol's calls are no text. */
function beginningOf({
  id,
  renderReply,
}: Spoken): { readonly id: string; readonly text: string } | undefined {
  const deltas = renderReply([{ type: 'call', call: { id: '', name: WORD, arguments: {} } }]);
  const text = deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
  const end = text.indexOf(WORD);
  return end < 0 ? undefined : { id, text: text.slice(0, end + WORD.length) };
}

/** Empty if the server fails. */
async function answer(model: Model, responseFormat: ResponseFormat, signal: AbortSignal): Promise<string> {
  const content = 'Say hello.';
  const request: ModelRequest = {
    messages: [{ role: 'user', content }],
    responseFormat,
    origin: {
      protocol: 'none',
      conversation: { instructions: '', turns: [{ type: 'user', text: content }], tools: [] },
    },
  };
  let text = '';
  for await (const delta of model.stream(request, signal)) {
    if (delta.type === 'failure') return '';
    if (delta.type === 'text') text += delta.text;
    // Nothing else is allowed behind it.
    if (text.includes(END)) break;
  }
  return text;
}
