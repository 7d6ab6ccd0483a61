import type { Model } from '../core/words/model';
import { bounded } from '../models/bounded';
import { demoModel } from '../models/demo/demo';
import { emptyFormBook, forcing } from '../models/form/forcing';
import { emptyBook } from '../models/learned';
import { priced, type ModelProfile } from '../models/profiles';
import { renewing } from '../models/renewing';
import { retrying } from '../models/retrying';
import { endpointOptions, forcingOptions } from '../models/servers/endpoint-options';
import { overOllama } from '../models/servers/ollama';
import { renderReply, replyForm } from '../protocols';
import type { Access } from './run-profile';

/** The model of a profile, with everything that a run in a terminal needs. */
export async function openModel(
  profile: ModelProfile,
  { key, renew, filled, fetch }: Access,
  lessons = emptyBook(),
): Promise<Model> {
  const { baseUrl, model = '', price } = profile;
  if (profile.provider === 'demo' || baseUrl === undefined) return demoModel(renderReply, 0);
  const { openAiModel } = await import('../models/openai');
  const options = {
    ...{ name: profile.name ?? model, baseUrl, model, fetch },
    apiKey: key,
    headers: async () => filled,
    lessons,
    ...endpointOptions(profile),
  };
  const isOllama = profile.provider === 'ollama';
  const endpoint = bounded(
    forcing(openAiModel(isOllama ? overOllama(options, profile.contextWindow) : options), {
      ...forcingOptions(profile),
      book: emptyFormBook(),
      formOf: replyForm,
    }),
  );
  const renewed = renew ? renewing(endpoint, renew) : endpoint;
  return retrying(price ? priced(renewed, price) : renewed);
}
