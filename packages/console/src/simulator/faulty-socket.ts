import type { OpenSocket } from '@glasses-cloud/phone/browser'

/** What is wrong with the network of the simulated phone. */
export interface NetworkFaults {
  /** Delay of every frame in each direction, in ms. */
  readonly latencyMs: number
  /** Bytes per second in each direction; undefined without a limit. */
  readonly bytesPerSecond: number | undefined
}

/** Wraps a socket so that its frames are delayed, in order, as the faults at that moment say. */
export function withFaults(openSocket: OpenSocket, faults: () => NetworkFaults): OpenSocket {
  return (target, handlers) => {
    const incoming = new DelayLine(faults)
    const outgoing = new DelayLine(faults)
    const socket = openSocket(target, {
      open: () => handlers.open(),
      frame: (text) => incoming.push(text.length, () => handlers.frame(text)),
      error: (error) => handlers.error(error),
      close: (end) => incoming.push(0, () => handlers.close(end)),
    })
    const whileOpen = (bytes: number, send: () => void) =>
      outgoing.push(bytes, () => {
        if (socket.isOpen) send()
      })
    return {
      get isOpen() {
        return socket.isOpen
      },
      sendText: (text) => whileOpen(text.length, () => socket.sendText(text)),
      sendBinary: async (frame) => whileOpen(frame.length, () => void socket.sendBinary(frame)),
      close: (code, reason) => socket.close(code, reason),
      terminate: () => socket.terminate(),
    }
  }
}

/** Runs steps after their delay, in the order in which they were pushed, also if a timer fires late. */
class DelayLine {
  readonly #faults: () => NetworkFaults
  readonly #steps: { readonly dueAt: number; run(): void }[] = []
  /** When the line is free again, on a slow network. */
  #freeAt = 0

  constructor(faults: () => NetworkFaults) {
    this.#faults = faults
  }

  push(bytes: number, run: () => void): void {
    const { latencyMs, bytesPerSecond } = this.#faults()
    const now = performance.now()
    const transferMs = bytesPerSecond === undefined ? 0 : (bytes / bytesPerSecond) * 1_000
    this.#freeAt = Math.max(now, this.#freeAt) + transferMs
    this.#steps.push({ dueAt: this.#freeAt + latencyMs, run })
    if (this.#steps.length === 1) this.#runDue()
  }

  /** Runs the steps at the head that are due, and waits for the next one. */
  #runDue(): void {
    for (let [next] = this.#steps; next !== undefined; [next] = this.#steps) {
      const waitMs = next.dueAt - performance.now()
      if (waitMs > 0) {
        setTimeout(() => this.#runDue(), waitMs)
        return
      }
      next.run()
      this.#steps.shift()
    }
  }
}
