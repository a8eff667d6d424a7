import { isObject } from '@glasses-cloud/contract'

/** An event of the Wyoming protocol (https://github.com/OHF-Voice/wyoming). */
export interface WyomingEvent {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  readonly payload: Buffer
}

const MAX_HEADER_BYTES = 64 * 1024
const MAX_PART_BYTES = 4 * 1024 * 1024
const NEWLINE = 10
const NO_PAYLOAD = Buffer.alloc(0)

/** The peer does not send Wyoming events. */
class WyomingFormatError extends Error {}

/** Encodes an event: a line of JSON, followed by the payload. */
export function encodeEvent(
  type: string,
  data: Readonly<Record<string, unknown>> = {},
  payload?: Uint8Array,
): Buffer {
  const header = payload === undefined ? { type, data } : { type, data, payload_length: payload.byteLength }
  const line = Buffer.from(`${JSON.stringify(header)}\n`)
  return payload === undefined ? line : Buffer.concat([line, payload])
}

interface Header {
  readonly type: string
  readonly data: Record<string, unknown>
  readonly dataLength: number
  readonly payloadLength: number
}

/** Decodes the events of a connection, whose bytes may arrive in pieces of any size. */
export class WyomingDecoder {
  #received: Buffer = NO_PAYLOAD
  #header: Header | undefined

  /**
   * Adds received bytes and returns the events that are complete.
   * @throws WyomingFormatError
   */
  decode(chunk: Buffer): WyomingEvent[] {
    this.#received = this.#received.byteLength === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const events: WyomingEvent[] = []
    for (let event = this.#next(); event; event = this.#next()) events.push(event)
    return events
  }

  #next(): WyomingEvent | undefined {
    this.#header ??= this.#readHeader()
    if (!this.#header) return undefined
    const { type, data, dataLength, payloadLength } = this.#header
    if (this.#received.byteLength < dataLength + payloadLength) return undefined
    const more = dataLength === 0 ? {} : parseObject(this.#received.toString('utf8', 0, dataLength))
    const payload = this.#received.subarray(dataLength, dataLength + payloadLength)
    this.#received = this.#received.subarray(dataLength + payloadLength)
    this.#header = undefined
    return { type, data: { ...data, ...more }, payload }
  }

  #readHeader(): Header | undefined {
    const end = this.#received.indexOf(NEWLINE)
    if (end > MAX_HEADER_BYTES || (end < 0 && this.#received.byteLength > MAX_HEADER_BYTES))
      throw new WyomingFormatError('The header of an event is too long')
    if (end < 0) return undefined
    const header = parseObject(this.#received.toString('utf8', 0, end))
    this.#received = this.#received.subarray(end + 1)
    const { type, data } = header
    if (typeof type !== 'string') throw new WyomingFormatError('An event has no type')
    return {
      type,
      data: isObject(data) ? data : {},
      dataLength: lengthOf(header.data_length),
      payloadLength: lengthOf(header.payload_length),
    }
  }
}

function parseObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    if (isObject(value)) return value
  } catch {
    // Reported below.
  }
  throw new WyomingFormatError('An event is not a JSON object')
}

function lengthOf(value: unknown): number {
  if (value === undefined || value === null) return 0
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_PART_BYTES) return Number(value)
  throw new WyomingFormatError('An event has an invalid length')
}
