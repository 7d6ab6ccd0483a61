import * as z from 'zod/mini';
import type { Tool } from '../core/tool';
import { commands, type Command } from './commands';
import { languageModelTools } from './language-model-tools';
import { keybindings, menuItems } from './menus';
import { settings, type Setting } from './settings';
import { container, panels, rowButtons, titleButtons, views, welcomes } from './views';
import { walkthrough } from './walkthrough';

/** The generated parts of package.json, and the texts its `%keys%` stand for. */
export interface Manifest {
  readonly package: Readonly<Record<'activationEvents' | 'contributes' | 'capabilities', object>> & {
    readonly description: string;
  };
  /** `package.nls.json`: key → English. */
  readonly texts: Readonly<Record<string, string>>;
}

/** `tools` are those that Parley brings. */
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
        'A coding agent for any model: you choose the tool-calling protocol, see what was parsed and decide what runs.',
      ),
      // VS Code takes them from no other key.
      activationEvents: Object.values(panels).map(({ id }) => `onWebviewPanel:${id}`),
      capabilities: {
        untrustedWorkspaces: {
          supported: 'limited',
          description: text(
            'trust',
            'Until you trust the workspace, Parley only reads: nothing is edited or run, and the settings of the workspace are ignored.',
          ),
          restrictedConfigurations: restricted,
        },
        virtualWorkspaces: {
          supported: 'limited',
          description: text(
            'virtual',
            'Files are read, searched and changed as in any workspace. No command can run there, and rules files and skills of the workspace are not read.',
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
          'view/title': titleButtons.map(({ view, command, group }) => ({
            command: `parley.${command}`,
            when: `view == ${view}`,
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
                // The pictures have words in them.
                svg: text(`walkthrough.${id}.picture`, `media/walkthrough/${id}.svg`),
                altText: text(`walkthrough.${id}.media`, altText),
              },
              completionEvents: doneBy,
            })),
          },
        ],
        keybindings: keybindings.map(({ command, key, when }) => ({
          command: `parley.${command}`,
          key,
          mac: key.replaceAll('ctrl', 'cmd'),
          when,
        })),
        configuration: GROUPS.map(({ prefix, title }) => ({
          title: text(`settings.${prefix}`, title),
          properties: Object.fromEntries(
            Object.entries<Setting<z.ZodMiniType>>(settings)
              .filter(([key]) => prefixOf(key) === prefix)
              .map(([key, setting], order) => [
                `parley.${key}`,
                {
                  ...property(setting, (english, ...path) =>
                    text(['setting', key, ...path].join('.'), english),
                  ),
                  order,
                },
              ]),
          ),
        })),
      },
    },
    texts,
  };
}

/** By the menu they stand in. */
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

/** The sections of the settings editor, by what their keys begin with. */
const GROUPS = [
  { prefix: 'general', title: 'Models and Agents' },
  { prefix: 'context', title: 'Context' },
  { prefix: 'toolCalling', title: 'Tool Calling' },
  { prefix: 'budget', title: 'Budgets' },
  { prefix: 'approvals', title: 'Approvals' },
] as const;

function prefixOf(key: string): string {
  return key.includes('.') ? key.replace(/\..*/, '') : 'general';
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Gives a text a key: that of the setting, and below it the names of the fields it is about. */
type AddText = (english: string, ...path: readonly string[]) => string;

function property(setting: Setting<z.ZodMiniType>, text: AddText): object {
  const { $schema: _, ...schema } = z.toJSONSchema(setting.schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  });
  return {
    ...schema,
    ...items(schema, setting, text),
    default: setting.default,
    markdownDescription: text(setting.description),
    scope: setting.scope === 'user' ? 'application' : 'window',
  };
}

/** What the editor says and offers inside of a list of objects. */
function items({ items: item }: JsonSchema, { presets }: Setting<z.ZodMiniType>, text: AddText): object {
  if (typeof item !== 'object' || Array.isArray(item) || item.properties === undefined) return {};
  const properties = Object.entries(item.properties).map(([name, field]) => {
    if (typeof field !== 'object' || field.description === undefined) return [name, field];
    const { description, ...rest } = field;
    return [name, { ...rest, markdownDescription: text(description, name) }];
  });
  return {
    items: {
      ...item,
      properties: Object.fromEntries(properties) as object,
      ...(presets && { defaultSnippets: presets }),
    },
  };
}
