import { Type } from 'typebox'
import { coreToken } from '../../../../http/auth/index.ts'
import { endpoint } from '../../../../http/endpoint.ts'
import { fault } from '../../../../http/fault.ts'
import type { PersonalTokens } from '../../../../identity/index.ts'
import { MAX_LIFETIME_DAYS, personalTokenFields, personalTokenView, toPersonalTokenView } from './schemas.ts'

const DAY_MS = 24 * 60 * 60_000

/** Creates a personal access token. A personal token cannot create another. */
export const createPersonalToken = ({
  personalTokens,
  now,
}: {
  readonly personalTokens: PersonalTokens
  readonly now: () => number
}) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/tokens',
    summary: 'Create a personal access token',
    tags: ['auth'],
    style: 'bare',
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
    errors: ['TOO_MANY_PERSONAL_TOKENS'],
    handler: async ({ caller, body }) => {
      const { name, scopes, expiresInDays = 90 } = body
      // Not by `uniqueItems`, which hashes every item of a list that is too long.
      if (new Set(scopes).size < scopes.length)
        throw fault('BAD_REQUEST', { message: 'scopes must not contain an entry twice' })
      const expiresAt = now() + expiresInDays * DAY_MS
      const created = await personalTokens.create({ userId: caller.user.id, name, scopes, expiresAt })
      if (created === undefined) throw fault('TOO_MANY_PERSONAL_TOKENS')
      return { token: created.token, ...toPersonalTokenView(created) }
    },
  })
