import path from 'node:path';

/** The root folder of this repository, relative to out/test/hosts. */
export const repository = path.resolve(__dirname, '../../..');
