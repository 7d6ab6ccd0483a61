import { answerWith, streamText, type EndpointReply, type EndpointRequest } from './fake-endpoint';

const ERROR = '{"error":{"message":"reasoning_content is missing in an assistant message"}}';

/** Answers like an endpoint that wants reasoning in every message of a model, and says so only when it is missing. */
export class NeedsReasoning {
  refusals = 0;

  constructor(
    private readonly next: (request: EndpointRequest) => EndpointReply = () => streamText('Fine.'),
  ) {}

  readonly answer = (request: EndpointRequest): EndpointReply => {
    const replies = request.body.messages.filter(({ role }) => role === 'assistant');
    if (replies.every((message) => 'reasoning_content' in message)) return this.next(request);
    this.refusals++;
    return answerWith(400, 'application/json', ERROR);
  };
}
