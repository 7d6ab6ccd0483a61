import type { Cursor, Reading } from './cursor';
import { isTag } from './tag-attributes';

/** How one family spells the tags. The body is the same in all of them. */
export interface Dialect {
  readonly opener: string;
  /** How the closing tag of the wrapper may be spelled, the usual way first. */
  readonly closers: readonly string[];
  /** What may stand before `invoke` and `parameter`; models leave out their own prefix here and there. */
  readonly prefixes: readonly string[];
}

/** The beginning of the tag of this name that stands here, `<｜DSML｜invoke`. */
export function* tagStart(cursor: Cursor, { prefixes }: Dialect, name: string): Reading<string | undefined> {
  for (const prefix of prefixes) {
    if (yield* isTag(cursor, `<${prefix}${name}`)) return `<${prefix}${name}`;
  }
  return undefined;
}
