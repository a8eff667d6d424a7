import type { Timer } from '../../clock.ts'
import type { SessionContext } from '../feature.ts'

/** So many keep-alives in a row without an answer, and the stream is lost. */
const MAX_MISSES = 3

/** Tells glasses that somebody still wants their stream, and notices when they answer no more. */
export class KeepAlive {
  readonly #context: SessionContext
  readonly #streamId: string
  readonly #lost: () => void
  #beat: Timer | undefined
  #waiting: Timer | undefined
  #count = 0
  #misses = 0

  /** @param lost the glasses answer no more; called once */
  constructor(context: SessionContext, streamId: string, lost: () => void) {
    this.#context = context
    this.#streamId = streamId
    this.#lost = lost
  }

  start(): void {
    const { clock, timing } = this.#context
    this.#beat = clock.after(timing.streamKeepAliveIntervalMs, () => this.#send())
  }

  stop(): void {
    this.#beat?.cancel()
    this.#waiting?.cancel()
  }

  /** An answer came. Only the last one asked for counts; late, it still shows that somebody is there. */
  acknowledge(ackId: string): void {
    if (ackId !== this.#ackId()) return
    this.#waiting?.cancel()
    this.#misses = 0
  }

  #send(): void {
    const { clock, timing, sendToGlasses, timestamp } = this.#context
    this.#count += 1
    const alive = { streamId: this.#streamId, ackId: this.#ackId(), timestamp: timestamp() }
    sendToGlasses({ type: 'keep_rtmp_stream_alive', ...alive })
    sendToGlasses({ type: 'keep_stream_alive', ...alive })
    this.#waiting = clock.after(timing.streamAckTimeoutMs, () => this.#missed())
    this.start()
  }

  #missed(): void {
    this.#misses += 1
    if (this.#misses < MAX_MISSES) return
    this.stop()
    this.#lost()
  }

  /** Counted, so that no two of a stream are alike; short, because it travels over Bluetooth. */
  #ackId(): string {
    return `a${this.#count.toString(36).padStart(5, '0')}`
  }
}
