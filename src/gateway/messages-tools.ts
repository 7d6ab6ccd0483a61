import type { JsonObject } from '../base/json';
import type { JsonSchema } from '../core/words/schema';
import type { ToolSpec } from '../core/words/tool';

type Definition = Pick<ToolSpec, 'description' | 'parameters'>;

/**
 * A tool that Anthropic defines and the client runs (https://platform.claude.com/docs/en/agents-and-tools/tool-use):
 * clients send its type, such as `bash_20250124`, without a schema, which Claude knows. Nothing for any other type.
 */
export function anthropicTool({ type, ...options }: JsonObject): Definition | undefined {
  const [, kind = '', version = ''] = typeof type === 'string' ? (TYPE.exec(type) ?? []) : [];
  return Object.hasOwn(DEFINITIONS, kind) ? DEFINITIONS[kind]?.(version, options) : undefined;
}

/** The date orders the versions of a tool. */
const TYPE = /^([a-z_]+)_(\d{8})$/;

const TEXT: JsonSchema = { type: 'string' };
const COUNT: JsonSchema = { type: 'integer' };
const LINES: JsonSchema = {
  ...{ type: 'array', items: COUNT, minItems: 2 },
  description: 'For view: the first and the last line, from 1; -1 is the end of the file.',
};
const POINT: JsonSchema = { type: 'array', items: COUNT, minItems: 2 };

const DEFINITIONS: Readonly<Record<string, (version: string, options: JsonObject) => Definition>> = {
  bash: () => ({
    description: 'Runs a command in a bash session that persists between calls, and returns its output.',
    parameters: {
      type: 'object',
      properties: {
        command: { ...TEXT, description: 'Required unless the tool is restarted.' },
        restart: { type: 'boolean', description: 'Starts a new session.' },
      },
    },
  }),
  text_editor: (version) => ({
    description: 'Shows, creates and changes files.',
    parameters: commands(
      ['view', 'create', 'str_replace', 'insert', ...(version < WITHOUT_UNDO ? ['undo_edit'] : [])],
      {
        ...EDITS,
        // Older versions insert it, too.
        ...(version < WITHOUT_UNDO
          ? { new_str: { ...TEXT, description: 'For str_replace and insert: the new text.' } }
          : INSERTION),
      },
      ['path'],
    ),
  }),
  memory: () => ({
    description: 'Shows, creates and changes files in /memories, which are there in later conversations.',
    parameters: commands(['view', 'create', 'str_replace', 'insert', 'delete', 'rename'], {
      ...EDITS,
      ...INSERTION,
      old_path: { ...TEXT, description: 'For rename.' },
      new_path: { ...TEXT, description: 'For rename.' },
    }),
  }),
  computer: (version, options) => ({
    description: `Uses the mouse, the keyboard and screenshots of a screen${screenSize(options)}.`,
    parameters: {
      type: 'object',
      properties: {
        action: { ...TEXT, enum: ACTIONS.flatMap(({ since, names }) => (version >= since ? names : [])) },
        coordinate: { ...POINT, description: 'x and y, in pixels from the left and the top.' },
        start_coordinate: { ...POINT, description: 'For left_click_drag: where it starts.' },
        text: { ...TEXT, description: 'What to type, or the key to press, such as ctrl+s.' },
        scroll_direction: { ...TEXT, enum: ['up', 'down', 'left', 'right'] },
        scroll_amount: COUNT,
        duration: { type: 'number', description: 'For wait and hold_key: seconds.' },
        ...(version >= WITH_ZOOM && {
          region: {
            ...{ type: 'array', items: COUNT, minItems: 4 },
            description: 'For zoom: left, top, right and bottom.',
          },
        }),
      },
      required: ['action'],
    },
  }),
};

const WITHOUT_UNDO = '20250429';
const WITH_ZOOM = '20251124';

/** By the version that has brought them. */
const ACTIONS: readonly { readonly since: string; readonly names: readonly string[] }[] = [
  {
    since: '20241022',
    names: [
      ...['screenshot', 'key', 'type', 'mouse_move', 'cursor_position', 'left_click', 'left_click_drag'],
      ...['right_click', 'middle_click', 'double_click'],
    ],
  },
  {
    since: '20250124',
    names: ['scroll', 'hold_key', 'wait', 'triple_click', 'left_mouse_down', 'left_mouse_up'],
  },
  { since: WITH_ZOOM, names: ['zoom'] },
];

/** Parameters of the tools for files. */
const EDITS: JsonSchema['properties'] & object = {
  path: TEXT,
  view_range: LINES,
  file_text: { ...TEXT, description: 'For create: the whole text.' },
  old_str: { ...TEXT, description: 'For str_replace: the text to replace, which must be there once.' },
  new_str: { ...TEXT, description: 'For str_replace: the new text.' },
  insert_line: { ...COUNT, description: 'For insert: the line after which to insert; 0 is the beginning.' },
};
const INSERTION: JsonSchema['properties'] & object = {
  insert_text: { ...TEXT, description: 'For insert: the new text.' },
};

function commands(
  names: readonly string[],
  properties: JsonSchema['properties'] & object,
  required: readonly string[] = [],
): JsonSchema {
  return {
    type: 'object',
    properties: { command: { ...TEXT, enum: [...names] }, ...properties },
    required: ['command', ...required],
  };
}

function screenSize({ display_width_px: width, display_height_px: height }: JsonObject): string {
  return typeof width === 'number' && typeof height === 'number' ? ` of ${width} × ${height} pixels` : '';
}
