import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ownPages } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import { type GuessLimiter, normalizeEmail, type User, type UserStore } from '../../../identity/index.ts'
import type { BrowserLogins } from '../browser-logins.ts'
import { limitGuesses } from '../guess-limits.ts'
import type { PasswordAccounts } from '../password/password-accounts.ts'
import type { PasswordHasher } from '../password/password-hasher.ts'
import { coded, emailField, newPasswordField, sessionToken, sessionUser, toSessionUser } from '../schemas.ts'
import type { SignInMethodStore } from '../sign-in-method-store.ts'
import { uniformTime } from '../uniform-time.ts'
import type { SignUpPermit, SignUpPolicy } from './sign-up-policy.ts'

export interface SignUpDeps {
  readonly accounts: PasswordAccounts
  readonly methods: SignInMethodStore
  readonly passwords: PasswordHasher
  readonly browserLogins: BrowserLogins
  readonly signUpPolicy: SignUpPolicy
  readonly guesses: GuessLimiter
  readonly users: UserStore
  readonly verifyEmail: boolean
  /** Epoch ms. */
  readonly now: () => number
}

/** What an account is created with. */
interface NewAccount {
  /** Normalized. */
  readonly email: string
  readonly password: string
  readonly name: string
}

/** Creates an account with e-mail address and password, and signs in. The first one becomes the administrator. */
export const signUpEndpoint = (deps: SignUpDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/sign-up/email',
    summary: 'Create an account',
    ...coded,
    auth: ownPages,
    schema: {
      body: Type.Object(
        {
          email: emailField,
          password: newPasswordField,
          name: Type.Optional(Type.String({ maxLength: 200 })),
          setUpCode: Type.Optional(
            Type.String({
              maxLength: 100,
              description: "The set-up code in the server's log, for the first account",
            }),
          ),
          invitation: Type.Optional(
            Type.String({
              maxLength: 200,
              description: 'The token of an invitation, if sign-up requires one',
            }),
          ),
        },
        { title: 'SignUp' },
      ),
      response: { 200: Type.Object({ token: sessionToken, user: sessionUser }, { title: 'SignedUp' }) },
    },
    errors: [
      'SIGN_UP_CLOSED',
      'INVITATION_REQUIRED',
      'SET_UP_CODE_REQUIRED',
      'ACCOUNT_EXISTS',
      'ACCOUNT_REQUEST_REJECTED',
      'TOO_MANY_ATTEMPTS',
      'TOO_MANY_PASSWORDS',
    ],
    handler: async ({ body, request, reply }) => {
      const { password, name = '', setUpCode, invitation } = body
      const email = normalizeEmail(body.email)
      if (email === undefined) throw fault('ACCOUNT_REQUEST_REJECTED', { message: 'Invalid e-mail address' })
      await limitGuesses(deps, { request, reply }, 'sign-up', email)
      const permit = await deps.signUpPolicy.permit(request, { email, setUpCode, invitation })
      try {
        return await createAccount(deps, { request, reply }, { email, password, name }, permit)
      } catch (error) {
        await permit.release()
        throw error
      }
    },
  })

/**
 * Creates an account and signs in, unless the address must be confirmed first.
 * @throws Fault `ACCOUNT_EXISTS`
 */
async function createAccount(
  deps: SignUpDeps,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  account: NewAccount,
  permit: SignUpPermit,
) {
  const { accounts, users, browserLogins, now } = deps
  const mustConfirm = deps.verifyEmail && !permit.provesEmail
  const hash = await deps.passwords.hash(account.password)
  const uniform = mustConfirm ? uniformTime() : undefined
  const created = await createUser(deps, account, hash, permit)
  if (created === undefined) {
    if (!mustConfirm) throw fault('ACCOUNT_EXISTS')
    await uniform
    // The same as for a new account, so that the response does not reveal the existing one.
    const [id, time] = [randomUUID(), new Date(now()).toISOString()]
    const { email, name } = account
    const flags = { emailVerified: false, twoFactorEnabled: false, isAdministrator: false }
    return { token: null, user: { id, email, name, ...flags, image: null, createdAt: time, updatedAt: time } }
  }
  if (deps.verifyEmail) await accounts.sendConfirmation(created)
  if (mustConfirm) {
    await uniform
    return { token: null, user: toSessionUser(created) }
  }
  if (permit.provesEmail) await users.setEmailVerified(created.id, now())
  if (permit.isFirst) await users.setAdministrator(created.id, true, now())
  const user = (await users.findById(created.id)) ?? created
  return { token: await browserLogins.start(user, request, reply), user: toSessionUser(user) }
}

/** @returns undefined if the address has an account; the first account may be that of a user without a password */
async function createUser(
  { users, methods, now }: SignUpDeps,
  { email, name }: NewAccount,
  hash: string,
  { isFirst }: SignUpPermit,
): Promise<User | undefined> {
  const created = await users.create(email, name, now())
  const user = created ?? (isFirst ? await users.findByEmail(email) : undefined)
  const isOwn = user !== undefined && (await methods.addPassword(user.id, hash, now()))
  return isOwn ? user : undefined
}
