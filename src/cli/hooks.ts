import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { redact } from '../base/redact';
import { visibleText } from '../base/text';
import type { Hooks } from '../core/run/hooks';
import { settings } from '../manifest/settings';
import { programHooks } from '../node/hooks';
import { deny } from '../policy/verdicts';
import { UsageError } from './command-line';
import { said } from './language';

/**
 * The hooks of a file in the form of `parley.hooks`. A hook that asks refuses the call: no user is available to answer.
 */
export async function hooksOf(
  file: string | undefined,
  roots: readonly string[],
  withheld: readonly string[],
): Promise<Hooks | undefined> {
  if (file === undefined) return undefined;
  const hooks = programHooks(await readSettings(file), {
    roots,
    // A folder named on the command line is trusted.
    isTrusted: () => true,
    withheld,
    redact: (text) =>
      redact(
        text,
        withheld.map((name) => process.env[name]),
      ),
    log: (line) => process.stderr.write(visibleText(`${said(line)}\n`)),
  });
  return (
    hooks && {
      ...hooks,
      beforeCall: async (...of) => {
        const verdict = await hooks.beforeCall(...of);
        return verdict?.decision === 'ask' ? deny(`it needs approval, because ${verdict.reason}`) : verdict;
      },
    }
  );
}

async function readSettings(file: string): Promise<z.output<typeof settings.hooks.schema>> {
  let given: unknown;
  try {
    given = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read as JSON. It must contain the value of "parley.hooks" as JSON.`,
      {
        cause: error,
      },
    );
  }
  const checked = settings.hooks.schema.safeParse(given);
  if (!checked.success) throw new UsageError(`${file}: ${z.prettifyError(checked.error)}`);
  return checked.data;
}
