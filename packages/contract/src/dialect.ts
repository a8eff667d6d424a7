import { hasTooManyKeys, MAX_JSON_KEYS } from './json-limits.ts'

// The two dialects of socket messages (decision W1) and their codec:
//
// - flat, used by existing phones and app SDKs: `{ type, …fields }`
// - envelope, prescribed by the contract: `{ type, data: { …fields } }`
// - both: flat with an additional `data`, for glasses clients whose dialect is not known yet
//
// Inside the cloud every message is flat; only this codec knows the dialects.

/** The dialect of a client. */
export type Dialect = 'flat' | 'envelope'

/** A dialect to encode in; `both` serves a client whose dialect is not known yet. */
export type OutgoingDialect = Dialect | 'both'

/** A socket message in its flat form. */
export interface Message {
  readonly type: string
  readonly [field: string]: unknown
}

/** A decoded text frame, or the reason why it is invalid. */
export type DecodeResult =
  | { readonly ok: true; readonly dialect: Dialect; readonly message: Message }
  | { readonly ok: false; readonly reason: string }

/** The WebSocket subprotocol that selects the envelope dialect at the handshake. */
export const ENVELOPE_SUBPROTOCOL = 'glasses-cloud.v1'

/** Bounds recursion: `JSON.stringify` overflows the stack at nesting depths that `JSON.parse` accepts. */
const MAX_DEPTH = 64

/** Fields that occur in both dialects and therefore do not identify either. */
const SHARED_FIELDS = new Set(['type', 'data', 'timestamp', 'sessionId'])

/**
 * Decodes a text frame into a flat message.
 * @param knownDialect the dialect of the client; if undefined, it is detected from this frame
 */
export function decode(text: string, knownDialect?: Dialect): DecodeResult {
  if (hasTooManyKeys(text))
    return { ok: false, reason: `The message has more than ${MAX_JSON_KEYS} different keys` }
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
  const dialect = knownDialect ?? detectDialect(raw)
  if (dialect === 'flat' || !isRecord(raw.data)) return { ok: true, dialect, message: raw as Message }
  return { ok: true, dialect, message: unwrap(raw, raw.data) as Message }
}

/** Moves the fields beside `data` into `data`, whose own fields take precedence, except `type`. */
function unwrap(raw: Readonly<Record<string, unknown>>, data: Record<string, unknown>): object {
  // Copying a wide object takes ten times as long as parsing it, so that its parsed form is reused.
  for (const key in raw)
    if (key !== 'data' && key !== '__proto__' && !Object.hasOwn(data, key)) data[key] = raw[key]
  data.type = raw.type
  return data
}

/** Encodes a message as a text frame. */
export function encode(message: Message, dialect: OutgoingDialect): string {
  if (dialect === 'flat') return JSON.stringify(message)
  const { type, ...fields } = message
  return JSON.stringify(dialect === 'envelope' ? { type, data: fields } : { ...message, data: fields })
}

/** Fields of a `data_stream` message besides its payload. */
export interface DataStreamFields {
  readonly sessionId: string
  readonly streamType: string
  readonly timestamp: string
}

/**
 * Encodes a `data_stream` frame with a payload that was serialized once for all recipients.
 * @param dataJson the payload as JSON
 */
export function encodeDataStream(
  fields: DataStreamFields,
  dataJson: string,
  dialect: OutgoingDialect,
): string {
  const json = `"sessionId":${JSON.stringify(fields.sessionId)},"streamType":${JSON.stringify(fields.streamType)},"timestamp":"${fields.timestamp}","data":${dataJson}`
  return dialect === 'envelope' ? `{"type":"data_stream","data":{${json}}}` : `{"type":"data_stream",${json}}`
}

function detectDialect(raw: Record<string, unknown>): Dialect {
  if (!isRecord(raw.data)) return 'flat'
  for (const key in raw) if (!SHARED_FIELDS.has(key)) return 'flat'
  return 'envelope'
}

/** Whether objects and arrays of a JSON value nest deeper than `levels`. */
export function nestsDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  // Loops without intermediate arrays: a message may contain half a million values, and this blocks the event loop.
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
