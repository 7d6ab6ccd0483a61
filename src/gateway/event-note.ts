import type { GatewayEvent } from './relay';

/** What a log says of an event: what became of calls that could not be read, so that nobody wonders, and failures. */
export function eventNote(event: GatewayEvent): string | undefined {
  if (event.type === 'failure') return event.failure.message;
  if (event.type !== 'malformed') return undefined;
  const { name, diagnostic } = event.malformed;
  return `${name || 'A call'}: ${diagnostic.message} ${event.isAskedAgain ? 'Asked again.' : 'Shown as text.'}`;
}
