import { parseBuffer } from 'music-metadata'
import { errorDetail } from './platform.ts'

/** An audio file that was fetched from a URL. */
export interface AudioFile {
  readonly bytes: number
  readonly mimeType: string
  readonly durationSeconds: number
}

const MAX_AUDIO_BYTES = 32 * 1024 * 1024
const FETCH_TIMEOUT_MS = 30_000

/**
 * Fetches an audio file, without credentials, and determines its duration.
 * @throws {Error} if the URL cannot be fetched, or its content is not playable audio
 */
export async function fetchAudio(url: string, stopSignal: AbortSignal): Promise<AudioFile> {
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(FETCH_TIMEOUT_MS)])
  const response = await fetch(url, { signal }).catch((cause) => {
    throw new Error('The audio URL is unreachable', { cause })
  })
  if (!response.ok) {
    throw new Error(`The audio URL returned status ${response.status}${await errorDetail(response)}`)
  }
  const content = await readBody(response)
  const mimeType = response.headers.get('content-type') ?? ''
  const durationSeconds = await parseDuration(content, mimeType)
  if (durationSeconds === undefined) throw new Error('The audio URL returned no playable audio')
  return { bytes: content.length, mimeType, durationSeconds }
}

async function readBody({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_AUDIO_BYTES) throw new Error(`The audio is larger than ${MAX_AUDIO_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Duration in seconds, or `undefined` if the content is not audio. */
async function parseDuration(content: Buffer, mimeType: string): Promise<number | undefined> {
  try {
    const { format } = await parseBuffer(content, { mimeType, size: content.length }, { duration: true })
    return format.duration
  } catch {
    return undefined
  }
}
