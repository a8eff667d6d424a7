import type { Clock } from '../peripheral.ts'

/** Ten frames of 10 ms with 20 bytes each (EvenDemoApp, `liblc3.cpp`). */
const PACKET_BYTES = 200
const PACKET_MS = 100

/** Sends recorded LC3 frames as `F1 <sequence> <200 bytes>`, ten frames every 100 ms, over and over. */
export class G1Microphone {
  readonly #clock: Clock
  readonly #send: (packet: Uint8Array) => void
  #timer: unknown
  #sequence = 0
  #offset = 0
  /** Recorded LC3 frames of 20 bytes; without any, frames of zeros. */
  frames: Uint8Array = new Uint8Array(PACKET_BYTES)

  constructor(clock: Clock, send: (packet: Uint8Array) => void) {
    this.#clock = clock
    this.#send = send
  }

  get isOn(): boolean {
    return this.#timer !== undefined
  }

  turnOn(): void {
    if (!this.isOn) this.#schedule()
  }

  turnOff(): void {
    this.#clock.clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Leaves out packets, as a bad link does. */
  lose(packets: number): void {
    this.#sequence = (this.#sequence + packets) & 0xff
    this.#offset += packets * PACKET_BYTES
  }

  #schedule(): void {
    this.#timer = this.#clock.setTimeout(() => {
      const packet = new Uint8Array(2 + PACKET_BYTES)
      packet[0] = 0xf1
      packet[1] = this.#sequence
      for (let index = 0; index < PACKET_BYTES; index++)
        packet[2 + index] = this.frames[(this.#offset + index) % this.frames.length] ?? 0
      this.#offset += PACKET_BYTES
      this.#sequence = (this.#sequence + 1) & 0xff
      this.#schedule()
      this.#send(packet)
    }, PACKET_MS)
  }
}
