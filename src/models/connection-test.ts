import type { Model, ModelFailure, ModelRequest } from '../core/words/model';

/** Result of a test request to a model. */
export type ConnectionReport =
  | {
      readonly type: 'works';
      /** Milliseconds until the reply began. */
      readonly firstMs: number;
      /** Native tools: whether the offered tool was called, only accepted, or refused. */
      readonly tools: 'called' | 'accepted' | 'refused';
    }
  | { readonly type: 'failed'; readonly failure: ModelFailure }
  | { readonly type: 'stopped' };

/** Pieces of a reply after which nothing more can be learned. */
const ENOUGH = 200;

/**
 * Sends a request that offers a tool, and one without if tools are refused. Sends no token limit, because servers
 * disagree on the name of the field. Stops reading once the result is clear.
 */
export async function testConnection(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  now: () => number = () => performance.now(),
): Promise<ConnectionReport> {
  const report = await ask(model, request, signal, now);
  if (report.type !== 'failed' || report.failure.code !== 'no-tools') return report;
  const { tools: _, ...plain } = request;
  const again = await ask(model, plain, signal, now);
  return again.type === 'works' ? { ...again, tools: 'refused' } : again;
}

async function ask(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  now: () => number,
): Promise<ConnectionReport> {
  const start = now();
  let firstMs: number | undefined;
  let tools: 'called' | 'accepted' = 'accepted';
  let pieces = 0;
  let ended = false;
  for await (const delta of model.stream(request, signal)) {
    if (delta.type === 'failure') return { type: 'failed', failure: delta.failure };
    firstMs ??= now() - start;
    if (delta.type === 'tool-call') tools = 'called';
    ended ||= delta.type === 'end';
    // Some models think for long before they call.
    if (delta.type !== 'reasoning' && ++pieces >= ENOUGH) break;
  }
  if (signal.aborted) return { type: 'stopped' };
  if (firstMs !== undefined && (ended || pieces >= ENOUGH)) return { type: 'works', firstMs, tools };
  return { type: 'failed', failure: CUT_OFF };
}

const CUT_OFF: ModelFailure = {
  code: 'cut-off',
  message: 'The reply stopped in the middle. Try again, or look into the log of the server.',
};
