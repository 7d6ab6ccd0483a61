import { layer, type Layer } from '../layer';

/**
 * Ends replies at the texts that a request names, for an endpoint that does not: the Responses API has no field for
 * them, and some servers refuse it. `isNeeded` is asked for every text, because a refusal may have come before it.
 */
export function cutAtStopTexts(isNeeded: () => boolean): Layer {
  return layer(async function* (next, request, signal) {
    const stops = (request.stop ?? []).filter((each) => each !== '');
    // The end of the text so far, which may be the beginning of a stop text.
    let open = '';
    for await (const delta of next.stream(request, signal)) {
      if (delta.type === 'progress' || (delta.type !== 'text' && open === '')) {
        yield delta;
        continue;
      }
      if (delta.type !== 'text') {
        yield { type: 'text', text: open };
        open = '';
        yield delta;
        continue;
      }
      const text = open + delta.text;
      const active = stops.length > 0 && isNeeded() ? stops : [];
      const end = firstStop(text, active);
      if (end >= 0) {
        if (end > 0) yield { type: 'text', text: text.slice(0, end) };
        yield { type: 'end', reason: 'stop' };
        return;
      }
      open = beginningOfStop(text, active);
      if (text.length > open.length) yield { type: 'text', text: text.slice(0, text.length - open.length) };
    }
    if (open !== '') yield { type: 'text', text: open };
  });
}

function firstStop(text: string, stops: readonly string[]): number {
  const places = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** The longest end of the text with which a stop text begins. */
function beginningOfStop(text: string, stops: readonly string[]): string {
  const most = Math.max(0, ...stops.map((stop) => stop.length - 1));
  for (let length = Math.min(most, text.length); length > 0; length--) {
    const end = text.slice(-length);
    if (stops.some((stop) => stop.startsWith(end))) return end;
  }
  return '';
}
