import type { JSX } from 'preact';
import { visibleText } from '../../base/visible-text';
import type { Access } from '../../core/tool';

interface Props {
  readonly accesses: readonly Access[];
  /** Said already: why the call waits, and what it is about. */
  readonly reason: string;
  readonly about: string | undefined;
}

/** The places a call would change, or asks for, links resolved. A command shows itself. */
export function AccessList({ accesses, reason, about }: Props): JSX.Element | null {
  const places = accesses.filter(
    ({ kind, effect, target, verdict }) =>
      kind !== 'command' &&
      (effect !== 'read' || verdict.decision !== 'auto') &&
      (target !== about || (verdict.reason !== reason && verdict.decision !== 'auto')),
  );
  if (places.length === 0) return null;
  return (
    <ul class="accesses">
      {places.map(({ target, verdict }, index) => (
        <li key={index}>
          <code>{visibleText(target)}</code>
          {verdict.reason !== reason && <span class="quiet"> {visibleText(verdict.reason)}</span>}
        </li>
      ))}
    </ul>
  );
}
