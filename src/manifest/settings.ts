// The small edition, because this is loaded at activation and the full one takes longer than everything else
// together.
import * as z from 'zod/mini';
import { protocolNames } from '../protocols/names';
import { described, namePattern } from './schema-parts';
import { hooks } from './hooks';
import { profile } from './profile';

/** Who may set a value: `user` ignores the workspace, `any` uses it once the workspace is trusted. */
type Scope = 'user' | 'any';

export interface Setting<Schema extends z.ZodMiniType> {
  readonly schema: Schema;
  readonly default: z.output<Schema>;
  readonly scope: Scope;
}

function setting<Schema extends z.ZodMiniType>(
  schema: Schema,
  rest: Omit<Setting<Schema>, 'schema'>,
): Setting<Schema> {
  return { schema, ...rest };
}

const protocolIds = protocolNames.map(({ id }) => id);

const text = z.string().check(z.minLength(1));
const rules = z.array(text);

/** A rule that lets commands run. */
const allowRule = z.string().check(z.minLength(1));
z.globalRegistry.add(allowRule, {
  if: { pattern: '(?:^|[\\s/])\\*\\*$' },
  then: {
    deprecationMessage:
      'This rule also covers arguments that can load, start or write anything. Rules without ** cover only what is known to be harmless.',
  },
});
const allowRules = z.array(allowRule);

/** A host name, or `*.` and a name. */
const domain = z
  .string()
  .check(
    z.maxLength(253),
    z.regex(/^(?:\*\.)?[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i),
  );

/** What both the settings and an agent may set about tool calling. */
const toolCalling = {
  enabled: z.boolean(),
  mode: z.enum(['auto', 'manual']),
  protocol: z.enum(['auto', ...protocolIds]),
  toolToggles: z.record(
    z.string(),
    z.union([z.boolean(), z.literal('onDemand')], 'use true, false or "onDemand"'),
  ),
  defaultToolEnabled: z.boolean(),
  toolsOnDemand: z.enum(['auto', 'on', 'off']),
  maxIterations: z.number().check(z.int(), z.minimum(1), z.maximum(500)),
  timeout: z.number().check(z.int(), z.minimum(1_000), z.maximum(3_600_000)),
  requireConfirmation: z.boolean(),
  parallelExecution: z.boolean(),
  recovery: z.enum(['run', 'ask', 'text']),
  strictness: z.enum(['strict', 'repair', 'lenient']),
} as const;

/** Tools must be allowed by both the settings and the agent; all other fields of the agent override the settings. */
const JOINED: readonly string[] = ['enabled', 'toolToggles', 'defaultToolEnabled'];

const agentToolCalling = z.partial(z.strictObject(toolCalling)).shape;
for (const [field, schema] of Object.entries(agentToolCalling)) {
  const setting = `\`parley.toolCalling.${field}\``;
  described(
    schema,
    JOINED.includes(field)
      ? `Counts besides ${setting}: both must allow a tool.`
      : `Counts instead of ${setting}.`,
  );
}

const agent = z.strictObject({
  id: described(z.clone(text), 'Id of the agent. `agent`, `ask` or `plan` replaces the built-in agent.'),
  name: described(z.clone(text), 'Shown in the agent picker.'),
  instructions: z.optional(
    described(z.string(), 'Added to the instructions of conversations with this agent.'),
  ),
  readOnly: z.optional(described(z.boolean(), 'Whether only read-only tools are offered.')),
  model: z.optional(
    described(
      z.clone(text),
      'The `id` of a profile in `parley.models`, used while the agent is selected. A model that you pick then overrides it.',
    ),
  ),
  ...agentToolCalling,
});

/** Whole numbers from 0, which means no limit. */
const orNone = z.number().check(z.int(), z.minimum(0));

/** Every setting of Parley by its key under `parley.`, with what it may hold. */
export const settings = {
  model: setting(z.string(), {
    default: 'demo',
    scope: 'any',
  }),
  models: setting(z.array(profile), {
    default: [],
    scope: 'user',
  }),
  summaryModel: setting(z.string(), {
    default: '',
    scope: 'user',
  }),
  agents: setting(z.array(agent), {
    default: [],
    scope: 'user',
  }),
  instructions: setting(z.string(), {
    default: '',
    scope: 'user',
  }),
  'context.editor': setting(z.boolean(), {
    default: true,
    scope: 'user',
  }),
  'toolCalling.enabled': setting(toolCalling.enabled, {
    default: true,
    scope: 'any',
  }),
  'toolCalling.mode': setting(toolCalling.mode, {
    default: 'auto',
    scope: 'user',
  }),
  'toolCalling.protocol': setting(toolCalling.protocol, {
    default: 'auto',
    scope: 'any',
  }),
  'toolCalling.toolToggles': setting(toolCalling.toolToggles, {
    default: {},
    scope: 'any',
  }),
  'toolCalling.defaultToolEnabled': setting(toolCalling.defaultToolEnabled, {
    default: true,
    scope: 'any',
  }),
  'toolCalling.toolsOnDemand': setting(toolCalling.toolsOnDemand, {
    default: 'auto',
    scope: 'user',
  }),
  'toolCalling.maxIterations': setting(toolCalling.maxIterations, {
    default: 50,
    scope: 'user',
  }),
  'toolCalling.timeout': setting(toolCalling.timeout, {
    default: 30_000,
    scope: 'user',
  }),
  'toolCalling.requireConfirmation': setting(toolCalling.requireConfirmation, {
    default: true,
    scope: 'user',
  }),
  'toolCalling.parallelExecution': setting(toolCalling.parallelExecution, {
    default: true,
    scope: 'user',
  }),
  'toolCalling.recovery': setting(toolCalling.recovery, {
    default: 'ask',
    scope: 'user',
  }),
  'toolCalling.strictness': setting(toolCalling.strictness, {
    default: 'repair',
    scope: 'user',
  }),
  'budget.tokens': setting(orNone, {
    default: 0,
    scope: 'user',
  }),
  'budget.cost': setting(z.number().check(z.minimum(0)), {
    default: 0,
    scope: 'user',
  }),
  'budget.minutes': setting(orNone, {
    default: 60,
    scope: 'user',
  }),
  'approvals.allowCommands': setting(allowRules, {
    default: [],
    scope: 'user',
  }),
  'approvals.denyCommands': setting(rules, {
    default: ['sudo', 'su', 'doas', 'shutdown', 'reboot', 'halt', 'poweroff', 'mkfs', 'fdisk', 'dd'],
    scope: 'any',
  }),
  'approvals.secretFiles': setting(z.array(namePattern), {
    default: [],
    scope: 'any',
  }),
  hooks: setting(hooks, {
    default: {},
    scope: 'user',
  }),
  notifyWhenWaiting: setting(z.enum(['off', 'notice', 'sound', 'system']), {
    default: 'notice',
    scope: 'user',
  }),
  'sandbox.enabled': setting(z.enum(['off', 'on']), {
    default: 'off',
    scope: 'user',
  }),
  'sandbox.runUnasked': setting(z.boolean(), {
    default: false,
    scope: 'user',
  }),
  'sandbox.allowedDomains': setting(z.array(domain), {
    default: [],
    scope: 'user',
  }),
  'sandbox.readPaths': setting(rules, {
    default: [],
    scope: 'user',
  }),
  'sandbox.writePaths': setting(rules, {
    default: [],
    scope: 'user',
  }),
  'sandbox.git': setting(z.enum(['read', 'write']), {
    default: 'read',
    scope: 'user',
  }),
  'sandbox.outsideCommands': setting(allowRules, {
    default: [],
    scope: 'user',
  }),
  'commands.setup': setting(z.string(), {
    default: '',
    scope: 'user',
  }),
  'commands.shell': setting(z.enum(['auto', 'powershell', 'pwsh', 'bash']), {
    default: 'auto',
    scope: 'user',
  }),
  'mcp.enabled': setting(z.boolean(), {
    default: true,
    scope: 'user',
  }),
  // Each server is validated when it is used: an error in one affects neither the others nor the chat.
  'mcp.servers': setting(z.unknown(), {
    default: {},
    scope: 'user',
  }),
} as const;

export type SettingKey = keyof typeof settings;
export type SettingValue<Key extends SettingKey> = z.output<(typeof settings)[Key]['schema']>;
