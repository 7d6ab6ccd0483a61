import { readJson, readString, type JsonRead, type StringRead } from '../base/json-reader';
import { isBlock, LongText } from './long-text';

/**
 * JSON text that is gathered as it streams in. Long strings are decoded block by block, so that neither their raw text
 * has to be kept nor the end of the stream waits for all of them.
 */
export class JsonText {
  /** The text, with empty strings in the place of long ones. */
  private readonly text = new LongText();
  private readonly taken = new Map<number, StringRead>();
  /** Raw text of the string that is open. */
  private pieces: string[] = [];
  private length = 0;
  /** What was read of it. */
  private value = '';
  private readonly repairs = new Set<string>();

  /** Text outside strings, and the quotes around them. */
  outside(text: string): void {
    this.text.add(text);
  }

  /** Text between double quotes. `isWhole` says that it does not end inside an escape. */
  inside(text: string, isWhole: boolean): void {
    this.pieces.push(text);
    this.length += text.length;
    if (isWhole && isBlock(this.pieces, this.length)) this.closeBlock();
  }

  /** What was given between the quotes is all of it; the closing one is still to come. */
  endString(): void {
    if (this.value === '') {
      this.text.add(this.pieces.join(''));
    } else {
      this.closeBlock();
      this.taken.set(this.text.length - 1, { value: this.value, repairs: [...this.repairs] });
    }
    this.pieces = [];
    this.length = 0;
    this.value = '';
    this.repairs.clear();
  }

  read(): JsonRead {
    return readJson(this.text.join(), this.taken);
  }

  private closeBlock(): void {
    const { value, repairs } = readString(this.pieces.join(''));
    this.value += value;
    for (const repair of repairs) this.repairs.add(repair);
    this.pieces = [];
    this.length = 0;
  }
}
