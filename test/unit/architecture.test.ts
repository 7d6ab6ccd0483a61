import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

/** The folders that every host of Parley builds on. */
const OUTSIDE = [
  ...['base', 'core', 'protocols', 'gateway', 'doctor', 'tools', 'policy', 'models', 'agent'],
  ...['manifest', 'contract', 'node-ports'],
];

/** Packages that the map names together. */
const UI_LIBRARIES = [
  'preact',
  '@preact/signals',
  'diff',
  'markdown-it',
  'dompurify',
  'highlight.js',
  '@codemirror/commands',
  '@codemirror/lang-json',
  '@codemirror/language',
  '@codemirror/lint',
  '@codemirror/state',
  '@codemirror/view',
  '@lezer/highlight',
];
const LIBRARIES_OF_NODE = [
  'js-yaml',
  'tokenx',
  '@vscode/tree-sitter-wasm',
  'quickjs-emscripten-core',
  '@jitl/quickjs-wasmfile-release-sync',
  'chardet',
  'node-html-markdown',
];

/** What the files of a folder may import besides their own folder. Packages by name; `node` is any Node module. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  core: ['base'],
  protocols: ['base', 'core'],
  gateway: ['base', 'core', 'protocols'],
  doctor: ['base', 'core', 'protocols'],
  tools: ['base', 'core', 'zod', 'diff'],
  policy: ['base', 'core'],
  models: ['base', 'core', 'openai', 'eventsource-parser'],
  agent: ['base', 'core', 'protocols', 'gateway', 'tools', 'models'],
  sessions: ['base', 'core', 'zod', 'node'],
  mcp: [
    ...['base', 'core', 'manifest', 'zod', 'node', 'jsonc-parser'],
    ...['@modelcontextprotocol/client', '@cfworker/json-schema'],
  ],
  manifest: ['core', 'protocols', 'tools', 'zod'],
  contract: ['core', 'zod'],
  webview: ['base', 'core', 'contract', ...UI_LIBRARIES, '@cfworker/json-schema'],
  node: ['base', 'core', 'tools', 'policy', 'node', ...LIBRARIES_OF_NODE],
  host: [...OUTSIDE, ...['mcp', 'sessions', 'node', 'zod', 'jsonc-parser', 'vscode']],
  cli: [...OUTSIDE, ...['sessions', 'node', 'zod']],
  'extension.ts': ['host', 'vscode'],
};

/** What the map calls by another name. */
const WORDS_OF_THE_MAP: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  Node: ['node'],
  node: ['node-ports'],
  'the MCP client': ['@modelcontextprotocol/client'],
  'a schema checker': ['@cfworker/json-schema'],
  'their libraries': LIBRARIES_OF_NODE,
  'UI libraries': UI_LIBRARIES,
};

/** Modules that are bundled apart, by their bundle. */
const LAZY = Object.values(
  JSON.parse(readFileSync('build/lazy.json', 'utf8')) as Readonly<Record<string, readonly string[]>>,
)
  .flat()
  .map((file) => moduleOf(file.replace(/^src\//, '')));

/** Rooms that may import those before them: `context` never imports `run`, and no service imports what shows it. */
const ROOMS_IN_ORDER = {
  core: ['words', 'transcript', 'reply', 'context', 'run'],
  host: ['platform', 'services', 'ui'],
};

/** What `models/open-model` puts together: nobody else opens a model, or puts a layer around one. */
const OF_OPENED_MODELS = [
  ...['openai', 'demo/demo', 'gathered', 'form/constrained-output'],
  ...['refresh-key', 'retrying', 'pass-through'],
].map((name) => `models/${name}`);

/** Types of one name in a folder: `Props` are those of the one component of a file. */
const SAME_NAMES: readonly string[] = ['webview Props'];

const SOURCE = path.resolve('src');

interface Import {
  readonly file: string;
  readonly target: string;
  readonly isDynamic: boolean;
  readonly isType: boolean;
}

const imports = sourceFiles().flatMap(importsOf);

describe('architecture', () => {
  it('knows every folder', () => {
    const folders = new Set(sourceFiles().map((file) => part(file)));
    assert.deepEqual([...folders].sort(), Object.keys(MAY_IMPORT).sort());
  });

  it('imports only what the table allows', () => {
    const wrong = imports.flatMap(({ file, target }) => {
      const from = part(file);
      const to = targetPart(file, target);
      return to === from || MAY_IMPORT[from]?.includes(to) ? [] : [`${file} imports ${target}`];
    });
    assert.deepEqual(wrong, []);
  });

  for (const [folder, rooms] of Object.entries(ROOMS_IN_ORDER)) {
    it(`imports between the rooms of ${folder} only in one direction`, () => {
      const room = (file: string): number => rooms.indexOf(file.split('/')[1] ?? '');
      const inRooms = imports.filter(({ file }) => part(file) === folder && room(file) >= 0);
      assert.equal(new Set(inRooms.map(({ file }) => room(file))).size, rooms.length);
      const wrong = inRooms.flatMap(({ file, target }) =>
        targetPart(file, target) === folder && room(resolved(file, target)) > room(file)
          ? [`${file} imports ${target}`]
          : [],
      );
      assert.deepEqual(wrong, []);
    });
  }

  it('has no circle of rooms in host', () => {
    const edges = new Map<string, string[]>();
    for (const { file, target } of imports) {
      if (part(file) !== 'host' || targetPart(file, target) !== 'host') continue;
      const [from, to] = [roomInHost(file), roomInHost(resolved(file, target))];
      if (from !== to) edges.set(from, [...(edges.get(from) ?? []), to]);
    }
    assert.ok(edges.size > ROOMS_IN_ORDER.host.length);
    assert.deepEqual(circle(edges), undefined);
  });

  it('is the table of the map, in which a folder imports only from folders above it', () => {
    const rows = [
      ...readFileSync(path.join(SOURCE, 'README.md'), 'utf8').matchAll(
        /^\| `([\w.]+)` \| .* \| ([^|]*) \|$/gm,
      ),
    ].map(([, folder = '', may = '']) => [folder, may] as const);
    const order = rows.map(([folder]) => folder);
    assert.deepEqual([...order].sort(), Object.keys(MAY_IMPORT).sort());
    const folders = order.map((name) => (name === 'node' ? 'node-ports' : name));
    const wrong = rows.flatMap(([folder, may], at) => {
      const named = may.split(', ').flatMap((name) => WORDS_OF_THE_MAP[name] ?? [name]);
      const allowed = MAY_IMPORT[folder] ?? [];
      const row = `The row \`${folder}\` of src/README.md`;
      return [
        ...allowed.filter((name) => !named.includes(name)).map((name) => `${row} lacks ${name}.`),
        ...named
          .filter((name) => !allowed.includes(name))
          .map((name) => `${row} names ${name}, which is not allowed.`),
        ...allowed
          .filter((name) => folders.indexOf(name) >= at)
          .map((name) => `${row} is not below ${name}.`),
      ];
    });
    assert.deepEqual(wrong, []);
  });

  it('allows only packages that are imported', () => {
    const folders = [...Object.keys(MAY_IMPORT), 'node-ports', 'vscode'];
    const used = imports.map(({ file, target }) => `${part(file)}: ${targetPart(file, target)}`);
    const unused = Object.entries(MAY_IMPORT).flatMap(([folder, names]) =>
      names
        .filter((name) => !folders.includes(name))
        .map((name) => `${folder}: ${name}`)
        .filter((pair) => !used.includes(pair)),
    );
    assert.deepEqual(unused, []);
  });

  it('loads separate bundles only when needed', () => {
    const main = staticallyReached('extension.ts');
    assert.ok(main.has('host/services/services'));
    assert.deepEqual(
      LAZY.filter((module) => main.has(module)),
      [],
    );
    const late = imports.flatMap(({ file, target, isDynamic }) =>
      isDynamic && target.startsWith('.') ? [{ from: moduleOf(file), to: resolved(file, target) }] : [],
    );
    const unused = LAZY.filter((module) => !late.some(({ to }) => to === module));
    assert.deepEqual(unused, []);
    const inMain = late.filter(({ from, to }) => main.has(from) && !LAZY.includes(to));
    assert.deepEqual(inMain, []);
  });

  it('opens models in one place', () => {
    const wrong = imports.filter(
      ({ file, target, isType }) =>
        !isType &&
        target.startsWith('.') &&
        OF_OPENED_MODELS.includes(resolved(file, target)) &&
        file !== 'models/open-model.ts',
    );
    assert.deepEqual(wrong, []);
  });

  it('has one type of a name in a folder', () => {
    const files = new Map<string, Set<string>>();
    for (const file of sourceFiles()) {
      for (const name of typesOf(file)) {
        const key = `${part(file)} ${name}`;
        files.set(key, (files.get(key) ?? new Set()).add(file));
      }
    }
    const same = [...files].flatMap(([key, { size }]) => (size > 1 ? [key] : []));
    assert.deepEqual(same, SAME_NAMES);
  });

  it('puts no schema into a page', () => {
    const wrong = imports.filter(
      ({ file, target, isType }) =>
        part(file) === 'webview' &&
        targetPart(file, target) === 'contract' &&
        !isType &&
        resolved(file, target) !== 'contract/most',
    );
    assert.deepEqual(wrong, []);
    assert.deepEqual(
      imports.filter(({ file }) => file === 'contract/most.ts'),
      [],
    );
  });

  it('has no import cycles, not even of types', () => {
    const edges = new Map<string, string[]>();
    for (const { file, target } of imports) {
      if (!target.startsWith('.')) continue;
      const from = moduleOf(file);
      edges.set(from, [...(edges.get(from) ?? []), resolved(file, target)]);
    }
    assert.deepEqual(circle(edges), undefined);
  });
});

function sourceFiles(): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(SOURCE, file), 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...found].map(([whole, isType, target, dynamic]) => ({
    file,
    target: target ?? dynamic ?? '',
    isDynamic: dynamic !== undefined,
    isType: isType !== undefined || /^(import|export)\s+\{(\s*type\s[^,}]+,?)+\s*\}/.test(whole),
  }));
}

/** Names of the types that a file declares. */
function typesOf(file: string): string[] {
  const text = readFileSync(path.join(SOURCE, file), 'utf8');
  const found = text.matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm);
  return [...found].map(([, name = '']) => name);
}

function part(file: string): string {
  return file.split('/')[0] ?? '';
}

/** A floor of `host`, or a folder of a floor: `ui/chat` for all files in it and below it. */
function roomInHost(file: string): string {
  return path.posix.dirname(file).split('/').slice(1, 3).join('/');
}

/** As imports name it: `protocols` for `protocols/index.ts`. */
function moduleOf(file: string): string {
  return file.replace(/(?:\/index)?\.tsx?$/, '');
}

function resolved(file: string, target: string): string {
  return path.posix.join(path.posix.dirname(file), target);
}

function targetPart(file: string, target: string): string {
  if (isBuiltin(target)) return 'node';
  if (target.startsWith('.')) {
    const folder = part(resolved(file, target));
    // `node` also means Node's modules, so the folder needs another name.
    return folder === 'node' && part(file) !== 'node' ? 'node-ports' : folder;
  }
  return target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : part(target);
}

/** The modules that are loaded with this one. */
function staticallyReached(file: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (module: string): void => {
    if (reached.has(module)) return;
    reached.add(module);
    for (const each of imports) {
      if (moduleOf(each.file) !== module || each.isDynamic || each.isType || !each.target.startsWith('.'))
        continue;
      visit(resolved(each.file, each.target));
    }
  };
  visit(moduleOf(file));
  return reached;
}

/** The first import cycle found, as its files. */
function circle(edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string[] | undefined => {
    const seen = trail.indexOf(file);
    if (seen >= 0) return [...trail.slice(seen), file];
    if (done.has(file)) return undefined;
    for (const next of edges.get(file) ?? []) {
      const found = visit(next, [...trail, file]);
      if (found) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of edges.keys()) {
    const found = visit(file, []);
    if (found) return found;
  }
  return undefined;
}
