import { foldName, overlaps, type Platform } from './path-text';

/**
 * Files that decide what builds, tests and scripts run. They are edited like any other, but whoever approves a change
 * should know. Lower case, `*` stands for any characters.
 */
const FILES: readonly string[] = [
  // JavaScript
  'package.json',
  '*.config.js',
  '*.config.cjs',
  '*.config.mjs',
  '*.config.ts',
  '*.config.mts',
  '.eslintrc*',
  '.babelrc*',
  '.mocharc*',
  'gulpfile.*',
  'gruntfile.*',
  'deno.json',
  'deno.jsonc',
  'bunfig.toml',
  'esbuild.mjs',
  'esbuild.js',
  // C and make
  'makefile',
  'gnumakefile',
  '*.mk',
  'cmakelists.txt',
  '*.cmake',
  'meson.build',
  'configure',
  'configure.ac',
  // Python
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'conftest.py',
  'pytest.ini',
  'tox.ini',
  'noxfile.py',
  'tasks.py',
  // Others
  'cargo.toml',
  'build.rs',
  'build.gradle*',
  'settings.gradle*',
  'pom.xml',
  'build.sbt',
  '*.csproj',
  '*.targets',
  '*.props',
  'directory.build.*',
  'rakefile',
  'gemfile',
  '*.gemspec',
  'composer.json',
  'mix.exs',
  'build',
  'build.bazel',
  'workspace',
  'module.bazel',
  'dockerfile*',
  'docker-compose*.y*ml',
  'compose*.y*ml',
  'justfile',
  'taskfile.y*ml',
  'jenkinsfile',
];

/** Whether a file of this name says what is run later. */
export function runsCode(name: string, platform: Platform): boolean {
  const folded = foldName(name, platform);
  return FILES.some((pattern) => overlaps(pattern, folded));
}
