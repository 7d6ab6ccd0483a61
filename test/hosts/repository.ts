import path from 'node:path';

/** The root folder of this repository, seen from out/test/hosts. */
export const repository = path.resolve(__dirname, '../../..');
