import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import type { Starters } from '../../../contract/chat';
import { ToolError } from '../../../core/words/tool';
import type { Files } from '../../../tools/ports/files';
import { windowFiles, type FileAccessParts } from '../../platform/files/window-files';
import { explainable, isPlainPath, makeTasks } from './make-tasks';

const CODE = '**/*.{js,mjs,cjs,jsx,ts,tsx,mts,py,go,rs,java,kt,cs,rb,php,swift,lua,c,cpp,h}';
const MANIFESTS = '{package.json,pyproject.toml,pytest.ini,Cargo.toml,go.mod,Makefile}';
const ELSEWHERE = '**/{node_modules,dist,out,build,target,vendor,coverage,venv,site-packages,.*}/**';

/** First tasks for the first open folder: from the names of a few files, and the texts of fewer if it is trusted. */
export async function starterTasks(parts: FileAccessParts): Promise<Starters> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) return { hasFolder: false, tasks: [] };
  const find = async (glob: string): Promise<readonly string[]> => {
    const pattern = new vscode.RelativePattern(folder, glob);
    const found = await vscode.workspace.findFiles(pattern, ELSEWHERE, limits.starterFiles);
    const root = folder.uri.path.replace(/\/$/, '');
    return found.map(({ path }) => path.slice(root.length + 1)).filter(isPlainPath);
  };
  const [code, manifests] = await Promise.all([find(CODE), find(MANIFESTS)]);
  const { isTrusted } = vscode.workspace;
  const wanted = [
    ...explainable(code),
    ...manifests.filter((path) => /^(?:package\.json|Makefile)$/.test(path)),
  ];
  const texts = isTrusted ? await textsOf(wanted, windowFiles(parts).files) : new Map<string, string>();
  return { hasFolder: true, tasks: makeTasks({ code, manifests, texts, isTrusted }) };
}

async function textsOf(paths: readonly string[], files: Files): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const text = await textOf(path, files).catch((error: unknown) => {
      // Files that are not text, or gone since, are skipped.
      if (error instanceof ToolError) return undefined;
      throw error;
    });
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}

/** Only files that models may read unasked: no links that lead outside, no secret files. */
async function textOf(path: string, files: Files): Promise<string | undefined> {
  const place = await files.resolve(path, 'read');
  if (place.verdict.decision !== 'auto') return undefined;
  const info = await files.stat(place);
  if (info?.kind !== 'file' || info.size > limits.starterTextBytes) return undefined;
  return (await files.readText(place)).text;
}
