import { Type } from 'typebox'
import { ownPages } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import { normalizeEmail } from '../../../identity/index.ts'
import { createAccount } from '../create-account.ts'
import type { AuthEndpointDeps } from '../deps.ts'
import { limitGuesses } from '../guess-limits.ts'
import { emailField, newPasswordField, sessionToken, sessionUser, tags } from '../schemas.ts'

/** Creates an account with e-mail address and password, and signs in. The first one becomes the administrator. */
export const signUpEmail = (deps: AuthEndpointDeps) =>
  endpoint({
    method: 'POST',
    url: '/api/auth/sign-up/email',
    summary: 'Create an account',
    tags,
    style: 'bare',
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
    ],
    handler: async ({ body, request, reply }) => {
      const { password, name = '', setUpCode, invitation } = body
      const email = normalizeEmail(body.email)
      if (email === undefined) throw fault('ACCOUNT_REQUEST_REJECTED', { message: 'Invalid e-mail address' })
      await limitGuesses(deps.guesses, { request, reply }, 'sign-up', email)
      const permit = await deps.signUpPolicy.permit(request, { email, setUpCode, invitation })
      try {
        return await createAccount(deps, { request, reply }, { email, password, name }, permit)
      } catch (error) {
        await permit.release()
        throw error
      }
    },
  })
