import { accountUser } from '@glasses-cloud/contract'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { tags } from './schemas.ts'
import { userView } from './user-view.ts'

/** The signed-in user. */
export const getMe = () =>
  endpoint({
    method: 'GET',
    url: '/api/account/me',
    summary: 'The signed-in user',
    tags,
    style: 'bare',
    auth: coreToken,
    schema: { response: { 200: accountUser } },
    errors: ['USER_UNREADABLE'],
    failure: 'USER_UNREADABLE',
    handler: async ({ caller }) => userView(caller.user),
  })
