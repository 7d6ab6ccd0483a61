import * as z from 'zod';
import { limits } from '../base/limits';
import { ToolError, type Tool } from '../core/words/tool';
import { defineTool } from './define';
import { readAccess } from './files/entries';
import { liesIn, mustExist } from './files/paths';
import type { Place } from './ports/files';
import { NO_EDITOR, SEVERITIES, type Problem, type ProblemSeverity } from './ports/languages';
import type { Surroundings } from './ports/surroundings';
import { problemLine, reachable, tally, type PlacedProblem } from './problems';
import { count, duration, grouped } from './text/amounts';

const SILENCE = `[No language service reported anything new about it in ${duration(limits.problemsSettleMs)}. It may still be working, or check only open files.]`;

export function getProblems(surroundings: Pick<Surroundings, 'files' | 'search' | 'languages'>): Tool {
  const { files, languages } = surroundings;
  return defineTool({
    toolset: 'editor',
    method: 'getProblems',
    userDescription: 'Shows errors and warnings in the editor.',
    effect: 'read',
    ...(!languages && { whyNotOffered: NO_EDITOR }),
    summary: 'errors and warnings in the editor',
    description:
      'Shows the problems that the editor knows: compiler and linter errors and warnings, with lines. ' +
      'Use it after an edit, with the path of the file. Without a path it shows those of all files checked so far; ' +
      'only a build or linter run checks the whole workspace.',
    example: { path: 'src/app.ts' },
    input: () =>
      z.strictObject({
        path: z.string().min(1).optional().describe('A file or folder, relative to the workspace.'),
        severity: z.enum(SEVERITIES).default('warning').describe('The lowest severity shown.'),
      }),
    prepare: async ({ path, severity }, signal) => {
      const scope = await files.resolve(path ?? '.', path === undefined ? 'list' : 'read');
      return {
        title: path === undefined ? 'Look at the problems' : `Look at the problems in ${scope.display}`,
        accesses: [readAccess(scope)],
        run: async (context) => {
          if (!languages) throw new ToolError(NO_EDITOR);
          const info = await mustExist(scope, 'file', surroundings, signal);
          const file = info.kind === 'file' ? scope : undefined;
          const { problems, isFresh } = await languages.problems(file, context.signal);
          const text = await report(problems, path === undefined ? undefined : scope, scope, severity);
          return { text: file && !isFresh ? `${text}\n${SILENCE}` : text };
        },
      };
    },
  });

  async function report(
    all: readonly Problem[],
    within: Place | undefined,
    scope: Place,
    severity: ProblemSeverity,
  ): Promise<string> {
    const placeOf = reachable(files, scope);
    const found: PlacedProblem[] = [];
    let hidden = 0;
    for (const problem of all) {
      const place = await placeOf(problem.path);
      if (!place) hidden += 1;
      else if (!within || liesIn(within, place, files)) found.push({ place, problem });
    }
    const rank = ({ problem }: PlacedProblem): number => SEVERITIES.indexOf(problem.severity);
    const wanted = found.filter((each) => rank(each) <= SEVERITIES.indexOf(severity));
    wanted.sort((a, b) => rank(a) - rank(b));
    const shown = wanted.slice(0, limits.problems);
    const where = within ? ` in ${within.display}` : '';
    return [
      wanted.length === 0
        ? `The editor knows of no problem${where} of severity ${severity} or worse.`
        : `${count(wanted.length, 'problem')}${where}: ${tally(wanted)}.`,
      ...shown.map(problemLine),
      ...leftOut([
        [wanted.length - shown.length, 'more: narrow it by path or severity'],
        [found.length - wanted.length, `less severe than ${severity}`],
        // If one file was asked for, other files do not matter; if all were, the note mentions them.
        [within ? 0 : hidden, 'in files outside the workspace or that hold secrets'],
      ]),
    ].join('\n');
  }
}

function leftOut(rows: readonly (readonly [number, string])[]): readonly string[] {
  const texts = rows.filter(([amount]) => amount > 0).map(([amount, what]) => `${grouped(amount)} ${what}`);
  return texts.length > 0 ? [`[Left out: ${texts.join('; ')}.]`] : [];
}
