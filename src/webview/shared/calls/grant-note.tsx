import type { JSX } from 'preact';
import { never } from '../../../base/never';
import { visibleText } from '../../../base/text';
import type { AllowCommands, Grant, GrantScope } from '../../../core/words/verdict';
import { useKept } from '../kept';
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
    case 'mcp-server-in-session':
      return t('Allow all tools of this server in this session');
    case 'allow-commands':
    case 'allow-mcp-tool':
      return t('Always allow');
    default:
      return never(grant);
  }
}

/** How long the user may let a grant last, the shortest first; `undefined` is what its own button says. */
export function scopesOf({ type }: Grant): readonly (GrantScope | undefined)[] {
  if (type === 'allow-commands') return ['session', 'workspace', undefined];
  return type === 'allow-mcp-tool' ? ['session', undefined] : [undefined];
}

export function scopeLabel(scope: GrantScope): string {
  return scope === 'session' ? t('Allow in this session') : t('Allow in this workspace');
}

/** What a grant covers, in one line; nothing if the button's name says it. */
export function extentText(grant: Grant): string | undefined {
  switch (grant.type) {
    case 'edits-in-session':
      return undefined;
    case 'moves-in-session':
      return t('Covers moves and deletions inside the workspace');
    case 'read-file-in-session':
      return t('Covers {0}', visibleText(grant.path));
    case 'read-folder-in-session':
      return t('Covers {0} and everything in it', visibleText(grant.path));
    case 'fetch-origin-in-session':
      return t('Covers {0}', visibleText(grant.origin));
    case 'mcp-server-in-session':
      return t('Covers {0}', visibleText(grant.server));
    case 'allow-commands':
      return rulesText(grant.rules);
    case 'allow-mcp-tool':
      return t('Covers {0}', visibleText(`${grant.server}: ${grant.tool}`));
    default:
      return never(grant);
  }
}

/** Number of rules listed; the rest is counted. */
const MOST_NAMED = 3;
const LONGEST_RULE = 40;

function rulesText(rules: AllowCommands['rules']): string {
  const names = rules.slice(0, MOST_NAMED).map(({ text }) => shortened(visibleText(text)));
  const more = rules.length - names.length;
  const named = more > 0 ? t('{0} and {1} more', names.join(', '), more) : names.join(', ');
  return rules.some(({ runsCode }) => runsCode)
    ? t('Covers {0}, which run project code', named)
    : t('Covers {0}', named);
}

function shortened(text: string): string {
  return text.length > LONGEST_RULE ? `${text.slice(0, LONGEST_RULE)}…` : text;
}

/** A grant for commands with the rules of exactly their words. */
export function exactly(grant: Grant): Grant {
  if (grant.type !== 'allow-commands' || !grant.exact) return grant;
  return { type: grant.type, rules: grant.exact };
}

interface Props {
  readonly id: string;
  readonly grant: Grant;
}

/** What a grant covers besides this call: in one line, and in full sentences when unfolded. */
export function GrantExtent({ id, grant }: Props): JSX.Element | null {
  const [isOpen, setOpen] = useKept<boolean>(`extent of ${grant.type}`, false);
  const text = extentText(grant);
  if (text === undefined) return null;
  return (
    <div class="grant">
      <details class="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="grant-extent">{text}</span>
        </summary>
      </details>
      {/* It describes the button, folded or not. */}
      <div class={isOpen ? 'grant-note quiet' : 'unseen'} id={id}>
        <Covered grant={grant} />
      </div>
    </div>
  );
}

function Covered({ grant }: { readonly grant: Grant }): JSX.Element | null {
  switch (grant.type) {
    case 'edits-in-session':
      // The button's name says it.
      return null;
    case 'moves-in-session':
      return <p>{t('Only inside the workspace. Protected and secret files still ask.')}</p>;
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
          {t('and everything in it. Hidden and secret files still ask.')}
        </p>
      );
    case 'fetch-origin-in-session':
      return (
        <p>
          {t('Any page of:')} <code>{visibleText(grant.origin)}</code>
        </p>
      );
    case 'mcp-server-in-session':
      return (
        <p>
          {t('Every tool of this server, until the server changes one of them or itself:')}{' '}
          <code>{visibleText(grant.server)}</code>
        </p>
      );
    case 'allow-commands':
      return <Rules grant={grant} />;
    case 'allow-mcp-tool':
      return (
        <p>
          {t('A permission lets this tool run without asking until its server changes it:')}{' '}
          <code>{visibleText(`${grant.server}: ${grant.tool}`)}</code>
        </p>
      );
    default:
      return never(grant);
  }
}

function Rules({ grant }: { readonly grant: AllowCommands }): JSX.Element {
  const { rules, exact = rules } = grant;
  const isExact = (text: string): boolean => exact.some((rule) => rule.text === text);
  return (
    <>
      <p>{t('A permission lets these commands run without asking, always in every workspace:')}</p>
      <ul class="rules">
        {rules.map(({ text }) => (
          <li key={text}>
            <code>{visibleText(text)}</code>{' '}
            {isExact(text) ? t('exactly') : t('and arguments after it that are known to be harmless')}
          </li>
        ))}
      </ul>
      {rules.some(({ runsCode }) => runsCode) && (
        <p>
          {t(
            'Runs code of the project. If edits run without asking too, the model can run anything with your rights.',
          )}
        </p>
      )}
    </>
  );
}
