import { never } from '../base/never';
import type { Grant, Verdict } from '../core/words/verdict';

export function ask(reason: string): Verdict {
  return { decision: 'ask', reason };
}

export function deny(reason: string): Verdict {
  return { decision: 'deny', reason };
}

const ORDER = { auto: 0, ask: 1, deny: 2 } as const;

/** The strictest verdict; of equal ones the first. */
export function strictest(first: Verdict, ...more: readonly Verdict[]): Verdict {
  return more.reduce((worst, next) => (ORDER[next.decision] > ORDER[worst.decision] ? next : worst), first);
}

/** Whether the user's grants cover the grant that is needed. */
export function coversGrant(granted: Grant, wanted: Grant): boolean {
  switch (wanted.type) {
    case 'edits-in-session':
    case 'moves-in-session':
      return granted.type === wanted.type;
    case 'read-file-in-session':
      return granted.type === wanted.type && granted.path === wanted.path;
    case 'read-folder-in-session':
      return granted.type === wanted.type && includesPath(granted.path, wanted.path);
    case 'fetch-origin-in-session':
      return granted.type === wanted.type && granted.origin === wanted.origin;
    case 'allow-commands':
      // Commands are judged elsewhere; this only checks whether the rules would be enough.
      return granted === wanted;
    case 'allow-mcp-tool':
      return granted.type === wanted.type && granted.digest === wanted.digest;
    default:
      return never(wanted);
  }
}

/** Both absolute, links resolved. Hidden entries below a folder ask separately. */
function includesPath(folder: string, path: string): boolean {
  const separator = folder.startsWith('/') ? '/' : '\\';
  if (path === folder) return true;
  return path.startsWith(folder + separator) && !path.slice(folder.length).includes(`${separator}.`);
}
