/** The name without what servers leave behind it: `write</arg_value>`, `write<|channel|>commentary`. */
export function bareName(written: string): string {
  const name = written.trim();
  // The blanks in front are taken off afterwards: a pattern that begins with them would try every run of blanks.
  const junk = name.search(/<[/|]/);
  return junk > 0 ? name.slice(0, junk).trimEnd() : name;
}
