import { homedir } from 'node:os';
import { limits } from '../../base/limits';
import { runProgram } from './child-process';
import { commandEnvironment } from './environment';

/** A system program that shows a notification, with its arguments. */
interface Notifier {
  readonly program: string;
  readonly args: readonly string[];
}

/** Uses the full path, so that no other program can take its place; `undefined` if the system has none. */
export function notifierFor(
  text: string,
  platform: NodeJS.Platform = process.platform,
): Notifier | undefined {
  switch (platform) {
    case 'linux':
      // The text after the title may be parsed as HTML.
      return { program: '/usr/bin/notify-send', args: ['--app-name=Parley', '--', 'Parley', escaped(text)] };
    case 'darwin':
      return { program: '/usr/bin/osascript', args: [...['-e', SCRIPT], text] };
    default:
      return undefined;
  }
}

/** The text is an argument, not part of the script. */
const SCRIPT = 'on run argv\ndisplay notification (item 1 of argv) with title "Parley"\nend run';

/** Shows a notification. Never rejects; on failure, returns a sentence that says why. */
export async function showSystemNotice(
  text: string,
  notifier = notifierFor(text),
): Promise<string | undefined> {
  if (!notifier) return 'Parley knows no program for notifications on this system.';
  const { program, args } = notifier;
  const options = {
    cwd: homedir(),
    env: commandEnvironment(process.env, { roots: [] }),
    timeout: limits.systemNoticeMs,
  };
  try {
    await runProgram(program, args, options);
    return undefined;
  } catch (error) {
    return `${program} could not show a notification: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
