import { Type } from 'typebox'
import { ownPages } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import { normalizeEmail } from '../../../identity/index.ts'
import type { AuthEndpointDeps } from '../deps.ts'
import { limitGuesses } from '../guess-limits.ts'
import { emailField, passwordField, sessionToken, sessionUser, tags, toSessionUser } from '../schemas.ts'

/**
 * Signs in with e-mail address and password. The response is the same, and takes as long, for an unknown address and for
 * a wrong password.
 */
export const signInEmail = ({ accounts, guesses }: AuthEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    summary: 'Sign in with e-mail address and password',
    tags,
    style: 'bare',
    auth: ownPages,
    schema: {
      body: Type.Object(
        {
          email: emailField,
          password: passwordField,
          rememberMe: Type.Optional(
            Type.Boolean({
              description: 'Whether the browser keeps the session when it closes; default: true',
            }),
          ),
        },
        { title: 'SignIn' },
      ),
      response: {
        200: Type.Object(
          {
            token: sessionToken,
            user: Type.Union([Type.Null(), sessionUser]),
            twoFactorRedirect: Type.Boolean({
              description:
                'Whether a code is required: POST /api/auth/two-factor/verify-totp completes the sign-in',
            }),
          },
          { title: 'SignedIn' },
        ),
      },
    },
    errors: [
      'SIGN_IN_REJECTED',
      'EMAIL_NOT_VERIFIED',
      'ACCOUNT_SUSPENDED',
      'ACCOUNT_REQUEST_REJECTED',
      'TOO_MANY_ATTEMPTS',
    ],
    handler: async ({ body, request, reply }) => {
      const { password, rememberMe = true } = body
      const email = normalizeEmail(body.email)
      if (email === undefined) throw fault('SIGN_IN_REJECTED')
      const succeeded = await limitGuesses(guesses, { request, reply }, 'sign-in', email)
      const result = await accounts.call(request, reply, (api, headers) =>
        api.signInEmail({ body: { email, password, rememberMe }, headers, returnHeaders: true }),
      )
      await succeeded()
      // The plugin for second factors replaces the result.
      if (!('user' in result)) return { token: null, user: null, twoFactorRedirect: true }
      return { token: result.token, user: toSessionUser(result.user), twoFactorRedirect: false }
    },
  })
