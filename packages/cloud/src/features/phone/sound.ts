import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Dispatcher } from 'undici'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { readHead } from '../../http/read-head.ts'
import type { PhoneEndpointDeps } from './device-endpoints.ts'

/** Time to fetch a sound (PLAY-12). */
const TIMEOUT_MS = 60_000

/** Sounds that one node fetches at the same time. */
const MAX_FETCHES = 50

const SOUNDS_PER_MINUTE = 120

/**
 * Returns the sound of a playback that an app has requested and that is not finished, for glasses in a browser: a page
 * may not fetch from other hosts (PLAY-11).
 */
export const getSound = ({ sessions, webhooks }: PhoneEndpointDeps) => {
  let fetches = 0
  return endpoint({
    method: 'GET',
    url: '/api/client/audio/sounds/:requestId',
    summary: 'Get the sound that an app plays',
    tags: ['phone'],
    style: 'bare',
    auth: coreToken,
    schema: {
      params: Type.Object({ requestId: Type.String({ minLength: 1, maxLength: 300 }) }),
      response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
    },
    media: { contentTypes: ['audio/mpeg', 'audio/wav', 'audio/ogg'] },
    limits: { perMinute: () => SOUNDS_PER_MINUTE },
    errors: ['SOUND_NOT_FOUND', 'SOUND_UNAVAILABLE', 'RATE_LIMITED'],
    invalid: 'SOUND_NOT_FOUND',
    handler: async ({ caller: { user }, params, reply, log }) => {
      const session = await sessions.find(user.id)
      const url = await session?.soundUrl(params.requestId)
      if (url === undefined) throw fault('SOUND_NOT_FOUND')
      if (fetches >= MAX_FETCHES) throw fault('RATE_LIMITED')
      fetches += 1
      const left = new AbortController()
      reply.raw.once('close', () => {
        fetches -= 1
        left.abort()
      })
      try {
        const agent = await webhooks.prepare()
        const signal = AbortSignal.any([left.signal, AbortSignal.timeout(TIMEOUT_MS)])
        const { contentType, content } = await fetchSound(agent, url, signal)
        return reply
          .headers({
            'content-type': contentType,
            // Opened as a page, it can do nothing.
            'content-security-policy': "default-src 'none'; sandbox",
          })
          .send(content)
      } catch (error) {
        log.info({ err: error }, 'phone: a sound could not be fetched')
        const message = error instanceof SoundError ? error.message : 'The server of the sound is unreachable'
        throw fault('SOUND_UNAVAILABLE', { message, cause: error })
      }
    },
  })
}

/** Largest sound file. */
const MAX_SOUND_BYTES = 32 * 1024 * 1024

const TOO_LARGE = 'The sound is larger than 32 MiB'

/** Redirects that are followed, as browsers and phones do. */
const MAX_REDIRECTS = 3

const SOUND_TYPE = /^(audio\/[a-z0-9.+-]+|application\/ogg)$/

/** A sound file that is being fetched. */
export interface Sound {
  /** Without parameters, in lower case. */
  readonly contentType: string
  /** Fails if the file is larger than 32 MiB. */
  readonly content: Readable
}

/** Why a sound cannot be fetched, in words for the wearer. */
class SoundError extends Error {}

/**
 * Fetches a sound file without credentials.
 * @param agent decides which addresses may be called
 * @throws {SoundError} if the server does not respond with a sound file of at most 32 MiB; other errors are those of
 *   the agent
 */
export async function fetchSound(agent: Dispatcher, address: string, signal: AbortSignal): Promise<Sound> {
  let url = new URL(address)
  for (let redirects = 0; ; redirects += 1) {
    if (!/^https?:$/.test(url.protocol)) throw new SoundError('The sound has no http or https address')
    const { origin, pathname, search } = url
    const response = await agent.request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers: { accept: 'audio/*' },
      signal,
    })
    const { statusCode, headers, body } = response
    const location = headerOf(headers.location)
    const next = statusCode >= 300 && statusCode < 400 && location ? URL.parse(location, url.href) : null
    if (next !== null && redirects < MAX_REDIRECTS) {
      await body.dump()
      url = next
      continue
    }
    // Its end is not awaited: it may be endless.
    const refuse = (problem: string) => {
      body.destroy()
      throw new SoundError(problem)
    }
    body.on('error', () => {})
    if (statusCode !== 200) refuse(`The server of the sound responded with status ${statusCode}`)
    if (Number(headerOf(headers['content-length'])) > MAX_SOUND_BYTES) refuse(TOO_LARGE)
    const declared = headerOf(headers['content-type']).split(';', 1)[0]?.trim().toLowerCase() ?? ''
    const { head, content } = await readHead(body, SIGNATURE_BYTES)
    const contentType = SOUND_TYPE.test(declared) ? declared : typeOf(head)
    return contentType === undefined
      ? refuse(`The server responded with ${declared || 'no content type'} instead of a sound`)
      : { contentType, content: Readable.from(limited(content), { objectMode: false }) }
  }
}

/** Number of bytes that identify the type of a sound. */
const SIGNATURE_BYTES = 12

/** The first bytes of sounds, read as Latin-1. */
const SIGNATURES: readonly (readonly [signature: RegExp, contentType: string])[] = [
  [/^ID3|^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/, 'audio/mpeg'],
  [/^RIFF.{4}WAVE/s, 'audio/wav'],
  [/^OggS/, 'audio/ogg'],
  [/^fLaC/, 'audio/flac'],
  [/^\xff[\xf0\xf1\xf8\xf9]/, 'audio/aac'],
  [/^.{4}ftyp(M4[AB] |mp4|iso)/s, 'audio/mp4'],
  [/^.E\xdf\xa3/, 'audio/webm'],
]

/** Returns the type of a sound by its first bytes: servers of files often declare none, or `binary/octet-stream`. */
function typeOf(head: Buffer): string | undefined {
  const start = head.toString('latin1', 0, SIGNATURE_BYTES)
  return SIGNATURES.find(([signature]) => signature.test(start))?.[1]
}

/** Passes bytes on, and fails beyond the limit. */
async function* limited(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.byteLength
    if (bytes > MAX_SOUND_BYTES) throw new SoundError(TOO_LARGE)
    yield chunk
  }
}

function headerOf(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}
