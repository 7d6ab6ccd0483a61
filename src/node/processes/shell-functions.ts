import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { limits } from '../../base/limits';
import type { ShellFunction } from '../../tools/ports/processes';

/** Names that shells get from startup files, with a line that brings them, and what such a file says of them. */
const FUNCTIONS: readonly {
  readonly names: readonly string[];
  readonly line: string;
  readonly sign: RegExp;
}[] = [
  { names: ['nvm'], line: '. ~/.nvm/nvm.sh', sign: /nvm\.sh|NVM_DIR/ },
  { names: ['conda', 'mamba'], line: '. ~/miniconda3/etc/profile.d/conda.sh', sign: /conda/ },
  { names: ['micromamba'], line: 'eval "$(~/.local/bin/micromamba shell hook -s bash)"', sign: /mamba/ },
  { names: ['sdk'], line: '. ~/.sdkman/bin/sdkman-init.sh', sign: /sdkman/i },
  { names: ['pyenv'], line: 'PATH=~/.pyenv/bin:$PATH; eval "$(pyenv init -)"', sign: /pyenv/i },
  { names: ['rbenv'], line: 'PATH=~/.rbenv/bin:$PATH; eval "$(rbenv init - bash)"', sign: /rbenv/ },
  { names: ['nodenv'], line: 'PATH=~/.nodenv/bin:$PATH; eval "$(nodenv init - bash)"', sign: /nodenv/ },
  { names: ['jenv'], line: 'PATH=~/.jenv/bin:$PATH; eval "$(jenv init -)"', sign: /jenv/ },
  { names: ['rvm'], line: '. ~/.rvm/scripts/rvm', sign: /rvm/ },
  { names: ['gvm'], line: '. ~/.gvm/scripts/gvm', sign: /gvm/ },
  { names: ['asdf'], line: '. ~/.asdf/asdf.sh', sign: /asdf/ },
  { names: ['mise'], line: 'eval "$(~/.local/bin/mise activate bash)"', sign: /mise/ },
  { names: ['fnm'], line: 'PATH=~/.local/share/fnm:$PATH; eval "$(fnm env)"', sign: /fnm/ },
  { names: ['direnv'], line: 'eval "$(direnv export bash)"', sign: /direnv/ },
  { names: ['volta'], line: 'PATH=~/.volta/bin:$PATH', sign: /volta/i },
  { names: ['cargo', 'rustc', 'rustup'], line: '. ~/.cargo/env', sign: /\.cargo/ },
  { names: ['ghc', 'cabal', 'ghcup'], line: '. ~/.ghcup/env', sign: /\.ghcup/ },
  { names: ['workon', 'mkvirtualenv'], line: '. virtualenvwrapper.sh', sign: /virtualenvwrapper/ },
  { names: ['brew'], line: 'eval "$(/opt/homebrew/bin/brew shellenv)"', sign: /brew shellenv/ },
];

/** What shells read when a user opens a terminal. */
const STARTUP_FILES = [
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_aliases', '.profile'],
  ...['.zshrc', '.zprofile', '.zshenv', '.zlogin', '.config/fish/config.fish'],
];

/** Looks a name up in the user's startup files, which are read and never run. */
export async function findShellFunction(name: string, home: string): Promise<ShellFunction | undefined> {
  if (!/^[\w.+-]+$/.test(name)) return undefined;
  const known = FUNCTIONS.find(({ names }) => names.includes(name));
  const word = name.replace(/[.+]/g, '\\$&');
  const defined = new RegExp(
    `^\\s*(?:function\\s+${word}\\b|${word}\\s*\\(\\s*\\)|alias\\s+(?:-\\S+\\s+)*${word}[= ])`,
    'm',
  );
  for (const file of STARTUP_FILES) {
    const text = await readStart(path.join(home, file));
    if (defined.test(text) || known?.sign.test(text))
      return { file: `~/${file}`, line: known?.line ?? `. ~/${file}` };
  }
  return undefined;
}

async function readStart(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.slice(0, limits.startupFileCharacters);
}
