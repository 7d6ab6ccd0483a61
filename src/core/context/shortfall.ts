import type { RequestParts } from '../words/model';
import type { Calibration } from './calibration';

/** What a count that is far too small means. Such a count teaches nothing. */
export type Shortfall = 'tools-missing' | 'front-cut';

/** A difference below it says nothing. */
const NOTICEABLE = 500;

/** Parts of the estimate: what a server that has read everything counts at least. */
const CREDIBLE = 0.8;
const AS_EXPECTED = 0.7;
const FIRST = 0.5;

/** Tools that take less are not missed. */
const TOOLS_MISSED = 150;

/** Of the tools' tokens so many have to be missing, and all the rest be there, within these bounds. */
const MISSING_SHARE = 0.7;
const [REST_LEAST, REST_MOST, REST_TOKENS] = [0.6, 1.3, 60];

/** Where nothing was learned yet, the tools have to be this part of the request: the estimate itself may be off by the rest. */
const TELLING_SHARE = 0.4;

/** What is missing of a request by the server's count, if something is. */
export function shortfall(
  parts: RequestParts,
  counted: number,
  { calibration, window }: { readonly calibration: Calibration; readonly window: number | undefined },
): Shortfall | undefined {
  const expected = calibration.estimate(parts);
  if (lacksTools(parts, counted, calibration) && !isWindow(counted, window)) return 'tools-missing';
  const raw = parts.instructions + parts.tools + parts.conversation;
  // The first count may be another tokenizer's; from then on it is known what to expect.
  const least = calibration.isKnown ? Math.min(raw * CREDIBLE, expected * AS_EXPECTED) : raw * FIRST;
  return counted < least && raw - counted > NOTICEABLE ? 'front-cut' : undefined;
}

/** Only tools that are sent beside the messages can be left out by a template. */
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

/** A server that cuts to its window counts about that. */
function isWindow(counted: number, window: number | undefined): boolean {
  return window !== undefined && counted <= window && counted >= window * CREDIBLE;
}
