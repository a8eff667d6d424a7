import type { BusTransport, TransportEvents } from './bus.ts'

/** Connects the transports of one process, in which several nodes of a test, or a node without Redis, exchange messages. */
export class MemoryExchange {
  readonly #transports = new Set<MemoryTransport>()
  readonly #defer: (task: () => void) => void

  constructor(defer: (task: () => void) => void = setImmediate) {
    this.#defer = defer
  }

  /** Creates a transport that is connected to the others. */
  connect(): MemoryTransport {
    const transport = new MemoryTransport((channel, payload) => this.#publish(channel, payload))
    this.#transports.add(transport)
    return transport
  }

  #publish(channel: string, payload: Buffer): number {
    const receivers = [...this.#transports].filter((transport) => transport.receives(channel))
    // Like a network: the sender never sees the effects of a message before its own call has returned.
    if (receivers.length > 0)
      this.#defer(() => {
        for (const receiver of receivers) receiver.deliver(channel, payload)
      })
    return receivers.length
  }
}

/** A transport within one process. */
export class MemoryTransport implements BusTransport {
  readonly #channels = new Set<string>()
  readonly #publish: (channel: string, payload: Buffer) => number
  #events: TransportEvents | undefined
  #isConnected = true

  constructor(publish: (channel: string, payload: Buffer) => number) {
    this.#publish = publish
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  start(events: TransportEvents): void {
    this.#events = events
  }

  async subscribe(channel: string): Promise<void> {
    this.#channels.add(channel)
  }

  unsubscribe(channel: string): void {
    this.#channels.delete(channel)
  }

  async publish(channel: string, payload: Buffer): Promise<number> {
    if (!this.#isConnected) throw new Error('The transport is disconnected')
    return this.#publish(channel, payload)
  }

  reconnect(): void {
    this.setConnected(false)
    this.setConnected(true)
  }

  async close(): Promise<void> {
    this.#isConnected = false
    this.#channels.clear()
  }

  /** Disconnects or reconnects, as a test of an outage does. */
  setConnected(isConnected: boolean): void {
    if (isConnected === this.#isConnected) return
    this.#isConnected = isConnected
    this.#events?.connectionChanged(isConnected)
  }

  receives(channel: string): boolean {
    return this.#isConnected && this.#channels.has(channel)
  }

  deliver(channel: string, payload: Buffer): void {
    if (this.receives(channel)) this.#events?.message(channel, payload)
  }
}
