import { type Clock, systemClock, type Timer } from '../clock.ts'
import { type Envelope, HOST, isRecord, type Payload } from './host.ts'

/** The host answers at once; a request that waits longer is lost. */
const ANSWER_LIMIT_MS = 10_000

/** The announcement is answered by a message of its own, which has no id. */
const CONNECT_ID = 'connect'

interface Pending {
  resolve(data: unknown): void
  reject(error: Error): void
  readonly timer: Timer
}

interface HostEvents {
  /** The capabilities of the glasses changed. */
  capabilities(capabilities: unknown): void
  /** The host ends this mini app in some milliseconds. */
  closing(): void
}

/** Requests, subscriptions and events of a mini app at its host. */
export class HostChannel {
  readonly #send: (text: string) => void
  readonly #events: HostEvents
  readonly #clock: Clock
  readonly #pending = new Map<string, Pending>()
  readonly #handlers = new Map<string, (data: unknown) => void>()
  #requests = 0

  /** @param send hands a text to the host */
  constructor(send: (text: string) => void, events: HostEvents, clock: Clock = systemClock) {
    this.#send = send
    this.#events = events
    this.#clock = clock
  }

  /**
   * Announces the mini app.
   * @returns the capabilities of the connected glasses, as the host gives them
   * @throws {Error} if the host does not answer
   */
  connect(packageName: string): Promise<unknown> {
    return this.#request(CONNECT_ID, { type: HOST.CONNECT, packageName }, ANSWER_LIMIT_MS)
  }

  /** Takes a text of the host; what is not understood is ignored. */
  receive(text: string): void {
    const envelope = parse(text)
    if (!envelope) return
    const { payload, requestId } = envelope
    switch (payload.type) {
      case HOST.CONNECT_ACK:
        return this.#settle(CONNECT_ID, { type: payload.type, data: payload.capabilities })
      case HOST.CAPABILITIES_UPDATE:
        return this.#events.capabilities(payload.capabilities)
      case HOST.PING:
        return this.#post({ type: HOST.PONG }, requestId)
      case HOST.EVENT:
        return this.#handlers.get(String(payload.streamType))?.(payload.data)
      case HOST.REQUEST_RESULT:
        if (requestId === CONNECT_ID && payload.ok !== false) return
        return this.#settle(requestId ?? '', payload)
      case HOST.WILL_DISCONNECT:
        return this.#events.closing()
    }
  }

  /** Sends what needs no answer. */
  post(payload: Payload): void {
    this.#post(payload)
  }

  /**
   * Sends a request.
   * @returns the data of the answer
   * @throws {Error} with the words of the host, or if it does not answer within 10 s
   */
  request(payload: Payload): Promise<unknown> {
    return this.#request(this.#nextId(), payload, ANSWER_LIMIT_MS)
  }

  /** Sends a request that is answered when a sound has ended. @throws {Error} with the words of the host */
  play(payload: Payload): Promise<unknown> {
    return this.#request(this.#nextId(), payload)
  }

  /**
   * Listens to a stream.
   * @returns when the host has accepted it
   * @throws {Error} if it does not, for instance without the permission
   */
  async subscribe(stream: string, handler: (data: unknown) => void): Promise<void> {
    this.#handlers.set(stream, handler)
    await this.#updateSubscriptions()
  }

  /** Ends listening to streams. */
  async unsubscribe(...streams: readonly string[]): Promise<void> {
    for (const stream of streams) this.#handlers.delete(stream)
    await this.#updateSubscriptions()
  }

  /** The host takes the whole list each time. */
  async #updateSubscriptions(): Promise<void> {
    await this.request({ type: HOST.SUBSCRIBE, subscriptions: [...this.#handlers.keys()] })
  }

  #nextId(): string {
    this.#requests += 1
    return `r${this.#requests}`
  }

  #request(id: string, payload: Payload, limitMs?: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#pending.delete(id)
        reject(new Error(`The Mentra app did not answer within ${ANSWER_LIMIT_MS / 1000} s.`))
      }
      const timer = limitMs === undefined ? undefined : this.#clock.setTimeout(giveUp, limitMs)
      this.#pending.set(id, { resolve, reject, timer })
      this.#post(payload, id)
    })
  }

  #settle(id: string, { ok, data, error }: Payload): void {
    const pending = this.#pending.get(id)
    if (!pending) return
    this.#pending.delete(id)
    this.#clock.clearTimeout(pending.timer)
    if (ok !== false) return pending.resolve(data)
    const message = isRecord(error) && typeof error.message === 'string' ? error.message : 'unknown error'
    pending.reject(new Error(`The Mentra app refused: ${message}`))
  }

  #post(payload: Payload, requestId?: string): void {
    const envelope: Envelope = { payload, ...(requestId !== undefined && { requestId }) }
    this.#send(JSON.stringify(envelope))
  }
}

function parse(text: string): Envelope | undefined {
  try {
    const { payload, requestId } = JSON.parse(text)
    if (!isRecord(payload) || typeof payload.type !== 'string') return undefined
    return {
      payload: { ...payload, type: payload.type },
      ...(typeof requestId === 'string' && { requestId }),
    }
  } catch {
    return undefined
  }
}
