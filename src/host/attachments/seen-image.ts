import * as vscode from 'vscode';
import type { Attachment, ImageAttachment } from '../../core/attachment';
import { readImage } from '../../node/image-type';
import { imageProblem, type SeeingModel } from './check-image';

/** An image that is there already, when it is sent: the user may have picked another model since. */
export function stillSeen(image: ImageAttachment, model: SeeingModel): Attachment {
  const problem = bytesProblem(Buffer.from(image.image.data, 'base64'), model);
  return problem === undefined ? image : { type: 'missing', label: image.label, problem };
}

/** Why these bytes cannot go along as an image, for people; nothing where they can. */
export function bytesProblem(bytes: Buffer, model: SeeingModel): string | undefined {
  const facts = readImage(bytes);
  return facts ? imageProblem(facts, model) : noImage();
}

export function noImage(): string {
  return vscode.l10n.t('This is no image that can go along. Use a PNG, JPEG, GIF or WebP image.');
}
