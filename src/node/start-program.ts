import type { ChildProcess } from 'node:child_process';
import type { ToolError } from '../core/tool';

export type Started<Child extends ChildProcess> = Child & { readonly pid: number };

/**
 * Starts a program. Where that fails, some reasons are thrown and others come as an event; both end as the error that
 * `explain` makes of them.
 */
export async function startProgram<Child extends ChildProcess>(
  start: () => Child,
  explain: (cause: Error) => ToolError,
): Promise<Started<Child>> {
  const child = attempt(start);
  if (child instanceof Error) throw explain(child);
  if (hasStarted(child)) return child;
  throw explain(await new Promise<Error>((resolve) => child.once('error', resolve)));
}

function hasStarted<Child extends ChildProcess>(child: Child): child is Started<Child> {
  return child.pid !== undefined;
}

function attempt<T>(start: () => T): T | Error {
  try {
    return start();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}
