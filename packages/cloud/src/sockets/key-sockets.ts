import { closeFrames } from '@glasses-cloud/contract'
import type { WebSocket } from 'ws'
import type { ChangedKeys, ChangeFeed } from '../db/index.ts'
import type { ApiKeyStore } from '../identity/index.ts'
import { type Clock, pause } from '../time/index.ts'

/** Time after which a key that could not be read is read again. */
const RETRY_MS = 500

export interface KeySocketsDeps {
  readonly changes: ChangeFeed
  readonly clock: Clock
  readonly apiKeyStore: Pick<ApiKeyStore, 'findByKeyId'>
  /** Reports that a key could not be checked. */
  failed(error: unknown): void
}

/** The app sockets of this process by API key. A socket is closed when its key is revoked, on any node. */
export class KeySockets {
  readonly #deps: KeySocketsDeps
  readonly #byKey = new Map<string, Set<WebSocket>>()

  constructor(deps: KeySocketsDeps) {
    this.#deps = deps
    deps.changes.on('api_keys', (keys) => this.#changed(keys))
  }

  /**
   * Adds the socket of an authenticated app.
   * @returns a function that removes it once the socket is closed
   */
  add(keyId: string, ws: WebSocket): () => void {
    const sockets = this.#byKey.get(keyId) ?? new Set()
    this.#byKey.set(keyId, sockets.add(ws))
    // The key may have been revoked since it was verified.
    void this.#check(keyId)
    return () => {
      sockets.delete(ws)
      if (sockets.size === 0 && this.#byKey.get(keyId) === sockets) this.#byKey.delete(keyId)
    }
  }

  #changed(keys: ChangedKeys): void {
    for (const keyId of keys === 'all' ? this.#byKey.keys() : keys) void this.#check(keyId)
  }

  async #check(keyId: string): Promise<void> {
    const { apiKeyStore, clock, failed } = this.#deps
    while (this.#byKey.has(keyId)) {
      try {
        if ((await apiKeyStore.findByKeyId(keyId)) === undefined) this.#close(keyId)
        return
      } catch (error) {
        failed(error)
        await pause(clock, RETRY_MS)
      }
    }
  }

  #close(keyId: string): void {
    const { code, reason } = closeFrames.API_KEY_REVOKED
    for (const ws of this.#byKey.get(keyId) ?? []) ws.close(code, reason)
  }
}
