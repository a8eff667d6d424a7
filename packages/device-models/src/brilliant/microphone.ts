import type { Clock } from '../peripheral.ts'
import type { LuaArguments } from './lua-machine.ts'

/** LC3 frames of 10 ms at 16 kbit/s. */
const LC3_FRAME_BYTES = 20

/** The microphone: a buffer that recorded sound fills as time passes, over and over. */
export class BrilliantMicrophone {
  readonly #clock: Clock
  readonly #kind: 'Frame' | 'Halo'
  #startedAt: number | undefined
  #bytesPerMs = 0
  #isHalved = false
  #read = 0
  /** 16-bit PCM of 16 kHz for Frame, LC3 frames of 20 bytes for Halo; without any, silence. */
  sound: Uint8Array = new Uint8Array(3200)

  constructor(clock: Clock, kind: 'Frame' | 'Halo') {
    this.#clock = clock
    this.#kind = kind
  }

  get isOn(): boolean {
    return this.#startedAt !== undefined
  }

  /** `frame.microphone.start` with the checks of the firmware (`microphone.c` of Frame, `lua_microphone.c` of Halo). */
  start(values: LuaArguments): void {
    const setting = (name: string, standard: number) => Number(values.field(1, name) ?? standard)
    const rate = setting('sample_rate', 8000)
    if (rate !== 8000 && rate !== 16_000) throw new Error('sample rate must be 8000 or 16000')
    if (this.#kind === 'Frame') {
      if (this.isOn) throw new Error('already started')
      if (setting('bit_depth', 8) !== 16) throw new Error('the model has sound of 16 bit only')
      this.#bytesPerMs = (rate / 1000) * 2
      this.#isHalved = rate === 8000
    } else {
      const bitrate = setting('bitrate', 16_000)
      if (values.field(1, 'encoder') !== 'lc3' || rate !== 16_000 || bitrate !== 16_000)
        throw new Error('the model has sound of LC3 with 16 kHz and 16 kbit/s only')
      if (setting('duration', 1000) !== 1000) throw new Error('the model has frames of 10 ms only')
    }
    this.#startedAt = this.#clock.now()
    this.#read = 0
  }

  stop(): void {
    this.#startedAt = undefined
  }

  /** @returns what is in the buffer, at most so many bytes; undefined while the microphone is off */
  read(bytes: number): Uint8Array | undefined {
    if (bytes <= 0 || bytes % 2 !== 0) throw new Error('bytes must be a multiple of 2')
    if (this.#startedAt === undefined) return undefined
    const elapsedMs = this.#clock.now() - this.#startedAt
    const recorded =
      this.#kind === 'Halo'
        ? Math.floor(elapsedMs / 10) * LC3_FRAME_BYTES
        : Math.floor(elapsedMs * this.#bytesPerMs) & ~1
    const count = Math.min(bytes, recorded - this.#read)
    const data = new Uint8Array(count)
    for (let index = 0; index < count; index++) data[index] = this.#byteAt(this.#read + index)
    this.#read += count
    return data
  }

  /** At 8 kHz Frame leaves out every second sample. */
  #byteAt(position: number): number {
    const source = this.#isHalved ? (position >> 1) * 4 + (position & 1) : position
    return this.sound[source % this.sound.length] ?? 0
  }
}
