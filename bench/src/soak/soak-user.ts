import { setTimeout as delay } from 'node:timers/promises'
import { Glasses, PhoneError, tone } from '@glasses-cloud/glasses'
import { WebSocket } from 'ws'
import { signToken } from '../support/tokens.ts'
import { HOSTILE_FRAMES, HOSTILE_REQUESTS } from './hostile.ts'
import { displayEvent, SOAK_PACKAGE, type SoakApp } from './soak-app.ts'
import type { WriteLedger } from './write-ledger.ts'

/** Average pause between two actions of a user. */
const PAUSE_MS = 1_500
const STALL_MS = 5_000
const REQUEST_TIMEOUT_MS = 30_000

export interface SoakUserDeps {
  readonly url: string
  readonly app: SoakApp
  readonly ledger: WriteLedger
  /** Returns numbers in [0, 1). */
  readonly random: () => number
  /** Reports a response with status 500. */
  readonly onServerError: (request: string) => void
}

/** An action and its weight in the mix. */
type Action = readonly [name: string, weight: number, run: () => unknown]

/** A user of a soak: glasses, phone and running app with a random mix of traffic, faults and hostile messages. */
export class SoakUser {
  readonly #deps: SoakUserDeps
  readonly #email: string
  readonly #token: string
  readonly #glasses: Glasses
  /** Number of actions by name. */
  readonly counts: Record<string, number> = {}
  #isStopped = false
  #writes = 0

  constructor(index: number, deps: SoakUserDeps) {
    this.#deps = deps
    this.#email = `soak${index}@bench.example`
    this.#token = signToken(this.#email)
    this.#glasses = new Glasses({
      url: deps.url,
      token: this.#token,
      reconnect: { firstMs: 100, maxMs: 2_000 },
      random: deps.random,
    })
  }

  /** Connects the glasses and starts the app. */
  async connect(): Promise<void> {
    await this.#glasses.connect({ timeoutMs: 60_000 })
    await this.#glasses.phone.startApp(SOAK_PACKAGE)
  }

  /** Performs actions until `stop`. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      await delay(this.#deps.random() * 2 * PAUSE_MS)
      if (this.#isStopped) break
      const [name, , action] = this.#chooseAction()
      this.counts[name] = (this.counts[name] ?? 0) + 1
      try {
        await action()
      } catch (error) {
        // The faults of the soak make actions fail; only errors of the server are problems.
        if (error instanceof PhoneError && error.status === 500 && !isAppFault(error)) {
          this.#deps.onServerError(`${name}: ${error.message}`)
        }
      }
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#glasses.disconnect()
  }

  #chooseAction(): Action {
    const actions = this.#actions
    let remaining = this.#deps.random() * actions.reduce((sum, [, weight]) => sum + weight, 0)
    for (const action of actions) {
      remaining -= action[1]
      if (remaining < 0) return action
    }
    return actions[0] as Action
  }

  readonly #actions: readonly Action[] = [
    ['button', 20, () => this.#glasses.pressButton()],
    ['speech', 10, () => this.#glasses.speak('one two three', { wordMs: 50 })],
    ['audio', 6, () => this.#glasses.playAudio(tone(400))],
    ['position', 4, () => this.#glasses.reportPosition(this.#deps.random() * 90, this.#deps.random() * 180)],
    ['battery', 4, () => this.#glasses.reportBattery(Math.floor(this.#deps.random() * 100))],
    ['voice activity', 4, () => this.#glasses.sendVad(this.#deps.random() < 0.5)],
    ['display', 10, () => this.#deps.app.send(this.#email, displayEvent(`Text ${this.#deps.random()}`))],
    ['list apps', 3, () => this.#glasses.phone.listApps()],
    ['storage write', 12, () => this.#writeStorage()],
    ['settings write', 5, () => this.#writeSetting()],
    ['restart app', 2, () => this.#restartApp()],
    ['lose glasses', 3, () => this.#glasses.loseConnection()],
    ['lose app', 3, () => this.#deps.app.loseConnection(this.#email)],
    ['reconnect', 4, () => this.#ensureConnected()],
    ['takeover', 1, () => this.#takeOver()],
    ['slow reader', 1, () => this.#readSlowly()],
    ['hostile frame', 5, () => this.#glasses.sendRaw(this.#pick(HOSTILE_FRAMES))],
    ['hostile app frame', 3, () => this.#deps.app.send(this.#email, this.#pick(HOSTILE_FRAMES))],
    ['hostile request', 4, () => this.#sendHostileRequest()],
    ['invalid token', 1, () => this.#connectWithInvalidToken()],
  ]

  /** Writes to the simple storage as the app, with one key per user and writer. */
  async #writeStorage(): Promise<void> {
    const key = `${this.#email}/counter`
    const value = String(++this.#writes)
    const path = `/api/sdk/simple-storage/${encodeURIComponent(this.#email)}/counter`
    await this.#deps.ledger.record(key, value, async () => {
      const response = await this.#request('PUT', path, JSON.stringify({ value }), {
        authorization: `Bearer ${SOAK_PACKAGE}:${this.#deps.app.apiKey}`,
      })
      if (!response.ok) throw new Error(`status ${response.status}`)
    })
  }

  async #writeSetting(): Promise<void> {
    const value = String(++this.#writes)
    await this.#deps.ledger.record(`${this.#email}/setting`, value, () =>
      this.#glasses.phone.updateSettings({ soak_counter: value }),
    )
  }

  async #restartApp(): Promise<void> {
    await this.#glasses.phone.stopApp(SOAK_PACKAGE)
    await this.#glasses.phone.startApp(SOAK_PACKAGE)
  }

  /** Connects again after a final close, and starts the app if it stopped. */
  async #ensureConnected(): Promise<void> {
    await this.#glasses.connect()
    const apps = await this.#glasses.phone.listApps()
    const isRunning = apps.some(({ packageName, running }) => packageName === SOAK_PACKAGE && running)
    if (!isRunning) await this.#glasses.phone.startApp(SOAK_PACKAGE)
  }

  /** A second pair of glasses takes over the session, and the first one takes it back. */
  async #takeOver(): Promise<void> {
    const other = new Glasses({ url: this.#deps.url, token: this.#token, reconnect: false })
    try {
      await other.connect()
      other.pressButton()
    } finally {
      await other.disconnect()
    }
    await this.#glasses.connect()
  }

  /** Takes the session over with a socket that stops reading while the app sends display events. */
  async #readSlowly(): Promise<void> {
    const socket = new WebSocket(`${this.#deps.url.replace('http', 'ws')}/glasses-ws`, {
      headers: { authorization: `Bearer ${this.#token}` },
    })
    socket.on('error', () => {})
    socket.once('message', () => socket.pause())
    const text = 'x'.repeat(20_000)
    for (let passed = 0; passed < STALL_MS && !this.#isStopped; passed += 100) {
      this.#deps.app.send(this.#email, displayEvent(`${text}${passed}`))
      await delay(100)
    }
    socket.terminate()
    await this.#glasses.connect()
  }

  async #sendHostileRequest(): Promise<void> {
    const [method, path, body] = this.#pick(HOSTILE_REQUESTS)
    const authorization = `Bearer ${this.#token}`
    const response = await this.#request(method, path, body, { authorization })
    if (response.status === 500) this.#deps.onServerError(`${method} ${path}`)
  }

  async #connectWithInvalidToken(): Promise<void> {
    const token = `${this.#token.slice(0, -4)}AAAA`
    const other = new Glasses({ url: this.#deps.url, token, reconnect: false })
    await other.connect().finally(() => other.disconnect())
  }

  async #request(
    method: string,
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<Response> {
    const response = await fetch(`${this.#deps.url}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    await response.body?.cancel()
    return response
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#deps.random() * values.length)] as Value
  }

  /** Reads the values that the cloud has stored, by key of the ledger. */
  async readStored(): Promise<Record<string, string | undefined>> {
    const storagePath = `/api/sdk/simple-storage/${encodeURIComponent(this.#email)}`
    const storage = await this.#getJson(storagePath, `${SOAK_PACKAGE}:${this.#deps.app.apiKey}`)
    const settings = await this.#getJson('/api/client/user/settings', this.#token)
    return {
      [`${this.#email}/counter`]: storage.counter,
      [`${this.#email}/setting`]: settings.soak_counter,
    }
  }

  async #getJson(path: string, bearer: string): Promise<Record<string, string | undefined>> {
    const response = await fetch(`${this.#deps.url}${path}`, {
      headers: { authorization: `Bearer ${bearer}` },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${await response.text()}`)
    const body = (await response.json()) as { data?: Record<string, unknown> }
    const data = (body.data?.settings ?? body.data ?? {}) as Record<string, string | undefined>
    return data
  }
}

/** Whether the start of the app failed, because it lost its connection meanwhile. */
function isAppFault({ message }: PhoneError): boolean {
  return message.startsWith('Error starting app')
}
