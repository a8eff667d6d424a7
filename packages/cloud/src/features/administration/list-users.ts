import { adminUser } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { administrator } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { dataResponse } from '../../http/schemas.ts'
import type { AdministrationEndpointDeps } from './deps.ts'
import { toAdminUser } from './target-user.ts'

/** Lists users by e-mail address. */
export const listUsers = ({ store, users }: AdministrationEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/admin/users',
    summary: 'Search users',
    tags: ['administration'],
    style: 'coded',
    auth: administrator,
    schema: {
      querystring: Type.Object({
        q: Type.Optional(
          Type.String({
            maxLength: 254,
            pattern: '^[^\\x00]*$',
            description: 'Beginning of the e-mail address',
          }),
        ),
        suspended: Type.Optional(Type.Boolean()),
        ...pageQuery,
      }),
      response: { 200: dataResponse(Type.Array(adminUser)) },
    },
    errors: [],
    handler: async ({ query, request, reply }) => {
      const page = parsePage({ limit: 100, ...query })
      const prefix = (query.q ?? '').trim().toLowerCase()
      const ids = await store.searchUsers({ prefix, isSuspended: query.suspended }, withLookahead(page))
      const found = new Map(
        (ids.length === 0 ? [] : await users.findByIds(ids)).map((user) => [user.id, user]),
      )
      const listed = ids.flatMap((id) => found.get(id) ?? [])
      const visible = toPage(listed, page, ({ email }) => email, { request, reply })
      return { success: true as const, data: visible.map(toAdminUser) }
    },
  })
