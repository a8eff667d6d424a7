import type { Configuration } from 'openid-client'
import type { OidcIssuer } from '../../../config/index.ts'
import { IssuerUnavailable } from '../../../identity/index.ts'

/** Seconds within which the issuer must respond. */
const TIMEOUT_SECONDS = 5

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
export interface OidcIdentity {
  readonly subject: string
  /** Not normalized; undefined unless the issuer has verified it. */
  readonly email: string | undefined
}

/** Signs in at one issuer with the authorization code flow and PKCE. */
export class OidcClient {
  readonly issuer: OidcIssuer
  #configuration: Promise<Configuration> | undefined

  constructor(issuer: OidcIssuer) {
    this.issuer = issuer
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
    const configuration = await this.#configure()
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
    const configuration = await this.#configure()
    const tokens = await client.authorizationCodeGrant(configuration, callbackUrl, {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new Error('The issuer sent no ID token')
    const about =
      claims.email === undefined
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims
    const { email, email_verified: isVerified } = about
    return {
      subject: claims.sub,
      email: typeof email === 'string' && isVerified === true ? email : undefined,
    }
  }

  async #configure(): Promise<Configuration> {
    this.#configuration ??= this.#discover()
    try {
      return await this.#configuration
    } catch (error) {
      this.#configuration = undefined
      throw new IssuerUnavailable(error)
    }
  }

  async #discover(): Promise<Configuration> {
    const client = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.issuer
    const url = new URL(issuer)
    return client.discovery(
      url,
      clientId,
      clientSecret,
      clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret),
      {
        timeout: TIMEOUT_SECONDS,
        // The operator names the issuer; http is for those on their own network.
        ...(url.protocol === 'http:' && { execute: [client.allowInsecureRequests] }),
      },
    )
  }
}
