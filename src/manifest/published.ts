/** Under which VS Code knows the models that Parley gives to others. */
export const VENDOR = 'parley';
