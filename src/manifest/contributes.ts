import * as z from 'zod/mini';
import { commands, type Command } from './commands';
import { settings, type Setting } from './settings';
import { container, titleButtons, views } from './views';

/** The generated parts of package.json, and the texts its `%keys%` stand for. */
export interface Manifest {
  readonly package: Readonly<Record<'contributes' | 'capabilities', object>>;
  /** `package.nls.json`: key → English. */
  readonly texts: Readonly<Record<string, string>>;
}

export function buildManifest(): Manifest {
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
          description: text('virtual', 'Tools work on folders of a real file system only.'),
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
        commands: Object.entries<Command>(commands).map(([id, { title, ...rest }]) => ({
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
        },
        configuration: {
          title: 'Parley',
          properties: Object.fromEntries(
            Object.entries<Setting<z.ZodMiniType>>(settings).map(([key, setting]) => [
              `parley.${key}`,
              property(setting, text(`setting.${key}`, setting.description)),
            ]),
          ),
        },
      },
    },
    texts,
  };
}

function property(setting: Setting<z.ZodMiniType>, description: string): object {
  const { $schema: _, ...schema } = z.toJSONSchema(setting.schema, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
  });
  return {
    ...schema,
    default: setting.default,
    markdownDescription: description,
    scope: setting.scope === 'user' ? 'application' : 'window',
  };
}
