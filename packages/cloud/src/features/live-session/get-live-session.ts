import { liveSession } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { LiveSessionDeps } from './deps.ts'
import { readLiveSession } from './read-live-session.ts'

/** Returns the live session of the caller; without one, nothing is connected and nothing runs. */
export const getLiveSession = ({ sessions }: Pick<LiveSessionDeps, 'sessions'>) =>
  endpoint({
    method: 'GET',
    url: '/api/session',
    summary: 'Get your live session: the connected glasses and the running apps',
    tags: ['account'],
    style: 'coded',
    auth: coreToken,
    schema: { response: { 200: liveSession } },
    errors: [],
    handler: ({ caller: { user } }) => readLiveSession(sessions, user.id),
  })
