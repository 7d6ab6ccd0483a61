import * as z from 'zod/mini';
import { described } from './described';
import { namePattern } from './name-pattern';

const text = z.string().check(z.minLength(1));

const hook = {
  command: described(
    z.array(text).check(z.minLength(1)),
    'A program and its arguments, each a word of its own; no shell reads them. It starts in your home folder and is taken from the `PATH` without the workspace.',
  ),
  timeout: z.optional(
    described(z.number().check(z.minimum(1), z.maximum(600)), 'Seconds that it may take; 10 if not given.'),
  ),
};
const hookOfTools = z.strictObject({
  tools: z.optional(
    described(
      z.union([z.clone(namePattern), z.array(namePattern)]),
      'Names of tools: `run_shell_command`, `mcp_github_*`. Every tool if not given.',
    ),
  ),
  ...hook,
});

/** What is set for one event. */
function hooksFor<Schema extends z.ZodMiniType>(schema: Schema, description: string) {
  const list = z.array(schema).check(z.maxLength(20));
  return z.optional(described(list, description));
}

/** What `parley.hooks` may hold. */
export const hooks = z.strictObject({
  beforeCall: hooksFor(
    hookOfTools,
    'Asked about each call that would run or wait. They can refuse it, or have it wait for you.',
  ),
  afterCall: hooksFor(hookOfTools, 'Told of each call that has run. They can add a note for the model.'),
  runEnd: hooksFor(z.strictObject(hook), 'Told when a run has ended.'),
});
