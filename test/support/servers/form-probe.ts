import type { EndpointReply, EndpointRequest } from './fake-endpoint';
import { answerWith, streamReasoning, streamText } from './fake-endpoint';

/** The fields of a body that ask for a form. */
const FIELDS = ['grammar', 'structured_outputs', 'ebnf', 'grammar_string', 'response_format'];

/** Returns the form that a body requests for the reply; undefined if none. */
export function requestedForm({
  body,
}: EndpointRequest): { readonly field: string; readonly form: string } | undefined {
  const fields = body as unknown as Record<string, unknown>;
  const field = FIELDS.find((name) => fields[name] !== undefined);
  return field === undefined ? undefined : { field, form: JSON.stringify(fields[field]) };
}

/** Whether it is the short request that probes how a server handles a form. */
export function isProbe(request: EndpointRequest): boolean {
  const { form } = requestedForm(request) ?? {};
  return form?.includes('parley-') === true && request.body.messages.length === 1;
}

const held = (request: EndpointRequest): string =>
  requestedForm(request)?.field === 'response_format' ? '{"say":"parley-0000"}' : 'parley-7304';

/** How servers answer the probe. */
export const probeReplies = {
  takes: (request: EndpointRequest) => streamText(held(request)),
  refuses: (request: EndpointRequest) =>
    answerWith(
      400,
      'application/json',
      `{"error":{"message":"Unrecognized request argument supplied: ${requestedForm(request)?.field ?? ''}"}}`,
    ),
  ignores: () => streamText('Hello! How can I help you today?'),
  leaks: (request: EndpointRequest) => streamReasoning(held(request)),
  /** Thinks forever if its reasoning is unconstrained. */
  rambles: (request: EndpointRequest) =>
    requestedForm(request)?.form.includes('</think>')
      ? streamReasoning('and so on, which leads to the next thought '.repeat(60))
      : streamReasoning(held(request)),
  /** The template has opened the reasoning, and the form includes it, too. */
  opens: (request: EndpointRequest) =>
    requestedForm(request)?.form.includes('</think>')
      ? streamReasoning('Let me think.', held(request))
      : streamReasoning(held(request)),
} satisfies Readonly<Record<string, (request: EndpointRequest) => EndpointReply>>;
