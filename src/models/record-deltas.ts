import type { ModelDelta } from '../core/model';

/** The `data:` lines of a stream that brings these deltas, as `RecordedStream` reads them. Without an end it is cut off. */
export function recordDeltas(deltas: readonly ModelDelta[]): string {
  const lines = deltas.flatMap((delta) => {
    const choice = choiceOf(delta);
    return choice ? [`data: ${JSON.stringify({ choices: [choice] })}\n\n`] : [];
  });
  return lines.join('');
}

function choiceOf(delta: ModelDelta): object | undefined {
  switch (delta.type) {
    case 'text':
      return { delta: { content: delta.text } };
    case 'reasoning':
      return { delta: { reasoning_content: delta.text } };
    case 'tool-call': {
      const { index, id, name, arguments: args } = delta;
      return { delta: { tool_calls: [{ index, id, function: { name, arguments: args } }] } };
    }
    case 'end':
      return { delta: {}, finish_reason: delta.reason.replace('-', '_') };
    case 'usage':
    case 'failure':
    case 'retry':
      return undefined;
  }
}
