import { SINGLE_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { coreToken } from '../../../http/auth/index.ts'
import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import {
  lastUseView,
  PERSONAL_TOKEN_SCOPES,
  type PersonalToken,
  type PersonalTokens,
} from '../../../identity/index.ts'
import type { BrowserLogins } from '../browser-logins.ts'
import { coded, success } from '../schemas.ts'
import type { SecurityNotices } from '../security-notices.ts'

export interface PersonalTokenEndpointDeps {
  readonly personalTokens: PersonalTokens
  readonly browserLogins: BrowserLogins
  readonly notices: SecurityNotices
  /** Epoch ms. */
  readonly now: () => number
}

const DAY_MS = 24 * 60 * 60_000

/** Longest lifetime of a personal token. */
const MAX_LIFETIME_DAYS = 366

const personalTokenFields = {
  id: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  scopes: Type.Array(Type.Enum(PERSONAL_TOKEN_SCOPES), { minItems: 1, maxItems: 3 }),
}

const personalTokenView = Type.Object(
  {
    ...personalTokenFields,
    createdAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.String({ format: 'date-time' }),
    lastUsedAt: Type.Union([Type.Null(), Type.String({ format: 'date-time' })], {
      description: 'Time of the last use, to the minute',
    }),
    lastUsedIpAddress: Type.Union([Type.Null(), Type.String()], {
      description: 'Address of the client then',
    }),
  },
  { title: 'PersonalToken' },
)

function toPersonalTokenView({ id, name, scopes, createdAt, expiresAt, lastUse }: PersonalToken) {
  return {
    id,
    name,
    scopes: [...scopes],
    createdAt: new Date(createdAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    ...lastUseView(lastUse),
  }
}

/** Creates a personal access token. A personal token cannot create another. */
const createPersonalToken = ({ personalTokens, browserLogins, notices, now }: PersonalTokenEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/tokens',
    summary: 'Create a personal access token; requires a sign-in within the last hour',
    ...coded,
    auth: coreToken,
    schema: {
      body: Type.Object(
        {
          name: personalTokenFields.name,
          scopes: personalTokenFields.scopes,
          expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIFETIME_DAYS, default: 90 })),
        },
        { title: 'NewPersonalToken' },
      ),
      response: {
        200: Type.Object({
          token: Type.String({ description: 'The token; it is not shown again' }),
          ...personalTokenView.properties,
        }),
      },
    },
    errors: ['RECENT_SIGN_IN_REQUIRED', 'TOO_MANY_PERSONAL_TOKENS'],
    handler: async ({ caller, body }) => {
      // The command line signs in as a device.
      await browserLogins.requireRecent(caller, { acceptsDevices: true })
      const { name, scopes, expiresInDays = 90 } = body
      // Not by `uniqueItems`, which hashes every item of a list that is too long.
      if (new Set(scopes).size < scopes.length)
        throw fault('BAD_REQUEST', { message: 'scopes must not contain an entry twice' })
      const expiresAt = now() + expiresInDays * DAY_MS
      const created = await personalTokens.create({ userId: caller.user.id, name, scopes, expiresAt })
      if (created === undefined) throw fault('TOO_MANY_PERSONAL_TOKENS')
      notices.personalTokenCreated(caller.user.email)
      return { token: created.token, ...toPersonalTokenView(created) }
    },
  })

/** Lists the personal access tokens of the caller, newest first, without their secrets. */
const listPersonalTokens = ({ personalTokens }: PersonalTokenEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/auth/tokens',
    summary: 'List your personal access tokens',
    ...coded,
    auth: coreToken,
    schema: { response: { 200: Type.Object({ tokens: Type.Array(personalTokenView) }) } },
    errors: [],
    handler: async ({ caller }) => ({
      tokens: (await personalTokens.list(caller.user.id)).map(toPersonalTokenView),
    }),
  })

/** Revokes one of the caller's personal access tokens; it is rejected from the next request on. */
const revokePersonalToken = ({ personalTokens }: PersonalTokenEndpointDeps) =>
  endpoint({
    method: 'DELETE',
    url: '/api/auth/tokens/:id',
    summary: 'Revoke a personal access token',
    ...coded,
    auth: coreToken,
    schema: {
      params: Type.Object({ id: Type.String({ maxLength: 100, pattern: SINGLE_LINE_PATTERN }) }),
      response: { 200: success },
    },
    errors: ['PERSONAL_TOKEN_NOT_FOUND'],
    handler: async ({ caller, params }) => {
      if (!(await personalTokens.remove(caller.user.id, params.id))) throw fault('PERSONAL_TOKEN_NOT_FOUND')
      return { success: true as const }
    },
  })

/** The endpoints of personal access tokens. */
export const personalTokenEndpoints = (deps: PersonalTokenEndpointDeps): Endpoint[] => [
  createPersonalToken(deps),
  listPersonalTokens(deps),
  revokePersonalToken(deps),
]
