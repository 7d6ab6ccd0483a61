import * as z from 'zod/mini';
import { described, namePattern } from './schema-parts';

const text = z.string().check(z.minLength(1));

const hook = {
  command: described(
    z.array(text).check(z.minLength(1)),
    'A program and its arguments, one per item, without a shell. It starts in your home folder and is looked up in the `PATH` outside the workspace.',
  ),
  timeout: z.optional(
    described(z.number().check(z.minimum(1), z.maximum(600)), 'Time limit in seconds. Default: 10.'),
  ),
};
const hookOfTools = z.strictObject({
  tools: z.optional(
    described(
      z.union([z.clone(namePattern), z.array(namePattern)], 'use the name of a tool, or a list of names'),
      'Names of tools: `run_shell_command`, `mcp_github_*`. Default: every tool.',
    ),
  ),
  ...hook,
});

/** Hooks of one event. */
function hooksFor<Schema extends z.ZodMiniType>(schema: Schema, description: string) {
  const list = z.array(schema).check(z.maxLength(20));
  return z.optional(described(list, description));
}

/** Schema of `parley.hooks`. */
export const hooks = z.strictObject({
  beforeCall: hooksFor(
    hookOfTools,
    'Run before each call that would run or wait. A hook can refuse the call, or make it wait for you.',
  ),
  afterCall: hooksFor(hookOfTools, 'Run after each call that has run. A hook can add a note for the model.'),
  runEnd: hooksFor(z.strictObject(hook), 'Run when a run has ended.'),
});
