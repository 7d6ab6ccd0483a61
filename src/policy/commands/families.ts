import { programName } from './programs';
import { rowFor, type Rule } from './rules';

/** Subcommands whose next word decides what is done: `git stash list` and `git stash drop`. `*`: any word. */
const GROUPS: Readonly<Record<string, string>> = {
  git: 'stash remote worktree submodule notes bisect config reflog lfs flow sparse-checkout bundle maintenance replace subtree svn',
  gh: 'pr issue repo release run workflow gist auth cache label project ruleset codespace extension alias config secret variable org search gpg-key ssh-key attestation',
  glab: '*',
  docker:
    'volume network image container system builder buildx context compose manifest plugin secret service stack swarm node config trust',
  podman: 'volume network image container system machine pod manifest secret compose',
  kubectl: 'config rollout top auth certificate set create cluster-info',
  helm: 'repo plugin dependency get show search registry',
  aws: '*',
  az: '*',
  gcloud: '*',
  doctl: '*',
  flyctl: '*',
  fly: '*',
  heroku: '*',
  vercel: '*',
  netlify: '*',
  firebase: '*',
  supabase: '*',
  wrangler: '*',
  terraform: 'state workspace providers',
  tofu: 'state workspace providers',
  pulumi: 'stack config state plugin org',
  npm: 'config cache dist-tag owner team token profile access org pkg audit version',
  pnpm: 'store config cache env audit',
  yarn: 'cache config plugin npm set',
  pip: 'cache config index',
  conda: 'env config',
  poetry: 'cache config env self source',
  uv: 'pip cache python',
  cargo: 'owner',
  rustup: 'toolchain target component override self',
  go: 'mod env work telemetry',
  dotnet: 'nuget sln new workload ef',
  gem: 'sources',
  bundle: 'config plugin',
  brew: 'services bundle',
  ip: 'addr address link route neigh',
  hg: 'bookmarks phase',
};

/** What they do depends on options and arguments, so a rule for them is the whole command. */
const WHOLES: readonly string[] = ['git branch', 'git tag', 'gh api', 'glab api'];

/** How many words identify a command of a family; 0 if its program has no families. */
export function wordsOfFamily(texts: readonly string[]): number {
  const program = programName(texts[0] ?? '');
  if (isWhole(program, texts)) return texts.length;
  const groups = groupsOf(program);
  if (!groups.includes('*') && !groups.includes(texts[1] ?? '')) return 0;
  const most = DEEP.includes(program) ? texts.length : 3;
  const end = texts.findIndex((word, at) => at > 0 && !/^[a-z][a-z\d:_-]*$/u.test(word));
  const named = Math.min(most, end === -1 ? texts.length : end);
  // Only its options say what it does.
  return named < 3 ? texts.length : named;
}

/** After these words, as many more words may say what is done. */
const DEEP: readonly string[] = ['aws', 'az', 'gcloud'];

function groupsOf(program: string): readonly string[] {
  return rowFor(GROUPS, program)?.split(' ') ?? [];
}

function isWhole(program: string, texts: readonly string[]): boolean {
  return WHOLES.includes(`${program} ${texts[1] ?? ''}`);
}

/**
 * Whether a rule names a family followed only by options: `git remote -v`. More words would change what is done, so the
 * rule allows only these words.
 */
export function isFamilyOnly(rule: Rule): boolean {
  if (rule.length < 3) return false;
  const program = programName(rule[0] ?? '');
  if (isWhole(program, rule)) return true;
  return groupsOf(program).includes(rule[1] ?? '') && rule[2]?.startsWith('-') === true;
}
