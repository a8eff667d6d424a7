/** What a transport reports to its bus. */
export interface TransportEvents {
  message(channel: string, payload: Buffer): void
  /** Called with false when messages may have been lost, and with true once every subscription is in effect again. */
  connectionChanged(isConnected: boolean): void
}

/** Carries messages by channel: at most once, and in order for one sender and one channel. */
export interface BusTransport {
  readonly isConnected: boolean
  /** Begins to report events. Called once. */
  start(events: TransportEvents): void
  /** Resolves once the subscription is in effect, or while disconnected immediately; it survives reconnects. */
  subscribe(channel: string): Promise<void>
  unsubscribe(channel: string): void
  /**
   * Resolves once the message is sent, with the number of receivers if the transport knows it.
   * @throws Error if the message may be lost
   */
  publish(channel: string, payload: Buffer): Promise<number | undefined>
  /** Disconnects and connects again. */
  reconnect(): void
  close(): Promise<void>
}
