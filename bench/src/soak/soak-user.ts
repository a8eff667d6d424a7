import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Glasses, PhoneError, tone } from '@glasses-cloud/phone'
import { WebSocket } from 'ws'
import type { AppServer } from '../support/app-server.ts'
import { signToken } from '../support/server-process.ts'
import type { WriteLedger } from './records.ts'

/** Package name of the app that every user of a soak runs. */
export const SOAK_PACKAGE = 'bench.soak'

/** Average pause between two actions of a user. */
const PAUSE_MS = 2_000
const STALL_MS = 5_000
const REQUEST_TIMEOUT_MS = 30_000
/** How often a request is sent to a cloud that does not answer it yet. */
const MAX_READS = 20

export interface SoakUserDeps {
  readonly url: string
  readonly app: AppServer
  readonly ledger: WriteLedger
  /** Returns numbers in [0, 1). */
  readonly random: () => number
  /** Reports what took time since an epoch ms. */
  readonly onDelay: (name: string, since: number) => void
  /** Reports a request that failed after it was sent at an epoch ms; always if the cloud answered with status 500. */
  readonly onFailure: (action: string, since: number, error: Error) => void
}

/** An action and its weight in the mix. */
type Action = readonly [name: string, weight: number, run: () => unknown]

/** A response to a request that the cloud did not carry out. */
class RequestError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Identifies the button presses whose delay is measured: the epoch ms follows. */
const PRESS = 'press '

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
  /** A write without an answer may still be carried out after a later one, so the next one has another key. */
  #storageKey = 0
  #settingKey = 0

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

  /** Connects the glasses, installs the app and starts it. */
  async connect(): Promise<void> {
    await this.#glasses.connect({ timeoutMs: 60_000 })
    await this.#glasses.api.install(SOAK_PACKAGE)
    await this.#glasses.api.startApp(SOAK_PACKAGE)
  }

  /** Performs actions until `stop`. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      await delay(this.#deps.random() * 2 * PAUSE_MS)
      if (this.#isStopped) break
      const [name, , action] = this.#chooseAction()
      this.counts[name] = (this.counts[name] ?? 0) + 1
      const since = Date.now()
      try {
        await action()
        if (this.#requests.has(name)) this.#deps.onDelay(name, since)
      } catch (error) {
        // Actions of sockets fail while these are away.
        const isServerError = error instanceof PhoneError && error.status === 500 && !isAppFault(error)
        if (error instanceof Error && (isServerError || this.#requests.has(name)))
          this.#deps.onFailure(name, since, error)
      }
    }
    // The last action may have connected them again.
    await this.#glasses.disconnect()
  }

  /** Drops the connection of the glasses, which connect again. */
  loseConnection(): void {
    const since = Date.now()
    if (!this.#glasses.isConnected) return
    this.#glasses.loseConnection()
    this.#glasses.once('ack', () => this.#deps.onDelay('connection after a loss', since))
  }

  /** Records the delay of a button press that reached the app. */
  static measurePress(buttonId: string, onDelay: SoakUserDeps['onDelay']): void {
    if (buttonId.startsWith(PRESS)) onDelay('button press to the app', Number(buttonId.slice(PRESS.length)))
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

  /** Actions that depend on nothing but the cloud. */
  readonly #requests: ReadonlySet<string> = new Set([
    'list apps',
    'storage write',
    'settings write',
    'photo',
    'list photos',
  ])

  readonly #actions: readonly Action[] = [
    ['button', 20, () => this.#glasses.pressButton(`${PRESS}${Date.now()}`)],
    ['camera button', 1, () => this.#glasses.pressButton()],
    ['speech', 10, () => this.#glasses.speak('one two three', { wordMs: 50 })],
    ['audio', 6, () => this.#glasses.playAudio(tone(400))],
    ['position', 4, () => this.#glasses.reportPosition(this.#deps.random() * 90, this.#deps.random() * 180)],
    ['battery', 4, () => this.#glasses.reportBattery(Math.floor(this.#deps.random() * 100))],
    ['voice activity', 4, () => this.#glasses.sendVad(this.#deps.random() < 0.5)],
    ['display', 10, () => this.#deps.app.display(this.#email, `Text ${this.#deps.random()}`)],
    ['list apps', 3, () => this.#glasses.api.listApps()],
    ['storage write', 12, () => this.#writeStorage()],
    ['settings write', 5, () => this.#writeSetting()],
    ['photo', 0.3, () => this.#uploadPhoto()],
    ['list photos', 1, () => this.#glasses.api.request('GET', '/api/gallery?limit=20')],
    ['restart app', 2, () => this.#restartApp()],
    ['lose glasses', 3, () => this.loseConnection()],
    ['lose app', 3, () => this.#deps.app.loseConnection(this.#email)],
    ['reconnect', 4, () => this.#ensureConnected()],
    ['takeover', 1, () => this.#takeOver()],
    ['slow reader', 1, () => this.#readSlowly()],
    ['hostile frame', 5, () => this.#glasses.sendRaw(this.#pick(HOSTILE_FRAMES))],
    ['hostile app frame', 3, () => this.#deps.app.send(this.#email, this.#pick(HOSTILE_FRAMES))],
    ['hostile request', 4, () => this.#sendHostileRequest()],
    ['invalid token', 1, () => this.#connectWithInvalidToken()],
  ]

  /** Writes to the simple storage as the app, one write after the other. */
  async #writeStorage(): Promise<void> {
    const name = `counter-${this.#storageKey}`
    const value = String(++this.#writes)
    const path = `/api/sdk/simple-storage/${encodeURIComponent(this.#email)}/${name}`
    try {
      await this.#deps.ledger.record(`${this.#email}/storage/${name}`, value, async () => {
        const bearer = `${SOAK_PACKAGE}:${this.#deps.app.apiKey}`
        const response = await this.#request('PUT', path, JSON.stringify({ value }), {
          authorization: `Bearer ${bearer}`,
        })
        if (!response.ok) throw new RequestError(response.status, `status ${response.status}`)
      })
    } catch (error) {
      this.#storageKey += 1
      throw error
    }
  }

  async #writeSetting(): Promise<void> {
    const name = `soak_counter_${this.#settingKey}`
    const value = String(++this.#writes)
    try {
      await this.#deps.ledger.record(`${this.#email}/setting/${name}`, value, () =>
        this.#glasses.api.updateSettings({ [name]: value }),
      )
    } catch (error) {
      this.#settingKey += 1
      throw error
    }
  }

  async #uploadPhoto(): Promise<void> {
    const requestId = randomUUID()
    const jpeg = photoOf(requestId)
    const form = new FormData()
    form.set('requestId', requestId)
    form.set('photo', new Blob([jpeg], { type: 'image/jpeg' }), `${requestId}.jpg`)
    const response = await this.#glasses.api.request('POST', '/api/photos/upload', form)
    const { pathname } = new URL((response as { photoUrl: string }).photoUrl)
    this.#deps.ledger.acknowledge(`${this.#email}${pathname}`, hash(jpeg))
  }

  async #restartApp(): Promise<void> {
    await this.#glasses.api.stopApp(SOAK_PACKAGE)
    await this.#glasses.api.startApp(SOAK_PACKAGE)
  }

  /** Connects again after a final close, and starts the app if it stopped. */
  async #ensureConnected(): Promise<void> {
    await this.#glasses.connect()
    const apps = await this.#glasses.api.listApps()
    const isRunning = apps.some(({ packageName, running }) => packageName === SOAK_PACKAGE && running)
    if (!isRunning) await this.#glasses.api.startApp(SOAK_PACKAGE)
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
      this.#deps.app.display(this.#email, `${text}${passed}`)
      await delay(100)
    }
    socket.terminate()
    await this.#glasses.connect()
  }

  async #sendHostileRequest(): Promise<void> {
    const [method, path, body] = this.#pick(HOSTILE_REQUESTS)
    const authorization = `Bearer ${this.#token}`
    const since = Date.now()
    const { status } = await this.#request(method, path, body, { authorization })
    if (status === 500)
      this.#deps.onFailure(`${method} ${path}`, since, new RequestError(status, 'status 500'))
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

  /** Reads what a cloud has stored, by key of the ledger. @param url this cloud, or one with its data */
  async readStored(url: string): Promise<Record<string, string>> {
    const stored: Record<string, string> = {}
    const storagePath = `/api/sdk/simple-storage/${encodeURIComponent(this.#email)}`
    const bearer = `${SOAK_PACKAGE}:${this.#deps.app.apiKey}`
    const storage = await readJson(url, storagePath, bearer)
    for (const [name, value] of Object.entries(Object(storage.data)))
      stored[`${this.#email}/storage/${name}`] = String(value)
    const { data } = await readJson(url, '/api/client/user/settings', this.#token)
    for (const [name, value] of Object.entries(Object((data as { settings?: unknown }).settings)))
      stored[`${this.#email}/setting/${name}`] = String(value)
    const photos = this.#deps.ledger.keys.filter((key) => key.startsWith(`${this.#email}/api/gallery/`))
    for (const key of photos) {
      const response = await read(url, key.slice(this.#email.length), this.#token)
      const photo = Buffer.from(await response.arrayBuffer())
      if (response.ok) stored[key] = hash(photo)
    }
    return stored
  }
}

/** Reads from a cloud, again while it cannot be reached or responds with 503. A read may be repeated. */
async function read(url: string, path: string, bearer: string): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === MAX_READS
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${bearer}` },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).catch((error: unknown) => {
      if (isLast) throw error
      return undefined
    })
    if (response && (response.status !== 503 || isLast)) return response
    await response?.body?.cancel()
    await delay(Number(response?.headers.get('retry-after') ?? 1) * 1_000)
  }
}

async function readJson(url: string, path: string, bearer: string): Promise<Record<string, unknown>> {
  const response = await read(url, path, bearer)
  if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  'base64',
)
const PHOTO_BYTES = 8_000

/** A JPEG with a comment, so that no two photos are the same. */
function photoOf(requestId: string): Uint8Array<ArrayBuffer> {
  const comment = Buffer.alloc(PHOTO_BYTES, requestId)
  const length = Buffer.from([0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 0xff])
  return Uint8Array.from(Buffer.concat([PIXEL.subarray(0, 2), length, comment, PIXEL.subarray(2)]))
}

/** Whether the start of the app failed, because it lost its connection meanwhile. */
function isAppFault({ message }: PhoneError): boolean {
  return message.startsWith('Error starting app')
}

/** Text frames that no proper client sends. The cloud must reject or ignore them and stay up. */
const HOSTILE_FRAMES: readonly string[] = [
  'not json',
  '',
  '[]',
  'null',
  '{"type":7}',
  '{"type":"__proto__"}',
  '{"type":"button_press"}',
  '{"type":"local_transcription","text":7,"isFinal":"yes"}',
  '{"type":"location_update","lat":"north","lng":1e999}',
  '{"type":"display_event","view":"main","layout":{"layoutType":"constructor"}}',
  '{"type":"subscription_update","subscriptions":{"length":1}}',
  `{"type":"subscription_update","subscriptions":${JSON.stringify(Array.from({ length: 5_000 }, (_, index) => index))}}`,
  `{"type":"photo_taken","photoData":"${'A'.repeat(200_000)}"}`,
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `{"type":"button_press","buttonId":"${'x'.repeat(60_000)}"}`,
]

/** REST requests that the cloud must reject. */
const HOSTILE_REQUESTS: readonly (readonly [method: string, path: string, body?: string])[] = [
  ['POST', '/api/client/calendar', '{"events":null}'],
  ['POST', '/api/client/calendar', `{"events":[${'{},'.repeat(2_000)}{}]}`],
  ['PUT', '/api/account/profile', 'null'],
  ['POST', '/api/apps/%2e%2e%2fetc/start'],
  ['POST', '/api/client/notifications', '{"notificationId":{}}'],
  ['GET', '/api/apps/search?q=%00%25%27%3B'],
  ['GET', '/api/gallery?limit=-1'],
  ['POST', '/appsettings/bench.soak', '[{"key":"__proto__","value":1}]'],
  ['POST', '/api/client/user/settings', '{"settings":[]}'],
]
