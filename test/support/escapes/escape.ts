import type { SandboxSettings } from '../../../src/node/sandbox/settings';
import type { World } from './world';

/** An attempt to do in the sandbox what a command in it must not do. */
export interface Escape {
  /** Completes "does not let a command …". */
  readonly name: string;
  /** Added to the settings of an enabled sandbox. */
  readonly settings?: (world: World) => Partial<SandboxSettings>;
  readonly prepare?: (world: World) => void | Promise<void>;
  /** For `bash`, in the workspace. */
  readonly attempt: (world: World) => string;
  /** Whether the attempt succeeded. Checked outside after the command has ended. `printed`: both outputs. */
  readonly succeeded: (world: World, printed: string) => boolean | Promise<boolean>;
  /** The requirement for the attempt to succeed outside; without it the row is skipped. */
  readonly needs?: string;
  /** Whether only root may do this outside, so that it proves nothing for others. */
  readonly isRoots?: boolean;
  /** Paths that a failed attempt may leave in the workspace. */
  readonly leaves?: readonly string[];
}

/** The result of one row. */
export interface EscapeResult {
  readonly name: string;
  /** Whether it succeeded outside the sandbox, which shows that the row tests something. */
  readonly control: boolean;
  readonly escaped: boolean;
  /** Paths that the attempt in the sandbox has changed, created or removed without permission. */
  readonly traces: readonly string[];
  /** The reason why the attempt in the sandbox could not be made. */
  readonly failure?: string;
  /** The output of the command outside and inside. */
  readonly printed: readonly [outside: string, inside: string];
}

/** Printed by programs whose attempt succeeded. */
export const DONE = 'It was done.';

/** For rows that report success themselves. */
export function saysSo(_: World, printed: string): boolean {
  return printed.includes(DONE);
}

/** A command line that runs this text with `python3`. `C` is the C library, `done` reports success. */
export function python(script: string): string {
  return `python3 - <<'END_OF_PYTHON'\n${PYTHON_START}${script}\nEND_OF_PYTHON`;
}

const PYTHON_START = `
import ctypes, os, socket, sys
C = ctypes.CDLL(None, use_errno=True)
C.syscall.restype = ctypes.c_long
def done(): print('${DONE}')
def call(number, *args):
    """Fails as the kernel says."""
    result = C.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    if result < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
`;
