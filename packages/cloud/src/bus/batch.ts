import type { FrameKind } from './bus.ts'

/** A frame of a batch. */
export interface Frame {
  readonly kind: FrameKind
  readonly payload: Uint8Array
}

/** Where a batch belongs. */
export interface BatchHeader {
  readonly sender: string
  /** Numbers the streams of the sender. */
  readonly stream: number
  /** Numbers the batches of the stream. */
  readonly sequence: number
}

const STREAM_BYTES = 6
const SEQUENCE_BYTES = 6
/** Kind (1 byte), payload length (4 bytes). */
const FRAME_HEADER_BYTES = 5

/** Encodes frames from one node to another as one message. */
export function encodeBatch({ sender, stream, sequence }: BatchHeader, frames: readonly Frame[]): Buffer {
  const senderBytes = Buffer.byteLength(sender, 'latin1')
  let size = 1 + senderBytes + STREAM_BYTES + SEQUENCE_BYTES
  for (const { payload } of frames) size += FRAME_HEADER_BYTES + payload.byteLength
  const batch = Buffer.allocUnsafe(size)
  batch.writeUInt8(senderBytes, 0)
  batch.write(sender, 1, 'latin1')
  let offset = batch.writeUIntBE(stream, 1 + senderBytes, STREAM_BYTES)
  offset = batch.writeUIntBE(sequence, offset, SEQUENCE_BYTES)
  for (const { kind, payload } of frames) {
    offset = batch.writeUInt8(kind, offset)
    offset = batch.writeUInt32BE(payload.byteLength, offset)
    batch.set(payload, offset)
    offset += payload.byteLength
  }
  return batch
}

/** Decodes the header of a batch, and calls `onFrame` for each frame unless `accept` returns false. */
export function decodeBatch(
  batch: Buffer,
  accept: (header: BatchHeader) => boolean,
  onFrame: (kind: number, payload: Buffer) => void,
): void {
  const senderEnd = 1 + batch.readUInt8(0)
  const sender = batch.toString('latin1', 1, senderEnd)
  const stream = batch.readUIntBE(senderEnd, STREAM_BYTES)
  const sequence = batch.readUIntBE(senderEnd + STREAM_BYTES, SEQUENCE_BYTES)
  if (!accept({ sender, stream, sequence })) return
  let offset = senderEnd + STREAM_BYTES + SEQUENCE_BYTES
  while (offset < batch.byteLength) {
    const kind = batch.readUInt8(offset)
    const start = offset + FRAME_HEADER_BYTES
    const end = start + batch.readUInt32BE(offset + 1)
    if (end > batch.byteLength) throw new RangeError('A batch of another node is truncated')
    onFrame(kind, batch.subarray(start, end))
    offset = end
  }
}
