/** Vendor under which VS Code lists models published by Parley. */
export const VENDOR = 'parley';
