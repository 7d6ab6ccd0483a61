import type { Arguments, Family } from './arguments';

/**
 * What may follow the name of a script, which goes to an unknown program: only what means the same, or nothing, to all
 * programs that run tests, and files, never a word that may be a subcommand.
 */
export const script: Arguments = {
  runsFolder: true,
  operands: 'FILE*',
  options: `
    --watch[=true|false]: waits for changes
    --run: does not wait for changes
    --coverage: measures coverage
    --bail: ends at the first failure
    --verbose: prints more
    --silent: prints less
    --ci: as on a server
    --fix: repairs what it can
    -t --grep TEXT: only tests with such a name
    --mode production|development|test: which settings a build takes
  `,
};

const behindDashes: Arguments = { runsFolder: true, dashes: script };
const directly: Arguments = { ...script, dashes: script };

const installs: Arguments = {
  runsFolder: true,
  options: `
    --frozen-lockfile: exactly what the lock file says
    --no-frozen-lockfile: may change the lock file
    --immutable: exactly what the lock file says
    --prefer-offline: what is there first
    --offline: only what is there
    --ignore-scripts: runs no scripts
    --no-audit: looks for no known holes
    --no-fund: asks for no money
    --no-progress: prints less
    --silent: prints less
    --non-interactive: asks nothing
    --legacy-peer-deps: ignores conflicts of peers
    --no-save: does not change package.json
    --no-optional: without optional packages
    --omit dev|optional|peer: without these packages
  `,
};

const lists: Arguments = {
  runsFolder: true,
  operands: 'ITEMS*',
  options: `
    --depth NUMBER: how deep
    --all -a: all of them
    --json: as JSON
    --long: with more about each
    --prod --production: without packages for development
    --parseable: for scripts
  `,
};

/** Package managers of JavaScript, and scripts of package.json. */
export const scripts: Family = {
  'npm test': behindDashes,
  'npm t': behindDashes,
  'npm run *': behindDashes,
  'npm run-script *': behindDashes,
  'npm ci': installs,
  // Without a name it installs what package.json says.
  'npm install': installs,
  'npm i': installs,
  'npm ls': lists,
  'npm list': lists,
  'npm audit': {
    runsFolder: true,
    options: `
      --json: as JSON
      --audit-level info|low|moderate|high|critical|none: from which level on it fails
      --omit dev|optional|peer: without these packages
      --production: without packages for development
    `,
  },
  'npm outdated': { runsFolder: true, options: '--json: as JSON\n--long: with more about each' },
  'pnpm test': directly,
  'pnpm run *': directly,
  'pnpm install': installs,
  'pnpm i': installs,
  'pnpm ls': lists,
  'pnpm list': lists,
  'yarn test': directly,
  'yarn run *': directly,
  'yarn install': installs,
  'yarn list': lists,
  'bun run *': directly,
  'bun install': installs,
};
