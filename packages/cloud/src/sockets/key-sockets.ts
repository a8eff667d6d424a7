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
  /** The keys that are being checked, and whether each must be checked again. */
  readonly #checks = new Map<string, boolean>()

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
    const isRunning = this.#checks.has(keyId)
    this.#checks.set(keyId, true)
    if (isRunning) return
    let hasFailed = false
    while (this.#checks.get(keyId) && this.#byKey.has(keyId)) {
      this.#checks.set(keyId, false)
      try {
        if ((await apiKeyStore.findByKeyId(keyId)) === undefined) this.#close(keyId)
      } catch (error) {
        if (!hasFailed) failed(error)
        hasFailed = true
        this.#checks.set(keyId, true)
        await pause(clock, RETRY_MS)
      }
    }
    this.#checks.delete(keyId)
  }

  #close(keyId: string): void {
    const { code, reason } = closeFrames.API_KEY_REVOKED
    for (const ws of this.#byKey.get(keyId) ?? []) ws.close(code, reason)
  }
}
