import { closeFrames } from '@glasses-cloud/contract'
import type { WebSocket } from 'ws'
import type { ChangedKeys, ChangeFeed } from '../db/index.ts'
import type { ApiKeyStore } from '../identity/index.ts'

/** Revoked keys that are remembered, for sockets that were being authenticated with them. */
const MAX_RECENTLY_REVOKED = 1_000

export interface KeySocketsDeps {
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
