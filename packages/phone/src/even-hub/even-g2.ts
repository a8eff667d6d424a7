import type {
  AdapterEvents,
  Gesture,
  GlassesAdapter,
  Link,
  Page,
  Screen,
} from '../adapter/glasses-adapter.ts'
import { type Clock, systemClock, type Timer } from '../clock.ts'
import { drawnText } from '../pages/clean-text.ts'
import type { DeviceStatus, EvenBridge, EvenHubEvent } from './bridge.ts'
import { LENS_HEIGHT, LENS_LINES, LENS_WIDTH, measureText } from './lens.ts'
import { PageDrawer } from './page-drawer.ts'

/** What an event of the glasses means. */
export type GlassesEvent =
  | { readonly kind: 'audio'; readonly pcm: Uint8Array }
  | { readonly kind: 'gesture'; readonly gesture: Gesture }
  /** The page got the lens. */
  | { readonly kind: 'entered' }
  /** Something else got the lens; `isClosed` says that the page is gone. */
  | { readonly kind: 'left'; readonly isClosed: boolean }

/** Types of events in the maker's SDK, and 9, which the SDK 0.0.12 passes on in its raw form only. */
const GESTURES: Readonly<Record<number, Gesture['name']>> = {
  0: 'single_tap',
  1: 'up_swipe',
  2: 'down_swipe',
  3: 'double_tap',
  9: 'long_press',
}
const ENTERED = 4
const LEFT = 5
const EXITS = [6, 7]

const SIDES: Readonly<Record<number, 'left' | 'right'>> = { 1: 'right', 3: 'left' }

/** Reads an event; undefined if it has no meaning here. */
function readEvent(event: EvenHubEvent): GlassesEvent | undefined {
  if (event.audioEvent) {
    const pcm = event.audioEvent.audioPcm
    return { kind: 'audio', pcm: pcm.subarray(0, pcm.length & ~1) }
  }
  const touch = event.sysEvent ?? event.textEvent
  if (!touch) return undefined
  // A click has type 0, which protobuf leaves out.
  const type = touch.eventType ?? Number(event.jsonData?.eventType ?? event.jsonData?.Event_Type ?? 0)
  if (type === ENTERED) return { kind: 'entered' }
  if (type === LEFT || EXITS.includes(type)) return { kind: 'left', isClosed: type !== LEFT }
  const name = GESTURES[type]
  const side = SIDES[touch.eventSource ?? 0]
  return name && { kind: 'gesture', gesture: { name, ...(side && { side }) } }
}

/** Kerning makes some lines wider than the sum of their glyphs, by at most four pixels in those that were measured. */
const KERNING = 10

/** When a page that failed is drawn again. */
const RETRY_MS = 5_000

const UNREACHABLE: readonly string[] = ['connecting', 'disconnected', 'connectionFailed']

/** Even Realities G2, through the maker's phone app (Even Hub). Rules: EHB. */
export class EvenG2 implements GlassesAdapter {
  readonly model = 'Even Realities G2'
  readonly audioFormat = { format: 'pcm' } as const
  readonly screen: Screen = {
    lines: LENS_LINES,
    width: LENS_WIDTH - KERNING,
    measure: (text) => measureText(drawnText(text)),
    picture: { width: LENS_WIDTH, height: LENS_HEIGHT, shades: 16 },
  }
  readonly #bridge: EvenBridge
  readonly #clock: Clock
  readonly #drawer: PageDrawer
  readonly #unsubscribe: (() => void)[] = []
  #events: AdapterEvents | undefined
  /** The serial number of the glasses: a ring reports its state as well. */
  #serial: string | undefined
  #page: Page = { kind: 'blank' }
  #isMicrophoneOn = false
  /** Whether the page may have lost the lens since it was drawn. */
  #hasLeft = false
  #link: Link['state'] = 'lost'
  #status: Partial<DeviceStatus> = {}
  #retryTimer: Timer

  /** @param bridge calls must be made one at a time: give a `SerialBridge` */
  constructor(bridge: EvenBridge, clock: Clock = systemClock) {
    this.#bridge = bridge
    this.#clock = clock
    this.#drawer = new PageDrawer(bridge)
  }

  async connect(events: AdapterEvents): Promise<void> {
    this.#release()
    this.#events = events
    this.#link = 'lost'
    this.#page = { kind: 'blank' }
    this.#status = {}
    this.#unsubscribe.push(
      this.#bridge.onDeviceStatusChanged((status) => this.#readStatus(status)),
      this.#bridge.onEvenHubEvent((event) => this.#readEvent(event)),
    )
    const info = await this.#bridge.getDeviceInfo()
    this.#requireConnecting(events)
    this.#serial = info === null || info.model === 'ring1' ? undefined : info.sn
    const isDrawn = await this.#drawer.draw(this.#page)
    this.#requireConnecting(events)
    if (!isDrawn) {
      this.#release()
      throw new Error(
        'The glasses show no page. Put them on, and look whether the Even app has connected them.',
      )
    }
    this.#setLink('connected')
    if (info && this.#serial !== undefined) this.#readStatus(info.status)
  }

  async disconnect(): Promise<void> {
    const isReachable = this.#link === 'connected'
    const isMicrophoneOn = this.#isMicrophoneOn
    this.#release()
    this.#link = 'lost'
    this.#isMicrophoneOn = false
    if (!isReachable) return
    if (isMicrophoneOn) await this.#bridge.audioControl(false).catch(() => {})
    await this.#drawer.draw({ kind: 'blank' })
  }

  async show(page: Page): Promise<boolean> {
    this.#page = page
    this.#clock.clearTimeout(this.#retryTimer)
    if (this.#link !== 'connected') return false
    const isDrawn = await this.#drawer.draw(page)
    if (!isDrawn && this.#page === page && this.#link === 'connected') this.#retryLater()
    return isDrawn
  }

  setMicrophone(on: boolean): void {
    this.#isMicrophoneOn = on
    this.#switchMicrophone()
  }

  #switchMicrophone(): void {
    const isOn = this.#isMicrophoneOn
    const fail = () => {
      if (isOn && this.#isMicrophoneOn)
        this.#events?.problem(new Error('The microphone of the glasses could not be turned on.'))
    }
    // The answer to `false` is false, although the microphone is off then.
    this.#bridge.audioControl(isOn).then((isSuccess) => isSuccess || fail(), fail)
  }

  #retryLater(): void {
    this.#events?.problem(new Error('The glasses did not take a page. It is sent again.'))
    this.#retryTimer = this.#clock.setTimeout(() => void this.show(this.#page), RETRY_MS)
  }

  #release(): void {
    this.#events = undefined
    this.#clock.clearTimeout(this.#retryTimer)
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe()
  }

  #requireConnecting(events: AdapterEvents): void {
    if (this.#events !== events) throw new Error('The glasses were disconnected.')
  }

  #readEvent(event: EvenHubEvent): void {
    const read = readEvent(event)
    if (!read || !this.#events) return
    switch (read.kind) {
      case 'audio':
        if (this.#isMicrophoneOn) this.#events.audio(read.pcm)
        return
      case 'gesture':
        return this.#events.gesture(read.gesture)
      case 'left':
        this.#hasLeft = true
        if (read.isClosed) this.#setLink('lost')
        return
      case 'entered':
        if (this.#hasLeft) this.#restore()
        return
    }
  }

  #readStatus(status: DeviceStatus): void {
    const events = this.#events
    if (!events || (this.#serial !== undefined && status.sn !== this.#serial)) return
    const { batteryLevel, isCharging = false, isWearing, connectType } = status
    const before = this.#status
    this.#status = status
    if (UNREACHABLE.includes(connectType)) {
      this.#setLink(connectType === 'connecting' ? 'connecting' : 'lost')
    } else if (UNREACHABLE.includes(before.connectType ?? '')) this.#restore()
    if (
      batteryLevel !== undefined &&
      (batteryLevel !== before.batteryLevel || isCharging !== (before.isCharging ?? false))
    )
      events.battery(batteryLevel, isCharging)
    if (isWearing !== undefined && isWearing !== before.isWearing) events.worn(isWearing)
  }

  /** Gives the glasses, which may show something else, what they should have. */
  #restore(): void {
    this.#hasLeft = false
    this.#drawer.forget()
    this.#setLink('connected')
    void this.show(this.#page)
    if (this.#isMicrophoneOn) this.#switchMicrophone()
  }

  #setLink(state: Link['state']): void {
    if (state === this.#link) return
    this.#link = state
    if (state !== 'connected') this.#clock.clearTimeout(this.#retryTimer)
    this.#events?.link({ state, parts: [] })
  }
}
