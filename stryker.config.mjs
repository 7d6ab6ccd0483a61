// Mutation testing of the reply parser: engine, readers, JSON reader, argument binding.
//   npm run test:mutation            writes reports/mutation; src/protocols/README.md has the score
const UNIT = 'out/test/unit';
const SPECS = [
  `${UNIT}/base/json-reader.test.js`,
  `${UNIT}/core/run/bind.test.js`,
  ...[
    'whole-replies',
    'words',
    'reply-events',
    'spellings',
    'native/native',
    'engine/text-parser',
    'engine/cursor',
    'engine/code',
    'engine/reasoning',
    'arguments',
    'leaked/leaked',
    'leaked/leaked-replies',
    'leaked/frames',
    'json/json-stream',
    'json-objects',
    'tool-call/tool-call-family',
    'engine/literals',
    'engine/long-text',
    'engine/raw-value',
    'engine/tags',
    'engine/reply-spans',
    'json/json-stream.property',
    'histories.property',
    'results.property',
    'every-protocol',
    'vcp/vcp',
    'names',
    'choose',
    'readme',
  ].map((name) => `${UNIT}/protocols/${name}.test.js`),
];

// Thousands of mutants run these tests, and endless loops run into a timeout: use few chunk sizes and few random cases.
process.env.PARLEY_DRAWS = 'few';

/** The build reads files of packages, which Stryker would link only after the build. */
const LINK = "fs.symlinkSync(path.resolve('../../../../node_modules'),'node_modules','junction')";

export default {
  mutate: [
    'src/protocols/**/*.ts',
    'src/base/json-reader.ts',
    'src/core/run/bind.ts',
    // Texts for models (prompts, past calls, results) have other tests.
    '!src/protocols/{index,names,choose,sayable,reply-form,prompt/*,engine/text-protocol}.ts',
    '!src/protocols/grammar/*.ts',
    '!src/protocols/{json,xml,envelope/envelope,native/native,vcp/vcp,invoke/invoke}.ts',
    '!src/protocols/tool-call/{glm,hermes,qwen3-coder}.ts',
    '!src/protocols/literals/{gemma4,pythonic}.ts',
  ],
  testRunner: 'mocha',
  mochaOptions: { spec: SPECS, 'no-config': true },
  buildCommand: `node -e ${LINK};import('./esbuild.mjs') -- --tests`,
  symlinkNodeModules: false,
  // The build does not check types, and one test compares a generated file with its generator.
  disableTypeChecks: false,
  coverageAnalysis: 'perTest',
  // Mutants of top-level tables and patterns would need a new process each.
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 2_500,
  ignorePatterns: ['.vscode-test', 'dist', 'out', 'media', 'reports'],
  reporters: ['clear-text', 'json'],
  clearTextReporter: { logTests: false, allowColor: false },
  jsonReporter: { fileName: 'reports/mutation/mutation.json' },
  tempDirName: 'reports/mutation/sandbox',
};
