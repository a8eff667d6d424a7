import { type Readable, Transform } from 'node:stream'
import { Type } from 'typebox'
import type { Dispatcher } from 'undici'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
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
    const contentType = headerOf(headers['content-type']).split(';', 1)[0]?.trim().toLowerCase() ?? ''
    const problem = problemOf(statusCode, contentType, Number(headerOf(headers['content-length'])))
    if (problem === undefined) return { contentType, content: body.pipe(limited(body)) }
    // Its end is not awaited: it may be endless.
    body.once('error', () => {}).destroy()
    throw new SoundError(problem)
  }
}

function problemOf(status: number, contentType: string, length: number): string | undefined {
  if (status !== 200) return `The server of the sound responded with status ${status}`
  if (!SOUND_TYPE.test(contentType))
    return `The server responded with ${contentType || 'no content type'} instead of a sound`
  return length > MAX_SOUND_BYTES ? 'The sound is larger than 32 MiB' : undefined
}

/** Passes bytes on, and ends `source` and itself beyond the limit or when the source fails. */
function limited(source: Readable): Transform {
  let bytes = 0
  const passed = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      done(bytes > MAX_SOUND_BYTES ? new SoundError('The sound is larger than 32 MiB') : null, chunk)
    },
  })
  source.once('error', (error) => passed.destroy(error))
  passed.once('close', () => source.destroy())
  return passed
}

function headerOf(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}
