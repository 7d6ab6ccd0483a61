/** Folder of the documentation, in the repository and in the package. */
export const DOCS_FOLDER = 'docs';

/**
 * A page of the documentation: its path below the folder without `.md`, and perhaps the id of a heading, as GitHub and
 * VS Code make it.
 */
export type DocsPlace = readonly [page: string, heading?: string];

/** Target of a link that opens a page, for texts in which VS Code runs commands. */
export function docsLink(...place: DocsPlace): string {
  return `command:parley.openDocs?${encodeURIComponent(JSON.stringify(place))}`;
}
