/** The name without what servers leave behind it: `write</arg_value>`, `write<|channel|>commentary`. */
export function bareName(written: string): string {
  const name = written.trim();
  const junk = name.search(/\s*<[/|]/);
  return junk > 0 ? name.slice(0, junk) : name;
}
