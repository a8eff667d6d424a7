/** Time source of the models. A test injects its own, so that an hour takes a second. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  setTimeout(run: () => void, afterMs: number): unknown
  clearTimeout(timer: unknown): void
}
/** What a peripheral reports to the client that is connected to it. */
export interface PeripheralEvents {
  /** The peripheral sent a notification. */
  notification(bytes: Uint8Array): void
  /** The link ended, whoever ended it. */
  disconnected(): void
}

/** A modelled peripheral with one service: one characteristic to write, one that notifies. */
export interface ModelPeripheral {
  /** The advertised name. */
  readonly name: string
  /** Its service, the characteristic that is written, the one that notifies; Nordic UART if missing. */
  readonly service?: readonly [service: string, write: string, notify: string]
  /** Connects and subscribes to notifications. @throws {Error} if the peripheral is away */
  connect(events: PeripheralEvents): Promise<void>
  /** Writes a value; resolves when the peripheral's radio has taken it. @throws {Error} without a link */
  write(bytes: Uint8Array): Promise<void>
  /** Ends the link, if there is one. */
  disconnect(): void
}
