import { HOST } from '../../src/mini-app/host.ts'

/** Capabilities as the host gives them for Even G1, in the part that is read. */
export const G1_CAPABILITIES = {
  modelName: 'Even Realities G1',
  display: { resolution: { width: 640, height: 200 }, maxTextLines: 5 },
}

interface Element {
  readonly type?: unknown
  readonly id?: unknown
  readonly text?: unknown
  readonly box?: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
}

/**
 * A model of the host of mini apps, by the same facts as the adapter (ADR 63): it proves that both fit, not that the facts
 * are true.
 */
export class MiniAppHost {
  /** What the mini app sent, by type. */
  readonly received: { readonly type: string; readonly [field: string]: unknown }[] = []
  capabilities: unknown = G1_CAPABILITIES
  subscriptions: readonly string[] = []
  /** The lines on the lens; undefined while it shows what was there before. */
  lens: readonly string[] | undefined
  /** How requests fail: no answer, an error, or another mini app that has the lens. */
  fault: 'silent' | 'error' | 'blocked' | undefined
  /** Where the phone is. */
  location: object = {}
  /** Called after each message of the mini app. */
  onMessage: () => void = () => {}
  #playing: string[] = []
  readonly #deliver: (text: string) => void

  /** @param deliver gives a text to the mini app */
  constructor(deliver: (text: string) => void) {
    this.#deliver = deliver
  }

  /** Takes a text of the mini app. */
  take(text: string): void {
    const { payload, requestId, ...rest } = JSON.parse(text)
    if (Object.keys(rest).length > 0) throw new Error(`unknown fields in ${text}`)
    this.received.push(payload)
    if (this.fault !== 'silent') this.#handle(payload, requestId)
    this.onMessage()
  }

  /** Sends an event to a mini app that subscribed to it. */
  emit(streamType: string, data: object): void {
    if (this.subscriptions.includes(streamType)) this.send({ type: HOST.EVENT, streamType, data })
  }

  /** Sends any payload. */
  send(payload: object, requestId?: string): void {
    this.#deliver(JSON.stringify({ payload, ...(requestId !== undefined && { requestId }) }))
  }

  /** The messages of a type. */
  of(type: string) {
    return this.received.filter((payload) => payload.type === type)
  }

  /** Ends the sound that is played. */
  endSound(): void {
    for (const id of this.#playing.splice(0)) this.#answer(id, true)
  }

  /** Says that the sound cannot be played. */
  failSound(message: string): void {
    for (const id of this.#playing.splice(0)) this.#answer(id, false, { code: 'INTERNAL', message })
  }

  #handle(payload: Readonly<Record<string, unknown>>, id: string | undefined): void {
    const { type } = payload
    if (type === HOST.PONG || type === HOST.STOP_AUDIO) return
    if (this.fault === 'error') return this.#answer(id, false, { code: 'INTERNAL', message: 'no' })
    switch (type) {
      case HOST.CONNECT:
        // The acknowledgement has no id; some versions answer the request as well.
        this.#answer(id, true)
        return this.send({ type: HOST.CONNECT_ACK, userId: 'u', capabilities: this.capabilities })
      case HOST.SUBSCRIBE:
        this.subscriptions = payload.subscriptions as string[]
        return this.#answer(id, true)
      case HOST.RENDER:
        return this.#render(payload.elements as Element[], id)
      case HOST.PLAY_AUDIO:
      case HOST.SPEAK:
        if (id !== undefined) this.#playing.push(id)
        return
      case HOST.LOCATION_POLL:
        return this.#answer(id, true, this.location)
      default:
        return this.#answer(id, false, { code: 'NOT_IMPLEMENTED', message: `unknown request ${type}` })
    }
  }

  #render(elements: readonly Element[], id: string | undefined): void {
    if (this.fault === 'blocked') return this.#answer(id, true, { status: 'blocked', reason: 'another app' })
    const texts = elements.map(({ type, text, box }) => {
      const isInside = box && box.x >= 0 && box.y >= 0 && box.x + box.w <= 640 && box.y + box.h <= 200
      return type === 'text' && typeof text === 'string' && text !== '' && isInside ? text : undefined
    })
    if (texts.includes(undefined) || texts.length > 1)
      return this.#answer(id, false, { code: 'INVALID_ARGUMENT', message: 'not a scene' })
    this.lens = texts.flatMap((text = '') => text.split('\n'))
    this.#answer(id, true, { status: 'displayed' })
  }

  #answer(id: string | undefined, ok: boolean, value?: object): void {
    if (id === undefined) return
    this.send({ type: HOST.REQUEST_RESULT, ok, ...(ok ? { data: value } : { error: value }) }, id)
  }
}
