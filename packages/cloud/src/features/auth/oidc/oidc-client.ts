import type {
  AuthorizationCodeGrantChecks,
  authorizationCodeGrant,
  Configuration,
  ServerMetadata,
} from 'openid-client'
import type { OidcIssuer } from '../../../config/index.ts'
import {
  ALGORITHMS,
  ISSUER_TIMEOUT_MS,
  type IssuerEmail,
  IssuerUnavailable,
  loadIssuerMetadata,
  readIssuerEmail,
} from '../../../identity/index.ts'

const CLOCK_TOLERANCE_SECONDS = 60

/** Time after which the metadata of an issuer are loaded again. */
const METADATA_LIFETIME_MS = 10 * 60_000

/** Ways to present a client secret, the preferred first. */
const SECRET_METHODS = ['client_secret_basic', 'client_secret_post', 'client_secret_jwt'] as const

/** What an issuer accepts whose metadata do not say so (OpenID Connect Discovery, section 3). */
const DEFAULT_METHODS = ['client_secret_basic']

interface Granted {
  readonly configuration: Configuration
  readonly tokens: Awaited<ReturnType<typeof authorizationCodeGrant>>
}

type Method = (typeof SECRET_METHODS)[number] | 'none'

/** What a sign-in must remember until the browser returns from the issuer. */
export interface PendingSignIn {
  readonly issuerId: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** Path of the page that follows the sign-in. */
  readonly next: string
  /** The login of the user to whom the account is added; absent for a sign-in. */
  readonly linkLoginId?: string
}

/** A person whom the issuer has authenticated. */
export type OidcIdentity = IssuerEmail & { readonly subject: string }

/** Signs in at one issuer with the authorization code flow and PKCE. */
export class OidcClient {
  readonly issuer: OidcIssuer
  readonly #now: () => number
  #metadata: { readonly loading: Promise<ServerMetadata>; readonly expiresAt: number } | undefined
  /** How the issuer last accepted the client secret. */
  #acceptedMethod: Method | undefined

  /** @param now epoch milliseconds */
  constructor(issuer: OidcIssuer, now: () => number) {
    this.issuer = issuer
    this.#now = now
  }

  /**
   * Starts a sign-in.
   * @returns the URL at the issuer, and what `finish` needs
   * @throws IssuerUnavailable
   */
  async start(
    redirectUri: string,
    next: string,
  ): Promise<{ readonly url: URL; readonly pending: PendingSignIn }> {
    const client = await import('openid-client')
    const configuration = await this.#configure(await this.#loadMetadata(), 'none')
    const pending = {
      issuerId: this.issuer.id,
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
      next,
    }
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pending.codeVerifier),
      code_challenge_method: 'S256',
    })
    return { url, pending }
  }

  /**
   * Exchanges the code in the URL to which the issuer sent the browser.
   * @throws IssuerUnavailable; other errors if the response is not valid for the pending sign-in
   */
  async finish(callbackUrl: URL, { state, nonce, codeVerifier }: PendingSignIn): Promise<OidcIdentity> {
    const client = await import('openid-client')
    const metadata = await this.#loadMetadata()
    const checks = { pkceCodeVerifier: codeVerifier, expectedState: state, expectedNonce: nonce }
    const methods = this.#methods(metadata)
    const { configuration, tokens } = await this.#grant(metadata, methods, callbackUrl, checks)
    const claims = tokens.claims()
    if (claims === undefined) throw new Error('The issuer sent no ID token')
    const subject = claims.sub
    const found = { subject, ...readIssuerEmail(claims, this.issuer) }
    const { emailProblem } = found
    if (emailProblem === undefined || metadata.userinfo_endpoint === undefined) return found
    // Some issuers put few claims into ID tokens. A linked account needs none of them.
    try {
      const more = await client.fetchUserInfo(configuration, tokens.access_token, subject)
      return { subject, ...readIssuerEmail({ ...claims, ...more }, this.issuer) }
    } catch (cause) {
      const reason = new Error(`${emailProblem.reason.message}. Its userinfo could not be read`, { cause })
      return { subject, emailProblem: { ...emailProblem, reason } }
    }
  }

  /** Exchanges the code. Of several ways to present the secret, an issuer accepts one from each client. */
  async #grant(
    metadata: ServerMetadata,
    [method = 'none', ...others]: readonly Method[],
    callbackUrl: URL,
    checks: AuthorizationCodeGrantChecks,
  ): Promise<Granted> {
    const client = await import('openid-client')
    const configuration = await this.#configure(metadata, method)
    try {
      const tokens = await client.authorizationCodeGrant(configuration, callbackUrl, checks)
      this.#acceptedMethod = method
      return { configuration, tokens }
    } catch (error) {
      const { error: code, status } = error as { readonly error?: unknown; readonly status?: unknown }
      const isClientRejected = code === 'invalid_client' || status === 401
      if (!isClientRejected || others.length === 0) throw error
      return this.#grant(metadata, others, callbackUrl, checks)
    }
  }

  /** Returns how to authenticate, in the order of preference. */
  #methods({
    token_endpoint_auth_methods_supported: offered = DEFAULT_METHODS,
  }: ServerMetadata): readonly Method[] {
    if (this.issuer.clientSecret === undefined) return ['none']
    const usable = SECRET_METHODS.filter((method) => offered.includes(method))
    const methods = usable.length === 0 ? SECRET_METHODS : usable
    return methods.toSorted(
      (one, other) => Number(other === this.#acceptedMethod) - Number(one === this.#acceptedMethod),
    )
  }

  async #configure(metadata: ServerMetadata, method: Method): Promise<Configuration> {
    const client = await import('openid-client')
    const { clientId, clientSecret } = this.issuer
    const authentications = {
      none: client.None,
      client_secret_basic: client.ClientSecretBasic,
      client_secret_post: client.ClientSecretPost,
      client_secret_jwt: client.ClientSecretJwt,
    }
    const server = { userinfo_signing_alg_values_supported: ALGORITHMS, ...metadata }
    const options = { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS }
    const configuration = new client.Configuration(
      server,
      clientId,
      options,
      authentications[method](clientSecret),
    )
    configuration.timeout = ISSUER_TIMEOUT_MS / 1000
    // The operator names the issuer; http is for those on their own network.
    if (metadata.issuer.startsWith('http:')) client.allowInsecureRequests(configuration)
    return configuration
  }

  async #loadMetadata(): Promise<ServerMetadata> {
    const now = this.#now()
    if (this.#metadata === undefined || this.#metadata.expiresAt <= now)
      this.#metadata = {
        loading: loadIssuerMetadata(this.issuer.issuer).then(requireEndpoints),
        expiresAt: now + METADATA_LIFETIME_MS,
      }
    try {
      return await this.#metadata.loading
    } catch (error) {
      this.#metadata = undefined
      throw new IssuerUnavailable(error)
    }
  }
}

/** @throws Error unless the metadata have the endpoints of a sign-in */
function requireEndpoints(metadata: ServerMetadata): ServerMetadata {
  for (const name of ['authorization_endpoint', 'token_endpoint'] as const)
    if (!URL.canParse(metadata[name] ?? '')) throw new Error(`${metadata.issuer} has no ${name}`)
  return metadata
}
