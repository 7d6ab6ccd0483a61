import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../hosts/repository';
import { bundleFile, holes, manifestFile, readTexts, spokenTexts, type SpokenTexts } from '../support/l10n';

describe('translations', () => {
  const english = readTexts(path.join(repository, 'package.nls.json'));
  const bundle = readTexts(bundleFile);
  const manifest = readTexts(manifestFile);
  let spoken: SpokenTexts;

  before(function () {
    // Reads all sources with the compiler.
    this.timeout(60_000);
    spoken = spokenTexts();
  });

  it('have every text of host, pages and sentences; `npm run l10n` adds the keys', () => {
    const missing = spoken.keys.filter(({ text }) => !bundle[text]);
    assert.deepEqual(missing, []);
  });

  it('have no text that is said nowhere', () => {
    const used = new Set([...spoken.keys.map(({ text }) => text), ...spoken.others]);
    const unused = Object.keys(bundle).filter((key) => !used.has(key));
    assert.deepEqual(unused, []);
  });

  it('are looked up by texts that are known before they are said', () => {
    assert.deepEqual(spoken.computed, []);
  });

  it('are what host and pages show, never a text as it stands in the source', () => {
    assert.deepEqual(
      spoken.raw.filter(({ text }) => !NAMES.has(text)),
      [],
    );
  });

  it('have every text of package.json and no other, in its order', () => {
    assert.deepEqual(Object.keys(manifest), Object.keys(english));
    assert.deepEqual(
      Object.keys(manifest).filter((key) => !manifest[key]),
      [],
    );
  });

  it('fill in the same values', () => {
    const different = Object.entries(bundle).filter(
      ([key, text]) => holes(key).join() !== holes(text).join(),
    );
    assert.deepEqual(different, []);
  });

  it('keep the commands, settings and code that a text names', () => {
    const named = (text: string): readonly string[] =>
      (text.match(/\(command:[^)]*\)|`[^`]*`|#[\w.]+#/g) ?? []).sort();
    for (const [key, text] of Object.entries(english))
      assert.deepEqual(named(manifest[key] ?? ''), named(text), key);
  });

  it('stand one to a line and in order, so that changes can be merged', () => {
    assert.equal(readFileSync(bundleFile, 'utf8'), `${JSON.stringify(bundle, undefined, 2)}\n`);
    assert.deepEqual(Object.keys(bundle), Object.keys(bundle).sort());
  });

  it('have pictures that VS Code can show, whose policy takes no style attributes', () => {
    const pictures = [english, manifest]
      .flatMap(Object.entries<string>)
      .filter(([key]) => /\.picture$/.test(key));
    assert.equal(pictures.length, 10);
    for (const [, file] of pictures)
      assert.doesNotMatch(readFileSync(path.join(repository, file), 'utf8'), /\sstyle=/, file);
  });
});

/** The same in every language, or said to a model alone. */
const NAMES: ReadonlySet<string> = new Set(['JSON', 'Answers with "pong".']);
