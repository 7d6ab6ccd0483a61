import type { JSX } from 'preact';
import type { RestoreEntry } from '../../core/transcript';
import { t } from '../shared/l10n';
import { Notice } from './notice';

/** Says which files the user has put back. */
export function RestoreNotice({ restore }: { readonly restore: RestoreEntry }): JSX.Element {
  const names = restore.changes.map(({ display }) => display).join(', ');
  return <Notice icon="history" text={t('Put back to an earlier state: {0}', names)} />;
}
