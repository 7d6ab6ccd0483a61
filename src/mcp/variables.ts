import type { Input, ServerDefinition } from './definition';
import { ServerProblem } from './ports';

/** Values of variables. */
export interface VariableSources {
  /** Value of `${workspaceFolder}`; nothing if no folder is open. */
  readonly folder: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * `${workspaceFolder}`, `${env:NAME}`, `${input:ID}`, and as other agents write it `${NAME}` and `${NAME:-default}`.
 * A variable does not span the next one, so that a text full of beginnings is scanned once.
 */
const VARIABLE =
  /\$\{(?:(workspaceFolder)|env:([^${}]{1,200})|input:([^${}]{1,200})|([A-Za-z_]\w{0,199})(?::-([^{}]{0,1000}))?)\}/g;

/** Whether a definition depends on the open folder. */
export function usesFolder(definition: ServerDefinition): boolean {
  return JSON.stringify(definition).includes('${workspaceFolder}');
}

/** The ids of all inputs of these texts. */
export function inputsIn(texts: readonly string[]): readonly string[] {
  const ids = texts.flatMap((text) => [...text.matchAll(VARIABLE)].flatMap(({ 3: id }) => id ?? []));
  return [...new Set(ids)];
}

/** The names of all environment variables of these texts. */
export function variablesIn(texts: readonly string[]): readonly string[] {
  const names = texts.flatMap((text) =>
    [...text.matchAll(VARIABLE)].flatMap(({ 2: ofEnv, 4: plain }) => ofEnv ?? plain ?? []),
  );
  return [...new Set(names)];
}

/**
 * Inputs of a definition, in order and each once; `said` are the descriptions in its file. Nothing if it has none.
 */
export function usedInputs(
  definition: ServerDefinition,
  said: readonly Input[] = [],
): { readonly inputs?: readonly Input[] } {
  const byId = new Map(said.map((input) => [input.id, input]));
  const used = inputsIn(textsOf(definition)).map((id) => byId.get(id) ?? { id, password: true });
  return used.length > 0 ? { inputs: used } : {};
}

/** All texts of a definition that may contain variables. */
export function textsOf(definition: ServerDefinition): readonly string[] {
  return definition.type === 'http'
    ? [definition.url, ...Object.values(definition.headers)]
    : [
        definition.command,
        ...definition.args,
        ...Object.values(definition.env),
        ...(definition.cwd === undefined ? [] : [definition.cwd]),
      ];
}

/**
 * Replaces the variables of a text; values are not scanned again. Throws `ServerProblem` if something is missing.
 * `inputs` has the user's values by id.
 */
export function putIn(
  text: string,
  { folder, env }: VariableSources,
  inputs: ReadonlyMap<string, string> = new Map(),
): string {
  return text.replace(
    VARIABLE,
    (
      whole,
      isFolder: string | undefined,
      ofEnv: string | undefined,
      input: string | undefined,
      plain: string | undefined,
      otherwise: string | undefined,
    ) => {
      if (isFolder !== undefined) return folder ?? missingFolder();
      if (input !== undefined) return inputs.get(input) ?? misplacedInput(whole);
      const name = ofEnv ?? plain ?? '';
      return env[name] ?? otherwise ?? missingVariable(name);
    },
  );
}

function missingFolder(): never {
  const message = 'It needs an open folder for "${workspaceFolder}". Open one.';
  throw new ServerProblem(message);
}

function misplacedInput(variable: string): never {
  const message = `${variable} may stand in arguments, variables, headers and the address only. Correct the definition.`;
  throw new ServerProblem(message);
}

function missingVariable(name: string): never {
  const message = `It needs the environment variable ${name}, which is not set. Set it and start VS Code from there, or correct the definition.`;
  throw new ServerProblem(message);
}
