import { base64 } from '@scure/base'
import type {
  AdapterEvents,
  Gesture,
  GlassesAdapter,
  Link,
  Page,
  Screen,
} from '../adapter/glasses-adapter.ts'
import { type Clock, systemClock, type Timer } from '../clock.ts'
import { measureText } from '../even-g1/glyph-widths.ts'
import { drawnText } from '../pages/clean-text.ts'
import { HOST, type HostGlasses, isRecord, type Payload, STREAM } from './host.ts'
import type { HostChannel } from './host-channel.ts'

/**
 * Lines are broken by the font of Even G1, whose widths are the only ones that the vendor publishes. The host breaks those
 * once more that are too wide for its glasses.
 */
const LINE_WIDTH = 576
const DEFAULT_LINES = 5

/** When a page is sent again that did not reach the lens. */
const RETRY_MS = 5_000

/** The one format of audio that hosts document. */
const PCM = 'pcm_s16le'
const SAMPLE_RATE = 16_000

/** Names of gestures in the host's events. */
const GESTURES: ReadonlyMap<unknown, Gesture['name']> = new Map([
  ['single_tap', 'single_tap'],
  ['double_tap', 'double_tap'],
  ['triple_tap', 'triple_tap'],
  ['long_press', 'long_press'],
  ['forward_swipe', 'forward_swipe'],
  ['backward_swipe', 'backward_swipe'],
  ['up_swipe', 'up_swipe'],
  ['down_swipe', 'down_swipe'],
  ['swipe_up', 'up_swipe'],
  ['swipe_down', 'down_swipe'],
])

/** The glasses of another phone app, which runs us as one of its mini apps. Rules: BRG. */
export class MiniAppGlasses implements GlassesAdapter {
  readonly model: string
  readonly audioFormat = { format: 'pcm' } as const
  readonly screen: Screen
  readonly #host: HostChannel
  readonly #box: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly #clock: Clock
  #events: AdapterEvents | undefined
  #link: Link['state'] = 'lost'
  #page: Page = { kind: 'blank' }
  #sending: Promise<unknown> = Promise.resolve()
  #retryTimer: Timer
  #isMicrophoneOn = false
  #isAudioReadable = true

  constructor(host: HostChannel, glasses: HostGlasses, clock: Clock = systemClock) {
    this.#host = host
    this.#clock = clock
    this.model = glasses.modelName
    this.screen = { lines: glasses.maxTextLines ?? DEFAULT_LINES, width: LINE_WIDTH, measure: measureText }
    this.#box = { x: 0, y: 0, w: glasses.width, h: glasses.height }
  }

  async connect(events: AdapterEvents): Promise<void> {
    this.#events = events
    this.#page = { kind: 'blank' }
    const { CONNECTION, BATTERY, TOUCH, HEAD } = STREAM
    // The host may report a loss before it has confirmed the subscription.
    this.#link = 'connected'
    try {
      await this.#host.subscribe(CONNECTION, (data) => this.#readConnection(data))
      await this.#host.subscribe(BATTERY, (data) => this.#readBattery(data))
      await this.#host.subscribe(TOUCH, (data) => this.#readTouch(data))
      await this.#host.subscribe(HEAD, (data) => this.#readHead(data))
    } catch (error) {
      this.#release()
      throw error
    }
    if (this.#events !== events) throw new Error('The glasses were disconnected.')
    events.link({ state: this.#link, parts: [] })
    // The lens still shows what was there before.
    if (this.#page.kind === 'blank') void this.show(this.#page)
  }

  async disconnect(): Promise<void> {
    if (!this.#events) return
    this.#release()
    this.#host.post({ type: HOST.RENDER, view: 'main', elements: [] })
    await this.#host.unsubscribe(...Object.values(STREAM)).catch(() => {})
  }

  async show(page: Page): Promise<boolean> {
    this.#page = page
    this.#clock.clearTimeout(this.#retryTimer)
    await this.#sending
    if (page !== this.#page || this.#link !== 'connected') return false
    const sent = this.#send(page)
    this.#sending = sent
    const isShown = await sent
    if (!isShown && page === this.#page && this.#link === 'connected')
      this.#retryTimer = this.#clock.setTimeout(() => void this.show(page), RETRY_MS)
    return isShown
  }

  setMicrophone(on: boolean): void {
    if (on === this.#isMicrophoneOn) return
    this.#isMicrophoneOn = on
    this.#isAudioReadable = true
    const changed = on
      ? this.#host.subscribe(STREAM.AUDIO, (data) => this.#readAudio(data))
      : this.#host.unsubscribe(STREAM.AUDIO)
    changed.catch(({ message }) => {
      if (on && this.#isMicrophoneOn) this.#report(`The microphone could not be turned on. ${message}`)
    })
  }

  /** Whether the lens shows the page now: another mini app may have the lens. */
  async #send(page: Page): Promise<boolean> {
    try {
      const result = await this.#host.request(this.#render(page))
      return !isRecord(result) || result.status !== 'blocked'
    } catch (error) {
      this.#report(
        `The glasses did not take a page. It is sent again. ${error instanceof Error ? error.message : ''}`,
      )
      return false
    }
  }

  #render(page: Page): Payload {
    const text = page.kind === 'text' ? page.lines.map(drawnText).join('\n') : ''
    const elements = text.trim() === '' ? [] : [{ type: 'text', id: 'page', box: this.#box, text }]
    return { type: HOST.RENDER, view: 'main', elements }
  }

  #readConnection(data: unknown): void {
    if (!isRecord(data) || typeof data.connected !== 'boolean') return
    const state = data.connected ? 'connected' : 'lost'
    if (state === this.#link) return
    this.#link = state
    if (state === 'lost') this.#clock.clearTimeout(this.#retryTimer)
    this.#events?.link({ state, parts: [] })
  }

  #readBattery(data: unknown): void {
    if (isRecord(data) && typeof data.level === 'number' && data.level >= 0 && data.level <= 100)
      this.#events?.battery(Math.round(data.level), data.charging === true)
  }

  /** The documentation names the gesture `kind`, the source `gestureName`. */
  #readTouch(data: unknown): void {
    if (!isRecord(data)) return
    const name = GESTURES.get(data.gestureName ?? data.kind)
    if (name !== undefined) this.#events?.gesture({ name })
  }

  #readHead(data: unknown): void {
    if (isRecord(data) && (data.position === 'up' || data.position === 'down'))
      this.#events?.head(data.position)
  }

  #readAudio(data: unknown): void {
    if (!this.#isMicrophoneOn || !isRecord(data) || typeof data.data !== 'string') return
    const { format = PCM, sampleRate = SAMPLE_RATE } = data
    if (format !== PCM || sampleRate !== SAMPLE_RATE) {
      if (this.#isAudioReadable)
        this.#report(`The audio of the phone has another format: ${format}, ${sampleRate} Hz.`)
      this.#isAudioReadable = false
      return
    }
    try {
      const pcm = base64.decode(data.data)
      this.#events?.audio(pcm.subarray(0, pcm.length & ~1))
    } catch {
      // Not Base64: no audio.
    }
  }

  #report(message: string): void {
    this.#events?.problem(new Error(message))
  }

  #release(): void {
    this.#events = undefined
    this.#link = 'lost'
    this.#isMicrophoneOn = false
    this.#clock.clearTimeout(this.#retryTimer)
  }
}
