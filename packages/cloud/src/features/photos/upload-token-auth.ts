import { type AuthScheme, absent, accepted, bearerToken, rejected } from '../../http/auth/index.ts'
import type { User, UserStore } from '../../identity/index.ts'
import type { UploadGrant, UploadTokens } from './upload-tokens.ts'

/** Glasses that upload a requested photo. */
export interface UploadCaller {
  readonly kind: 'upload'
  readonly user: User
  readonly grant: UploadGrant
}

/** Accepts the `authToken` of a `photo_request`, which glasses send with the photo. */
export const uploadToken = ({
  tokens,
  users,
}: {
  readonly tokens: UploadTokens
  readonly users: UserStore
}): AuthScheme<UploadCaller> => ({
  name: 'uploadToken',
  security: [
    {
      uploadToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The authToken of a photo request; valid only for that photo',
      },
    },
  ],
  errors: ['UNAUTHORIZED'],
  async authenticate(request) {
    const token = bearerToken(request.headers.authorization)
    if (token === undefined) return absent('UNAUTHORIZED')
    const grant = tokens.read(token)
    const user = grant && (await users.findById(grant.sub))
    const isRevoked = grant && user && grant.issuedAt < user.tokensValidFrom
    return grant && user && !isRevoked ? accepted({ kind: 'upload', user, grant }) : rejected('UNAUTHORIZED')
  },
})
