import type { Json, JsonObject } from '../../base/json';
import type { FormSchema } from '../../core/words/grammar';
import { limitedTo, type JsonSchema } from '../../core/words/schema';
import { listedValues, resolvedSchema, typesOf, unionOf } from '../../core/words/schema-types';
import type { ToolSpec } from '../../core/words/tool';

/** Maximum number of definitions; what else is referred to is left open. */
const MOST_DEFINITIONS = 200;

/**
 * Schemas in OpenAI's strict subset (https://platform.openai.com/docs/guides/structured-outputs): every property is
 * required, optional ones may be `null`, and there are no other keywords. What the subset cannot express is left open.
 */
class StrictSchemas {
  readonly definitions = new Map<string, Json>();
  /** Of the definitions, by what they were written as. */
  private readonly names = new Map<string, string>();
  isStrict = true;

  /** The arguments of a tool; the definitions that they refer to move to the root, under unique names. */
  arguments(tool: ToolSpec): Json {
    return this.strict(resolvedSchema(tool.parameters, tool.parameters), tool);
  }

  private strict(given: JsonSchema, tool: ToolSpec): Json {
    if (given.$ref !== undefined || given.allOf) return this.referred(given, tool);
    const schema = resolvedSchema(given, tool.parameters);
    const values = listedValues(schema);
    if (values) return { enum: values };
    const members = unionOf(schema);
    if (members.length > 0) return { anyOf: members.map((each) => this.strict(each, tool)) };
    const [type, ...others] = typesOf(schema, tool.parameters);
    if (type === undefined) return this.open({});
    if (others.length > 0)
      return { anyOf: [type, ...others].map((each) => this.strict({ ...schema, type: each }, tool)) };
    if (type === 'array')
      return { type, items: schema.items ? this.strict(schema.items, tool) : this.open({}) };
    return type === 'object' ? this.object(schema, tool) : { type };
  }

  /** A schema whose parts may lead back to it: a definition of the whole. */
  private referred(given: JsonSchema, tool: ToolSpec): Json {
    const { description: _, default: __, ...schema } = given;
    const written = JSON.stringify([tool.name, schema]);
    const known = this.names.get(written);
    if (known === undefined && this.names.size >= MOST_DEFINITIONS) return this.open({});
    const name = known ?? this.nameFor(`${tool.name}.${schema.$ref?.split('/').at(-1) ?? 'part'}`);
    if (known === undefined) {
      this.names.set(written, name);
      this.definitions.set(name, this.strict(resolvedSchema(schema, tool.parameters), tool));
    }
    return { $ref: `#/$defs/${name}` };
  }

  private nameFor(wanted: string): string {
    const taken = new Set(this.names.values());
    let name = wanted;
    for (let count = 2; taken.has(name); count++) name = `${wanted}-${count}`;
    return name;
  }

  private object(schema: JsonSchema, tool: ToolSpec): Json {
    const properties = Object.entries(schema.properties ?? {});
    if (properties.length === 0 && schema.additionalProperties !== false)
      return this.open({ type: 'object' });
    return record(
      Object.fromEntries(
        properties.map(([key, property]) => {
          const strict = this.strict(property, tool);
          return [key, schema.required?.includes(key) ? strict : nullable(strict)];
        }),
      ),
    );
  }

  private open(schema: JsonObject): Json {
    this.isStrict = false;
    return schema;
  }
}

function record(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function nullable(schema: Json): Json {
  return { anyOf: [schema, { type: 'null' }] };
}

/** One object whose list has the calls of these tools. `form`: its properties, given the list. */
export function callsSchema(tools: readonly ToolSpec[], form: (calls: JsonObject) => JsonObject): FormSchema {
  const strict = new StrictSchemas();
  const calls = tools.map((tool) =>
    record({ name: { enum: [tool.name] }, arguments: strict.arguments(tool) }),
  );
  const list = { type: 'array', items: { anyOf: calls } };
  const { definitions, isStrict } = strict;
  return {
    schema: {
      ...record(form(list)),
      ...(definitions.size > 0 && { $defs: Object.fromEntries(definitions) }),
    },
    isStrict,
  };
}

/** The longest thought of a step; longer ones of small models only repeat themselves. */
export const THOUGHT_LIMIT = 300;

/**
 * One step as an object: the thought, then a tool with its required arguments. `finish` is the tool that answers.
 * Outside of the strict subset, which knows no lengths.
 */
export function stepSchema(tools: readonly ToolSpec[], finish: ToolSpec): FormSchema {
  const strict = new StrictSchemas();
  const steps = [...tools, finish].map((tool) =>
    record({
      thought: { type: 'string', minLength: 1, maxLength: THOUGHT_LIMIT },
      tool: { enum: [tool.name] },
      arguments: strict.arguments(onlyRequired(tool)),
    }),
  );
  const { definitions } = strict;
  return {
    schema: { anyOf: steps, ...(definitions.size > 0 && { $defs: Object.fromEntries(definitions) }) },
    isStrict: false,
  };
}

function onlyRequired(tool: ToolSpec): ToolSpec {
  const { properties = {}, required = [] } = tool.parameters;
  const needed = Object.fromEntries(Object.entries(properties).filter(([key]) => required.includes(key)));
  const isEmpty = Object.keys(needed).length === 0;
  const parameters = limitedTo(tool.parameters, { properties: needed });
  return { ...tool, parameters: isEmpty ? { ...parameters, additionalProperties: false } : parameters };
}
