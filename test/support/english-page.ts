/** For tests of what pages say, without a page: it is said in English. Call it in the `describe` of the tests. */
export function englishPage(): void {
  before(() => Object.assign(globalThis, { document: { getElementById: () => undefined } }));
  after(() => Reflect.deleteProperty(globalThis, 'document'));
}
