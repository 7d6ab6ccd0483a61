import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import type { Attachment, ImageAttachment } from '../../../core/words/attachment';
import type { ModelProfile } from '../../../models/profiles';
import { readImage, type ImageFacts } from '../../../node/files/images';
import { knowsImages } from './vscode-model';

/** The model that gets the message. */
export interface SeeingModel {
  readonly name: string;
  readonly seesImages: boolean;
}

/** Why an image cannot be attached, for the user; nothing if it can. */
export function imageProblem(
  { isWhole, width, height }: Pick<ImageFacts, 'isWhole' | 'width' | 'height'>,
  { name, seesImages }: SeeingModel,
): string | undefined {
  if (!isWhole) {
    const text = 'The image is incomplete. Save it again, or use another image.';
    return vscode.l10n.t(text);
  }
  if (Math.max(width, height) > limits.imagePixels) {
    const text = 'The image is {0} × {1} pixels. The limit is {2} per side.';
    return vscode.l10n.t(text, width, height, limits.imagePixels);
  }
  if (seesImages) return undefined;
  const text =
    '{0} cannot read images. If it can, set "vision" in its profile. Otherwise pick another model.';
  return vscode.l10n.t(text, name);
}

/** An image already attached when it is sent: the user may have picked another model since. */
export function stillSeen(image: ImageAttachment, model: SeeingModel): Attachment {
  const problem = bytesProblem(Buffer.from(image.image.data, 'base64'), model);
  return problem === undefined ? image : { type: 'missing', label: image.label, problem };
}

/** Why these bytes cannot be attached as an image, for the user; nothing if they can. */
export function bytesProblem(bytes: Buffer, model: SeeingModel): string | undefined {
  const facts = readImage(bytes);
  return facts ? imageProblem(facts, model) : noImage();
}

export function noImage(): string {
  return vscode.l10n.t('This image format is not supported. Use a PNG, JPEG, GIF or WebP image.');
}

/** Whether images reach the model of a profile: it supports them, and the API in between passes them on. */
export function seesImages({ provider, vision = false }: ModelProfile): boolean {
  switch (provider) {
    case 'openai':
    case 'ollama':
      return vision;
    case 'vscode':
      return vision && knowsImages();
    case 'demo':
      return false;
  }
}
