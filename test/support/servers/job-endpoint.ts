import { countResults, emptyCart, firstSteps, timeoutOfSection } from '../../../src/doctor/jobs';
import type { RenderedPart } from '../../../src/core/words/protocol';
import { findProtocol } from '../../../src/protocols';
import { streamParts, type EndpointReply, type EndpointRequest } from './fake-endpoint';

const call = (
  name: string,
  args: Extract<RenderedPart, { type: 'call' }>['call']['arguments'],
): RenderedPart => ({
  type: 'call',
  call: { id: 'c', name, arguments: args },
});
const edit = (path: string, old: string, replacement: string): RenderedPart =>
  call('edit_file', { path, edits: [{ old, new: replacement }] });

const EMPTY_CART = '{ "customer": "c-3310", "currency": "CHF", "items": [], "total": 0 }';

/** By task: the call that is needed, a text in it by which it is known again, and the answer. */
const SOLUTIONS = new Map<
  string,
  { readonly work: RenderedPart; readonly sign: string; readonly answer: string }
>([
  [
    timeoutOfSection.task,
    {
      work: edit('conf/worker.ini', 'timeout = 30\nkeep_alive', 'timeout = 45\nkeep_alive'),
      sign: 'timeout = 45',
      answer: 'Done.',
    },
  ],
  [
    emptyCart.task,
    {
      work: call('write_file', { path: 'fixtures/empty-cart.json', content: EMPTY_CART }),
      sign: 'c-3310',
      answer: 'Done.',
    },
  ],
  [
    countResults.task,
    {
      work: call('run_shell_command', { command: 'node test/all.js' }),
      sign: 'all.js',
      answer: '9 passed, 14 failed.',
    },
  ],
  [
    firstSteps[0]!.task,
    { work: call('read_file', { path: 'shop.ini' }), sign: 'shop.ini', answer: 'The port is 7318.' },
  ],
  [
    firstSteps[1]!.task,
    { work: edit('shop.ini', 'limit = 25', 'limit = 40'), sign: 'limit = 40', answer: 'Done.' },
  ],
  [
    firstSteps[2]!.task,
    {
      work: call('write_file', { path: 'notes.txt', content: 'Order more tulips.\n' }),
      sign: 'tulips',
      answer: 'Done.',
    },
  ],
]);

/** Does the doctor's jobs and the first steps in this protocol; `otherwise` answers everything else. */
export function answerJobs(
  id: string,
  otherwise: (request: EndpointRequest) => EndpointReply,
): (request: EndpointRequest) => EndpointReply {
  const protocol = findProtocol(id)!;
  return (request) => {
    const { messages } = request.body;
    const [, solution] =
      [...SOLUTIONS].find(([task]) =>
        messages.some(({ role, content }) => role === 'user' && content.includes(task)),
      ) ?? [];
    if (!solution) return otherwise(request);
    const { work, sign, answer } = solution;
    const said = JSON.stringify(messages.filter(({ role }) => role === 'assistant'));
    const part: RenderedPart = said.includes(sign) ? { type: 'text', text: answer } : work;
    return streamParts(protocol, [part]);
  };
}
