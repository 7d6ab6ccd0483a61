/** Lines per box; a full box is never laid out again. */
const LINES_IN_BOX = 50;

/** A longer line continues in the next element; otherwise a file without line ends would be one growing text node. */
const LONGEST = 2000;

/**
 * Growing text, one element per line in boxes that the browser lays out separately. Appending costs as much as the
 * appended text, however much is there already.
 */
export class LineBoxes {
  private box: HTMLElement | undefined;
  private linesInBox = 0;
  private readonly text = document.createTextNode('');
  /** The growing line at the end. If lines do not wrap its size is fixed, so nothing else is laid out. */
  private readonly open = lineOf(this.text, 'line line-open');

  constructor(private readonly root: HTMLElement) {}

  append(text: string): void {
    let start = 0;
    for (let newline = text.indexOf('\n'); newline >= 0; newline = text.indexOf('\n', start)) {
      this.endLine(text.slice(start, newline));
      start = newline + 1;
    }
    this.extend(text.slice(start));
    if (this.text.length === 0) this.open.remove();
  }

  /** Nothing is appended after this. */
  close(): void {
    if (this.text.length > 0) this.endLine('');
    this.open.remove();
  }

  private extend(text: string): void {
    let rest = text;
    while (rest !== '') {
      if (this.text.length >= LONGEST) this.endLine('');
      const box = this.boxWithRoom();
      if (this.open.parentNode !== box) box.append(this.open);
      const room = LONGEST - this.text.length;
      this.text.appendData(rest.slice(0, room));
      rest = rest.slice(room);
    }
  }

  /** The open element stays in place for the next line. */
  private endLine(end: string): void {
    if (this.text.length + end.length > LONGEST) {
      this.extend(end);
      return this.endLine('');
    }
    const line = lineOf(document.createTextNode(this.text.data + end), 'line');
    const box = this.boxWithRoom();
    if (this.open.parentNode === box) this.open.before(line);
    else box.append(line);
    this.linesInBox += 1;
    this.text.data = '';
  }

  private boxWithRoom(): HTMLElement {
    if (this.box === undefined || this.linesInBox === LINES_IN_BOX) {
      this.box = document.createElement('div');
      this.box.className = 'line-box';
      this.linesInBox = 0;
      this.root.append(this.box);
    }
    return this.box;
  }
}

function lineOf(text: Text, className: string): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  element.append(text);
  return element;
}

/**
 * Number of trailing units of a growing text that wait for their other half: a carriage return, half a surrogate
 * pair.
 */
export function unfinishedCharacter(text: string): number {
  return /[\r\ud800-\udbff]$/.test(text.slice(-1)) ? 1 : 0;
}
