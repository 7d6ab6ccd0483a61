import type { ShellGrammar } from '../policy/commands/simple-commands';

/** The grammar from a folder with its two wasm files, loaded at first use. */
export function lazyGrammar(wasmFolder: string): () => Promise<ShellGrammar | undefined> {
  let loaded: Promise<ShellGrammar | undefined> | undefined;
  return () => (loaded ??= load(wasmFolder));
}

/** Without a grammar every command asks, which is safe after any failure here. */
async function load(wasmFolder: string): Promise<ShellGrammar | undefined> {
  try {
    const { loadShellGrammar } = await import('./shell-grammar');
    return await loadShellGrammar(wasmFolder);
  } catch {
    return undefined;
  }
}
