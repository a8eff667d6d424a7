import { type AdminUser, adminUser, closeFrames, withoutInvisible } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { ChangeFeed } from '../../db/index.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { fault, rejectLastAdministrator } from '../../http/fault.ts'
import { pageQuery, parsePage, toPage, withLookahead } from '../../http/paging.ts'
import { dataResponse, successResponse } from '../../http/schemas.ts'
import { requireOtherAdministrator, type User, UserStore } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import { toIsoString } from '../../time/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Deletions } from '../personal-data/index.ts'
import type { AdminStore } from './admin-store.ts'
import { common, noteText, userParams } from './schemas.ts'

export interface UserEndpointDeps {
  readonly users: UserStore
  readonly store: AdminStore
  readonly sessions: SessionDirectory
  readonly deletions: Pick<Deletions, 'delete'>
  readonly audit: Audit
  readonly changes: ChangeFeed
  /** Epoch ms. */
  readonly now: () => number
}

export const userEndpoints = ({
  audit,
  changes,
  deletions,
  now,
  sessions,
  store,
  users,
}: UserEndpointDeps): Endpoint[] => [
  endpoint({
    ...common,
    method: 'GET',
    url: '/api/admin/users',
    summary: 'Search users',
    audited: [],
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
      const prefix = withoutInvisible(query.q ?? '')
        .trim()
        .replaceAll(' ', '+')
        .normalize('NFC')
        .toLowerCase()
      const ids = await store.searchUsers({ prefix, isSuspended: query.suspended }, withLookahead(page))
      const found = new Map(
        (ids.length === 0 ? [] : await users.findByIds(ids)).map((user) => [user.id, user]),
      )
      const listed = ids.flatMap((id) => found.get(id) ?? [])
      const visible = toPage(listed, page, ({ email }) => email, { request, reply })
      return { success: true as const, data: visible.map(toAdminUser) }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/admin/users/:userId/suspend',
    summary: 'Suspend a user',
    audited: ['user.suspend'],
    schema: {
      params: userParams,
      body: Type.Object({ reason: Type.Optional(noteText) }, { additionalProperties: false }),
      response: { 200: dataResponse(adminUser) },
    },
    errors: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'LAST_ADMINISTRATOR'],
    invalid: ({ part }) => (part === 'params' ? 'USER_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user: actor }, params, body, request, log }) => {
      const user = await findTarget(users, actor, params.userId)
      const at = user.suspendedAt ?? now()
      const act = { actor, request, action: 'user.suspend', target: user.id, details: body } as const
      await audit
        .write(act, async (trx) => {
          await requireOtherAdministrator(trx, user.id)
          await requireChange(new UserStore(trx).setSuspended(user.id, at, now()))
        })
        .catch(rejectLastAdministrator)
      await changes.catchUp()
      // The change feed ends sessions too; asking the owner does not wait for it.
      const session = await sessions.find(user.id)
      await session
        ?.end(closeFrames.ACCOUNT_SUSPENDED)
        .catch((err: unknown) =>
          log.warn({ err }, 'administration: the session of a suspended user did not end at once'),
        )
      return { success: true as const, data: toAdminUser({ ...user, suspendedAt: at }) }
    },
  }),
  endpoint({
    ...common,
    method: 'POST',
    url: '/api/admin/users/:userId/reinstate',
    summary: 'End the suspension of a user',
    audited: ['user.reinstate'],
    schema: { params: userParams, response: { 200: dataResponse(adminUser) } },
    errors: ['USER_NOT_FOUND', 'OWN_ACCOUNT'],
    invalid: 'USER_NOT_FOUND',
    handler: async ({ caller: { user: actor }, params, request }) => {
      const user = await findTarget(users, actor, params.userId)
      await audit.write({ actor, request, action: 'user.reinstate', target: user.id }, (trx) =>
        requireChange(new UserStore(trx).setSuspended(user.id, null, now())),
      )
      return { success: true as const, data: toAdminUser({ ...user, suspendedAt: undefined }) }
    },
  }),
  endpoint({
    ...common,
    method: 'PUT',
    url: '/api/admin/users/:userId/administrator',
    summary: 'Make a user an administrator, or an ordinary user again',
    audited: ['user.promote', 'user.demote'],
    schema: {
      params: userParams,
      body: Type.Object({ isAdministrator: Type.Boolean() }, { additionalProperties: false }),
      response: { 200: dataResponse(adminUser) },
    },
    errors: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'ADDRESS_NOT_CONFIRMED', 'LAST_ADMINISTRATOR'],
    invalid: ({ part }) => (part === 'params' ? 'USER_NOT_FOUND' : 'BAD_REQUEST'),
    handler: async ({ caller: { user: actor }, params, body, request }) => {
      const user = await findTarget(users, actor, params.userId)
      // Somebody else may have signed up with the address.
      if (body.isAdministrator && !user.isEmailVerified) throw fault('ADDRESS_NOT_CONFIRMED')
      const action = body.isAdministrator ? 'user.promote' : 'user.demote'
      await audit
        .write({ actor, request, action, target: user.id }, async (trx) => {
          if (!body.isAdministrator) await requireOtherAdministrator(trx, user.id)
          await requireChange(new UserStore(trx).setAdministrator(user.id, body.isAdministrator, now()))
        })
        .catch(rejectLastAdministrator)
      return { success: true as const, data: toAdminUser({ ...user, ...body }) }
    },
  }),
  // Deletes an account with all its data, as its user could (decision A5).
  endpoint({
    ...common,
    method: 'DELETE',
    url: '/api/admin/users/:userId',
    summary: 'Delete a user with all data',
    audited: ['user.delete'],
    schema: { params: userParams, response: { 200: successResponse } },
    errors: ['USER_NOT_FOUND', 'OWN_ACCOUNT', 'LAST_ADMINISTRATOR'],
    invalid: 'USER_NOT_FOUND',
    handler: async ({ caller: { user: actor }, params, request }) => {
      const user = await findTarget(users, actor, params.userId)
      await audit
        .run({ actor, request, action: 'user.delete', target: user.id }, () => deletions.delete(user))
        .catch(rejectLastAdministrator)
      return { success: true as const }
    },
  }),
]

/**
 * Finds the user that an administrator acts on.
 * @throws Fault `USER_NOT_FOUND`; `OWN_ACCOUNT` for the administrator, so that one remains
 */
async function findTarget(users: UserStore, actor: User, userId: string): Promise<User> {
  const user = await users.findById(userId)
  if (user === undefined) throw fault('USER_NOT_FOUND')
  if (user.id === actor.id) throw fault('OWN_ACCOUNT')
  return user
}

/** @throws Fault `USER_NOT_FOUND` if the user was deleted meanwhile */
async function requireChange(change: Promise<boolean>): Promise<void> {
  if (!(await change)) throw fault('USER_NOT_FOUND')
}

/** Returns a user as administrators see one. */
function toAdminUser({ id, email, name, isAdministrator, suspendedAt, createdAt }: User): AdminUser {
  return {
    id,
    email,
    name,
    isAdministrator,
    ...(suspendedAt !== undefined && { suspendedAt: toIsoString(suspendedAt) }),
    createdAt: toIsoString(createdAt),
  }
}
