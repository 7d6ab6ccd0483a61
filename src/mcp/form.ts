import type { ElicitRequestParams, PrimitiveSchemaDefinition } from '@modelcontextprotocol/client';
import type { Json } from '../base/json';
import { visibleText } from '../base/text';

/** A form with a few plain fields that a server asks the user to fill in. */
export interface Form {
  /** In the server's words. */
  readonly message: string;
  readonly fields: readonly FormField[];
}

export interface FormField {
  readonly key: string;
  readonly title: string;
  readonly description?: string;
  readonly isRequired: boolean;
  readonly default?: Json;
  readonly kind: FieldKind;
}

export type FieldKind =
  | {
      readonly type: 'text';
      readonly format?: TextFormat;
      readonly shortest?: number;
      readonly longest?: number;
    }
  | {
      readonly type: 'number';
      readonly isWhole: boolean;
      readonly least?: number;
      readonly most?: number;
    }
  | { readonly type: 'boolean' }
  | {
      readonly type: 'choice';
      readonly options: readonly FormOption[];
      /** With several: the minimum and maximum number of choices. */
      readonly several?: { readonly least?: number; readonly most?: number };
    };

/** Possible answers to a field. */
export type FieldValue = string | number | boolean | string[];

export type TextFormat = 'email' | 'uri' | 'date' | 'date-time';

interface FormOption {
  readonly value: string;
  readonly title: string;
}

type ReadForm = Form | { readonly refusal: string };

/** Parses a server's form. Refuses forms that are not plain or ask for secrets. */
export function readForm(params: ElicitRequestParams): ReadForm {
  if (params.mode === 'url')
    return { refusal: 'It asked to open a page for the user, which Parley does not do.' };
  const { properties, required = [] } = params.requestedSchema;
  const fields: FormField[] = [];
  for (const [key, schema] of Object.entries(properties).slice(0, MOST_FIELDS + 1)) {
    const field = readField(key, schema, required.includes(key));
    if (isSecret(field))
      return {
        refusal: `It asked for a secret (${visibleText(key)}), which Parley never hands to a server this way.`,
      };
    fields.push(field);
  }
  if (fields.length > MOST_FIELDS)
    return { refusal: `It asked for more than ${MOST_FIELDS} things at once.` };
  return { message: visibleText(params.message.slice(0, LONGEST_TEXT)), fields };
}

const MOST_FIELDS = 20;
const LONGEST_TEXT = 2_000;

function readField(key: string, schema: PrimitiveSchemaDefinition, isRequired: boolean): FormField {
  const { description, title } = schema;
  return {
    key,
    title: visibleText((title ?? key).slice(0, LONGEST_TEXT)),
    ...(description !== undefined && { description: visibleText(description.slice(0, LONGEST_TEXT)) }),
    isRequired,
    ...('default' in schema && schema.default !== undefined && { default: schema.default }),
    kind: kindOf(schema),
  };
}

function kindOf(schema: PrimitiveSchemaDefinition): FieldKind {
  switch (schema.type) {
    case 'boolean':
      return { type: 'boolean' };
    case 'number':
    case 'integer':
      return {
        type: 'number',
        isWhole: schema.type === 'integer',
        ...(schema.minimum !== undefined && { least: schema.minimum }),
        ...(schema.maximum !== undefined && { most: schema.maximum }),
      };
    case 'array':
      return {
        type: 'choice',
        options: optionsOf(schema.items),
        several: {
          ...(schema.minItems !== undefined && { least: schema.minItems }),
          ...(schema.maxItems !== undefined && { most: schema.maxItems }),
        },
      };
    case 'string': {
      if ('enum' in schema || 'oneOf' in schema) return { type: 'choice', options: optionsOf(schema) };
      return {
        type: 'text',
        ...(schema.format !== undefined && { format: schema.format }),
        ...(schema.minLength !== undefined && { shortest: schema.minLength }),
        ...(schema.maxLength !== undefined && { longest: schema.maxLength }),
      };
    }
  }
}

interface ChoiceSchema {
  readonly enum?: readonly string[];
  readonly enumNames?: readonly string[] | undefined;
  readonly oneOf?: readonly { readonly const: string; readonly title: string }[];
  readonly anyOf?: readonly { readonly const: string; readonly title: string }[];
}

function optionsOf({ enum: values = [], enumNames = [], oneOf, anyOf }: ChoiceSchema): readonly FormOption[] {
  const titled = oneOf ?? anyOf;
  const options = titled
    ? titled.map((each) => ({ value: each.const, title: each.title }))
    : values.map((value, at) => ({ value, title: enumNames[at] ?? value }));
  return options.map(({ value, title }) => ({ value, title: visibleText(title) }));
}

const SECRET =
  /pass(?:word|wd|phrase|code)|secret|token|api[\s_-]?key|private[\s_-]?key|credential|\bpin\b|\botp\b|\bcvv\b|credit[\s_-]?card|card[\s_-]?number|\bssn\b/i;

/** A description may say what not to enter, so only text fields are checked for secrets. */
function isSecret({ key, title, description = '', kind }: FormField): boolean {
  if (kind.type === 'boolean' || kind.type === 'choice') return false;
  return [key, title, kind.type === 'text' ? description : ''].some((text) => SECRET.test(text));
}

/** Why an answer is invalid; nothing if it is valid. */
export function fieldProblem(kind: FieldKind, text: string): FieldProblem | undefined {
  if (kind.type === 'number') {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value)) return { type: 'number' };
    if (kind.isWhole && !Number.isInteger(value)) return { type: 'whole' };
    if (kind.least !== undefined && value < kind.least) return { type: 'least', limit: kind.least };
    if (kind.most !== undefined && value > kind.most) return { type: 'most', limit: kind.most };
    return undefined;
  }
  if (kind.type !== 'text') return undefined;
  if (kind.shortest !== undefined && text.length < kind.shortest)
    return { type: 'shortest', limit: kind.shortest };
  if (kind.longest !== undefined && text.length > kind.longest)
    return { type: 'longest', limit: kind.longest };
  if (kind.format !== undefined && !FORMATS[kind.format](text))
    return { type: 'format', format: kind.format };
  return undefined;
}

export type FieldProblem =
  | { readonly type: 'number' | 'whole' }
  | { readonly type: 'least' | 'most' | 'shortest' | 'longest'; readonly limit: number }
  | { readonly type: 'format'; readonly format: TextFormat };

const FORMATS: Readonly<Record<TextFormat, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  'date-time': (text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)),
};
