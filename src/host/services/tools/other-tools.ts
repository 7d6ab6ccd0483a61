import * as vscode from 'vscode';
import { Emitter } from '../../../base/disposable';
import type { JsonObject } from '../../../base/json';
import { limits } from '../../../base/limits';
import { withoutBounds, wellFormedSchema, type JsonSchema } from '../../../core/words/schema';
import { ToolError, type Tool } from '../../../core/words/tool';
import { isContributedName, type ToolSource } from '../../../tools/registry';
import { promptTreeText } from './prompt-tree-text';

/**
 * Tools that other extensions offer to every model (`vscode.lm.tools`), in one toolset, off until the user turns them
 * on.
 */
export class OtherTools implements ToolSource, vscode.Disposable {
  private found: readonly Tool[] = [];
  private seen = '';
  private readonly changes = new Emitter<void>();

  readonly onDidChange = this.changes.event;

  tools(): readonly Tool[] {
    return this.found;
  }

  /** Refreshes the list, because VS Code does not report changes. */
  refresh(): void {
    const infos = vscode.lm.tools.filter(isOfOthers);
    const seen = JSON.stringify(
      infos.map(({ name, description, inputSchema }) => [name, description, inputSchema]),
    );
    if (seen === this.seen) return;
    this.seen = seen;
    const owners = toolOwners();
    this.found = infos.map((info) => toolOf(info, owners.get(info.name)));
    this.changes.fire();
  }

  dispose(): void {
    this.changes.dispose();
  }
}

/** Ours come from our own registry. Names with `_internal` belong to VS Code's own chat and work nowhere else. */
function isOfOthers({ name }: vscode.LanguageModelToolInformation): boolean {
  return !isContributedName(name) && !name.endsWith('_internal');
}

/** Display names of the extensions by the names of their tools: VS Code does not report the owner of a tool. */
function toolOwners(): ReadonlyMap<string, string> {
  return new Map(
    vscode.extensions.all.flatMap(({ id, packageJSON }) => {
      // SAFETY: VS Code parsed it as JSON; each field is checked before use.
      const { displayName, contributes } = packageJSON as ExtensionManifest;
      const tools = contributes?.languageModelTools;
      const owner = typeof displayName === 'string' ? displayName : id;
      return Array.isArray(tools) ? tools.map((tool: { name?: unknown }) => [String(tool.name), owner]) : [];
    }),
  );
}

interface ExtensionManifest {
  readonly displayName?: unknown;
  readonly contributes?: { readonly languageModelTools?: unknown };
}

/** Its effect is unknown, so it counts as execute and asks each time. */
function toolOf(
  { name, description, inputSchema }: vscode.LanguageModelToolInformation,
  owner: string | undefined,
): Tool {
  const parameters = schemaOf(inputSchema);
  const wireName = name.replace(/[^\w-]/g, '_').slice(0, 64);
  return {
    spec: { name: wireName, description, parameters, shown: withoutBounds(parameters) },
    toolset: 'extensions',
    origin: { type: 'extension', ...(owner !== undefined && { name: owner }) },
    method: wireName,
    effect: 'execute',
    agentCallable: true,
    offByDefault: true,
    prepare: async (input) => ({
      title: vscode.l10n.t('Run {0} of another extension', name),
      accesses: [],
      run: async ({ signal }) => ({ text: await invoke(name, input, signal) }),
    }),
  };
}

function schemaOf(inputSchema: object | undefined): JsonSchema {
  return inputSchema ? wellFormedSchema(inputSchema) : { type: 'object', properties: {} };
}

async function invoke(name: string, input: JsonObject, signal: AbortSignal): Promise<string> {
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = (): void => cancellation.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const options = { input, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(name, options, cancellation.token);
    return capped(content.map(partText).join('\n'));
  } catch (error) {
    if (signal.aborted) throw error;
    const said = error instanceof Error ? error.message.replace(/\s+/g, ' ').trim() : '';
    throw new ToolError(
      `${name} failed: ${said || 'it does not say why'}. Change the arguments, or do without it.`,
      {
        cause: error,
      },
    );
  } finally {
    signal.removeEventListener('abort', cancel);
    cancellation.dispose();
  }
}

function partText(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return promptTreeText(part.value);
  return '[a part that is not text was left out]';
}

function capped(text: string): string {
  const most = limits.mcpResultTextBytes;
  return text.length <= most
    ? text
    : `${text.slice(0, most)}\n[${text.length - most} characters were left out.]`;
}
