import type { CallPart } from '../../core/transcript';
import { firstLine } from './first-line';

/** Arguments that say most about a call, the first of them first. */
const TELLING = [
  'command',
  'from',
  'query',
  'glob',
  'path',
  'url',
  'task',
  'question',
  'log_id',
  'name',
  'code',
];

/** The argument that tells what a call is about, in one line. */
export function mainArgument({ draft, state }: CallPart): string | undefined {
  const texts =
    'call' in state
      ? Object.entries(state.call.arguments)
      : draft.map(({ key, text }) => [key, text] as const);
  const known = new Map(texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  const key = TELLING.find((name) => known.has(name)) ?? known.keys().next().value;
  if (key === undefined) return undefined;
  const target = key === 'from' ? known.get('to') : undefined;
  const line = firstLine(known.get(key) ?? '');
  return target === undefined ? line : `${line} → ${firstLine(target)}`;
}
