import { readClineProviders, readClineState, readRoo } from './cline';
import { readContinue } from './continue';
import { fieldIn, type ReadModel } from './found-model';
import { readCustomModels, readLanguageModels } from './vscode-endpoints';

/** Settings of VS Code that name models. */
export const CUSTOM_MODELS = 'github.copilot.chat.customOAIModels';
export const OLLAMA_ENDPOINT = 'github.copilot.chat.byok.ollamaEndpoint';

/** More of one file cannot be looked through. */
const MOST = 500;

/**
 * The models of a file that one of the programs has written, whose shape says which; nothing where it is of none. `secrets`
 * are those that Cline keeps in a file beside. Never throws.
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
