import { deepEqual, equal, match } from 'node:assert/strict';
import { fieldProblem, readForm, type FieldKind } from '../../../src/mcp/form';

type Params = Parameters<typeof readForm>[0];
const ask = (properties: object, required: readonly string[] = []) =>
  readForm({
    message: 'Tell me',
    requestedSchema: { type: 'object', properties, required },
  } as unknown as Params);

describe('a form that a server asks with', () => {
  it('is read with its fields in order', () => {
    const form = ask(
      {
        name: { type: 'string', title: 'Your name', minLength: 2 },
        age: { type: 'integer', minimum: 0, default: 7 },
        color: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
        days: { type: 'array', items: { anyOf: [{ const: 'mo', title: 'Monday' }] }, maxItems: 2 },
        sure: { type: 'boolean' },
      },
      ['name'],
    );
    if ('refusal' in form) throw new Error(form.refusal);
    deepEqual(
      form.fields.map(({ key, kind, isRequired }) => [key, kind.type, isRequired]),
      [
        ['name', 'text', true],
        ['age', 'number', false],
        ['color', 'choice', false],
        ['days', 'choice', false],
        ['sure', 'boolean', false],
      ],
    );
    deepEqual(form.fields[2]?.kind, {
      type: 'choice',
      options: [
        { value: 'r', title: 'Red' },
        { value: 'g', title: 'Green' },
      ],
    });
    equal(form.fields[1]?.default, 7);
  });

  const secrets: readonly (readonly [string, object])[] = [
    ['password', { type: 'string' }],
    ['value', { type: 'string', title: 'API key' }],
    ['value', { type: 'string', description: 'Paste your access token here' }],
    ['pin', { type: 'integer' }],
    ['clientSecret', { type: 'string' }],
    ['card_number', { type: 'string' }],
  ];
  for (const [key, schema] of secrets) {
    it(`G24.secret: is refused if it asks for ${key} ${JSON.stringify(schema)}`, () => {
      match((ask({ [key]: schema }) as { refusal: string }).refusal, /asked for a secret/);
    });
  }

  it('may ask for a favourite, with any warning', () => {
    const form = ask({ favorite: { type: 'integer', description: 'Not your PIN or password.' } });
    equal('refusal' in form, false);
  });

  it('is refused if it has too many fields or wants to open a page', () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, { type: 'boolean' }]));
    match((ask(many) as { refusal: string }).refusal, /more than 20/);
    const url = {
      mode: 'url',
      message: 'Go',
      url: 'https://example.org',
      elicitationId: '1',
    } as unknown as Params;
    match((readForm(url) as { refusal: string }).refusal, /open a page/);
  });

  it('G16.form: has its hidden characters made visible', () => {
    const form = ask({ 'a\u202eb': { type: 'string', description: 'x\u200by' } });
    if ('refusal' in form) throw new Error(form.refusal);
    deepEqual([form.fields[0]?.title, form.fields[0]?.description], ['a⟨U+202E⟩b', 'x⟨U+200B⟩y']);
    equal(form.fields[0]?.key, 'a\u202eb');
  });
});

describe('an answer to a field', () => {
  const text = (more: object): FieldKind => ({ type: 'text', ...more });
  const number = (more: object = {}): FieldKind => ({ type: 'number', isWhole: false, ...more });
  const cases: readonly (readonly [FieldKind, string, string | undefined])[] = [
    [text({}), '', undefined],
    [text({ shortest: 2 }), 'a', 'shortest'],
    [text({ longest: 2 }), 'abc', 'longest'],
    [text({ format: 'email' }), 'a@b', undefined],
    [text({ format: 'email' }), 'a', 'format'],
    [text({ format: 'uri' }), 'https://example.org', undefined],
    [text({ format: 'uri' }), 'example', 'format'],
    [text({ format: 'date' }), '2026-02-30x', 'format'],
    [text({ format: 'date-time' }), '2026-02-03T04:05:06Z', undefined],
    [number(), 'x', 'number'],
    [number(), ' ', 'number'],
    [number({ isWhole: true }), '1.5', 'whole'],
    [number({ least: 1 }), '0', 'least'],
    [number({ most: 1 }), '2', 'most'],
    [number({ least: 1, most: 3 }), '2', undefined],
  ];
  for (const [kind, answer, expected] of cases) {
    it(`${JSON.stringify(answer)} for ${JSON.stringify(kind)}: ${expected ?? 'fits'}`, () => {
      equal(fieldProblem(kind, answer)?.type, expected);
    });
  }
});
