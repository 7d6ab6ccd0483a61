import type { Protocol } from '../../../src/core/words/protocol';
import { rightReply } from '../../../src/doctor/exam';
import { findProtocol, protocols } from '../../../src/protocols';
import { examsOf } from '../agent/exam-model';
import { streamText, type EndpointReply, type EndpointRequest } from './fake-endpoint';

/**
 * Knows every exam of this seed and answers in this text protocol, regardless of the protocol of the request. It can do
 * nothing else.
 */
export function answerExams(id: string, seed: number): (request: EndpointRequest) => EndpointReply {
  const protocol: Protocol = findProtocol(id)!;
  // Some exams contain markers of their protocol.
  const exams = protocols.flatMap((each) => [...examsOf(each, seed)]);
  return ({ body: { messages } }) => {
    const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
    const [, exam] = exams.find(([question]) => asked.some((content) => content.includes(question))) ?? [];
    if (!exam) return streamText('I cannot do that.');
    const before = exam.turns.filter(({ type }) => type === 'reply').length;
    const step = exam.steps[messages.filter(({ role }) => role === 'assistant').length - before]!;
    return streamText(
      rightReply(step, protocol)
        .map((each) => (each.type === 'text' ? each.text : ''))
        .join(''),
    );
  };
}
