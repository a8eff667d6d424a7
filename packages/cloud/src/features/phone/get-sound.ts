import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { PhoneEndpointDeps } from './deps.ts'
import { fetchSound, SoundError } from './fetch-sound.ts'

/** Time to fetch a sound; the playback of a longer one is given up before (PLAY-3). */
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
