import type { SandboxSettings } from '../../../src/node/sandbox/settings';
import type { World } from './world';

/** A try to do from the sandbox what a command in it may not do. */
export interface Escape {
  /** Completes "does not let a command …". */
  readonly name: string;
  /** Besides those of a sandbox that is switched on. */
  readonly settings?: (world: World) => Partial<SandboxSettings>;
  readonly prepare?: (world: World) => void | Promise<void>;
  /** For `bash`, in the workspace. */
  readonly attempt: (world: World) => string;
  /** Whether it did what it tried. Asked outside when the command has ended. `printed`: both outputs. */
  readonly succeeded: (world: World, printed: string) => boolean | Promise<boolean>;
  /** What a machine needs so that the try succeeds outside; without it the row is skipped. */
  readonly needs?: string;
  /** Only root may do this outside, so that it proves nothing for others. */
  readonly isRoots?: boolean;
  /** What may be left in the workspace by a try that has failed. */
  readonly leaves?: readonly string[];
}

/** How one row went. */
export interface EscapeResult {
  readonly name: string;
  /** Whether it succeeded outside the sandbox, which shows that the row tests something. */
  readonly control: boolean;
  readonly escaped: boolean;
  /** Paths that were changed, made or removed by the try in the sandbox, and should not have been. */
  readonly traces: readonly string[];
  /** Why the attempt in the sandbox could not be made. */
  readonly failure?: string;
  /** What the command printed outside and inside. */
  readonly printed: readonly [outside: string, inside: string];
}

/** What programs print that could do what they tried. */
export const DONE = 'It was done.';

/** For rows that say by themselves whether they succeeded. */
export function saysSo(_: World, printed: string): boolean {
  return printed.includes(DONE);
}

/** A command line that runs this text with `python3`. `C` is the C library, `done` says that it worked. */
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
