// Mutation testing of what reads a reply: the engine, the readers, the JSON reader and the binding of arguments.
//   npm run test:mutation            writes reports/mutation; the score is stated in src/protocols/README.md
const UNIT = 'out/test/unit';
const SPECS = [
  `${UNIT}/base/json-reader.test.js`,
  `${UNIT}/core/run/bind.test.js`,
  ...[
    'whole-replies',
    'words',
    'told-replies',
    'spellings',
    'native/native',
    'engine/text-parser',
    'engine/cursor',
    'engine/code',
    'engine/reasoning',
    'arguments',
    'leaked',
    'leaked-replies',
    'leaked-frames',
    'json/json-stream',
    'json-objects',
    'tool-call/tool-call-family',
    'engine/literals',
    'engine/long-text',
    'engine/raw-value',
    'engine/tags',
    'engine/reply-spans',
    'json-stream.properties',
    'histories.property',
    'results.property',
    'every-protocol',
    'vcp/vcp',
    'names',
    'auto',
    'readme',
  ].map((name) => `${UNIT}/protocols/${name}.test.js`),
];

// Each of thousands of mutants runs them, those that loop until their time is over: few places to cut at, few random cases.
process.env.PARLEY_DRAWS = 'few';

/** The build reads files of packages, and Stryker would link them behind it only. */
const LINK = "fs.symlinkSync(path.resolve('../../../../node_modules'),'node_modules','junction')";

export default {
  mutate: [
    'src/protocols/**/*.ts',
    'src/base/json-reader.ts',
    'src/core/run/bind.ts',
    // What is said to models, and how: prompts, past calls, results. Other tests look at those.
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
  // The build checks no types, and a test compares a file with what writes it.
  disableTypeChecks: false,
  coverageAnalysis: 'perTest',
  // Tables and patterns at the top of a module would mean a new process for each of their mutants.
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 2_500,
  ignorePatterns: ['.vscode-test', 'dist', 'out', 'media', 'reports'],
  reporters: ['clear-text', 'json'],
  clearTextReporter: { logTests: false, allowColor: false },
  jsonReporter: { fileName: 'reports/mutation/mutation.json' },
  tempDirName: 'reports/mutation/sandbox',
};
