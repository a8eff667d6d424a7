import type { Clock, PeripheralEvents } from './peripheral.ts'

/** Time until the radio has taken a write (assumed). */
export const WRITE_MS = 2

/** Faults of a link. Counters go down with each use; a test sets them. */
export interface LinkFaults {
  /** The next writes that the system fails to send; the link stays. */
  failedWrites: number
  /** The peripheral cannot be reached. */
  isAway: boolean
  /** The link ends after this many further writes; undefined for never. */
  writesUntilLoss: number | undefined
}

export function noLinkFaults(): LinkFaults {
  return { failedWrites: 0, isAway: false, writesUntilLoss: undefined }
}

interface LinkDeps {
  /** The name of the peripheral, for errors. */
  readonly name: string
  readonly clock: Clock
  readonly faults: LinkFaults
  /** The peripheral received a write. */
  readonly onWrite: (bytes: Uint8Array) => void
  /** The link ended, or begins anew. */
  readonly onEnd: () => void
}

/** The Bluetooth link of a modelled peripheral with one client at a time. */
export class ModelledLink {
  readonly #deps: LinkDeps
  #client: PeripheralEvents | undefined

  constructor(deps: LinkDeps) {
    this.#deps = deps
  }

  get isOpen(): boolean {
    return this.#client !== undefined
  }

  /** Connects a client, and ends the link to the one before. @throws {Error} if the peripheral is away */
  connect(client: PeripheralEvents): void {
    if (this.#deps.faults.isAway) throw new Error(`${this.#deps.name} is out of range.`)
    this.end()
    this.#client = client
  }

  /** Sends a value to the peripheral. @throws {Error} without a link, and by its faults */
  async write(bytes: Uint8Array): Promise<void> {
    const { name, clock, faults, onWrite } = this.#deps
    const client = this.#client
    if (client === undefined) throw new Error(`${name} is not connected.`)
    const received = bytes.slice()
    await new Promise<void>((resolve) => clock.setTimeout(resolve, WRITE_MS))
    if (this.#client !== client) throw new Error(`The link to ${name} ended.`)
    if (faults.writesUntilLoss !== undefined && faults.writesUntilLoss-- <= 0) {
      faults.writesUntilLoss = undefined
      this.end()
      throw new Error(`The link to ${name} ended.`)
    }
    if (faults.failedWrites > 0) {
      faults.failedWrites -= 1
      throw new Error('The system could not send the write.')
    }
    onWrite(received)
  }

  /** Sends a notification. */
  notify(bytes: Uint8Array): void {
    this.#client?.notification(bytes)
  }

  /** Sends a notification after some time, if the link lasts so long. */
  notifyAfter(bytes: Uint8Array, ms: number): void {
    const client = this.#client
    this.#deps.clock.setTimeout(() => {
      if (this.#client === client) client?.notification(bytes)
    }, ms)
  }

  end(): void {
    const client = this.#client
    this.#client = undefined
    this.#deps.onEnd()
    client?.disconnected()
  }
}
