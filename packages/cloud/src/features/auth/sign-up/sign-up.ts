import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { ownPages } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { Fault, fault } from '../../../http/fault.ts'
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
import type { SignUpPolicy, SignUpRequest } from './sign-up-policy.ts'

/** How long a client that received no response may repeat a sign-up. */
const REPEAT_MS = 10 * 60_000

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
      if (email === undefined) throw fault('ACCOUNT_REQUEST_REJECTED')
      await limitGuesses(deps, { request, reply }, 'sign-up', email)
      const signedUp = { email, password, name, setUpCode, invitation }
      const isHolder = (id: string) => deps.holders.isHolder(request, id)
      const { maySignIn, user, uniform } = await signUp(deps, signedUp, isHolder)
      if (maySignIn) {
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

type NewUser = SignUpRequest & { readonly password: string; readonly name: string }

interface SignedUp {
  readonly user: User | undefined
  /** Whether the user need not confirm the address first. */
  readonly maySignIn: boolean
  /** Ends when the response no longer reveals whether the address has an account. */
  readonly uniform: Promise<void>
}

/**
 * Creates an account. One whose permit was used up by the same sign-up, which then received no response, is found again.
 * @returns the account; undefined if the address has another
 * @throws Fault if the policy does not permit it
 */
export async function signUp(deps: SignUpDeps, signedUp: NewUser, isHolder: HolderCheck): Promise<SignedUp> {
  try {
    return await createAccount(deps, signedUp, isHolder)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const uniform = uniformTime()
    const user = await findCreated(deps, signedUp)
    if (user !== undefined) return { user, maySignIn: !deps.verifyEmail || user.isEmailVerified, uniform }
    await uniform
    throw error
  }
}

/** Returns the account that a sign-up created within the last minutes, if its password is the same. */
async function findCreated(
  { users, methods, passwords, now }: SignUpDeps,
  { email, password }: NewUser,
): Promise<User | undefined> {
  const user = await users.findByEmail(email)
  const isNew = user !== undefined && now() - user.createdAt < REPEAT_MS
  if (!isNew || user.hasSecondFactor || user.suspendedAt !== undefined) return undefined
  const hash = await methods.findPassword(user.id)
  return (await passwords.verify(password, hash)) ? user : undefined
}

/**
 * Creates an account. If the permit proves that an address with an unconfirmed account belongs to the new user, the account
 * is confirmed if it is theirs, and claimed otherwise.
 */
async function createAccount(
  deps: SignUpDeps,
  { password, name, ...request }: NewUser,
  isHolder: HolderCheck,
): Promise<SignedUp> {
  const { accounts, accountStore, invitations, passwords, policy, signUpPolicy, claims, verifyEmail, now } =
    deps
  const { email } = request
  let permit = await signUpPolicy.permit(request)
  await policy.require(password, { email, name })
  const passwordHash = await passwords.hash(password)
  const uniform = uniformTime()
  for (;;) {
    const outcome = await accountStore.create({ email, name, passwordHash }, permit, now())
    const maySignIn = !verifyEmail || permit.provesEmail
    if ('created' in outcome) {
      if (verifyEmail && !outcome.created.isEmailVerified) await accounts.sendConfirmation(outcome.created)
      return { user: outcome.created, maySignIn, uniform }
    }
    if ('existing' in outcome) {
      const { id, isEmailVerified } = outcome.existing
      if (permit.provesEmail && permit.kind !== 'first') {
        const kept = isEmailVerified ? undefined : await keep(deps, outcome.existing, password, isHolder)
        const user = kept === undefined ? await claims.claim(id, { name, passwordHash }) : kept.user
        if ((kept ?? user) !== undefined && permit.kind === 'invitation')
          await invitations.take(permit.token, email, now())
        return { user, maySignIn, uniform }
      }
      // The link lets the owner of the address take over the account.
      if (verifyEmail && !isEmailVerified) await accounts.sendConfirmation(outcome.existing)
      return { user: undefined, maySignIn, uniform }
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
