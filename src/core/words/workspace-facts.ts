/** What a form may know of the workspace, so that a model cannot name what is not there. */
export interface WorkspaceFacts {
  /** The paths of all files; absent if there are too many. Ignored files and those outside are not among them. */
  readonly files?: readonly string[];
  /** Files that the model has seen, as they are now, by their paths. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files that the model has seen: only they can be edited. Not given, all can. */
  readonly seen?: readonly string[];
  /** Files that the model has seen as they are now, so that another look would show nothing new. */
  readonly read?: ReadonlySet<string>;
}

/**
 * What an argument of a tool names: a file or folder that exists, a file that was not read, or whole lines of the tool's
 * file.
 */
export type NamedFact = 'file' | 'unread' | 'folder' | 'lines';
