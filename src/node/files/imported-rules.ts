/** Absolute paths of the files that rules files import, by the folder of the workspace, as they were last read. */
const imported = new Map<string, ReadonlyMap<string, readonly string[]>>();

/** Records what a rules file imports. These files steer agents, so changing them asks as well. */
export function rememberImports(root: string, rulesFile: string, paths: readonly string[]): void {
  imported.set(root, new Map([...(imported.get(root) ?? []), [rulesFile, paths]]));
}

export function importsOf(roots: readonly string[]): readonly string[] {
  return roots.flatMap((root) => [...(imported.get(root)?.values() ?? [])].flat());
}
