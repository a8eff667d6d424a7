import { Type } from 'typebox'
import type { SignUp } from '../../config/index.ts'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { relyingPartyOf } from './passkeys/relying-party.ts'
import type { SetUp } from './password/set-up.ts'
import { tags } from './schemas.ts'

/** Returns what a sign-in page offers. */
export const getSignInOptions = ({
  setUp,
  signUp,
  issuers,
  publicUrl,
}: {
  readonly setUp: SetUp
  readonly publicUrl: () => URL
  readonly signUp: SignUp
  readonly issuers: readonly { readonly id: string; readonly label: string }[]
}) =>
  endpoint({
    method: 'GET',
    url: '/api/auth/options',
    summary: 'Get the ways to sign in and up',
    tags,
    style: 'bare',
    auth: none,
    schema: {
      response: {
        200: Type.Object(
          {
            signUp: Type.Enum(['open', 'invite', 'closed'], { description: 'Who may create an account' }),
            isSetUp: Type.Boolean({
              description: 'False: the next account becomes the administrator, whatever `signUp` is',
            }),
            setUpCodeRequired: Type.Boolean({
              description: "Whether the next account requires the set-up code in the server's log",
            }),
            issuers: Type.Array(
              Type.Object({ id: Type.String(), label: Type.String() }, { title: 'SignInIssuer' }),
              { description: 'OpenID Connect issuers, for POST /api/auth/sign-in/oidc' },
            ),
            passkeys: Type.Boolean({
              description:
                'Whether browsers have passkeys at this address: https with a host name, or http://localhost',
            }),
          },
          { title: 'SignInOptions' },
        ),
      },
    },
    errors: [],
    handler: async ({ request }) => {
      const isPending = await setUp.store.isPending()
      return {
        signUp,
        isSetUp: !isPending,
        setUpCodeRequired: isPending && !setUp.needsNoCode(request),
        issuers: issuers.map(({ id, label }) => ({ id, label })),
        passkeys: relyingPartyOf(publicUrl(), request) !== undefined,
      }
    },
  })
