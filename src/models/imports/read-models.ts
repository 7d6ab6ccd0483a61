import { readClineProviders, readClineState, readRoo } from './cline';
import { readContinue } from './continue';
import { fieldIn, type ReadModel } from './found-model';
import { readCustomModels, readLanguageModels } from './vscode-endpoints';

/** VS Code settings that name models. */
export const CUSTOM_MODELS = 'github.copilot.chat.customOAIModels';
export const OLLAMA_ENDPOINT = 'github.copilot.chat.byok.ollamaEndpoint';

/** Maximum number of models per file. */
const MOST = 500;

/**
 * Models of a file written by one of the programs, recognized by its shape; nothing if it is unknown. `secrets` are
 * those that Cline keeps in a separate file. Never throws.
 */
export function readModels(value: unknown, secrets?: unknown): readonly ReadModel[] | undefined {
  return readAny(value, secrets)?.slice(0, MOST);
}

function readAny(value: unknown, secrets: unknown): readonly ReadModel[] | undefined {
  if (Array.isArray(value)) return readLanguageModels(value);
  if (fieldIn(value, 'providerProfiles') !== undefined) return readRoo(value);
  if (fieldIn(value, 'providers') !== undefined) return readClineProviders(value);
  if (['act', 'plan'].some((mode) => fieldIn(value, `${mode}ModeApiProvider`) !== undefined))
    return readClineState(value, secrets);
  if (fieldIn(value, CUSTOM_MODELS) !== undefined) return readCustomModels(fieldIn(value, CUSTOM_MODELS));
  return Array.isArray(fieldIn(value, 'models')) ? readContinue(value) : undefined;
}
