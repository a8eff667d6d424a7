import type { AudioFormat } from '@glasses-cloud/contract'
import type { AdapterEvents, GlassesAdapter, Link, Page, Screen } from '../adapter/glasses-adapter.ts'
import { AudioSequence, type Step } from '../bluetooth/command.ts'
import { CommandLink } from '../bluetooth/command-link.ts'
import { CommandLog, type LogEntry } from '../bluetooth/command-queue.ts'
import type { Peripheral } from '../bluetooth/peripheral.ts'
import { type Clock, delay, systemClock, type Timer } from '../clock.ts'
import {
  askMaxLength,
  MIN_WRITE_BYTES,
  runStep,
  SIGNAL_PAUSE_MS,
  SIGNALS,
  uploadSteps,
} from './console-steps.ts'
import { type Device, findDevice } from './devices.ts'
import { measure } from './fonts.ts'
import { DATA, MESSAGES, Packets, REPORT } from './messages.ts'
import { pageSteps } from './page-steps.ts'
import { PROGRAM } from './program.ts'
import { parseReport, type Report } from './reports.ts'

/** Taps within this time are one gesture, and closer ones are one tap (brilliant_sdk, its receiver of taps). */
const WINDOW_MS = 300
const DEBOUNCE_MS = 40

/** Makes gestures of single taps. A gesture is reported when no further tap followed. */
class TapCounter {
  readonly #clock: Clock
  readonly #report: (gesture: 'single_tap' | 'double_tap' | 'triple_tap') => void
  #count = 0
  #lastAt = 0
  #timer: Timer

  constructor(clock: Clock, report: (gesture: 'single_tap' | 'double_tap' | 'triple_tap') => void) {
    this.#clock = clock
    this.#report = report
  }

  tap(): void {
    const now = this.#clock.now()
    const isBounce = now - this.#lastAt < DEBOUNCE_MS
    this.#lastAt = now
    if (isBounce) return
    this.#count += 1
    this.#clock.clearTimeout(this.#timer)
    this.#timer = this.#clock.setTimeout(() => {
      const count = this.#count
      this.#count = 0
      this.#report(count === 1 ? 'single_tap' : count === 2 ? 'double_tap' : 'triple_tap')
    }, WINDOW_MS)
  }

  /** Forgets taps that were not reported. */
  reset(): void {
    this.#clock.clearTimeout(this.#timer)
    this.#count = 0
  }
}

/** Doubles the sample rate of 16-bit PCM: between two samples comes their mean. */
class DoubleRate {
  #last = 0

  /** @param pcm whole samples, little-endian */
  convert(pcm: Uint8Array): Uint8Array {
    const source = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
    const doubled = new DataView(new ArrayBuffer(pcm.length * 2))
    for (let offset = 0; offset < pcm.length; offset += 2) {
      const sample = source.getInt16(offset, true)
      doubled.setInt16(offset * 2, (this.#last + sample) >> 1, true)
      doubled.setInt16(offset * 2 + 2, sample, true)
      this.#last = sample
    }
    return new Uint8Array(doubled.buffer)
  }
}

/** The battery is asked for at this interval, which also shows whether the program still runs. */
const BATTERY_INTERVAL_MS = 15_000

const SLOTS = ['end', 'battery', 'microphone', 'page', 'brightness'] as const
type Slot = (typeof SLOTS)[number]

export interface BrilliantGlassesOptions {
  readonly peripheral: Peripheral
  readonly clock?: Clock
  /** Spreads the attempts to connect, in [0, 1). */
  readonly random?: () => number
}

/**
 * Brilliant Labs Frame and Halo: one peripheral with a Lua console. Each connection stops what runs on the glasses, uploads the
 * program of `program.ts` and exchanges messages with it. Rules: BRL.
 */
export class BrilliantGlasses implements GlassesAdapter {
  readonly model: string
  readonly audioFormat: AudioFormat
  readonly screen: Screen
  readonly #device: Device
  readonly #clock: Clock
  readonly #log = new CommandLog()
  readonly #link: CommandLink<Slot>
  readonly #packets = new Packets()
  readonly #audio = new AudioSequence()
  readonly #doubleRate = new DoubleRate()
  readonly #taps: TapCounter
  #events: AdapterEvents | undefined
  #isMicrophoneOn: boolean | undefined
  #brightness: number | undefined
  #battery: { readonly percent: number; readonly isCharging: boolean } | undefined
  /** Why the program could not be started. */
  #obstacle: string | undefined

  /** @throws {Error} if the peripheral is neither a Frame nor a Halo */
  constructor({ peripheral, clock = systemClock, random = Math.random }: BrilliantGlassesOptions) {
    const device = findDevice(peripheral.name)
    if (device === undefined)
      throw new Error(`${peripheral.name || 'This device'} is neither a Frame nor a Halo.`)
    const { font, text, picture } = device
    this.model = device.model
    this.audioFormat = device.audioFormat
    this.screen = {
      lines: text.lines,
      width: text.width,
      measure: (line) => measure(line, font),
      picture: { width: picture.width, height: picture.height, shades: 2 },
    }
    this.#device = device
    this.#clock = clock
    this.#taps = new TapCounter(clock, (name) => this.#events?.gesture({ name }))
    this.#link = new CommandLink<Slot>({
      peripheral,
      clock,
      random,
      log: this.#log,
      subject: `The ${device.model}`,
      slots: SLOTS,
      start: (perform) => this.#startProgram(perform),
      heartbeat: {
        slot: 'battery',
        intervalMs: BATTERY_INTERVAL_MS,
        steps: () => this.#packets.steps(MESSAGES.battery, new Uint8Array()),
      },
      describe,
      events: {
        changed: () => this.#events?.link(this.link),
        ready: () => this.#restore(),
        notification: (bytes) => this.#receive(bytes),
        problem: (error) => this.#events?.problem(error),
      },
    })
  }

  /** The present state of the link. */
  get link(): Link {
    return { state: this.#link.state, parts: [] }
  }

  /** Audio packets that did not arrive. */
  get lostAudioPackets(): number {
    return this.#audio.lost
  }

  /** The log of messages and answers as text: times, names, lengths; no text, audio or picture. */
  diagnostics(): string {
    return [
      `${this.model}, writes of ${this.#packets.maxBytes} bytes`,
      `link ${this.#link.state}`,
      `lost audio packets: ${this.#audio.lost}`,
      this.#log.toString(),
    ].join('\n')
  }

  async connect(events: AdapterEvents): Promise<void> {
    this.#events = events
    const isStarted = await this.#link.start()
    if (this.#events !== events) throw new Error('The glasses were disconnected.')
    if (isStarted) return
    this.#stop()
    throw new Error(
      this.#obstacle ??
        `The ${this.model} does not answer. Take it off its charger, and allow the pairing that the system offers.`,
    )
  }

  async disconnect(): Promise<void> {
    this.#events = undefined
    this.#link.cancel('page')
    const end = this.#packets
      .steps(MESSAGES.end, new Uint8Array())
      .map(({ command, bytes }) => ({ command: { ...command, repeats: 0, mustBeAnswered: false }, bytes }))
    await this.#link.send({ slot: 'end', steps: () => [...end, SIGNALS.reset], isAbandonable: false })
    this.#stop()
  }

  async show(page: Page): Promise<boolean> {
    const outcome = await this.#link.send({
      slot: 'page',
      steps: () => pageSteps(page, this.#device, this.#packets),
      isAbandonable: page.kind === 'picture',
    })
    return outcome === 'done'
  }

  setMicrophone(on: boolean): void {
    this.#isMicrophoneOn = on
    this.#sendMicrophone()
  }

  /** `auto` is the brightness that the device has when it is new: neither device adjusts it. */
  setBrightness(brightness: number | 'auto'): void {
    const { of, standard } = this.#device.brightness
    this.#brightness = brightness === 'auto' ? standard : of(Math.min(100, Math.max(0, brightness)))
    this.#sendBrightness()
  }

  #stop(): void {
    this.#events = undefined
    this.#taps.reset()
    this.#link.stop()
  }

  async #startProgram(perform: (step: Step) => Promise<string>): Promise<boolean> {
    for (const signal of [SIGNALS.break, SIGNALS.reset, SIGNALS.break]) {
      if ((await perform(signal)) !== 'done') return false
      await delay(this.#clock, SIGNAL_PAUSE_MS)
    }
    let maxBytes = 0
    const asked = await perform(
      askMaxLength((bytes) => {
        maxBytes = bytes
      }),
    )
    if (asked !== 'done') return false
    if (maxBytes < MIN_WRITE_BYTES) {
      this.#obstacle = `Bluetooth of this system sends only ${maxBytes} bytes at once to the ${this.model}; ${MIN_WRITE_BYTES} are needed.`
      return false
    }
    this.#packets.maxBytes = maxBytes
    for (const step of [...uploadSteps(PROGRAM, maxBytes), runStep()]) {
      const outcome = await perform(step)
      if (outcome === 'refused')
        this.#obstacle = `The ${this.model} does not accept the program. Its firmware may be too old or too new.`
      if (outcome !== 'done') return false
    }
    this.#obstacle = undefined
    return true
  }

  /** Gives the program, which has just started, what the glasses should have; the phone core shows the page. */
  #restore(): void {
    this.#taps.reset()
    if (this.#isMicrophoneOn) this.#sendMicrophone()
    this.#sendBrightness()
  }

  #sendMicrophone(): void {
    this.#audio.restart()
    this.#send('microphone', Uint8Array.of(this.#isMicrophoneOn ? 1 : 0))
  }

  #sendBrightness(): void {
    if (this.#brightness !== undefined) this.#send('brightness', Uint8Array.of(this.#brightness & 0xff))
  }

  #send(slot: 'battery' | 'microphone' | 'brightness', data: Uint8Array): void {
    const steps = () => this.#packets.steps(MESSAGES[slot], data)
    void this.#link.send({ slot, steps, isAbandonable: false })
  }

  #receive(bytes: Uint8Array): void {
    const report = parseReport(bytes, this.#device.audioFormat.format)
    if (report && this.#events && this.#link.state === 'connected') this.#report(report, this.#events)
  }

  #report(report: Report, events: AdapterEvents): void {
    switch (report.kind) {
      case 'audio':
        if (this.#isMicrophoneOn && this.#audio.accept(report.number))
          events.audio(
            this.audioFormat.format === 'pcm' ? this.#doubleRate.convert(report.data) : report.data,
          )
        return
      case 'battery': {
        const { percent, isCharging } = report
        if (this.#battery?.percent === percent && this.#battery.isCharging === isCharging) return
        this.#battery = { percent, isCharging }
        return events.battery(percent, isCharging)
      }
      case 'gesture':
        return events.gesture({ name: report.name })
      case 'tap':
        return this.#taps.tap()
      case 'text':
        // The program prints nothing: it may have ended, and then this request stays without an answer.
        return this.#send('battery', new Uint8Array())
    }
  }
}

/** Audio is counted, not logged; of a text only that it came. */
function describe(bytes: Uint8Array): Pick<LogEntry, 'code' | 'result'> | undefined {
  const [marker, code, , status] = bytes
  if (marker !== DATA) return { code: 'text' }
  if (code === undefined || code === REPORT.audio) return undefined
  const name = Object.entries(REPORT).find(([, value]) => value === code)?.[0]
  return { code: name ?? code, ...(name === 'acknowledgement' && { result: String(status) }) }
}
