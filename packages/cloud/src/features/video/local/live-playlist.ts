/** A segment of a playlist. */
interface Segment {
  readonly uri: string
  /** URI of the initialization segment that it needs. */
  readonly map: string
  /** Its tags, the duration first. */
  readonly tags: readonly string[]
  /** Whether another encoding begins with it. */
  readonly isDiscontinuous: boolean
}

/** A media playlist of HLS. */
interface MediaPlaylist {
  /** Number of the first segment. */
  readonly sequence: number
  /** Discontinuities before the first segment. */
  readonly discontinuities: number
  readonly segments: readonly Segment[]
}

/**
 * Continues the media playlist of a live stream with that of its next encoding, as a player expects it: segments are numbered on,
 * and a discontinuity with another initialization segment separates the encodings.
 * @param earlier as this function returned it, or as ffmpeg wrote it; without one `next` is returned
 * @param next as ffmpeg writes it, whose first segment has number 1
 * @param window segments that the playlist contains
 */
export function continuePlaylist(earlier: string | undefined, next: string, window: number): string {
  if (earlier === undefined) return next.replace(/#EXT-X-ENDLIST\s*$/, '')
  const before = parse(earlier)
  const after = parse(next)
  const newest = after.segments.at(-1)
  // The next encoding has not begun.
  if (newest === undefined || newest.map === before.segments.at(-1)?.map) return earlier
  const continued = after.segments.map((segment, index) => ({
    ...segment,
    isDiscontinuous: after.sequence + index === 1,
  }))
  const all = [...before.segments, ...continued]
  const segments = all.slice(-window)
  // With the one between the encodings, of which the segment may have left the playlist of ffmpeg.
  const discontinuities = before.discontinuities + countDiscontinuities(before.segments) + 1
  return format({
    sequence:
      before.sequence + before.segments.length + after.sequence - 1 + continued.length - segments.length,
    discontinuities: discontinuities - countDiscontinuities(segments),
    segments,
  })
}

function countDiscontinuities(segments: readonly Segment[]): number {
  return segments.filter(({ isDiscontinuous }) => isDiscontinuous).length
}

function parse(text: string): MediaPlaylist {
  const segments: Segment[] = []
  let [sequence, discontinuities, map] = [1, 0, '']
  let tags: string[] = []
  let isDiscontinuous = false
  for (const line of text.split('\n').map((each) => each.trim())) {
    const [, tag = '', value = ''] = /^(#[A-Z-]+):?(.*)$/.exec(line) ?? []
    if (tag === '#EXT-X-MEDIA-SEQUENCE') sequence = Number(value)
    else if (tag === '#EXT-X-DISCONTINUITY-SEQUENCE') discontinuities = Number(value)
    else if (tag === '#EXT-X-DISCONTINUITY') isDiscontinuous = true
    else if (tag === '#EXT-X-MAP') map = /URI="([^"]*)"/.exec(value)?.[1] ?? map
    else if (tag === '#EXTINF' || tag === '#EXT-X-PROGRAM-DATE-TIME') tags.push(line)
    else if (line !== '' && tag === '') {
      segments.push({ uri: line, map, tags, isDiscontinuous })
      tags = []
      isDiscontinuous = false
    }
  }
  return { sequence, discontinuities, segments }
}

function format({ sequence, discontinuities, segments }: MediaPlaylist): string {
  const durations = segments.map(({ tags }) => Number.parseFloat(tags[0]?.split(':')[1] ?? ''))
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${Math.max(1, ...durations.map(Math.round))}`,
    `#EXT-X-MEDIA-SEQUENCE:${sequence}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuities}`,
  ]
  let map: string | undefined
  for (const segment of segments) {
    if (segment.isDiscontinuous) lines.push('#EXT-X-DISCONTINUITY')
    if (segment.map !== map) lines.push(`#EXT-X-MAP:URI="${segment.map}"`)
    map = segment.map
    lines.push(...segment.tags, segment.uri)
  }
  return `${lines.join('\n')}\n`
}
