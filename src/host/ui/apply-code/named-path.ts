/** A path named in a text. */
interface NamedPath {
  readonly path: string;
  /** Written as a path or marked as one; a bare word with a dot may be anything. */
  readonly isSure: boolean;
}

/** What precedes a path in an info string: `title="src/a.ts"`, `ts:src/a.ts`. */
const LABEL = /^(?:[\w-]+[=:](?![\\/]))+/;

/** A name with an extension, or a well-known name without one. */
const FILE_NAME =
  /(?:^|[\\/])(?:[^\\/]*[\w\])]\.[A-Za-z][\w+-]{0,11}|\.[a-z][\w.-]+|Makefile|Dockerfile|LICENSE)$/;

/** Maximum characters of the first line of code. A longer path is ignored. */
const LONGEST_LINE = 300;

/**
 * Paths of files named around a code block, in this order: in the text after its fence, in the line before it, and in
 * its first line if that is a comment. The files may not exist.
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
