import type { AdapterEvents, GlassesAdapter, Link, Page, Screen } from '../adapter/glasses-adapter.ts'
import { AudioSequence, type Step } from '../bluetooth/command.ts'
import { CommandLog, type Outcome } from '../bluetooth/command-queue.ts'
import type { Peripheral } from '../bluetooth/peripheral.ts'
import { type Clock, systemClock, type Timer } from '../clock.ts'
import { Arm } from './arm.ts'
import { COMMANDS, step, textSteps } from './commands.ts'
import { measureText } from './glyph-widths.ts'
import { LC3_FRAME_BYTES, type Notification, parseNotification } from './notifications.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH, pictureSteps } from './picture-steps.ts'

const BATTERY_INTERVAL_MS = 5 * 60_000
/** Highest and medium brightness (MentraOS, iOS `G1.swift`). */
const MAX_BRIGHTNESS = 0x29
const MEDIUM_BRIGHTNESS = 0x14

export interface EvenG1Options {
  readonly left: Peripheral
  readonly right: Peripheral
  readonly clock?: Clock
  /** Spreads the attempts to connect, in [0, 1). */
  readonly random?: () => number
  /** Called with the firmware's description of itself, once the left arm has sent it. */
  readonly onFirmware?: (firmware: string) => void
}

/**
 * Even Realities G1: two arms, each a Bluetooth peripheral with its own queue of commands. Both get every page, and
 * the loss of one does not hold up the other. Rules: EG1.
 */
export class EvenG1 implements GlassesAdapter {
  readonly model = 'Even Realities G1'
  readonly audioFormat = { format: 'lc3', frameSizeBytes: LC3_FRAME_BYTES } as const
  readonly screen: Screen = {
    lines: 5,
    width: 576,
    measure: measureText,
    picture: { width: PICTURE_WIDTH, height: PICTURE_HEIGHT, shades: 2 },
  }
  readonly #clock: Clock
  readonly #log = new CommandLog()
  readonly #left: Arm
  readonly #right: Arm
  readonly #audio = new AudioSequence()
  readonly #onFirmware: ((firmware: string) => void) | undefined
  /** The battery of each arm in percent. */
  readonly #batteries = new Map<Arm, number>()
  /** The arms that may display a picture, which a text does not remove. */
  readonly #withPicture = new Set<Arm>()
  #events: AdapterEvents | undefined
  #page: Page | undefined
  #isMicrophoneOn: boolean | undefined
  #brightness: number | 'auto' | undefined
  #firmware: string | undefined
  #battery: number | undefined
  #head: 'up' | 'down' | undefined
  #isWorn: boolean | undefined
  #sequence = 0
  #batteryTimer: Timer

  constructor({ left, right, clock = systemClock, random = Math.random, onFirmware }: EvenG1Options) {
    this.#clock = clock
    this.#onFirmware = onFirmware
    const createArm = (side: 'left' | 'right', peripheral: Peripheral): Arm => {
      const arm: Arm = new Arm(side, {
        peripheral,
        clock,
        random,
        log: this.#log,
        events: {
          changed: () => this.#events?.link(this.link),
          ready: () => this.#restore(arm),
          notification: (bytes) => this.#receive(arm, bytes),
          problem: (error) => this.#events?.problem(error),
        },
      })
      return arm
    }
    this.#left = createArm('left', left)
    this.#right = createArm('right', right)
  }

  /** The present state of the link and of both arms. */
  get link(): Link {
    const parts = this.#arms.map(({ side, state }) => ({ name: side, state }))
    const count = parts.filter(({ state }) => state === 'connected').length
    const isConnecting = parts.some(({ state }) => state === 'connecting')
    const state = count === 2 ? 'connected' : count === 1 ? 'impaired' : isConnecting ? 'connecting' : 'lost'
    return { state, parts }
  }

  /** The firmware's description of itself, once the left arm has sent it. */
  get firmware(): string | undefined {
    return this.#firmware
  }

  /** Audio packets that did not arrive, of 100 ms each. */
  get lostAudioPackets(): number {
    return this.#audio.lost
  }

  /** The log of commands and answers as text: times, bytes of commands, lengths; no text, audio or picture. */
  diagnostics(): string {
    const { state, parts } = this.link
    return [
      `${this.model}, ${this.#firmware ?? 'firmware unknown'}`,
      `link ${state}: ${parts.map((part) => `${part.name} ${part.state}`).join(', ')}`,
      `lost audio packets: ${this.#audio.lost}`,
      this.#log.toString(),
    ].join('\n')
  }

  async connect(events: AdapterEvents): Promise<void> {
    this.#events = events
    const started = await Promise.all(this.#arms.map((arm) => arm.start()))
    if (this.#events !== events) throw new Error('The glasses were disconnected.')
    if (!started.includes(true)) {
      this.#stop()
      throw new Error(
        'Neither arm of the glasses answers. Take them out of the case and close the app of their maker.',
      )
    }
    this.#scheduleBattery()
  }

  async disconnect(): Promise<void> {
    this.#events = undefined
    this.#page = undefined
    const exit = [step({ ...COMMANDS.exit, repeats: 0 })]
    for (const arm of this.#arms) arm.cancelPage()
    await Promise.all(
      this.#arms.map((arm) => arm.send({ slot: 'exit', steps: () => exit, isAbandonable: false })),
    )
    this.#stop()
  }

  async show(page: Page): Promise<boolean> {
    this.#page = page
    const outcomes = await Promise.all(this.#arms.map((arm) => this.#sendPage(arm, page)))
    return outcomes.includes('done') && outcomes.every((outcome) => outcome === 'done' || outcome === 'lost')
  }

  setMicrophone(on: boolean): void {
    this.#isMicrophoneOn = on
    this.#sendMicrophone()
  }

  setBrightness(brightness: number | 'auto'): void {
    this.#brightness = brightness
    for (const arm of this.#arms) this.#sendBrightness(arm)
  }

  get #arms(): readonly Arm[] {
    return [this.#left, this.#right]
  }

  #stop(): void {
    this.#events = undefined
    this.#clock.clearTimeout(this.#batteryTimer)
    for (const arm of this.#arms) arm.stop()
  }

  /** Gives an arm that connected what the glasses should have. If the other arm is lost, the phone core shows the page. */
  #restore(arm: Arm): void {
    if (this.#page && this.link.state === 'connected') void this.#sendPage(arm, this.#page)
    if (arm === this.#right && this.#isMicrophoneOn !== undefined) this.#sendMicrophone()
    this.#sendBrightness(arm)
    this.#askBattery(arm)
    if (arm === this.#left && this.#firmware === undefined)
      this.#send(arm, 'firmware', step(COMMANDS.firmware, 0x74))
  }

  async #sendPage(arm: Arm, page: Page): Promise<Outcome> {
    const outcome = await arm.send({
      slot: 'page',
      steps: () => this.#pageSteps(arm, page),
      isAbandonable: page.kind === 'picture',
    })
    if (outcome === 'done' && page.kind !== 'picture') this.#withPicture.delete(arm)
    return outcome
  }

  #pageSteps(arm: Arm, page: Page): Step[] {
    if (page.kind === 'picture') {
      this.#withPicture.add(arm)
      return pictureSteps(page.picture)
    }
    const text = page.kind === 'text' ? page : ({ kind: 'text', lines: [], number: 1, total: 1 } as const)
    this.#sequence = (this.#sequence + 1) & 0xff
    const removal = this.#withPicture.has(arm) ? [step(COMMANDS.exit)] : []
    return [...removal, ...textSteps(text, this.#sequence)]
  }

  #sendMicrophone(): void {
    this.#audio.restart()
    this.#send(this.#right, 'microphone', step(COMMANDS.microphone, this.#isMicrophoneOn ? 1 : 0))
  }

  #sendBrightness(arm: Arm): void {
    const brightness = this.#brightness
    if (brightness === undefined) return
    const isAutomatic = brightness === 'auto'
    const level = isAutomatic ? MEDIUM_BRIGHTNESS : Math.round((limit(brightness) / 100) * MAX_BRIGHTNESS)
    this.#send(arm, 'brightness', step(COMMANDS.brightness, level, isAutomatic ? 1 : 0))
  }

  #askBattery(arm: Arm): void {
    this.#send(arm, 'battery', step(COMMANDS.battery, 0x01))
  }

  #scheduleBattery(): void {
    this.#batteryTimer = this.#clock.setTimeout(() => {
      for (const arm of this.#arms) this.#askBattery(arm)
      this.#scheduleBattery()
    }, BATTERY_INTERVAL_MS)
  }

  #send(arm: Arm, slot: 'microphone' | 'brightness' | 'battery' | 'firmware', command: Step): void {
    void arm.send({ slot, steps: () => [command], isAbandonable: false })
  }

  #receive(arm: Arm, bytes: Uint8Array): void {
    const notification = parseNotification(bytes)
    if (notification && this.#events) this.#report(arm, notification, this.#events)
  }

  #report(arm: Arm, notification: Notification, events: AdapterEvents): void {
    switch (notification.kind) {
      case 'audio':
        if (arm === this.#right && this.#isMicrophoneOn && this.#audio.accept(notification.sequence))
          events.audio(notification.frames)
        return
      case 'battery':
        return this.#setBattery(arm, notification.percent, events)
      case 'firmware':
        this.#firmware = notification.text
        this.#onFirmware?.(notification.text)
        return
      case 'gesture':
        if (notification.name === 'double_tap') this.#forgetPage()
        return events.gesture({ name: notification.name, side: arm.side })
      case 'head':
        if (this.#head === notification.position) return
        this.#head = notification.position
        return events.head(notification.position)
      case 'worn':
        if (this.#isWorn === notification.isWorn) return
        this.#isWorn = notification.isWorn
        return events.worn(notification.isWorn)
    }
  }

  /** A double tap leaves the page on the glasses: nothing of it may be drawn again. */
  #forgetPage(): void {
    this.#page = undefined
    this.#withPicture.clear()
    for (const arm of this.#arms) arm.cancelPage()
  }

  #setBattery(arm: Arm, percent: number, events: AdapterEvents): void {
    this.#batteries.set(arm, percent)
    const lowest = Math.min(...this.#batteries.values())
    if (lowest === this.#battery) return
    this.#battery = lowest
    // No source says for certain how an arm reports that it charges.
    events.battery(lowest, false)
  }
}

function limit(percent: number): number {
  return Math.min(100, Math.max(0, percent))
}
