import * as z from 'zod/mini';
import type { Tool } from '../core/words/tool';
import { commands, type Command } from './commands';
import { docsLink } from './docs';
import { languageModelTools } from './language-model-tools';
import { mcpServers } from './mcp';
import { keybindings, menuItems, rowButtons, titleButtons, welcomes } from './menus';
import { VENDOR } from './published';
import { settingTexts, type SettingText } from './setting-texts';
import { settings, type Setting, type SettingKey } from './settings';
import { container, panels, views } from './views';
import { walkthrough } from './walkthrough';

/** The generated parts of package.json, and the texts of its `%keys%`. */
interface Manifest {
  readonly package: Readonly<Record<'activationEvents' | 'contributes' | 'capabilities', object>> & {
    readonly description: string;
  };
  /** `package.nls.json`: key → English. */
  readonly texts: Readonly<Record<string, string>>;
}

/** `tools` are Parley's own tools. */
export function buildManifest(tools: readonly Tool[]): Manifest {
  const texts: Record<string, string> = {};
  const text = (key: string, english: string): string => {
    texts[key] = english;
    return `%${key}%`;
  };
  const restricted = Object.entries(settings).flatMap(([key, { scope }]) =>
    scope === 'any' ? [`parley.${key}`] : [],
  );
  return {
    package: {
      description: text(
        'description',
        'A coding agent for any model: choose the tool-calling protocol, see what was parsed and decide what runs.',
      ),
      // VS Code reads them from no other key.
      activationEvents: Object.values(panels).map(({ id }) => `onWebviewPanel:${id}`),
      capabilities: {
        untrustedWorkspaces: {
          supported: 'limited',
          description: text(
            'trust',
            'Until you trust the workspace, Parley can only read: it edits and runs nothing, and ignores workspace settings.',
          ),
          restrictedConfigurations: restricted,
        },
        virtualWorkspaces: {
          supported: 'limited',
          description: text(
            'virtual',
            'Files are read, searched and changed as in any workspace. Commands cannot run there, and rules files and skills of the workspace are not used.',
          ),
        },
      },
      contributes: {
        viewsContainers: { activitybar: [{ ...container, title: text('container', container.title) }] },
        views: {
          [container.id]: Object.entries(views).map(([key, view]) => ({
            ...view,
            name: text(`view.${key}`, view.name),
          })),
        },
        commands: Object.entries<Command>(commands).map(([id, { title, needsTarget: _, ...rest }]) => ({
          command: `parley.${id}`,
          title: text(`command.${id}`, title),
          category: 'Parley',
          ...rest,
        })),
        menus: {
          'view/title': titleButtons.map(({ view, command, group, when }) => ({
            command: `parley.${command}`,
            when: [`view == ${view}`, ...(when === undefined ? [] : [when])].join(' && '),
            group,
          })),
          'view/item/context': rowButtons.map(({ view, command, group, row }) => ({
            command: `parley.${command}`,
            when: [`view == ${view}`, ...(row === undefined ? [] : [row])].join(' && '),
            group,
          })),
          ...placedItems(),
          commandPalette: Object.entries<Command>(commands).flatMap(([id, { needsTarget }]) =>
            needsTarget ? [{ command: `parley.${id}`, when: 'false' }] : [],
          ),
        },
        languageModelTools: languageModelTools(tools, text),
        languageModelChatProviders: [{ vendor: VENDOR, displayName: 'Parley' }],
        viewsWelcome: welcomes.map(({ view, text: english }) => ({
          view,
          contents: text(`welcome.${view.replace('parley.', '')}`, english),
        })),
        walkthroughs: [
          {
            id: walkthrough.id,
            title: text('walkthrough', walkthrough.title),
            description: text('walkthrough.description', walkthrough.description),
            steps: walkthrough.steps.map(({ id, title, description, altText, doneBy }) => ({
              id,
              title: text(`walkthrough.${id}`, title),
              description: text(`walkthrough.${id}.description`, description),
              media: {
                // The pictures contain text.
                svg: text(`walkthrough.${id}.picture`, `media/walkthrough/${id}.svg`),
                altText: text(`walkthrough.${id}.media`, altText),
              },
              completionEvents: doneBy,
            })),
          },
        ],
        jsonValidation: [{ fileMatch: '.mcp.json', url: './media/mcp.schema.json' }],
        keybindings: keybindings.map(({ command, key, when }) => ({
          command: `parley.${command}`,
          key,
          mac: key.replaceAll('ctrl', 'cmd'),
          when,
        })),
        configuration: GROUPS.map(({ prefix, title }) => ({
          title: text(`settings.${prefix}`, title),
          properties: Object.fromEntries(
            settingKeys
              .filter((key) => prefixOf(key) === prefix)
              .map((key, order) => {
                const setting = { ...settings[key], schema: CLOSER[key] ?? settings[key].schema };
                const said = (english: string, ...path: readonly string[]): string =>
                  text(['setting', key, ...path].join('.'), english);
                return [`parley.${key}`, { ...property(setting, settingTexts[key], said), order }];
              }),
          ),
        })),
      },
    },
    texts,
  };
}

/** By the menu that contains them. */
function placedItems(): Readonly<Record<string, readonly object[]>> {
  const menus = new Set(menuItems.map(({ menu }) => menu));
  return Object.fromEntries(
    [...menus].map((wanted) => [
      wanted,
      menuItems.flatMap(({ menu, command, ...rest }) =>
        menu === wanted ? [{ command: `parley.${command}`, ...rest }] : [],
      ),
    ]),
  );
}

const settingKeys = Object.keys(settings) as SettingKey[];

/** Sections of the settings editor, by key prefix. */
const GROUPS = [
  { prefix: 'general', title: 'Models and Agents' },
  { prefix: 'context', title: 'Context' },
  { prefix: 'toolCalling', title: 'Tool Calling' },
  { prefix: 'budget', title: 'Budgets' },
  { prefix: 'approvals', title: 'Approvals' },
  { prefix: 'commands', title: 'Commands' },
  { prefix: 'sandbox', title: 'Sandbox' },
  { prefix: 'mcp', title: 'MCP Servers' },
] as const;

/** Schema for the editor, where Parley itself accepts anything and validates later. */
const CLOSER: Readonly<Partial<Record<string, z.ZodMiniType>>> = {
  'mcp.servers': mcpServers,
} satisfies Partial<Record<SettingKey, z.ZodMiniType>>;

function prefixOf(key: string): string {
  return key.includes('.') ? key.replace(/\..*/, '') : 'general';
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Gives a text a key: the key of its setting, followed by the names of its fields. */
type AddText = (english: string, ...path: readonly string[]) => string;

function property(setting: Setting<z.ZodMiniType>, said: SettingText, text: AddText): object {
  const {
    $schema: _,
    description: __,
    ...schema
  } = z.toJSONSchema(setting.schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  });
  const { values } = said;
  return {
    ...schema,
    ...(values && { enumDescriptions: valuesSaid(schema.enum, values, text) }),
    ...inner(schema, said, text),
    default: setting.default,
    markdownDescription: text(withDocs(said)),
    scope: setting.scope === 'user' ? 'application' : 'window',
  };
}

function withDocs({ description, docs }: SettingText): string {
  return docs ? `${description} [Documentation](${docsLink(...docs)})` : description;
}

/** Descriptions and suggestions for fields of an object, of a list of objects, or of objects by name. */
function inner(schema: JsonSchema, { presets }: SettingText, text: AddText): object {
  const item = fieldsSaid(schema.items, text);
  const named = fieldsSaid(schema.additionalProperties, text);
  return {
    ...fieldsSaid(schema, text),
    ...(item && { items: { ...item, ...(presets && { defaultSnippets: presets }) } }),
    ...warned(schema.items, text),
    ...(named && { additionalProperties: named }),
  };
}

/** The warning of some items of a list. */
function warned(items: JsonSchema['items'], text: AddText): object {
  if (typeof items !== 'object' || Array.isArray(items) || typeof items.then !== 'object') return {};
  const { deprecationMessage, ...then } = items.then;
  if (typeof deprecationMessage !== 'string') return {};
  return { items: { ...items, then: { ...then, deprecationMessage: text(deprecationMessage, 'warning') } } };
}

/** Nothing without fields. */
function fieldsSaid(schema: JsonSchema['items'], text: AddText): { readonly properties: object } | undefined {
  if (typeof schema !== 'object' || Array.isArray(schema) || schema.properties === undefined)
    return undefined;
  const properties = Object.entries(schema.properties).map(([name, field]) => {
    if (typeof field !== 'object' || field.description === undefined) return [name, field];
    const { description, values, ...rest } = field;
    const said = isTexts(values) && {
      enumDescriptions: valuesSaid(field.enum, values, (english, value = '') => text(english, name, value)),
    };
    const items = fieldsSaid(rest.items, (english, ...path) => text(english, name, ...path));
    return [
      name,
      { ...rest, ...(items && { items }), ...said, markdownDescription: text(description, name) },
    ];
  });
  return { ...schema, properties: Object.fromEntries(properties) as object };
}

/** As plain text: forms of calls have tags, which Markdown would treat as HTML. */
function valuesSaid(
  all: JsonSchema['enum'],
  values: Readonly<Record<string, string>>,
  text: AddText,
): readonly string[] {
  return (all ?? []).map((value) => text(values[String(value)] ?? '', String(value)));
}

function isTexts(values: unknown): values is Readonly<Record<string, string>> {
  return typeof values === 'object' && values !== null;
}
