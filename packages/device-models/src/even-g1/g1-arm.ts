import { type LinkFaults, ModelledLink, noLinkFaults, WRITE_MS } from '../modelled-link.ts'
import type { Clock, ModelPeripheral, PeripheralEvents } from '../peripheral.ts'
import { Lens } from './lens.ts'
import { G1Microphone } from './microphone.ts'
import { PictureAssembly } from './picture-assembly.ts'
import { TextAssembly } from './text-assembly.ts'

/** Time from a write to its acknowledgement: a connection interval of 15 ms there and back, and 5 ms of work (assumed). */
export const G1_PACE_MS = 35
/** An arm ends the link after this time without a command (firmware notes, `command_log.md`). */
const SILENCE_MS = 32_000

const DONE = 0xc9
const FAILED = 0xca

/** One arm of a pair of Even G1, a Bluetooth peripheral of its own. */
export class G1Arm implements ModelPeripheral {
  readonly name: string
  readonly side: 'left' | 'right'
  readonly lens = new Lens()
  readonly faults: G1Faults = noFaults()
  readonly microphone: G1Microphone
  /** Commands received, by their first byte. */
  readonly received = new Map<number, number>()
  /** The texts that were displayed, oldest first, at most the last 1,000. */
  readonly shown: string[] = []
  battery = 80
  firmware = 'net build time: 2025-01-01 00:00:00, ver 1.6.5, JBD DeviceID 4010'
  /** The brightness that was set, 0 to 63, and whether the arm adjusts it. */
  brightness: { readonly level: number; readonly isAutomatic: boolean } | undefined
  readonly #clock: Clock
  readonly #text = new TextAssembly()
  readonly #picture = new PictureAssembly()
  readonly #link: ModelledLink
  #silence: unknown

  constructor(name: string, side: 'left' | 'right', clock: Clock) {
    this.name = name
    this.side = side
    this.#clock = clock
    this.microphone = new G1Microphone(clock, (packet) => this.notify(packet))
    this.#link = new ModelledLink({
      name,
      clock,
      faults: this.faults,
      onWrite: (bytes) => {
        this.#restartSilence()
        this.#receive(bytes)
      },
      onEnd: () => this.#reset(),
    })
  }

  get isConnected(): boolean {
    return this.#link.isOpen
  }

  async connect(events: PeripheralEvents): Promise<void> {
    this.#link.connect(events)
    this.#restartSilence()
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#link.write(bytes)
  }

  disconnect(): void {
    this.#link.end()
  }

  /** Ends the link from the side of the glasses. */
  drop(): void {
    this.#link.end()
  }

  /** Sends a notification, of any bytes. */
  notify(bytes: Uint8Array): void {
    this.#link.notify(bytes)
  }

  /** Sends an event, `F5 <code> <values>`. */
  emit(code: number, ...values: number[]): void {
    this.notify(Uint8Array.of(0xf5, code, ...values))
  }

  /** Without a link an arm neither listens nor waits. */
  #reset(): void {
    this.#clock.clearTimeout(this.#silence)
    this.microphone.turnOff()
    this.#picture.reset()
  }

  #restartSilence(): void {
    this.#clock.clearTimeout(this.#silence)
    this.#silence = this.#clock.setTimeout(() => this.drop(), SILENCE_MS)
  }

  #receive(bytes: Uint8Array): void {
    const command = bytes[0] ?? 0
    this.received.set(command, (this.received.get(command) ?? 0) + 1)
    const isAffected = this.faults.command === undefined || this.faults.command === command
    if (isAffected && this.faults.refusals > 0) {
      this.faults.refusals -= 1
      const status = command === 0x16 ? [...bytes.subarray(1, 5), FAILED] : [FAILED, bytes[1] ?? 0]
      return this.#answer(Uint8Array.of(command, ...status))
    }
    const answer = this.#execute(command, bytes)
    if (answer === undefined) return
    if (isAffected && this.faults.lostAcknowledgements > 0) {
      this.faults.lostAcknowledgements -= 1
      return
    }
    this.#answer(answer)
  }

  #answer(bytes: Uint8Array): void {
    this.#link.notifyAfter(bytes, G1_PACE_MS - WRITE_MS + this.faults.delayMs)
  }

  /** Carries out a command; returns its answer, or undefined for commands that have none. */
  #execute(command: number, bytes: Uint8Array): Uint8Array | undefined {
    const answer = (isDone: boolean, ...values: number[]) =>
      Uint8Array.of(command, isDone ? DONE : FAILED, ...values)
    const [, first = 0, second = 0, , fourth = 0] = bytes
    switch (command) {
      case 0x4d:
        return answer(first === 0x01)
      case 0x4e: {
        const { isValid, text } = this.#text.add(bytes)
        if (text !== undefined) this.#show(text)
        return answer(isValid, first)
      }
      case 0x15:
        this.#picture.add(bytes)
        return undefined
      case 0x20:
        return answer(first === 0x0d && second === 0x0e && this.#picture.end())
      case 0x16: {
        const pixels = this.#picture.check(bytes)
        if (pixels !== undefined) this.lens.showPicture(pixels)
        return Uint8Array.of(command, ...bytes.subarray(1, 5), pixels === undefined ? FAILED : DONE)
      }
      case 0x18:
        this.lens.showDashboard()
        return answer(true)
      case 0x0e: {
        const isAccepted = this.side === 'right' && first <= 1
        if (isAccepted && first === 1) this.microphone.turnOn()
        else if (isAccepted) this.microphone.turnOff()
        return answer(isAccepted, first)
      }
      case 0x25:
        return fourth === 0x04 && bytes.length === 6 ? bytes : undefined
      case 0x2c:
        return Uint8Array.of(command, 0x66, this.battery, 0, 0, 0)
      case 0x23:
        return new TextEncoder().encode(this.firmware)
      case 0x01:
        if (first > 0x3f || second > 1) return answer(false)
        this.brightness = { level: first, isAutomatic: second === 1 }
        return answer(true)
      default:
        return undefined
    }
  }

  #show(text: string): void {
    this.lens.showText(text)
    this.shown.push(text)
    if (this.shown.length > 1000) this.shown.shift()
  }
}

/** Faults of an arm. Counters go down with each use; a test sets them. */
export interface G1Faults extends LinkFaults {
  /** The next commands that are answered with `CA` (failed). */
  refusals: number
  /** The next acknowledgements that are not sent, though the command was carried out. */
  lostAcknowledgements: number
  /** Only commands with this first byte meet the two faults above; undefined for all. */
  command: number | undefined
  /** Delay of every acknowledgement beyond the pace. */
  delayMs: number
}

function noFaults(): G1Faults {
  return {
    ...noLinkFaults(),
    refusals: 0,
    lostAcknowledgements: 0,
    command: undefined,
    delayMs: 0,
  }
}

/** A modelled pair of Even G1: two peripherals whose names share a channel number. */
export class EvenG1Model {
  readonly left: G1Arm
  readonly right: G1Arm

  /** @param channel the number in both advertised names */
  constructor(clock: Clock, channel = 12) {
    this.left = new G1Arm(`Even G1_${channel}_L_4A3B2C`, 'left', clock)
    this.right = new G1Arm(`Even G1_${channel}_R_5D6E7F`, 'right', clock)
  }

  get arms(): readonly [G1Arm, G1Arm] {
    return [this.left, this.right]
  }

  /** Whether both arms show the same, pixel for pixel. */
  get areLensesEqual(): boolean {
    const [left, right] = [this.left.lens.pixels, this.right.lens.pixels]
    return (
      this.left.lens.kind === this.right.lens.kind && left.every((pixel, index) => pixel === right[index])
    )
  }
}
