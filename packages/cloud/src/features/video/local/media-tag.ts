/** A message of a feed, in the form in which FLV and RTMP carry it. */
export interface MediaTag {
  readonly kind: 'audio-header' | 'audio' | 'video-header' | 'keyframe' | 'video' | 'metadata'
  /** Milliseconds. */
  readonly timestamp: number
  readonly data: Buffer
}

/** Number of the tag type in FLV. */
const FLV_TYPES = {
  'audio-header': 8,
  audio: 8,
  'video-header': 9,
  keyframe: 9,
  video: 9,
  metadata: 18,
} as const satisfies Record<MediaTag['kind'], number>

const TAG_HEADER_BYTES = 11

/** Returns the header of an FLV file. */
export function flvHeader(tracks: { readonly audio: boolean; readonly video: boolean }): Buffer {
  const flags = (tracks.audio ? 4 : 0) | (tracks.video ? 1 : 0)
  return Buffer.from([0x46, 0x4c, 0x56, 1, flags, 0, 0, 0, 9, 0, 0, 0, 0])
}

/** Encodes a tag for an FLV file. */
export function flvTag({ kind, timestamp, data }: MediaTag): Buffer {
  const tag = Buffer.allocUnsafe(TAG_HEADER_BYTES + data.length + 4)
  tag.writeUInt8(FLV_TYPES[kind], 0)
  tag.writeUIntBE(data.length, 1, 3)
  tag.writeUIntBE(timestamp & 0xffffff, 4, 3)
  tag.writeUInt8((timestamp >>> 24) & 0xff, 7)
  tag.writeUIntBE(0, 8, 3)
  data.copy(tag, TAG_HEADER_BYTES)
  tag.writeUInt32BE(TAG_HEADER_BYTES + data.length, TAG_HEADER_BYTES + data.length)
  return tag
}
