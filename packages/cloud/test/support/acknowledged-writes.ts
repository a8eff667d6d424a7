import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from './scope.ts'
import { waitFor } from './wait-for.ts'

const WRITE_INTERVAL_MS = 5

/** Settings that are written in turn. */
const KEYS = 100

/** Writes settings of a user one after the other, and remembers which ones the cloud acknowledged. */
export class AcknowledgedWrites {
  readonly #url: () => string
  readonly #token: string
  readonly #attempted = new Map<string, number>()
  readonly #acknowledged = new Map<string, number>()
  #count = 0
  #isStopped = false
  #running: Promise<void> | undefined

  private constructor(url: () => string, token: string) {
    this.#url = url
    this.#token = token
  }

  /** @param url of the cloud at the time of a request */
  static async start(scope: Scope, url: () => string, token: string): Promise<AcknowledgedWrites> {
    const writes = new AcknowledgedWrites(url, token)
    writes.#running = writes.#run()
    scope.after(() => writes.stop())
    await writes.more(10)
    return writes
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /** Resolves after further writes were acknowledged. */
  async more(count: number): Promise<void> {
    const expected = this.#count + count
    await waitFor('acknowledged writes', () => this.#count >= expected)
  }

  /** Returns the last acknowledged value of each key so far. */
  acknowledged(): ReadonlyMap<string, number> {
    return new Map(this.#acknowledged)
  }

  /** Returns the last value of each key that was sent. */
  attempted(): ReadonlyMap<string, number> {
    return this.#attempted
  }

  /** Returns the values that the cloud has. */
  async stored(): Promise<Record<string, number>> {
    const response = await this.#fetch('GET')
    assert.equal(response.status, 200)
    const { data } = (await response.json()) as { data: { settings: Record<string, number> } }
    return Object.fromEntries(Object.entries(data.settings).filter(([key]) => this.#attempted.has(key)))
  }

  /** Returns the keys whose acknowledged value, or a later one, the cloud does not have. */
  async lost(acknowledged: ReadonlyMap<string, number>): Promise<string[]> {
    assert.ok(acknowledged.size > 0)
    const stored = await this.stored()
    return [...acknowledged].filter(([key, value]) => !((stored[key] ?? 0) >= value)).map(([key]) => key)
  }

  async #run(): Promise<void> {
    for (let value = 1; !this.#isStopped; value += 1) {
      const key = `key_${value % KEYS}`
      this.#attempted.set(key, value)
      const response = await this.#fetch('POST', { settings: { [key]: value } }).catch(() => undefined)
      await response?.body?.cancel()
      if (response?.ok) {
        this.#count += 1
        this.#acknowledged.set(key, value)
      }
      await delay(WRITE_INTERVAL_MS)
    }
  }

  #fetch(method: string, body?: object): Promise<Response> {
    return fetch(`${this.#url()}/api/client/user/settings`, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
  }
}
