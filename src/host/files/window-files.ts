import { createFiles } from '../../node/files';
import { createSearch } from '../../node/search';
import type { Files, Search } from '../../tools/workspace';
import { createEditorFiles } from './files';
import { createVirtualFiles, virtualResources } from './virtual-files';
import { createVirtualSearch } from './virtual-search';
import { windowPlaces, type PlaceParts } from './window-places';

/** The files of the window as the editor has them, and the search in them, on the disk or in a virtual file system. */
export function windowFiles(parts: PlaceParts): { readonly files: Files; readonly search: Search } {
  const { virtual, ...places } = windowPlaces(parts);
  if (virtual) {
    const files = createEditorFiles(createVirtualFiles(virtual), virtualResources(virtual.system));
    return { files, search: createVirtualSearch(virtual) };
  }
  return { files: createEditorFiles(createFiles(places)), search: createSearch(places) };
}
