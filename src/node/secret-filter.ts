import { foldName } from '../policy/file-names';
import { isSecret, secretNames, type SecretNames } from '../policy/secrets';

/**
 * `isSecret` for thousands of names. A name in plain characters that fits no pattern as it stands cannot be secret, and
 * only the others need the careful look.
 */
export function secretFilter(options: SecretNames): (name: string) => boolean {
  const { added = [], platform } = options;
  const patterns = [...secretNames, ...added.map((own) => foldName(own, platform))].map(patternSource);
  // Windows drops dots and blanks at the end of a name.
  const resembling = new RegExp(`^(?:${patterns.join('|')})[. ]*$`, 'i');
  return (name) => (!/^[\x20-\x7e]*$/.test(name) || resembling.test(name)) && isSecret(name, options);
}

function patternSource(pattern: string): string {
  return pattern
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
}
