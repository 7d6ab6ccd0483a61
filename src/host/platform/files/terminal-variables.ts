import * as vscode from 'vscode';

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows', darwin: 'osx' };

/** `terminal.integrated.env.*` of the user's settings, never of the workspace's. `null` removes a variable. */
export function terminalVariables(): Readonly<Record<string, string | null>> {
  const key = `integrated.env.${PLATFORMS[process.platform] ?? 'linux'}`;
  const found = vscode.workspace.getConfiguration('terminal').inspect<unknown>(key)?.globalValue;
  if (typeof found !== 'object' || found === null) return {};
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) => {
      const resolved = typeof value === 'string' ? resolvedText(value) : value === null ? null : undefined;
      return resolved === undefined ? [] : [[name, resolved] as const];
    }),
  );
}

/** With variables filled in; nothing if it refers to something that is not in the environment, such as a folder. */
function resolvedText(value: string): string | undefined {
  const text = value.replace(/\$\{env:([^}]+)\}/g, (_, name: string) => process.env[name] ?? '');
  return text.includes('${') ? undefined : text;
}
