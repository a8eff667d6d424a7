import { type LinkFaults, ModelledLink, noLinkFaults, WRITE_MS } from '../modelled-link.ts'
import type { Clock, ModelPeripheral, PeripheralEvents } from '../peripheral.ts'
import { defineFrame, type Hardware } from './frame-api.ts'
import { BrilliantLens } from './lens.ts'
import { type LuaCallback, LuaMachine } from './lua-machine.ts'
import { BrilliantMicrophone } from './microphone.ts'

const DATA = 0x01
const BREAK = 0x03
const RESET = 0x04

/** Time from a write to the glasses, and from the glasses to a notification: a connection interval (frame-codebase). */
const LINK_MS = 15
/** Time that the radio needs for a packet of 240 bytes at 40 kB/s (Brilliant docs, `frame-sdk-lua.md`). */
const SEND_MS = 6
/** The console looks for a statement so often (frame-codebase, `luaport.c`). */
const POLL_MS = 10

/**
 * A modelled Frame or Halo: a Lua console behind Bluetooth that runs the programs which a client uploads, with the display, the
 * microphone and the input of the device.
 */
export class BrilliantModel implements ModelPeripheral, Hardware {
  readonly name: string
  readonly kind: 'Frame' | 'Halo'
  /** Service, and the characteristics that are written and that notify (Brilliant docs, "Bluetooth Service & Characteristics"). */
  readonly service = [
    '7a230001-5475-a6a4-654c-8431f6ad49c4',
    '7a230002-5475-a6a4-654c-8431f6ad49c4',
    '7a230003-5475-a6a4-654c-8431f6ad49c4',
  ] as const
  readonly lens: BrilliantLens
  readonly microphone: BrilliantMicrophone
  readonly faults: BrilliantFaults = noFaults()
  readonly callbacks = new Map<'receive' | 'tap' | 'single' | 'double' | 'long', LuaCallback>()
  battery = 80
  isCharging = false
  /** In the units of the device: -2 to 2, or per cent. */
  brightness: number
  /** Longest data of a packet, one byte less than of a write. */
  maxLength: number
  /** `main.lua`, a program of the wearer's own, which runs after a reset. */
  mainProgram: string | undefined
  /** What programs printed, with their errors; at most the last 100. */
  readonly printed: string[] = []
  /** Packets of data that reached a program. */
  packets = 0
  readonly #clock: Clock
  #machine: LuaMachine
  readonly #link: ModelledLink
  /** The statement, or reset, that waits for the console. */
  #waiting: string | undefined
  #pollTimer: unknown
  #busyUntil = 0

  constructor(clock: Clock, kind: 'Frame' | 'Halo') {
    this.kind = kind
    this.name = `${kind} 4F`
    this.#clock = clock
    this.lens = new BrilliantLens(kind)
    this.microphone = new BrilliantMicrophone(clock, kind)
    this.brightness = kind === 'Frame' ? 0 : 50
    this.maxLength = kind === 'Frame' ? 243 : 505
    this.#machine = this.#start()
    this.#link = new ModelledLink({
      name: this.name,
      clock,
      faults: this.faults,
      onWrite: (bytes) => void clock.setTimeout(() => this.#receive(bytes), LINK_MS - WRITE_MS),
      // Programs continue, until they notice.
      onEnd: () => {},
    })
  }

  get isConnected(): boolean {
    return this.#link.isOpen
  }

  /** Whether a program runs, so that statements wait. */
  get isRunning(): boolean {
    return this.#machine.isRunning
  }

  async connect(events: PeripheralEvents): Promise<void> {
    this.#link.connect(events)
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.isConnected && bytes.length > this.maxLength + 1)
      throw new Error('The value is longer than the link allows.')
    await this.#link.write(bytes)
  }

  disconnect(): void {
    this.#link.end()
  }

  /** Ends the link. */
  drop(): void {
    this.#link.end()
  }

  /** Sends a notification, of any bytes. */
  notify(bytes: Uint8Array): void {
    this.#link.notify(bytes)
  }

  /** The wearer taps a Frame. */
  tap(): void {
    this.#call('tap')
  }

  /** The wearer presses the button of a Halo. */
  click(kind: 'single' | 'double' | 'long'): void {
    this.#call(kind)
  }

  /** Ends the running program with an error, as a lack of memory does. */
  crash(message = 'not enough memory'): void {
    this.#machine.signal(message)
  }

  send(data: Uint8Array): void {
    if (!this.#link.isOpen || this.#clock.now() < this.#busyUntil) throw new Error('bluetooth is busy')
    this.#transmit(Uint8Array.of(DATA, ...data))
  }

  #receive(bytes: Uint8Array): void {
    if (this.faults.lostWrites > 0) {
      this.faults.lostWrites -= 1
      return
    }
    if (bytes[0] === DATA) {
      if (this.callbacks.get('receive') !== undefined) this.packets += 1
      this.#call('receive', bytes.subarray(1))
    } else if (bytes[0] === BREAK) this.#break()
    else this.#wait(new TextDecoder().decode(bytes))
  }

  /** Halo stops what a program started as well (halo-firmware, `lua_microphone.c`, `lua_bluetooth.c`). */
  #break(): void {
    if (this.kind === 'Halo') {
      this.callbacks.clear()
      this.microphone.stop()
    }
    this.#machine.signal(this.kind === 'Halo' ? 'interrupted' : 'break signal')
  }

  /** A later statement takes the place of one that waits. */
  #wait(statement: string): void {
    this.#waiting = statement
    this.#clock.clearTimeout(this.#pollTimer)
    this.#pollTimer = this.#clock.setTimeout(() => this.#poll(), POLL_MS / 2)
  }

  #poll(): void {
    const statement = this.#waiting
    if (statement === undefined || this.#machine.isRunning) return
    this.#waiting = undefined
    if (statement.charCodeAt(0) === RESET) this.#reset()
    else this.#execute(statement)
  }

  #execute(program: string): void {
    this.#machine.run(program, (error) => {
      if (error !== undefined) this.#print(error)
      this.#poll()
    })
  }

  #reset(): void {
    this.#machine.close()
    this.#machine = this.#start()
    if (this.mainProgram !== undefined) this.#execute(this.mainProgram)
  }

  #start(): LuaMachine {
    this.callbacks.clear()
    const machine = new LuaMachine(this.#clock, (text) => this.#print(text))
    defineFrame(machine, this)
    return machine
  }

  #call(name: 'receive' | 'tap' | 'single' | 'double' | 'long', ...values: Uint8Array[]): void {
    try {
      this.callbacks.get(name)?.(...values)
    } catch (error) {
      this.#machine.signal(error instanceof Error ? error.message : String(error))
    }
  }

  /** Text is dropped while the radio is busy (frame-codebase, `luaport.h`). */
  #print(text: string): void {
    this.printed.push(text)
    if (this.printed.length > 100) this.printed.shift()
    if (this.#clock.now() >= this.#busyUntil)
      this.#transmit(new TextEncoder().encode(text).subarray(0, this.maxLength + 1))
  }

  #transmit(bytes: Uint8Array): void {
    this.#busyUntil = this.#clock.now() + SEND_MS
    if (this.faults.lostNotifications > 0) {
      this.faults.lostNotifications -= 1
      return
    }
    this.#link.notifyAfter(bytes, LINK_MS + this.faults.delayMs)
  }
}

/** Faults of the glasses. Counters go down with each use; a test sets them. */
export interface BrilliantFaults extends LinkFaults {
  /** The next packets and statements that are written, and do not reach the program or the console. */
  lostWrites: number
  /** The next notifications that do not arrive, acknowledgements among them. */
  lostNotifications: number
  /** Delay of every notification beyond the pace. */
  delayMs: number
}

function noFaults(): BrilliantFaults {
  return {
    ...noLinkFaults(),
    lostWrites: 0,
    lostNotifications: 0,
    delayMs: 0,
  }
}
