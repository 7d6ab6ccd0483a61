import { foldName, overlaps, type Platform } from './file-names';

/**
 * Places whose content runs later or steers an agent or a tool. Each is a row of path components, at any depth;
 * what lies under one is protected too. Lower case, `*` stands for any characters.
 */
export const protectedPaths: readonly string[] = [
  // Version control
  '.git',
  '.hg',
  '.svn',
  '.gitmodules',
  '.gitattributes',
  '.gitconfig',
  // Editors
  '.vscode',
  '*.code-workspace',
  '.idea',
  '.vs',
  '.devcontainer',
  // Continuous integration and hooks
  '.github/workflows',
  '.github/actions',
  '.gitlab-ci.yml',
  '.circleci',
  '.husky',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  'lefthook.yaml',
  '.lefthook.yml',
  '.lefthook.yaml',
  '.envrc',
  // Agents
  '.mcp.json',
  '.cursor',
  '.claude',
  '.codex',
  '.gemini',
  '.roo',
  '.cline',
  '.clinerules',
  '.windsurf',
  '.kilocode',
  '.continue',
  '.opencode',
  '.amazonq',
  '.kiro',
  '.agents',
  '.cursorrules',
  'agents.md',
  'claude.md',
  'gemini.md',
  'skill.md',
  'copilot-instructions.md',
  // Package managers and tools
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.pypirc',
  '.ripgreprc',
  // Shell start files
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.ssh',
  // Virtual environments, whatever their folder is called
  'bin/activate*',
  'scripts/activate*',
  'bin/python',
  'bin/python.exe',
  'bin/python2*',
  'bin/python3*',
  'bin/pypy*',
  'scripts/python.exe',
  'scripts/pythonw.exe',
];

const ROWS = protectedPaths.map((path) => path.split('/'));

export function isProtected(components: readonly string[], platform: Platform): boolean {
  const names = components.map((name) => foldName(name, platform));
  return ROWS.some((row) => names.some((_, at) => fits(row, names.slice(at, at + row.length))));
}

/** Whether a folder of this name could become part of a protected place by what it holds: `.github`. */
export function leadsToProtected(components: readonly string[], platform: Platform): boolean {
  const last = components.slice(-1).map((name) => foldName(name, platform));
  return ROWS.some(
    (row) => row.length > 1 && row[0]?.startsWith('.') === true && fits(row.slice(0, 1), last),
  );
}

function fits(row: readonly string[], names: readonly string[]): boolean {
  return (
    row.length === names.length &&
    row.every((pattern, index) => {
      const name = names[index] ?? '';
      // Without this a file called `*` would fit every pattern.
      return pattern.includes('*') ? overlaps(pattern, name.replace(/[*?]/g, '_')) : pattern === name;
    })
  );
}
