import { fieldIn, hasEntries, judge, listIn, textIn, type ReadModel } from './found-model';

/** Default roles of a model without roles in its entry. */
const ROLES = ['chat'];

/**
 * Models of Continue: `config.yaml`, and `config.json` of older versions, whose entries have a `title`.
 * https://docs.continue.dev/reference
 */
export function readContinue(value: unknown): readonly ReadModel[] {
  return listIn(fieldIn(value, 'models')).map(readEntry);
}

function readEntry(entry: unknown): ReadModel {
  const uses = textIn(entry, 'uses');
  const provider = textIn(entry, 'provider') ?? '';
  const name = textIn(entry, 'name') ?? textIn(entry, 'title') ?? uses;
  if (uses !== undefined)
    return { type: 'left-out', from: 'Continue', name: name ?? uses, why: 'elsewhere', provider };
  const roles = fieldIn(entry, 'roles');
  const does = Array.isArray(roles) ? (roles as readonly unknown[]) : ROLES;
  const model = textIn(entry, 'model');
  if (!does.includes('chat'))
    return { type: 'left-out', from: 'Continue', name: name ?? model ?? provider, why: 'not-chat', provider };
  const options = fieldIn(entry, 'defaultCompletionOptions') ?? fieldIn(entry, 'completionOptions');
  const request = fieldIn(entry, 'requestOptions');
  return judge({
    from: 'Continue',
    name,
    provider,
    address: fieldIn(entry, 'apiBase'),
    model,
    contextWindow: fieldIn(options, 'contextLength') ?? fieldIn(entry, 'contextLength'),
    vision: listIn(fieldIn(entry, 'capabilities')).includes('image_input'),
    key: fieldIn(entry, 'apiKey'),
    hasMore: hasEntries(fieldIn(request, 'headers')) || hasEntries(fieldIn(request, 'extraBodyProperties')),
  });
}
