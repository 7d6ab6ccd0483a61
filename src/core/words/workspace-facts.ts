/** What a form may know of the workspace, so that a model cannot name what is not there. */
export interface WorkspaceFacts {
  /** The paths of all files; absent if there are too many. Ignored files and those outside are not among them. */
  readonly files?: readonly string[];
  /** Files that the model has seen, as they are now, by their paths. */
  readonly texts: ReadonlyMap<string, string>;
}

/** What an argument of a tool names: a file or folder that exists, or whole lines of the tool's file. */
export type NamedFact = 'file' | 'folder' | 'lines';
