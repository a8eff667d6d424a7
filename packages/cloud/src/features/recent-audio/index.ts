import { Type } from 'typebox'
import type { Feature } from '../../feature.ts'
import { audioApiKey } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { type Authenticator, readEmailInUrl } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'

/** The last seconds of a user's audio, under `/api/audio`. */
export function createRecentAudio(deps: RecentAudioDeps): Feature {
  return { name: 'recent-audio', endpoints: [getRecentAudio(deps)] }
}

export interface RecentAudioDeps {
  readonly authenticator: Authenticator
  readonly sessions: SessionDirectory
}

/** Returns the last ten seconds of a user's audio: PCM, 16 kHz, 16 bit, mono, little-endian (decision M1). */
const getRecentAudio = ({ authenticator, sessions }: RecentAudioDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/audio/:userId',
    summary: 'Get the last ten seconds of audio as PCM',
    tags: ['audio'],
    style: 'bare',
    auth: audioApiKey,
    namedUser: { in: 'params', field: 'userId', as: 'email' },
    schema: {
      params: Type.Object({ userId: Type.String({ description: 'E-mail of the user' }) }),
      querystring: Type.Object({
        userId: Type.String({ description: 'Must equal the user id in the path' }),
      }),
      response: {
        200: Type.String({ format: 'binary', description: '16 kHz, 16 bit, mono, little-endian' }),
      },
    },
    media: { contentTypes: ['application/octet-stream'] },
    errors: ['AUDIO_USER_MISMATCH', 'SESSION_NOT_FOUND', 'NO_AUDIO', 'NO_DECODABLE_AUDIO', 'AUDIO_FAILED'],
    failure: 'AUDIO_FAILED',
    handler: async ({ params, query, reply }) => {
      const nameOf = (userId: string) => readEmailInUrl(userId) ?? userId
      if (nameOf(params.userId) !== nameOf(query.userId)) throw fault('AUDIO_USER_MISMATCH')
      const user = await authenticator.findUserByEmail(query.userId)
      const session = user && (await sessions.find(user.id))
      if (session === undefined) throw fault('SESSION_NOT_FOUND')
      const recent = await session.recentAudio()
      switch (recent.kind) {
        case 'audio':
          return reply.type('application/octet-stream').send(recent.pcm)
        case 'empty':
          throw fault('NO_AUDIO')
        case 'undecodable':
          throw fault('NO_DECODABLE_AUDIO')
      }
    },
  })
