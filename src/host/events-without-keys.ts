import type { AgentEvent } from '../core/words/events';

/** What came out of a call is shown without keys. What it asks for is shown as it would run. */
export function withoutKeys(event: AgentEvent, redact: (text: string) => string): AgentEvent {
  switch (event.type) {
    case 'sub-agent':
      return { ...event, event: withoutKeys(event.event, redact) };
    case 'tool-output':
      return { ...event, text: redact(event.text) };
    case 'tool-end':
      return { ...event, result: { ...event.result, result: redact(event.result.result) } };
    default:
      return event;
  }
}
