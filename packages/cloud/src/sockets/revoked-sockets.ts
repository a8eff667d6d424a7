import { closeFrames } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import type { WebSocket } from 'ws'
import type { ChangedKeys, ChangeFeed } from '../db/index.ts'
import type { ApiKeyStore, LoginStore } from '../identity/index.ts'
import type { Clock } from '../time/index.ts'

/** Time after which logins that could not be read are read again. */
const RETRY_MS = 1_000

interface RevokedSocketsDeps {
  readonly changes: ChangeFeed
  readonly clock: Clock
  readonly logins: LoginStore
  readonly log: Logger
}

/**
 * Closes the glasses sockets of a login that ended, on whichever node. The other sockets of the user remain; where the
 * user has logged out everywhere, their session ends as a whole (`SessionUpdates`).
 */
export class RevokedSockets {
  readonly #deps: RevokedSocketsDeps
  readonly #loginsByUser = new Map<string, Map<WebSocket, string>>()

  constructor(deps: RevokedSocketsDeps) {
    this.#deps = deps
    deps.changes.on('users', (keys) => this.#check(keys))
  }

  /** Watches a socket until it closes. @param loginId the login of its token */
  watch(ws: WebSocket, userId: string, loginId: string): void {
    const logins = this.#loginsByUser.get(userId) ?? new Map<WebSocket, string>()
    this.#loginsByUser.set(userId, logins.set(ws, loginId))
    ws.on('close', () => {
      logins.delete(ws)
      if (logins.size === 0) this.#loginsByUser.delete(userId)
    })
  }

  #check(keys: ChangedKeys): void {
    const users = keys === 'all' ? [...this.#loginsByUser.keys()] : [...keys]
    const sockets = users.flatMap((userId) => [...(this.#loginsByUser.get(userId) ?? [])])
    if (sockets.length === 0) return
    // Listeners of the feed run before the reader that called it, which must not wait.
    setImmediate(() => {
      this.#closeEnded(sockets).catch((err: unknown) => {
        const { log, clock } = this.#deps
        log.error({ err }, 'sockets: logins of open sockets could not be read')
        clock.after(RETRY_MS, () => this.#check(new Set(users)))
      })
    })
  }

  async #closeEnded(sockets: readonly (readonly [WebSocket, string])[]): Promise<void> {
    const { logins, clock } = this.#deps
    const { code, reason } = closeFrames.LOGGED_OUT
    for (const [ws, loginId] of sockets)
      if ((await logins.findLive(loginId, clock.now())) === undefined) ws.close(code, reason)
  }
}

/** Revoked keys that are remembered, for sockets that were being authenticated with them. */
const MAX_RECENTLY_REVOKED = 1_000

interface KeySocketsDeps {
  readonly changes: ChangeFeed
  readonly apiKeyStore: Pick<ApiKeyStore, 'findByKeyId'>
  /** Reports that a key could not be checked. */
  failed(error: unknown): void
}

/** The app sockets of this process by API key. A socket is closed when its key is revoked, on any node. */
export class KeySockets {
  readonly #deps: KeySocketsDeps
  readonly #byKey = new Map<string, Set<WebSocket>>()
  readonly #recentlyRevoked = new Set<string>()

  constructor(deps: KeySocketsDeps) {
    this.#deps = deps
    deps.changes.on('api_keys', (keys) => this.#revoked(keys))
  }

  /**
   * Adds the socket of an authenticated app.
   * @returns a function that removes it once the socket is closed
   */
  add(keyId: string, ws: WebSocket): () => void {
    const sockets = this.#byKey.get(keyId) ?? new Set()
    this.#byKey.set(keyId, sockets.add(ws))
    // Revoked after it was verified and before the socket was added.
    if (this.#recentlyRevoked.has(keyId)) this.#close(keyId)
    return () => {
      sockets.delete(ws)
      if (sockets.size === 0 && this.#byKey.get(keyId) === sockets) this.#byKey.delete(keyId)
    }
  }

  #revoked(keys: ChangedKeys): void {
    if (keys === 'all') {
      for (const keyId of this.#byKey.keys()) void this.#check(keyId)
      return
    }
    for (const keyId of keys) {
      this.#close(keyId)
      this.#recentlyRevoked.add(keyId)
    }
    for (const keyId of this.#recentlyRevoked) {
      if (this.#recentlyRevoked.size <= MAX_RECENTLY_REVOKED) return
      this.#recentlyRevoked.delete(keyId)
    }
  }

  async #check(keyId: string): Promise<void> {
    try {
      if ((await this.#deps.apiKeyStore.findByKeyId(keyId)) === undefined) this.#close(keyId)
    } catch (error) {
      this.#deps.failed(error)
    }
  }

  #close(keyId: string): void {
    const { code, reason } = closeFrames.API_KEY_REVOKED
    for (const ws of this.#byKey.get(keyId) ?? []) ws.close(code, reason)
  }
}
