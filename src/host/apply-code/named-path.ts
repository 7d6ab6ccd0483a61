/** A path that a text names. */
interface NamedPath {
  readonly path: string;
  /** It is written as a path or marked as one; a bare word with a dot may be anything. */
  readonly isSure: boolean;
}

/** What a word is followed by, in an info string, where a path comes: `title="src/a.ts"`, `ts:src/a.ts`. */
const LABEL = /^(?:[\w-]+[=:](?![\\/]))+/;

/** A name with an ending, or one of those that never have one. */
const FILE_NAME =
  /(?:^|[\\/])(?:[^\\/]*[\w\])]\.[A-Za-z][\w+-]{0,11}|\.[a-z][\w.-]+|Makefile|Dockerfile|LICENSE)$/;

/** Of the first line of code, in characters. A path that is longer is none. */
const LONGEST_LINE = 300;

/**
 * The paths of files that the texts around a block of code name, in this order: what stands behind its fence, the line
 * before it, and its own first line where that is a comment. Whether there is such a file nobody has looked.
 */
export function namedPaths(around: {
  readonly info: string;
  readonly before: string;
  readonly code: string;
}): readonly NamedPath[] {
  const first = /^\s*(?:\/\/|\/\*|#|--|;|<!--)(.*)/.exec(around.code.slice(0, LONGEST_LINE))?.[1] ?? '';
  const found = [
    ...pathsIn(around.info).map(({ path }) => ({ path, isSure: true })),
    ...pathsIn(around.before),
    ...pathsIn(first),
  ];
  return found.filter(({ path }, index) => found.findIndex((each) => each.path === path) === index);
}

function pathsIn(text: string): readonly NamedPath[] {
  return [...text.matchAll(/`([^`\n]+)`|"([^"\n]+)"|'([^'\n]+)'|([^\s`"'()[\]{}<>,;*|]+)/g)].flatMap(
    (match) => {
      const [, inTicks, inQuotes, inApostrophes, bare = ''] = match;
      const quoted = inTicks ?? inQuotes ?? inApostrophes;
      const path = (quoted ?? bare.replace(LABEL, '').replace(/(?::\d+)*[.:!?]*$/, '')).trim();
      if (path.includes('://') || !FILE_NAME.test(path)) return [];
      return [{ path, isSure: quoted !== undefined || /[\\/]/.test(path) }];
    },
  );
}
