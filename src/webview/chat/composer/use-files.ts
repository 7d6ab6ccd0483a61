import { most } from '../../../contract/most';
import { t } from '../../shared/l10n';
import { useChat } from '../chat-context';

/** Actions on files in the message box. */
interface FileHandlers {
  readonly onPaste: (event: ClipboardEvent) => void;
  readonly onDragOver: (event: DragEvent) => void;
  readonly onDrop: (event: DragEvent) => void;
}

/** Maximum bytes of an image that the host accepts. */
const LARGEST = 5 * 1024 * 1024;

/** How VS Code and operating systems name dragged or copied files. */
const URI_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'];

/** Pasted or dropped images are attached to the message; other known files become mentions. */
export function useFiles(): FileHandlers {
  const chat = useChat();

  const attach = async (image: File, isForEarlier: boolean): Promise<void> => {
    if (image.size > LARGEST) {
      chat.say(t('The image is too large. The limit is {0} MiB.', 5));
      return;
    }
    const data = await base64Of(image);
    // Images on the clipboard have invented names.
    const name = image.name === 'image.png' ? '' : image.name.slice(0, most.imageName);
    if (data === '') chat.say(t('The image is empty. Choose another one.'));
    else chat.post({ type: 'attach-image', name, data, ...(isForEarlier && { isForEarlier }) });
  };
  /** Whether there was anything to accept. */
  const take = (transfer: DataTransfer | null): boolean => {
    if (!transfer) return false;
    const uris = urisIn(transfer);
    if (uris.length > 0) {
      chat.post({ type: 'attach-uris', uris: [...uris] });
      return true;
    }
    const files = [...transfer.files];
    const images = files.filter(({ type }) => type.startsWith('image/'));
    // The message it was pasted for, even if the user switches before it is read.
    const isForEarlier = chat.editing.value !== undefined;
    for (const image of images) chat.read(() => attach(image, isForEarlier));
    // A page does not learn the path of a file.
    if (files.length > images.length) {
      chat.say(
        t(
          'Only images can be pasted or dropped here. For other files, type @file: or drag them from the Explorer while holding Shift.',
        ),
      );
    }
    return files.length > 0;
  };
  return {
    onPaste: (event) => {
      // Content that also has text was copied for its text: spreadsheet cells include an image.
      const isText = event.clipboardData?.types.includes('text/plain') === true;
      if (!isText && take(event.clipboardData)) event.preventDefault();
    },
    onDragOver: (event) => {
      const types = event.dataTransfer?.types ?? [];
      if (types.includes('Files') || URI_LISTS.some((type) => types.includes(type))) event.preventDefault();
    },
    onDrop: (event) => {
      if (take(event.dataTransfer)) event.preventDefault();
    },
  };
}

/** URLs of files. Links of web pages are treated as text. */
function urisIn(transfer: DataTransfer): readonly string[] {
  const list = URI_LISTS.map((type) => transfer.getData(type)).find((text) => text !== '') ?? '';
  return list
    .split(/\r?\n/)
    .filter((line) => /^[a-z][a-z0-9+.-]*:/i.test(line) && !/^(https?|data|blob):/i.test(line))
    .map((line) => line.slice(0, most.uri))
    .slice(0, most.uris);
}

async function base64Of(file: File): Promise<string> {
  const reader = new FileReader();
  const read = new Promise<unknown>((resolve, reject) => {
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(new Error('The image is no longer on the clipboard.'));
  });
  reader.readAsDataURL(file);
  const url = await read.catch(() => '');
  return typeof url === 'string' ? url.slice(url.indexOf(',') + 1) : '';
}
