/**
 * Sets English as the page language, for tests of page texts without a page. Call it in the `describe` of the tests.
 */
export function englishPage(): void {
  before(() => Object.assign(globalThis, { document: { getElementById: () => undefined } }));
  after(() => Reflect.deleteProperty(globalThis, 'document'));
}
