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

const AAC = 10
const AUDIO_EXTENSION = 9
const H264 = 7
const VIDEO_EXTENSION = 0x80
const KEYFRAME = 1

/** The codecs of enhanced RTMP that are supported. */
const EXTENDED_CODECS: ReadonlySet<string> = new Set(['av01', 'vp09', 'hvc1'])

/** Returns the kind of a message of RTMP by its type; undefined if it is neither audio, video nor metadata. */
export function mediaKind(type: number, data: Buffer): MediaTag['kind'] | undefined {
  const [first, second] = data
  if (first === undefined) return undefined
  if (type === FLV_TYPES.metadata) return 'metadata'
  if (type === FLV_TYPES.audio) {
    const packet = first >> 4 === AUDIO_EXTENSION ? first & 0xf : first >> 4 === AAC ? second : undefined
    return packet === 0 ? 'audio-header' : 'audio'
  }
  if (type !== FLV_TYPES.video) return undefined
  const isExtended = (first & VIDEO_EXTENSION) !== 0
  if (isExtended && !EXTENDED_CODECS.has(data.toString('latin1', 1, 5))) return undefined
  const frame = ((first >> 4) & 7) === KEYFRAME ? 'keyframe' : 'video'
  if (!isExtended && (first & 0xf) !== H264) return 'video'
  const packet = isExtended ? first & 0xf : second
  if (packet === 0) return 'video-header'
  // 2 is the end of the sequence; 3 is a frame of enhanced RTMP that is shown as soon as it is decoded.
  return packet === 1 || packet === 3 ? frame : undefined
}

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
