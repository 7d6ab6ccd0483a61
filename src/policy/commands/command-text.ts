import { limits } from '../../base/limits';
import { hasHidden } from '../../base/text';
import { commandsInText, commandsInTree } from './denied';
import {
  other,
  readSimpleCommands,
  type CommandReading,
  type ShellGrammar,
  type ShellNode,
  type SimpleCommand,
} from './simple-commands';

export type Shell = 'posix' | 'zsh' | 'powershell' | 'cmd';

interface CommandText {
  readonly reading: CommandReading;
  /** The words of every command that was found, even if the whole text could not be parsed. */
  readonly found: readonly (readonly string[])[];
}

export async function readCommandText(
  command: string,
  shell: Shell,
  grammar: () => Promise<ShellGrammar | undefined>,
): Promise<CommandText> {
  if (shell === 'powershell' || shell === 'cmd') return readNarrow(command);
  const tree = await parse(command, grammar);
  if (tree === undefined) {
    return { reading: other('the command could not be parsed'), found: commandsInText(command) };
  }
  const reading = readTree(tree, command, shell);
  return {
    reading,
    found: reading.type === 'plain' ? reading.commands.map(texts) : commandsInTree(tree, command),
  };
}

async function parse(
  command: string,
  grammar: () => Promise<ShellGrammar | undefined>,
): Promise<ShellNode | undefined> {
  if (command.length > limits.commandParseCharacters) return undefined;
  try {
    return (await grammar())?.parse(command, limits.commandParseMs);
  } catch {
    // Without a grammar, or if it fails, the command asks.
    return undefined;
  }
}

function readTree(tree: ShellNode, command: string, shell: 'posix' | 'zsh'): CommandReading {
  if (command.length > limits.commandCharacters) return other('the command is too long');
  if (hasHidden(command)) return other('hidden characters in the command');
  // The grammar reads it as the end of a command and a redirect; in bash it belongs to `case` and is an error here.
  if (command.includes(';&')) return other('";&", which shells interpret differently');
  const reading = readSimpleCommands(tree, command);
  if (reading.type === 'other') return reading;
  if (reading.commands.length > limits.commandParts) return other('too many commands in one');
  // If nothing matches, bash passes the pattern on and zsh stops.
  if (shell === 'zsh' && reading.commands.some((words) => words.some((word) => word.isGlob))) {
    return other('a pattern, which zsh interprets differently');
  }
  return reading;
}

/** For shells without a grammar here: plain words of characters without a special meaning. */
const NARROW = /^[A-Za-z0-9 ._\-/\\:=,@+]+$/u;

function readNarrow(command: string): CommandText {
  // A comma makes a list in PowerShell, and each of its items becomes a word.
  const words = command.split(/[ ,]+/u).filter((word) => word !== '');
  const isPlain =
    command.length <= limits.commandCharacters &&
    NARROW.test(command) &&
    words.length > 0 &&
    !/^,/u.test(command);
  if (!isPlain)
    return {
      reading: other('only plain words can be checked in this shell'),
      found: commandsInText(command),
    };
  const plain = words.map((text) => ({ text, isGlob: false }));
  return { reading: { type: 'plain', commands: [plain] }, found: [words] };
}

function texts(words: SimpleCommand): readonly string[] {
  return words.map((word) => word.text);
}
