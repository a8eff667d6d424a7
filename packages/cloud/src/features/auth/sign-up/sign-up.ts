import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { ownPages } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import {
  type AccountClaims,
  type GuessLimiter,
  normalizeEmail,
  type User,
  type UserStore,
} from '../../../identity/index.ts'
import type { AccountHolders } from '../account-holders.ts'
import type { BrowserLogins } from '../browser-logins.ts'
import { limitGuesses } from '../guess-limits.ts'
import { uniformTime } from '../links.ts'
import type { HolderCheck, PasswordAccounts } from '../password/password-accounts.ts'
import type { PasswordHasher } from '../password/password-hasher.ts'
import { type PasswordPolicy, WEAK_PASSWORD_ERRORS } from '../password/password-policy.ts'
import { coded, emailField, newPasswordField, sessionToken, sessionUser, toSessionUser } from '../schemas.ts'
import type { SignInMethodStore } from '../sign-in-method-store.ts'
import type { AccountStore } from './account-store.ts'
import type { SignUpInvitationStore } from './sign-up-invitation-store.ts'
import type { SignUpPermit, SignUpPolicy, SignUpRequest } from './sign-up-policy.ts'

export interface SignUpDeps {
  readonly accounts: PasswordAccounts
  readonly accountStore: AccountStore
  readonly users: UserStore
  readonly methods: SignInMethodStore
  readonly invitations: SignUpInvitationStore
  readonly passwords: PasswordHasher
  readonly policy: Pick<PasswordPolicy, 'require'>
  readonly browserLogins: BrowserLogins
  readonly signUpPolicy: SignUpPolicy
  readonly guesses: GuessLimiter
  readonly holders: AccountHolders
  readonly claims: AccountClaims
  readonly verifyEmail: boolean
  /** Epoch ms. */
  readonly now: () => number
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
      ...WEAK_PASSWORD_ERRORS,
    ],
    handler: async ({ body, request, reply }) => {
      const { password, name = '', setUpCode, invitation } = body
      const email = normalizeEmail(body.email)
      if (email === undefined) throw fault('ACCOUNT_REQUEST_REJECTED', { message: 'Invalid e-mail address' })
      await limitGuesses(deps, { request, reply }, 'sign-up', email)
      const signedUp = { email, password, name, setUpCode, invitation }
      const isHolder = (id: string) => deps.holders.isHolder(request, id)
      const { permit, user, uniform } = await signUp(deps, signedUp, isHolder)
      if (!deps.verifyEmail || permit.provesEmail) {
        if (user === undefined) throw fault('ACCOUNT_EXISTS')
        return { token: await deps.browserLogins.start(user, request, reply), user: toSessionUser(user) }
      }
      await uniform
      deps.holders.remember(reply, user?.id ?? randomUUID())
      if (user !== undefined) return { token: null, user: toSessionUser(user) }
      // The same as for a new account, so that the response does not reveal the existing one.
      const [id, time] = [randomUUID(), new Date(deps.now()).toISOString()]
      const flags = { emailVerified: false, twoFactorEnabled: false, isAdministrator: false }
      return {
        token: null,
        user: { id, email, name, ...flags, image: null, createdAt: time, updatedAt: time },
      }
    },
  })

/**
 * Creates an account. If the permit proves that an address with an unconfirmed account belongs to the new user, the account
 * is confirmed if it is theirs, and claimed otherwise.
 * @returns the account; undefined if the address has another
 * @throws Fault if the policy does not permit it
 */
export async function signUp(
  deps: SignUpDeps,
  { password, name, ...request }: SignUpRequest & { readonly password: string; readonly name: string },
  isHolder: HolderCheck,
): Promise<{
  readonly permit: SignUpPermit
  readonly user: User | undefined
  /** Ends when the response no longer reveals whether the address has an account. */
  readonly uniform: Promise<void>
}> {
  const { accounts, accountStore, invitations, passwords, policy, signUpPolicy, claims, verifyEmail, now } =
    deps
  const { email } = request
  let permit = await signUpPolicy.permit(request)
  await policy.require(password, { email, name })
  const passwordHash = await passwords.hash(password)
  const uniform = uniformTime()
  for (;;) {
    const outcome = await accountStore.create({ email, name, passwordHash }, permit, now())
    if ('created' in outcome) {
      if (verifyEmail && !outcome.created.isEmailVerified) await accounts.sendConfirmation(outcome.created)
      return { permit, user: outcome.created, uniform }
    }
    if ('existing' in outcome) {
      const { id, isEmailVerified } = outcome.existing
      if (permit.provesEmail && permit.kind !== 'first') {
        const kept = isEmailVerified ? undefined : await keep(deps, outcome.existing, password, isHolder)
        const user = kept === undefined ? await claims.claim(id, { name, passwordHash }) : kept.user
        if ((kept ?? user) !== undefined && permit.kind === 'invitation')
          await invitations.take(permit.token, email, now())
        return { permit, user, uniform }
      }
      // The link lets the owner of the address take over the account.
      if (verifyEmail && !isEmailVerified) await accounts.sendConfirmation(outcome.existing)
      return { permit, user: undefined, uniform }
    }
    // Another sign-up was faster.
    permit = await signUpPolicy.permit(request)
  }
}

/**
 * Confirms the address of an account that belongs to whoever signs up: they know its password, or use its browser.
 * @returns undefined if it belongs to somebody else; without a user if they have to sign in, by another password or a code
 */
async function keep(
  { users, methods, passwords, now }: SignUpDeps,
  { id, hasSecondFactor }: User,
  password: string,
  isHolder: HolderCheck,
): Promise<{ readonly user: User | undefined } | undefined> {
  const hash = await methods.findPassword(id)
  const isPassword = hash !== undefined && (await passwords.verify(password, hash))
  if (!isPassword && !(await isHolder(id))) return undefined
  await users.setEmailVerified(id, now())
  return { user: isPassword && !hasSecondFactor ? await users.findById(id) : undefined }
}
