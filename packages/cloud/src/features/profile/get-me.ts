import { accountUser } from '@glasses-cloud/contract'
import { coreOrPersonalToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { toAccountUser } from './user-view.ts'

/** Returns the signed-in user. */
export const getMe = () =>
  endpoint({
    method: 'GET',
    url: '/api/account/me',
    summary: 'Get the signed-in user',
    tags: ['account'],
    style: 'bare',
    auth: coreOrPersonalToken('account'),
    schema: { response: { 200: accountUser } },
    errors: ['USER_UNREADABLE'],
    failure: 'USER_UNREADABLE',
    handler: async ({ caller }) => toAccountUser(caller.user),
  })
