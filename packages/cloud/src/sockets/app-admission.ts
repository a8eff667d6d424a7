import { createValidator } from '@glasses-cloud/contract'
import { createVerifier } from 'fast-jwt'
import { Type } from 'typebox'
import type { ApiKeyOwner, ApiKeys, AppTokens } from '../identity/index.ts'
import type { SdkGenerations } from './sdk-generations.ts'
import {
  type AppRejection,
  type AppSocketSession,
  type SessionGateway,
  sessionNotFound,
} from './session-gateway.ts'
import type { WsPeer } from './ws-peer.ts'

const signedKeyValidator = createValidator(
  Type.Object({
    packageName: Type.String({ minLength: 1, maxLength: 200 }),
    apiKey: Type.String({ minLength: 1, maxLength: 500 }),
  }),
)

/**
 * Creates a reader of the JWT in the `Authorization` header of an app socket: an app token, or one with the claims
 * `packageName` and `apiKey` that the operator signed with `AUTH_SECRET` for an older client (app-socket.md §1.3). The
 * API key must be verified separately.
 */
export function appTokenReader(
  tokens: Pick<AppTokens, 'read'>,
  secrets: readonly string[],
): (token: string) => AppIdentity | undefined {
  const verifiers = secrets.map((key) =>
    createVerifier({ key, algorithms: ['HS256'], clockTolerance: 60_000 }),
  )
  return (token) => {
    const own = tokens.read(token)
    if (own !== undefined) return own
    for (const verify of verifiers) {
      try {
        const claims: unknown = verify(token)
        if (!signedKeyValidator.Check(claims)) return undefined
        return { packageName: claims.packageName, apiKey: claims.apiKey }
      } catch {}
    }
    return undefined
  }
}

/** An app, and what proves it: its API key, or the id of the API key that its app token was issued for. */
export type AppIdentity = { readonly packageName: string } & (
  | { readonly apiKey: string }
  | { readonly keyId: string }
)

/** The credentials that an app presents, and the session it connects to. */
export type AppCredentials = AppIdentity & {
  /** `<userSessionId>-<packageName>`; older clients send the user's e-mail address instead of the user session id. */
  readonly sessionId: string
  /** The version of the app SDK, if the client announces it. */
  readonly sdkVersion?: string | undefined
}

/** The result of an admission: the session of the attached socket, or the reason for the rejection. */
export type Admission =
  | {
      readonly ok: true
      readonly session: AppSocketSession
      /** Id of the API key, whose revocation closes the socket. */
      readonly keyId: string
    }
  | AppRejection

interface AppAdmissionDeps {
  readonly apiKeys: Pick<ApiKeys, 'verify' | 'findOwner'>
  readonly gateway: SessionGateway
  readonly sdks: Pick<SdkGenerations, 'of'>
}

/**
 * Admits app sockets to user sessions: the API key must belong to the package, and the app must be running or starting
 * in the session.
 */
export class AppAdmission {
  readonly #deps: AppAdmissionDeps

  constructor(deps: AppAdmissionDeps) {
    this.#deps = deps
  }

  /**
   * Authenticates an app and attaches its socket.
   * @param address the network address of the client
   * @returns undefined if the socket closed meanwhile
   * @throws Error when the database fails or the session cannot be opened
   */
  async admit(credentials: AppCredentials, peer: WsPeer, address: string): Promise<Admission | undefined> {
    const { gateway, sdks } = this.#deps
    const { packageName, sessionId, sdkVersion } = credentials
    const sessionPrefix = prefixOf(sessionId, packageName)
    const owner = await this.findOwner(credentials)
    if (!owner) {
      if (sessionPrefix !== undefined) gateway.recordInvalidAppKey(sessionPrefix, packageName)
      return { ok: false, code: 'INVALID_API_KEY', message: 'The API key is not valid for this package' }
    }
    if (sessionPrefix === undefined) return sessionNotFound
    const generation = await sdks.of(packageName, sdkVersion)
    const attachment = await gateway.attachApp({ sessionPrefix, packageName, address, generation }, peer)
    return attachment?.ok ? { ...attachment, keyId: owner.keyId } : attachment
  }

  /** Returns the app that was proven; undefined if the API key is invalid or revoked. */
  async findOwner(identity: AppIdentity): Promise<ApiKeyOwner | undefined> {
    const { apiKeys } = this.#deps
    const { packageName } = identity
    return 'keyId' in identity
      ? apiKeys.findOwner(identity.keyId, packageName)
      : apiKeys.verify(identity.apiKey, packageName)
  }
}

/** Returns the part before `-<packageName>`; e-mail addresses and package names may contain hyphens. */
function prefixOf(sessionId: string, packageName: string): string | undefined {
  const suffix = `-${packageName}`
  return sessionId.endsWith(suffix) ? sessionId.slice(0, -suffix.length) : undefined
}
