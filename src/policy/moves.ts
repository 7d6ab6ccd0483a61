import type { Verdict } from '../core/approval';
import type { PathFileSystem } from './path-file-system';
import { judgePath, type PathRequest, type Place } from './paths';
import { strictest } from './verdicts';

export interface MoveRequest extends Omit<PathRequest, 'path' | 'use' | 'arriving'> {
  readonly from: string;
  readonly to: string;
}

export interface Move {
  readonly from: Place;
  readonly to: Place;
  /** The stricter one of both ends. */
  readonly verdict: Verdict;
}

/** What may be done with both ends of a move or a new name. Never throws. */
export async function judgeMove(request: MoveRequest, files: PathFileSystem): Promise<Move> {
  const { from, to, ...scope } = request;
  const source = await judgePath({ ...scope, path: from, use: 'move' }, files);
  const arriving = source.resolved === undefined ? {} : { arriving: source.resolved };
  const target = await judgePath({ ...scope, ...arriving, path: to, use: 'move' }, files);
  return { from: source, to: target, verdict: strictest(source.verdict, target.verdict) };
}
