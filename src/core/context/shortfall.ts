import type { RequestParts } from '../words/model';
import type { Calibration } from './calibration';

/** What a far too small count means. Nothing is learned from such a count. */
export type Shortfall = 'tools-missing' | 'front-cut';

/** Smaller differences are ignored. */
const NOTICEABLE = 500;

/** A server that read everything counts at least these shares of the estimate. */
const CREDIBLE = 0.8;
const AS_EXPECTED = 0.7;
const FIRST = 0.5;

/** Fewer missing tokens are not noticed. */
const TOOLS_MISSED = 150;

/** Bounds for missing tools: so much of the tools' tokens must be missing, and all the rest present. */
const MISSING_SHARE = 0.7;
const [REST_LEAST, REST_MOST, REST_TOKENS] = [0.6, 1.3, 60];

/**
 * Before anything was learned, the tools must be this share of the request: the estimate itself may be off by the rest.
 */
const TELLING_SHARE = 0.4;

/** What is missing of a request by the server's count, if anything. */
export function shortfall(
  parts: RequestParts,
  counted: number,
  { calibration, window }: { readonly calibration: Calibration; readonly window: number | undefined },
): Shortfall | undefined {
  const expected = calibration.estimate(parts);
  if (lacksTools(parts, counted, calibration) && !isWindow(counted, window)) return 'tools-missing';
  const raw = parts.instructions + parts.tools + parts.conversation;
  // The first count may come from another tokenizer; later ones are compared with what was learned.
  const least = calibration.isKnown ? Math.min(raw * CREDIBLE, expected * AS_EXPECTED) : raw * FIRST;
  return counted < least && raw - counted > NOTICEABLE ? 'front-cut' : undefined;
}

/** A template can drop only tools that are sent beside the messages. */
function lacksTools(parts: RequestParts, counted: number, calibration: Calibration): boolean {
  const expected = calibration.estimate(parts);
  const rest = calibration.estimate({ ...parts, tools: 0 });
  const tools = expected - rest;
  return (
    parts.areToolsApart &&
    tools >= TOOLS_MISSED &&
    (calibration.isKnown || tools >= expected * TELLING_SHARE) &&
    expected - counted >= tools * MISSING_SHARE &&
    counted >= rest * REST_LEAST &&
    counted <= rest * REST_MOST + REST_TOKENS
  );
}

/** A server that cuts to its window counts about the window. */
function isWindow(counted: number, window: number | undefined): boolean {
  return window !== undefined && counted <= window && counted >= window * CREDIBLE;
}
