import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'out/', '.vscode-test/', 'test/fixtures/', '**/*.mjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        // One program for all of it: three would read and check what they share three times.
        project: './test/tsconfig.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // Numbers read well in template text; everything else must be turned into text on purpose.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `() => void log()` style is used for fire-and-forget handlers.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // Casts and `!` are allowed under a SAFETY comment, which review checks.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      // `Disposable` is used by its shape, as VS Code itself does.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // A port may be asynchronous where one of its implementations is not.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/core/**', 'src/protocols/**', 'src/base/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: ['vscode', 'node:*', 'zod'] }] },
  },
);
