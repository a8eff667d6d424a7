import { SHORT_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { Passkey } from './passkey-store.ts'

const time = Type.String({ format: 'date-time' })
const base64url = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', ...(description && { description }) })

export const passkeyParams = Type.Object({ id: Type.String({ pattern: SHORT_LINE_PATTERN }) })
export const passkeyName = Type.String({
  pattern: SHORT_LINE_PATTERN,
  description: '1 to 100 characters, for the user',
})

export const passkeyView = Type.Object(
  {
    id: Type.String(),
    name: passkeyName,
    transports: Type.Array(Type.String(), { description: 'Such as `internal`, `hybrid` or `usb`' }),
    createdAt: time,
    lastUsedAt: Type.Union([Type.Null(), time]),
  },
  { title: 'Passkey' },
)

export function toPasskeyView({ id, name, transports, createdAt, lastUsedAt }: Passkey) {
  return {
    id,
    name,
    transports: [...transports],
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === undefined ? null : new Date(lastUsedAt).toISOString(),
  }
}

const descriptor = Type.Object({
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: Type.Optional(Type.Array(Type.String())),
})

/** Of WebAuthn, for `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const creationOptions = Type.Object(
  {
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    challenge: Type.String(),
    pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
    timeout: Type.Integer({ description: 'Milliseconds' }),
    attestation: Type.String(),
    excludeCredentials: Type.Array(descriptor),
    authenticatorSelection: Type.Object({
      residentKey: Type.String(),
      requireResidentKey: Type.Boolean(),
      userVerification: Type.String(),
    }),
  },
  { title: 'PasskeyCreationOptions' },
)

/** Of WebAuthn, for `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const requestOptions = Type.Object(
  {
    rpId: Type.String(),
    challenge: Type.String(),
    timeout: Type.Integer({ description: 'Milliseconds' }),
    userVerification: Type.String(),
  },
  { title: 'PasskeyRequestOptions' },
)

const credential = {
  id: base64url(1400, 'Id of the credential'),
  rawId: base64url(1400),
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
}

/** `toJSON()` of the credential that a browser created. */
export const registrationResponse = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url(4096),
      attestationObject: base64url(65_536),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
    }),
  },
  { title: 'PasskeyRegistration' },
)

/** `toJSON()` of the credential that a browser got. */
export const authenticationResponse = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url(4096),
      authenticatorData: base64url(4096),
      signature: base64url(4096),
      userHandle: base64url(100, 'Names the user'),
    }),
  },
  { title: 'PasskeyAssertion' },
)
