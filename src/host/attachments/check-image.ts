import * as vscode from 'vscode';
import type { ImageFacts } from '../../node/image-type';
import { limits } from '../../policy/limits';

/** The model that a message goes to. */
export interface SeeingModel {
  readonly name: string;
  readonly seesImages: boolean;
}

/** Why an image cannot go along, for people; nothing where it can. */
export function imageProblem(
  { isWhole, width, height }: Pick<ImageFacts, 'isWhole' | 'width' | 'height'>,
  { name, seesImages }: SeeingModel,
): string | undefined {
  if (!isWhole) {
    const text = 'The image is not whole: its size or its end is missing. Save it again, or name another.';
    return vscode.l10n.t(text);
  }
  if (Math.max(width, height) > limits.imagePixels) {
    const text = 'The image is {0} × {1} pixels; at most {2} a side can go along. Make it smaller.';
    return vscode.l10n.t(text, width, height, limits.imagePixels);
  }
  if (seesImages) return undefined;
  const text = '{0} cannot see images. If it can, set "vision" in its profile; else pick another model.';
  return vscode.l10n.t(text, name);
}
