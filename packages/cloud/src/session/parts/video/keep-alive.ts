import type { Timer } from '../../../time/index.ts'
import type { SessionContext } from '../part.ts'

/** Consecutive keep-alives without a response after which a stream times out. */
const MAX_MISSES = 3

/** Sends the keep-alives of a stream to the glasses and detects that they stopped responding (STR-20, STR-21). */
export class KeepAlive {
  readonly #context: SessionContext
  readonly #streamId: string
  readonly #onTimeout: () => void
  #nextSend: Timer | undefined
  #ackTimeout: Timer | undefined
  #count = 0
  #misses = 0

  /** @param onTimeout called once, when the glasses stopped responding */
  constructor(context: SessionContext, streamId: string, onTimeout: () => void) {
    this.#context = context
    this.#streamId = streamId
    this.#onTimeout = onTimeout
  }

  start(): void {
    const { clock, timing } = this.#context
    this.#nextSend = clock.after(timing.streamKeepAliveIntervalMs, () => this.#send())
  }

  stop(): void {
    this.#nextSend?.cancel()
    this.#ackTimeout?.cancel()
  }

  /** Handles a response; only one to the last keep-alive counts, even if it is late. */
  acknowledge(ackId: string): void {
    if (ackId !== this.#ackId()) return
    this.#ackTimeout?.cancel()
    this.#misses = 0
  }

  #send(): void {
    const { clock, timing, sendToGlasses, timestamp } = this.#context
    this.#count += 1
    const keepAlive = { streamId: this.#streamId, ackId: this.#ackId(), timestamp: timestamp() }
    sendToGlasses({ type: 'keep_rtmp_stream_alive', ...keepAlive })
    sendToGlasses({ type: 'keep_stream_alive', ...keepAlive })
    this.#ackTimeout = clock.after(timing.streamAckTimeoutMs, () => this.#miss())
    this.start()
  }

  #miss(): void {
    this.#misses += 1
    if (this.#misses < MAX_MISSES) return
    this.stop()
    this.#onTimeout()
  }

  /** A counter, so that ids are unique within the stream; short, because it is sent over Bluetooth. */
  #ackId(): string {
    return `a${this.#count.toString(36).padStart(5, '0')}`
  }
}
