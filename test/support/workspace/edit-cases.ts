import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import * as z from 'zod';
import type { JsonObject } from '../../../src/base/json';
import { repository } from '../../hosts/repository';

const Text = z
  .union([z.string(), z.array(z.union([z.string(), z.strictObject({ times: z.int(), text: z.string() })]))])
  .transform((text) =>
    typeof text === 'string'
      ? text
      : text.map((part) => (typeof part === 'string' ? part : part.text.repeat(part.times))).join(''),
  );

const Encoding = z.enum(['utf-8', 'utf-8 with mark', 'utf-16le', 'utf-16be']);

const Case = z.strictObject({
  /** Describes the behaviour: `keeps CRLF`. */
  name: z.string(),
  as: Encoding.default('utf-8'),
  /** The contents of the file; absent if it does not exist. */
  before: Text.optional(),
  /** The arguments; the file is `f.txt` if they name no other. */
  input: z.record(z.string(), z.unknown()),
  /** The contents of the file afterwards; unchanged if not given. */
  after: Text.optional(),
  /** The text for the model: one of both. */
  result: z.string().optional(),
  failure: z.string().optional(),
});

/** One call of `edit_file`, with the exact resulting bytes and text. */
export interface EditCase {
  readonly name: string;
  readonly before: Buffer | undefined;
  readonly input: JsonObject;
  readonly after: Buffer | undefined;
  readonly told: { readonly result: string } | { readonly failure: string };
}

const folder = path.join(repository, 'test/fixtures/edits');

/** The cases of `test/fixtures/edits`, by file. */
export function editCases(): ReadonlyMap<string, readonly EditCase[]> {
  const files = readdirSync(folder).sort();
  return new Map(files.map((file) => [path.basename(file, '.yaml'), casesOf(path.join(folder, file))]));
}

function casesOf(file: string): EditCase[] {
  return z
    .array(Case)
    .parse(load(readFileSync(file, 'utf8')))
    .map(({ name, as, before, input, after, result, failure }) => {
      if ((result === undefined) === (failure === undefined))
        throw new Error(`${name}: give either result or failure.`);
      const held = before === undefined ? undefined : encode(before, as);
      return {
        name,
        before: held,
        // SAFETY: this YAML holds only JSON values.
        input: { ...(!namesFile(input) && { path: 'f.txt' }), ...input, ...inPieces(input) },
        after: after === undefined ? held : encode(after, as),
        told: result === undefined ? { failure: failure ?? '' } : { result },
      };
    });
}

function namesFile(input: object): boolean {
  return Object.keys(input).some((key) => /^(?:path|file.*)$/i.test(key));
}

/** The texts of a flat edit may be given in pieces. */
function inPieces(input: Readonly<Record<string, unknown>>): Record<string, string> {
  const sides = ['old', 'new'].filter((side) => Array.isArray(input[side]));
  return Object.fromEntries(sides.map((side) => [side, Text.parse(input[side])]));
}

function encode(text: string, encoding: z.infer<typeof Encoding>): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text);
    case 'utf-8 with mark':
      return Buffer.from(`\ufeff${text}`);
    case 'utf-16le':
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  }
}
