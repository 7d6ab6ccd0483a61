// esbuild plugins for the bundles
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';

/** Makes `import('…/openai')` load the bundle that contains the module. A bundle may contain several modules. */
export const lateImports = (modules) => ({
  name: 'late-imports',
  setup(build) {
    const byFile = new Map(
      Object.entries(modules).flatMap(([name, files]) => files.map((file) => [path.resolve(file), name])),
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

/** Bundles several modules: `gathered:NAME` re-exports the modules of that name. */
export const gathered = (modules) => ({
  name: 'gathered',
  setup(build) {
    build.onResolve({ filter: /^gathered:/ }, ({ path: name }) => ({
      path: name.replace('gathered:', ''),
      namespace: 'gathered',
    }));
    build.onLoad({ filter: /./, namespace: 'gathered' }, ({ path: name }) => ({
      contents: modules[name].map((file) => `export * from './${file}';`).join('\n'),
      resolveDir: process.cwd(),
    }));
  },
});

/**
 * Shares one import of VS Code's API among all files of a folder. Otherwise esbuild creates a copy with over 400 getters for
 * each file with `import * as vscode`, when the bundle is loaded.
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

/** Converts chunks to CommonJS: esbuild splits only ES modules, and the extension host needs CommonJS. */
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

/** Replaces a package that is required but never used by our code. */
export const without = (name) => ({
  name: `without-${name}`,
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: name, namespace: 'left-out' }));
    build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: '' }));
  },
});

/** Removes the unused services of the OpenAI client, which creates an object for each of them. */
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
 * Removes the JSON Schema validator of the MCP client, which gets another one, and its console output, which contains
 * unredacted answers of authorization servers.
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

/** Names to export, including types, which vanish at run time. esbuild warns about a missing name, and the build fails. */
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
