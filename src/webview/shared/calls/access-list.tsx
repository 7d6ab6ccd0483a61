import type { JSX } from 'preact';
import type { JsonObject } from '../../../base/json';
import { visibleText } from '../../../base/visible-text';
import type { ApprovalRequest } from '../../../core/approval';
import type { Access } from '../../../core/tool';
import { translated } from '../l10n';

interface Props {
  readonly request: ApprovalRequest;
  /** Said already: why the call waits. */
  readonly reason: string;
}

/** The places a call would touch, links resolved, where the arguments do not say just that. A command shows itself. */
export function AccessList({ request, reason }: Props): JSX.Element | null {
  const asked = placesAskedFor(request.edited ?? request.call.arguments);
  const isNews = ({ target, verdict, notes }: Access): boolean =>
    notes !== undefined ||
    !asked.includes(target) ||
    (verdict.reason !== reason && verdict.decision !== 'auto');
  const places = request.accesses.filter((access) => access.kind !== 'command' && isNews(access));
  if (places.length === 0) return null;
  return (
    <ul class="accesses">
      {places.map(({ target, verdict, notes = [] }, index) => (
        <li key={index}>
          <code>{visibleText(target)}</code>
          {notes.length > 0 && <span> {visibleText(notes.map(translated).join('; '))}</span>}
          {verdict.decision !== 'auto' && verdict.reason !== reason && (
            <span class="quiet"> {visibleText(translated(verdict.reason))}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Only what is an argument for a place: any other could be made to say what the resolved path is. */
function placesAskedFor(values: JsonObject): readonly unknown[] {
  // Where none is given, it is the folder of the workspace.
  return [values['path'] ?? '.', values['from'], values['to'], values['cwd'] ?? '.'];
}
