import type { ToolResult } from '../../core/messages';
import { t } from '../shared/l10n';

export function statusText(status: ToolResult['status']): string {
  switch (status) {
    case 'success':
      return t('Succeeded');
    case 'error':
      return t('Failed');
    case 'denied':
      return t('Denied');
  }
}

/** A codicon. */
export function statusIcon(status: ToolResult['status']): string {
  switch (status) {
    case 'success':
      return 'check';
    case 'error':
      return 'error';
    case 'denied':
      return 'circle-slash';
  }
}
