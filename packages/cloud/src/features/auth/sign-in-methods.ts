import { Type } from 'typebox'
import { coreToken } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { coded, success } from './schemas.ts'
import type { SignInMethodStore } from './sign-in-method-store.ts'

export interface SignInMethodDeps {
  readonly methods: SignInMethodStore
  readonly issuers: readonly { readonly id: string; readonly label: string }[]
}

/** Lists how the caller signs in, besides passkeys. */
const listSignInMethods = ({ methods, issuers }: SignInMethodDeps) =>
  endpoint({
    method: 'GET',
    url: '/api/auth/sign-in-methods',
    summary: 'List how you sign in: password, second factor and linked accounts',
    ...coded,
    auth: coreToken,
    schema: {
      response: {
        200: Type.Object(
          {
            hasPassword: Type.Boolean(),
            requiresCode: Type.Boolean({
              description: 'Whether a password requires a code of an authenticator app as well',
            }),
            linked: Type.Array(
              Type.Object(
                {
                  id: Type.String(),
                  issuer: Type.String({
                    description: 'An `id` of GET /api/auth/options, unless it was removed',
                  }),
                  label: Type.String(),
                  createdAt: Type.String({ format: 'date-time' }),
                },
                { title: 'LinkedAccount' },
              ),
              { description: 'Accounts at OpenID Connect issuers' },
            ),
          },
          { title: 'SignInMethods' },
        ),
      },
    },
    errors: [],
    handler: async ({ caller }) => {
      const found = await methods.list(caller.user.id)
      const password = found.find(({ kind }) => kind === 'password')
      return {
        hasPassword: password !== undefined,
        requiresCode: password?.requiresCode === true,
        linked: found
          .filter(({ kind }) => kind === 'issuer')
          .map(({ id, name = '', createdAt }) => ({
            id,
            issuer: name,
            label: issuers.find((issuer) => issuer.id === name)?.label ?? name,
            createdAt: new Date(createdAt).toISOString(),
          })),
      }
    },
  })

/** Removes a linked account, which then no longer signs in. */
const removeLinkedAccount = ({ methods }: SignInMethodDeps) =>
  endpoint({
    method: 'DELETE',
    url: '/api/auth/sign-in-methods/:id',
    summary: 'Unlink an account at an OpenID Connect issuer',
    ...coded,
    auth: coreToken,
    schema: {
      params: Type.Object({ id: Type.String({ maxLength: 100, pattern: '^[^\\x00-\\x1f\\x7f]*$' }) }),
      response: { 200: success },
    },
    errors: ['LINKED_ACCOUNT_NOT_FOUND', 'LAST_SIGN_IN_METHOD'],
    handler: async ({ caller, params }) => {
      const outcome = await methods.unlink(caller.user.id, params.id)
      if (outcome === 'unknown') throw fault('LINKED_ACCOUNT_NOT_FOUND')
      if (outcome === 'last') throw fault('LAST_SIGN_IN_METHOD')
      return { success: true as const }
    },
  })

/** The endpoints with which users see how they sign in. */
export const signInMethodEndpoints = (deps: SignInMethodDeps) => [
  listSignInMethods(deps),
  removeLinkedAccount(deps),
]
