import type { ModelProfile } from '../../models/profiles';
import { knowsImages } from '../models/image-part';

/** Whether images reach the model of a profile: it takes them, and what lies between passes them on. */
export function seesImages({ provider, vision = false }: ModelProfile): boolean {
  switch (provider) {
    case 'openai':
      return vision;
    case 'vscode':
      return vision && knowsImages();
    case 'demo':
      return false;
  }
}
