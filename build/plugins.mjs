// What the bundles need beyond esbuild itself.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';

/** Turns `import('…/openai')` of such a module into a reference to its bundle, which may hold several of them. */
export const lateImports = (modules) => ({
  name: 'late-imports',
  setup(build) {
    const byFile = new Map(
      Object.entries(modules).flatMap(([name, files]) =>
        [files].flat().map((file) => [path.resolve(file), name]),
      ),
    );
    build.onResolve({ filter: /^\.{1,2}\// }, async (args) => {
      if (args.kind !== 'dynamic-import' || args.pluginData === 'resolved') return undefined;
      const found = await build.resolve(args.path, {
        kind: args.kind,
        importer: args.importer,
        resolveDir: args.resolveDir,
        pluginData: 'resolved',
      });
      const name = byFile.get(found.path);
      return name === undefined ? undefined : { path: `./${name}.js`, external: true };
    });
  },
});

/** Makes one bundle of several modules: `gathered:NAME` exports what the modules of that name export. */
export const gathered = (modules) => ({
  name: 'gathered',
  setup(build) {
    build.onResolve({ filter: /^gathered:/ }, ({ path: name }) => ({
      path: name.replace('gathered:', ''),
      namespace: 'gathered',
    }));
    build.onLoad({ filter: /./, namespace: 'gathered' }, ({ path: name }) => ({
      contents: [modules[name]]
        .flat()
        .map((file) => `export * from './${file}';`)
        .join('\n'),
      resolveDir: process.cwd(),
    }));
  },
});

/**
 * Takes from VS Code's API once what the sources in a folder use. Otherwise esbuild writes a copy of the whole of it, over
 * 400 getters, for each file that says `import * as vscode`, and all are made when the bundle is loaded.
 */
export const vscodeOnce = (folder) => ({
  name: 'vscode-once',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'vscode-api'
        ? { path: 'vscode', external: true }
        : { path: 'vscode', namespace: 'vscode-api' },
    );
    build.onLoad({ filter: /./, namespace: 'vscode-api' }, async () => ({
      contents: `export { ${(await namesOfVsCode(folder)).join(', ')} } from 'vscode';`,
    }));
  },
});

/** esbuild parts only ES modules into chunks, and the extension host requires CommonJS: each is turned into that when written. */
export const commonJsChunks = {
  name: 'commonjs-chunks',
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      const { outdir, platform, target, minify, supported } = build.initialOptions;
      const options = { format: 'cjs', platform, target, minify, supported, sourcemap: 'external' };
      await mkdir(outdir, { recursive: true });
      await Promise.all(outputFiles.map((output) => writeAsCommonJs(output, options)));
    });
  },
};

/** Leaves a package out that nothing of ours reaches, though its user requires it at once. */
export const without = (name) => ({
  name: `without-${name}`,
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: 'left-out' }));
    build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: '' }));
  },
});

/** Of the client for models only the chat is used, but it makes one object of each of its other services when it is made. */
export const openAiChatAlone = {
  name: 'openai-chat-alone',
  setup(build) {
    build.onLoad({ filter: /[\\/]openai[\\/]resources[\\/].*\.mjs$/ }, async ({ path: file }) => {
      if (/[\\/]chat[\\/]|[\\/]index\.mjs$/.test(file)) return undefined;
      const classes = (await readFile(file, 'utf8')).matchAll(/^export class \w+/gm);
      return { contents: [...classes].map(([start]) => `${start} {}`).join('\n') };
    });
  },
};

/**
 * The client for MCP servers brings a checker of JSON Schema, and is given another one. What servers of sign-ins answer it
 * writes to the console, which nobody redacts.
 */
export const mcpClientAlone = {
  name: 'mcp-client-alone',
  setup(build) {
    build.onResolve({ filter: /^@modelcontextprotocol\/client\/_shims$/ }, ({ path: name }) => ({
      path: name,
      namespace: 'mcp-shims',
    }));
    build.onLoad({ filter: /./, namespace: 'mcp-shims' }, () => ({
      contents: 'export const CORS_IS_POSSIBLE = false; export class DefaultJsonSchemaValidator {}',
    }));
    build.onLoad(
      { filter: /[\\/]@modelcontextprotocol[\\/]client[\\/].*\.mjs$/ },
      async ({ path: file }) => ({
        contents: (await readFile(file, 'utf8')).replace(/\bconsole\.(?:log|warn|error)\(/g, 'void ('),
      }),
    );
  },
};

/** With those of types, which are nothing in what runs. A name that is missing here is a warning of esbuild, which fails the build. */
async function namesOfVsCode(folder) {
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const sources = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
  const uses = sources.flatMap((source) => [...source.matchAll(/\bvscode(?: as \w+\))?\??\.([A-Za-z]\w*)/g)]);
  return [...new Set(uses.map(([, name]) => name))].sort();
}

async function writeAsCommonJs({ path: file, text }, options) {
  const { code, map } = await esbuild.transform(text, {
    ...options,
    sourcefile: file,
    sourcesContent: false,
  });
  await writeFile(file, `${code}//# sourceMappingURL=${path.basename(file)}.map\n`);
  await writeFile(`${file}.map`, map);
}
