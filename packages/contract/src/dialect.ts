/**
 * The two forms a socket message may take (decision W1), and the codec between them and the one form used inside.
 *
 * - flat (the ecosystem's): `{ type, …fields }`
 * - envelope (the specification's): `{ type, data: { …fields } }`
 * - both: flat with a `data` beside, for a glasses client that has not spoken yet and may speak either
 *
 * Inside, every message is flat. Nothing behind this codec knows of dialects.
 */

/** A dialect a client speaks. */
export type Dialect = 'flat' | 'envelope'

/** A dialect to write in: `both` serves a reader whose dialect is not known yet. */
export type OutgoingDialect = Dialect | 'both'

/** Any socket message in its inner, flat form. */
export interface Message {
  readonly type: string
  readonly [field: string]: unknown
}

/** What became of a text frame. */
export type DecodeResult =
  | { readonly ok: true; readonly dialect: Dialect; readonly message: Message }
  | { readonly ok: false; readonly reason: string }

/** The subprotocol that settles the envelope dialect at the handshake. */
export const ENVELOPE_SUBPROTOCOL = 'glasses-cloud.v1'

/**
 * How deep a message may nest. What is relayed is written again, and writing runs out of stack on nesting that
 * reading took without complaint.
 */
const MAX_DEPTH = 64

/** Fields that accompany a message in either dialect and so say nothing about which one it is. */
const SHARED_FIELDS = new Set(['type', 'data', 'timestamp', 'sessionId'])

/**
 * Reads one text frame.
 * @param text the frame
 * @param settled the dialect the client has settled on; without it, this frame decides
 * @returns the flat message and the dialect it was in, or why it is none
 */
export function decode(text: string, settled?: Dialect): DecodeResult {
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return { ok: false, reason: 'The message is not JSON' }
  }
  if (!isRecord(raw)) return { ok: false, reason: 'The message is not a JSON object' }
  if (typeof raw.type !== 'string' || raw.type === '') {
    return { ok: false, reason: 'The message has no "type"' }
  }
  if (nestsDeeperThan(raw, MAX_DEPTH))
    return { ok: false, reason: `The message nests deeper than ${MAX_DEPTH} levels` }
  const dialect = settled ?? detectDialect(raw)
  if (dialect === 'flat' || !isRecord(raw.data)) return { ok: true, dialect, message: raw as Message }
  const { data, ...beside } = raw
  return { ok: true, dialect, message: { ...beside, ...data, type: raw.type } as Message }
}

/** Writes one message as a text frame of the given dialect. */
export function encode(message: Message, dialect: OutgoingDialect): string {
  if (dialect === 'flat') return JSON.stringify(message)
  const { type, ...fields } = message
  return JSON.stringify(dialect === 'envelope' ? { type, data: fields } : { ...message, data: fields })
}

/** A `data_stream` message whose payload is already JSON. */
export interface DataStreamFields {
  readonly sessionId: string
  readonly streamType: string
  readonly timestamp: string
}

/**
 * Writes a `data_stream` frame around a payload that was encoded once for all its readers.
 * @param dataJson the payload, as JSON text
 */
export function encodeDataStream(
  envelope: DataStreamFields,
  dataJson: string,
  dialect: OutgoingDialect,
): string {
  const fields = `"sessionId":${JSON.stringify(envelope.sessionId)},"streamType":${JSON.stringify(envelope.streamType)},"timestamp":"${envelope.timestamp}","data":${dataJson}`
  return dialect === 'envelope'
    ? `{"type":"data_stream","data":{${fields}}}`
    : `{"type":"data_stream",${fields}}`
}

function detectDialect(raw: Record<string, unknown>): Dialect {
  if (!isRecord(raw.data)) return 'flat'
  return Object.keys(raw).every((key) => SHARED_FIELDS.has(key)) ? 'envelope' : 'flat'
}

/** Whether objects and lists of JSON stand in one another deeper than so many levels. */
export function nestsDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  // Loops, not lists of the values: a long message may hold half a million of these, which others wait for.
  if (Array.isArray(value)) {
    for (const inner of value) if (nestsDeeperThan(inner, levels - 1)) return true
    return false
  }
  const fields = value as Readonly<Record<string, unknown>>
  for (const key in fields) if (nestsDeeperThan(fields[key], levels - 1)) return true
  return false
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
