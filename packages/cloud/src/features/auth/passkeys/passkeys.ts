import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import { isLoopbackHost } from '../../../config/index.ts'
import type { User } from '../../../identity/index.ts'
import { CHALLENGE_LIFETIME_MS } from './challenges.ts'
import type { Passkey, PasskeyStore } from './passkey-store.ts'

/** The site to which passkeys belong. */
export interface RelyingParty {
  /** Host name, without the port. */
  readonly id: string
  readonly origin: string
}

/**
 * Returns the site of a request: the public URL. A cloud at a loopback address or without https is on its own machine also
 * reachable as `localhost`, the only name without https for which browsers create passkeys.
 * @returns undefined if browsers have no passkeys there, which require https and a host name
 */
export function relyingPartyOf(
  publicUrl: URL,
  request: Pick<FastifyRequest, 'protocol' | 'host' | 'hostname'>,
): RelyingParty | undefined {
  const isPlain = publicUrl.protocol === 'http:' || isLoopbackHost(publicUrl.hostname)
  const isLocal = isPlain && request.hostname === 'localhost'
  const { protocol, hostname, origin } = isLocal
    ? new URL(`${request.protocol}://${request.host}`)
    : publicUrl
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[')
  return isSecure && isName ? { id: hostname, origin } : undefined
}

/** ES256, EdDSA and RS256. */
const ALGORITHMS = [-7, -8, -257]

export interface PasskeysDeps {
  readonly store: PasskeyStore
  readonly now: () => number
}

/** What a browser answered, and to what. */
interface Answer<Response> {
  readonly response: Response
  readonly challenge: string
  readonly relyingParty: RelyingParty
}

/** A response of a browser that is not valid; the message says why. */
export class InvalidPasskey extends Error {}

/**
 * Registers and verifies passkeys (WebAuthn): discoverable credentials, which name their user, on authenticators that
 * verify the user.
 */
export class Passkeys {
  readonly #deps: PasskeysDeps

  constructor(deps: PasskeysDeps) {
    this.#deps = deps
  }

  /** Loads the library, which takes a few hundred milliseconds. */
  async load(): Promise<void> {
    await webAuthn()
  }

  /** Returns the options with which a browser creates a passkey. */
  async registrationOptions(user: User, challenge: string, relyingParty: RelyingParty) {
    const existing = await this.#deps.store.list(user.id)
    const { generateRegistrationOptions } = await webAuthn()
    return generateRegistrationOptions({
      rpName: 'Glasses Cloud',
      rpID: relyingParty.id,
      userID: new Uint8Array(Buffer.from(user.id)),
      userName: user.email,
      userDisplayName: user.name || user.email,
      challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
      timeout: CHALLENGE_LIFETIME_MS,
      attestationType: 'none',
      excludeCredentials: existing.map(({ credentialId, transports }) => ({
        id: credentialId,
        transports: [...transports],
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    })
  }

  /**
   * Registers the passkey that a browser created.
   * @throws InvalidPasskey
   */
  async register(
    user: User,
    name: string,
    { response, challenge, relyingParty }: Answer<RegistrationResponseJSON>,
  ): Promise<Passkey | 'tooMany' | 'exists'> {
    const { verifyRegistrationResponse } = await webAuthn()
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(invalid)
    if (registrationInfo === undefined) throw new InvalidPasskey('the attestation is invalid')
    const { id, publicKey, counter } = registrationInfo.credential
    const passkey = {
      id: randomUUID(),
      userId: user.id,
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: response.response.transports ?? [],
      name,
      createdAt: this.#deps.now(),
    }
    const outcome = await this.#deps.store.add(passkey)
    return outcome === 'added' ? { ...passkey, lastUsedAt: undefined } : outcome
  }

  /** Returns the options with which a browser offers every passkey that it has for this site. */
  async signInOptions(challenge: string, relyingParty: RelyingParty) {
    const { generateAuthenticationOptions } = await webAuthn()
    return generateAuthenticationOptions({
      rpID: relyingParty.id,
      challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
      timeout: CHALLENGE_LIFETIME_MS,
      userVerification: 'required',
    })
  }

  /**
   * Verifies the signature of a passkey, and that its counter has not gone back, as that of a copy would.
   * @returns the id of its user
   * @throws InvalidPasskey
   */
  async authenticate({
    response,
    challenge,
    relyingParty,
  }: Answer<AuthenticationResponseJSON>): Promise<string> {
    const { store, now } = this.#deps
    const passkey = await store.findByCredential(response.id)
    if (passkey === undefined) throw new InvalidPasskey('the credential is unknown')
    const { userHandle = '' } = response.response
    if (Buffer.from(userHandle, 'base64url').toString() !== passkey.userId)
      throw new InvalidPasskey('the user handle does not match')
    const { verifyAuthenticationResponse } = await webAuthn()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    }).catch(invalid)
    if (!verified) throw new InvalidPasskey('the signature is invalid')
    if (!(await store.recordUse(passkey, authenticationInfo.newCounter, now())))
      throw new InvalidPasskey('the passkey was used or deleted meanwhile')
    return passkey.userId
  }
}

const webAuthn = () => import('@simplewebauthn/server')

/** The library throws for everything that is wrong with a response. */
function invalid(cause: unknown): never {
  throw new InvalidPasskey(cause instanceof Error ? cause.message : 'the response is invalid', { cause })
}
