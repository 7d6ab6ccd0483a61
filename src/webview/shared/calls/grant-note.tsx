import type { JSX } from 'preact';
import { never } from '../../../base/never';
import { visibleText } from '../../../base/text';
import type { AllowCommands, Grant } from '../../../core/words/verdict';
import { t } from '../l10n';

export function grantLabel(grant: Grant): string {
  switch (grant.type) {
    case 'edits-in-session':
      return t('Allow edits in this session');
    case 'moves-in-session':
      return t('Allow moves and deletions in this session');
    case 'read-file-in-session':
      return t('Allow reading this file in this session');
    case 'read-folder-in-session':
      return t('Allow reading this folder in this session');
    case 'fetch-origin-in-session':
      return t('Allow fetching from this site in this session');
    case 'allow-commands':
    case 'allow-mcp-tool':
      return t('Always allow');
    default:
      return never(grant);
  }
}

interface Props {
  readonly id: string;
  readonly grant: Grant;
}

/** What a standing permission covers besides this call, in words. */
export function GrantNote({ id, grant }: Props): JSX.Element {
  return (
    <div class="grant-note quiet" id={id}>
      <Covered grant={grant} />
    </div>
  );
}

function Covered({ grant }: { readonly grant: Grant }): JSX.Element | null {
  switch (grant.type) {
    case 'edits-in-session':
      // The name of the button says it.
      return null;
    case 'moves-in-session':
      return <p>{t('Inside the workspace; protected and secret files still ask.')}</p>;
    case 'read-file-in-session':
      return (
        <p>
          {t('Only this file:')} <code>{visibleText(grant.path)}</code>
        </p>
      );
    case 'read-folder-in-session':
      return (
        <p>
          {t('This folder:')} <code>{visibleText(grant.path)}</code>{' '}
          {t('and everything below it; hidden and secret files still ask.')}
        </p>
      );
    case 'fetch-origin-in-session':
      return (
        <p>
          {t('Any page of:')} <code>{visibleText(grant.origin)}</code>
        </p>
      );
    case 'allow-commands':
      return <Rules rules={grant.rules} />;
    case 'allow-mcp-tool':
      return (
        <p>
          {t('Always allow lets this tool run unasked, until its server says something else of it:')}{' '}
          <code>{visibleText(`${grant.server}: ${grant.tool}`)}</code>
        </p>
      );
    default:
      return never(grant);
  }
}

function Rules({ rules }: { readonly rules: AllowCommands['rules'] }): JSX.Element {
  return (
    <>
      <p>{t('Always allow lets these run unasked, in every workspace:')}</p>
      <ul class="rules">
        {rules.map(({ text }) => (
          <li key={text}>
            <code>{visibleText(text)}</code> {t('with any further arguments')}
          </li>
        ))}
      </ul>
      {rules.some(({ runsCode }) => runsCode) && (
        <p>{t('Runs code of the project: with edits unasked too, the model can run anything as you.')}</p>
      )}
    </>
  );
}
