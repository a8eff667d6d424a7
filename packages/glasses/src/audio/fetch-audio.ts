import { parseBuffer } from 'music-metadata'

/** A sound from the web, as a phone would play it. */
export interface AudioFile {
  readonly bytes: number
  readonly mimeType: string
  readonly seconds: number
}

/** More than this no sound has, in bytes. */
const MAX_AUDIO_BYTES = 32 * 1024 * 1024

/** A longer wait for a sound is one without end, in milliseconds. */
const FETCH_TIMEOUT_MS = 30_000

/**
 * Fetches a sound, without any credentials, and finds out how long it plays.
 * @throws an Error with a sentence when there is none at the address, or no sound
 */
export async function fetchAudio(url: string, stopped: AbortSignal): Promise<AudioFile> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(FETCH_TIMEOUT_MS)])
  const response = await fetch(url, { signal }).catch((cause) => {
    throw new Error('The address of the sound cannot be reached', { cause })
  })
  if (!response.ok) {
    throw new Error(`The address of the sound answered with ${response.status}${await errorDetail(response)}`)
  }
  const content = await readBody(response)
  const mimeType = response.headers.get('content-type') ?? ''
  const seconds = await parseDuration(content, mimeType)
  if (seconds === undefined) throw new Error('What is at the address is no sound that can be played')
  return { bytes: content.length, mimeType, seconds }
}

async function readBody({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_AUDIO_BYTES) throw new Error(`The sound has more than ${MAX_AUDIO_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** In seconds; `undefined` for what is no sound. */
async function parseDuration(content: Buffer, mimeType: string): Promise<number | undefined> {
  try {
    return (await parseBuffer(content, { mimeType, size: content.length }, { duration: true })).format
      .duration
  } catch {
    return undefined
  }
}

/** Why there is no sound, where the answer says so in JSON. */
async function errorDetail(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined)
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined
  return typeof message === 'string' ? `: ${message.slice(0, 200)}` : ''
}
