import { randomBytes } from 'node:crypto';
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import { ServerProblem } from './ports';

/** Where what a sign-in has brought rests: one text for one server, which holds keys. */
export interface AuthorizationStore {
  readonly get: () => Promise<string | undefined>;
  readonly set: (text: string) => Promise<void>;
  readonly delete: () => Promise<void>;
}

interface AuthorizationParts {
  readonly store: AuthorizationStore;
  /** Where the browser is to come back to. Asked for once. */
  readonly redirect: () => Promise<string>;
  /** Is told about every key before it is used or kept. */
  readonly learn: (secret: string) => void;
}

/** The page on which the user signs in, and the word by which they are known when they come back. */
export interface OpenAuthorization {
  readonly page: URL;
  readonly state: string;
}

// What the server of the keys has said besides is kept as it is.
const stored = z.looseObject({
  issuer: z.string(),
  client: z.optional(
    z.looseObject({
      client_id: z.string(),
      client_secret: z.optional(z.string()),
      redirect_uris: z.optional(z.array(z.string())),
    }),
  ),
  tokens: z.optional(
    z.looseObject({
      access_token: z.string(),
      token_type: z.string(),
      refresh_token: z.optional(z.string()),
      id_token: z.optional(z.string()),
    }),
  ),
});

/** What one issuer of keys has given us for one server. */
interface StoredAuthorization {
  readonly issuer: string;
  readonly client?: StoredOAuthClientInformation;
  readonly tokens?: StoredOAuthTokens;
}

/**
 * Signs in to one server as the SDK wants it. Keys rest in the store and are read from there for each request, so that
 * two windows have the same. Of the sign-in itself nothing outlives this object.
 */
export class Authorization implements OAuthClientProvider {
  /** Known once `tokens` was asked for. */
  redirectUrl = '';
  private redirecting: Promise<string> | undefined;
  private secretState = '';
  private verifier: string | undefined;
  private discovery: OAuthDiscoveryState | undefined;
  private page: URL | undefined;

  constructor(private readonly parts: AuthorizationParts) {}

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Parley',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  /** Where the SDK wants the user to go; nothing where it has not come to that. */
  get open(): OpenAuthorization | undefined {
    return this.page && { page: this.page, state: this.secretState };
  }

  state(): string {
    this.secretState = randomBytes(32).toString('hex');
    return this.secretState;
  }

  async clientInformation(
    context?: OAuthClientInformationContext,
  ): Promise<StoredOAuthClientInformation | undefined> {
    const { client, tokens } = (await this.read(context)) ?? {};
    // Keys are renewed by the client that they were given to, whatever address it had.
    return tokens?.refresh_token !== undefined || this.isHere(client) ? client : undefined;
  }

  async saveClientInformation(
    client: StoredOAuthClientInformation,
    context?: OAuthClientInformationContext,
  ): Promise<void> {
    // Some servers leave out what they were told, or spell it in another way.
    const known = { ...client, redirect_uris: [this.redirectUrl] };
    await this.change({ client: known }, context ?? { issuer: client.issuer ?? '' });
  }

  async tokens(context?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    // It is asked before every request, and the address has to be known before the SDK begins a sign-in.
    this.redirecting ??= this.parts.redirect();
    this.redirectUrl = await this.redirecting;
    return (await this.read(context))?.tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): Promise<void> {
    await this.change({ tokens }, context ?? { issuer: tokens.issuer ?? '' });
  }

  /** Opens nothing: a server may ask for it in the middle of a run. */
  async redirectToAuthorization(page: URL): Promise<void> {
    this.page = page;
    const { client } = (await this.read()) ?? {};
    if (this.isHere(client)) return;
    // The keys could not be renewed, and who may renew them was known by the address of another window.
    await this.parts.store.delete();
    throw new ServerProblem('The sign-in has expired. Restart the server to sign in again.');
  }

  saveCodeVerifier(verifier: string): void {
    this.parts.learn(verifier);
    this.verifier = verifier;
  }

  codeVerifier(): string {
    if (this.verifier !== undefined) return this.verifier;
    throw new ServerProblem('Nobody has begun to sign in. Restart the server.');
  }

  async saveDiscoveryState(discovery: OAuthDiscoveryState): Promise<void> {
    this.discovery = discovery;
    const { authorizationServerMetadata: known } = discovery;
    if (!known || known.registration_endpoint !== undefined) return;
    // Nobody can have told it of us.
    if (await this.clientInformation({ issuer: known.issuer })) return;
    throw new ServerProblem(
      `It wants a sign-in at ${known.issuer}, which knows no Parley and registers nobody. Give it a key in "headers".`,
    );
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'all' || scope === 'verifier') this.verifier = undefined;
    if (scope === 'all' || scope === 'discovery') this.discovery = undefined;
    if (scope === 'all') return this.parts.store.delete();
    const { client, tokens, issuer } = (await this.read()) ?? {};
    if (issuer === undefined) return;
    if (scope === 'client') await this.write({ issuer, ...(tokens && { tokens }) });
    if (scope === 'tokens') await this.write({ issuer, ...(client && { client }) });
  }

  private isHere(client: StoredOAuthClientInformation | undefined): boolean {
    return (
      client !== undefined && 'redirect_uris' in client && client.redirect_uris.includes(this.redirectUrl)
    );
  }

  /** What another issuer has given is not handed out. */
  private async read(context?: OAuthClientInformationContext): Promise<StoredAuthorization | undefined> {
    const text = await this.parts.store.get();
    const found = text === undefined ? undefined : readStored(text);
    if (!found) return undefined;
    for (const secret of secretsIn(found)) this.parts.learn(secret);
    return context && context.issuer !== found.issuer ? undefined : found;
  }

  private async change(
    part: Partial<StoredAuthorization>,
    context: OAuthClientInformationContext,
  ): Promise<void> {
    await this.write({ ...(await this.read(context)), ...part, issuer: context.issuer });
  }

  private async write(authorization: StoredAuthorization): Promise<void> {
    for (const secret of secretsIn(authorization)) this.parts.learn(secret);
    await this.parts.store.set(JSON.stringify(authorization));
  }
}

function readStored(text: string): StoredAuthorization | undefined {
  try {
    // SAFETY: what the SDK reads of it is checked; the rest was the SDK's own.
    return stored.parse(JSON.parse(text)) as StoredAuthorization;
  } catch (error) {
    // Who cannot be recognised signs in again.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

function secretsIn({ client, tokens }: StoredAuthorization): readonly string[] {
  return [client?.client_secret, tokens?.access_token, tokens?.refresh_token, tokens?.id_token].filter(
    (secret) => secret !== undefined,
  );
}
