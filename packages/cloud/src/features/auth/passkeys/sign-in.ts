import { Type } from 'typebox'
import { ownPages } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import type { GuessLimiter, User, UserStore } from '../../../identity/index.ts'
import { limitGuesses } from '../guess-limits.ts'
import { sessionToken, tags } from '../schemas.ts'
import type { WebSessions } from '../web-sessions.ts'
import type { Challenges } from './challenges.ts'
import { requireRelyingParty } from './endpoints.ts'
import { InvalidPasskey, type Passkeys } from './passkeys.ts'
import { authenticationResponse, requestOptions } from './schemas.ts'

export interface PasskeySignInDeps {
  readonly passkeys: Passkeys
  readonly challenges: Challenges
  readonly sessions: WebSessions
  readonly guesses: GuessLimiter
  readonly users: UserStore
  readonly verifyEmail: boolean
  readonly publicUrl: () => URL
}

const signInOptions = ({ passkeys, challenges, publicUrl }: PasskeySignInDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/passkeys/sign-in-options',
    summary: 'Start to sign in with a passkey',
    tags,
    style: 'bare',
    auth: ownPages,
    schema: { response: { 200: requestOptions } },
    errors: ['PASSKEYS_UNAVAILABLE'],
    handler: async ({ request, reply }) => {
      const relyingParty = requireRelyingParty(publicUrl(), request)
      const challenge = challenges.issue(reply, 'sign-in')
      return (await passkeys.signInOptions(challenge, relyingParty)) as never
    },
  })

/** Signs in with a passkey, which is two factors: having the authenticator, and its check of the user. */
const signIn = ({ challenges, sessions, guesses, publicUrl, ...deps }: PasskeySignInDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/passkeys/sign-in',
    summary: 'Sign in with a passkey',
    tags,
    style: 'bare',
    auth: ownPages,
    schema: {
      body: Type.Object({ credential: authenticationResponse }, { title: 'PasskeySignIn' }),
      response: {
        200: Type.Object(
          {
            token: sessionToken,
            user: Type.Object({ id: Type.String(), email: Type.String(), name: Type.String() }),
          },
          { title: 'SignedInWithPasskey' },
        ),
      },
    },
    errors: [
      'PASSKEYS_UNAVAILABLE',
      'PASSKEY_REJECTED',
      'ACCOUNT_SUSPENDED',
      'EMAIL_NOT_VERIFIED',
      'TOO_MANY_ATTEMPTS',
    ],
    handler: async ({ body: { credential }, request, reply, log }) => {
      const relyingParty = requireRelyingParty(publicUrl(), request)
      const succeeded = await limitGuesses(guesses, { request, reply }, 'passkey', credential.id)
      const challenge = await challenges.use(request, reply, 'sign-in')
      if (challenge === undefined) throw fault('PASSKEY_REJECTED')
      const userId = await deps.passkeys
        .authenticate({ response: credential as never, challenge, relyingParty })
        .catch((error: unknown) => {
          if (!(error instanceof InvalidPasskey)) throw error
          log.debug({ reason: error.message }, 'passkey: sign-in rejected')
          throw fault('PASSKEY_REJECTED', { cause: error })
        })
      const user = await userWithAccess(deps, userId)
      await succeeded()
      const token = await sessions.start(user, request, reply)
      return { token, user: { id: user.id, email: user.email, name: user.name } }
    },
  })

async function userWithAccess(
  { users, verifyEmail }: Pick<PasskeySignInDeps, 'users' | 'verifyEmail'>,
  userId: string,
): Promise<User> {
  const user = await users.findById(userId)
  if (user === undefined) throw fault('PASSKEY_REJECTED')
  if (user.suspendedAt !== undefined) throw fault('ACCOUNT_SUSPENDED')
  if (verifyEmail && !user.isEmailVerified) throw fault('EMAIL_NOT_VERIFIED')
  return user
}

/** The endpoints of the sign-in with a passkey. */
export const passkeySignInEndpoints = (deps: PasskeySignInDeps) => [signInOptions(deps), signIn(deps)]
