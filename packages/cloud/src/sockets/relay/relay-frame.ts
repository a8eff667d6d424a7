import type { Dialect } from '@glasses-cloud/contract'

/** What a relay frame contains. Up to 15 it goes to the owner of the session, from 16 to the node with the socket. */
export const RELAY = {
  /** A validated message, as JSON. */
  message: 1,
  /** A message of a type that is not in the contract, as JSON. */
  unknownMessage: 2,
  /** PCM. */
  audio: 3,
  undecodableAudio: 4,
  /** The socket closed. */
  detach: 5,
  /** Number of bytes that were written to the socket. */
  written: 6,
  /** Milliseconds of audio that exceeded the budget. */
  droppedAudio: 7,
  /** An encoded text frame. */
  text: 16,
  /** A binary frame. */
  binary: 17,
  /** Close code (2 bytes) and reason. */
  close: 18,
  /** The format of the following audio, as JSON. */
  audioFormat: 19,
  /** The span that caused the next text frame, as `traceparent`; nodes that do not know it ignore it. */
  trace: 20,
} as const

/** A frame between the owner of a session and the node that holds a socket of it. */
export interface RelayFrame {
  readonly type: number
  /** Numbers the sockets of the node that holds them. */
  readonly link: number
  /** The epoch of the session. */
  readonly epoch: number
  /** The dialect of the client, once it is known. */
  readonly dialect?: Dialect | undefined
  readonly payload: Uint8Array
}

const HEADER_BYTES = 10
const DIALECTS: readonly (Dialect | undefined)[] = [undefined, 'flat', 'envelope']

export function encodeRelayFrame({ type, link, epoch, dialect, payload }: RelayFrame): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + payload.byteLength)
  frame.writeUInt8(type, 0)
  frame.writeUInt8(DIALECTS.indexOf(dialect), 1)
  frame.writeUInt32BE(link, 2)
  frame.writeUInt32BE(epoch, 6)
  frame.set(payload, HEADER_BYTES)
  return frame
}

export function decodeRelayFrame(frame: Buffer): RelayFrame & { readonly payload: Buffer } {
  return {
    type: frame.readUInt8(0),
    dialect: DIALECTS[frame.readUInt8(1)],
    link: frame.readUInt32BE(2),
    epoch: frame.readUInt32BE(6),
    payload: frame.subarray(HEADER_BYTES),
  }
}

/** Encodes a number as a payload. */
export function numberPayload(value: number): Buffer {
  const payload = Buffer.allocUnsafe(4)
  payload.writeUInt32BE(value)
  return payload
}

export const EMPTY_PAYLOAD = new Uint8Array()
