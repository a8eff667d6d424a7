import { type LoggedFrame, parse } from './frame-log.ts'

/** A frame that the glasses sent, as a recording has it. */
export interface RecordedFrame {
  /** Epoch ms. */
  readonly at: number
  readonly text: string
}

/** Frames that are replayed at most; the inspector keeps fewer. */
const MAX_FRAMES = 10_000

/** Writes frames as JSON Lines: one object a frame, with its time, direction and message. The sound is left out. */
export function toJsonLines(frames: readonly LoggedFrame[]): string {
  return frames
    .map(({ at, direction, type, bytes, count, content }) =>
      JSON.stringify({
        at: new Date(at).toISOString(),
        direction,
        ...(content === undefined ? { type, bytes, count } : { message: parse(content.text) }),
      }),
    )
    .join('\n')
}

/**
 * Reads the frames that the glasses sent from a recording in JSON Lines, in the order of the file. Audio is skipped: a
 * recording does not contain it.
 * @throws {Error} that names the first line that is not a recorded frame
 */
export function readRecording(text: string): RecordedFrame[] {
  const frames: RecordedFrame[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const value = parse(line)
    const frame = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
    const at = Date.parse(String(frame.at))
    if (Number.isNaN(at) || (frame.direction !== 'sent' && frame.direction !== 'received'))
      throw new Error(`Line ${index + 1} is not a recorded frame`)
    if (frame.direction !== 'sent' || frame.message === undefined) continue
    const { message } = frame
    frames.push({ at, text: typeof message === 'string' ? message : JSON.stringify(message) })
    if (frames.length > MAX_FRAMES) throw new Error(`The recording has more than ${MAX_FRAMES} frames`)
  }
  return frames
}

/** The frames that the glasses sent, of those in the inspector. */
export function sentFrames(frames: readonly LoggedFrame[]): RecordedFrame[] {
  return frames.flatMap(({ at, direction, content }) =>
    direction === 'sent' && content !== undefined ? [{ at, text: content.text }] : [],
  )
}
