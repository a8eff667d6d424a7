import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { drawPicture } from '@glasses-cloud/phone'
import { createSigner } from 'fast-jwt'
import { importJWK } from 'jose'
import type { TestDatabase } from '../../src/db/testing.ts'
import type { AuthScheme } from '../../src/http/auth/index.ts'
import { PERSONAL_TOKEN_SCOPES, type PersonalTokenScope } from '../../src/identity/index.ts'
import type { Scope } from './scope.ts'
import { connectCameraGlasses, StreamApp } from './stream-rig.ts'
import { type LocalCloud, startCloud, type TestRequest, testSecret } from './test-cloud.ts'

/** A user with an account. */
export interface TestUser {
  readonly email: string
  readonly id: string
  readonly token: string
}

/** A credential as part of a request. */
export interface Credential extends TestRequest {
  /** Parameters added to the URL. */
  readonly query?: Readonly<Record<string, string>>
}

/** A text contained in all data of the victim and in nothing else. */
export const marker = 'Vertraulich-7351'

/** A cloud with a user who owns one of each kind of resource (`victim`) and one without access to it (`stranger`). */
export interface AuthorizationFixtures {
  readonly cloud: LocalCloud
  readonly victim: TestUser
  readonly stranger: TestUser
  /** An administrator of the cloud. */
  readonly administrator: TestUser
  readonly organizationId: string
  /** A pending invitation to the victim's organization. */
  readonly invitationId: string
  /** A key of the victim's app `unlisted.app`, which is not used otherwise. */
  readonly unlistedKeyId: string
  readonly exportId: string
  readonly photoId: string
  readonly incidentId: string
  readonly attachmentId: string
  readonly appSessionId: string
  readonly streamId: string
  readonly outputId: string
  readonly personalTokenId: string
  readonly passkeyId: string
  readonly loginId: string
  /** `viewer` views the victim's stream; `otherApp` does not. */
  readonly viewer: { readonly packageName: string; readonly apiKey: string }
  readonly otherApp: { readonly packageName: string; readonly apiKey: string }
  /** Apps that may authenticate in the query: `trusted` for users, `listening` for audio. */
  readonly trusted: { readonly packageName: string; readonly apiKey: string }
  readonly listening: { readonly packageName: string; readonly apiKey: string }
}

/** Starts a cloud and creates the users, apps and resources of the authorization tests. */
export async function createAuthorizationFixtures(
  scope: Scope,
  database?: TestDatabase,
): Promise<AuthorizationFixtures> {
  const cloud = await startCloud(scope, {
    ...(database && { database }),
    env: {
      STREAM_PROVIDER: 'memory',
      API_KEY_PACKAGES: 'trusted.app',
      AUDIO_PACKAGE: 'listening.app',
      SIGN_UP: 'closed',
    },
  })
  const { operator } = cloud
  const { gallery } = cloud.cloud.features.gallery
  const { exports } = cloud.cloud.features.personalData
  const { incidents } = cloud.cloud.features.incidents
  const createUser = async (email: string): Promise<TestUser> => {
    const token = await cloud.token(email)
    const user = await operator.users.findByEmail(email)
    assert.ok(user)
    return { email, token, id: user.id }
  }
  const [victim, stranger] = [
    await createUser('victim@example.org'),
    await createUser('stranger@example.org'),
  ]

  const administrator = await createUser('administrator@example.org')
  await operator.users.setAdministrator(administrator.id, true, Date.now())

  const organization = await operator.organizations.ensure('victims', {}, Date.now())
  await operator.organizations.addMember(organization.id, victim.id, 'admin', Date.now())
  const permissions = [
    { type: 'CAMERA' as const, description: '' },
    { type: 'MICROPHONE' as const, description: marker },
  ]
  const invited = await cloud.request<{ data: { id: string } }>('POST', '/api/console/orgs/victims/members', {
    token: victim.token,
    body: { email: 'invited@example.org' },
  })
  assert.equal(invited.status, 200)
  await cloud.registerApp({
    packageName: 'victim.app',
    name: `victim ${marker}`,
    appStoreStatus: 'DEVELOPMENT',
    organization: 'victims',
    webviewURL: 'https://victim.example.org',
    permissions,
  })
  const unlisted = await cloud.registerApp({
    packageName: 'unlisted.app',
    name: marker,
    appStoreStatus: 'DEVELOPMENT',
    organization: 'victims',
  })
  const profile = await cloud.request('PUT', '/api/account/profile', {
    token: victim.token,
    body: { displayName: marker },
  })
  assert.equal(profile.status, 200)

  const { jpeg } = drawPicture(1, 'small')
  const photo = await gallery.receive(
    victim.id,
    (async function* () {
      yield jpeg
    })(),
    { maxBytes: jpeg.length },
  )
  assert.ok(typeof photo === 'object')
  await gallery.add(photo, { requestId: marker, origin: 'app', packageName: 'victim.app' })

  const incidentId = await incidents.report(victim.id, { feedback: marker })
  const attachment = (async function* () {
    yield Buffer.from(marker)
  })()
  await incidents.attach(victim.id, incidentId, {
    filename: marker,
    mimeType: 'text/plain',
    content: attachment,
  })
  let attachmentId = ''
  for await (const { files } of incidents.listByUser(victim.id)) attachmentId = files[0]?.id ?? ''
  assert.ok(attachmentId)

  await connectCameraGlasses(scope, cloud, victim.email)
  await connectCameraGlasses(scope, cloud, stranger.email)
  const [viewer, otherApp] = [
    await StreamApp.serve(scope, cloud, 'viewer.app'),
    await StreamApp.serve(scope, cloud, 'other.app'),
  ]
  const viewerApp = await operator.apps.findByPackage('viewer.app')
  assert.ok(viewerApp)
  const viewerPermissions = permissions.map(({ type }) => ({ type, description: '' }))
  await operator.apps.replacePermissions(viewerApp.id, viewerPermissions, Date.now())
  const socket = await viewer.start(victim.email)
  const streamId = await socket.startManagedStream()
  const { outputId } = (
    await viewer.outputs('POST', `${streamId}/outputs`, {
      url: `rtmp://a.example.com/${marker}`,
      name: marker,
    })
  ).body
  assert.ok(outputId)
  const state = await cloud.cloud.sessions.find(victim.id)
  assert.ok(state)
  const { sessionId } = await state.appState()

  // The stranger administers an organization of their own.
  const strangers = await operator.organizations.ensure('strangers', {}, Date.now())
  await operator.organizations.addMember(strangers.id, stranger.id, 'admin', Date.now())
  const personalToken = await cloud.cloud.personalTokens.create({
    userId: victim.id,
    name: marker,
    scopes: ['apps:read'],
    expiresAt: Date.now() + 86_400_000,
  })
  assert.ok(personalToken)

  const requestedExport = await cloud.request<{ id: string }>('POST', '/api/account/request-export', {
    token: victim.token,
  })
  await exports.idle()
  return {
    cloud,
    victim,
    stranger,
    administrator,
    organizationId: organization.id,
    invitationId: invited.body.data.id,
    unlistedKeyId: String(unlisted.apiKey.split('_')[1]),
    exportId: requestedExport.body.id,
    photoId: photo.id,
    incidentId,
    attachmentId,
    appSessionId: `${sessionId}-viewer.app`,
    streamId,
    outputId,
    personalTokenId: personalToken.id,
    passkeyId: await addPasskey(cloud, victim.id),
    loginId: (await cloud.cloud.logins.create(victim.id, { userAgent: marker }, Date.now())).id,
    viewer,
    otherApp,
    trusted: await cloud.registerApp({ packageName: 'trusted.app' }),
    listening: await cloud.registerApp({ packageName: 'listening.app' }),
  }
}

const bearer = (token: string): Credential => ({ token })
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Credentials that are invalid or grant less than a core token, by what is wrong with them. */
export async function invalidCredentials(
  fixtures: AuthorizationFixtures,
): Promise<Record<string, Credential>> {
  const { cloud, victim, otherApp, trusted, listening, viewer } = fixtures
  const { features } = cloud.cloud
  const exp = Math.floor(Date.now() / 1000) + 3600
  const claims = { sub: victim.id, email: victim.email, iat: exp - 7200, exp, jti: 'gc-1' }
  const sign = (key: string, payload: object = claims) => createSigner({ key, algorithm: 'HS256' })(payload)
  const body = encoded(claims)
  const [jwk] = (await features.webTokens.webTokens.publicKeys()).keys
  assert.ok(jwk)
  const publicKey = (await importJWK(jwk, 'RS256')) as unknown
  const pem = pemOf(publicKey)
  const confused = `${encoded({ alg: 'HS256', typ: 'JWT', kid: jwk.kid })}.${body}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const webToken = await cloud.request<{ token: string }>('POST', '/api/account/oauth/token', {
    token: victim.token,
    body: { packageName: 'victim.app' },
  })

  const deleted = await cloud.token('gone@example.org')
  assert.equal((await cloud.request('POST', '/api/account/request-deletion', { token: deleted })).status, 200)
  const revoked = await cloud.token('logged-out@example.org')
  const loggedOut = await cloud.operator.users.findByEmail('logged-out@example.org')
  assert.ok(loggedOut)
  await cloud.operator.users.setTokensValidFrom(loggedOut.id, Date.now() + 5_000)

  const changeLastCharacter = (key: string) => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')
  const suspended = await cloud.token('suspended@example.org')
  const suspendedUser = await cloud.operator.users.findByEmail('suspended@example.org')
  assert.ok(suspendedUser)
  const personal = async (userId: string, scopes: readonly PersonalTokenScope[]) =>
    bearer(
      String(
        (await cloud.cloud.personalTokens.create({ userId, name: 'ci', scopes, expiresAt: exp * 1000 }))
          ?.token,
      ),
    )
  const suspendedPersonal = await personal(suspendedUser.id, PERSONAL_TOKEN_SCOPES)
  await cloud.operator.users.setSuspended(suspendedUser.id, Date.now(), Date.now())

  /** Tokens of a login of the stranger. */
  const issued = async () => {
    const { id } = await cloud.cloud.logins.create(fixtures.stranger.id, {}, Date.now())
    const user = await cloud.operator.users.findById(fixtures.stranger.id)
    assert.ok(user)
    return { loginId: id, ...(await cloud.cloud.loginTokens.issue(user, id)) }
  }
  const ended = await issued()
  await cloud.cloud.logins.remove(fixtures.stranger.id, ended.loginId)

  const retired = await cloud.registerApp({ packageName: 'rotated.app' })
  // Two keys are valid at a time; the third retires the first.
  for (const _ of [2, 3]) await cloud.registerApp({ packageName: 'rotated.app' })

  const inHeaders = (apiKey: string, packageName?: string): Credential => ({
    headers: { 'x-api-key': apiKey, ...(packageName === undefined ? {} : { 'x-package-name': packageName }) },
  })
  const inQuery = (apiKey: string, packageName: string, userId = victim.email): Credential => ({
    query: { apiKey, packageName, userId },
  })
  return {
    'no credential': {},
    'a malformed token': bearer('nonsense'),
    'an expired token': bearer(await cloud.token(victim.email, { lifetimeMs: -120_000 })),
    'an invalid signature': bearer(sign('another secret that is long enough to sign')),
    'a tampered claim': bearer(
      [
        encoded({ alg: 'HS256', typ: 'JWT' }),
        encoded({ ...claims, email: 'x@y.z' }),
        sign(testSecret).split('.')[2],
      ].join('.'),
    ),
    'the algorithm none': bearer(`${encoded({ alg: 'none', typ: 'JWT' })}.${body}.`),
    'the algorithm none, with a signature': bearer(
      `${encoded({ alg: 'None', typ: 'JWT' })}.${body}.${sign(testSecret).split('.')[2]}`,
    ),
    'HS512 with the same secret': bearer(createSigner({ key: testSecret, algorithm: 'HS512' })(claims)),
    'HS256 with the public key as secret': bearer(
      `${confused}.${createHmac('sha256', pem).update(confused).digest('base64url')}`,
    ),
    'RS256 with another key': bearer(
      createSigner({
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        algorithm: 'RS256',
        kid: jwk.kid,
      })(claims),
    ),
    'a web sign-in token': bearer(webToken.body.token),
    'a token without expiry': bearer(
      sign(testSecret, { sub: victim.id, email: victim.email, iat: exp - 7200 }),
    ),
    'a token with an unknown scope': bearer(sign(testSecret, { ...claims, scope: 'admin' })),
    'a token of a deleted user': bearer(deleted),
    'a token issued before the logout': bearer(revoked),
    'a refresh token': bearer((await issued()).refreshToken),
    'a core token of an ended login': bearer(ended.coreToken),
    'a token of a suspended user': bearer(suspended),
    'a personal token of a suspended user': suspendedPersonal,
    'a personal token for apps:read': await personal(fixtures.stranger.id, ['apps:read']),
    'a personal token for apps:write': await personal(fixtures.stranger.id, ['apps:write']),
    'a personal token for account': await personal(fixtures.stranger.id, ['account']),
    'a personal token with a changed last character': await personal(fixtures.stranger.id, ['account']).then(
      ({ token = '' }) => bearer(changeLastCharacter(token)),
    ),
    'a token of the store': bearer(await cloud.token(fixtures.stranger.email, { scope: 'store' })),
    'a glasses token': bearer(await cloud.token(fixtures.stranger.email, { scope: 'glasses' })),
    // Issued for each request, because it expires after a minute.
    'an upload token': {
      get token() {
        const claims = { sub: fixtures.stranger.id, packageName: 'a.b', requestId: 'r' }
        return features.photos.relay.tokens.issue(claims)
      },
    },
    'an API key as token': bearer(otherApp.apiKey),
    "an API key with another app's package": bearer(`${viewer.packageName}:${otherApp.apiKey}`),
    'the package without its key': bearer(`${viewer.packageName}:`),
    'an e-mail instead of a session id': bearer(`${victim.email}-${viewer.packageName}`),

    "a key and another app's package": inHeaders(otherApp.apiKey, viewer.packageName),
    'a key with a changed last character': inHeaders(changeLastCharacter(viewer.apiKey), viewer.packageName),
    'a key without a package': inHeaders(viewer.apiKey),
    'a retired key': inHeaders(retired.apiKey, 'rotated.app'),
    'a user token as key': inHeaders(victim.token, viewer.packageName),

    'query: a package without permission': inQuery(otherApp.apiKey, otherApp.packageName),
    "query: another app's key": inQuery(otherApp.apiKey, trusted.packageName),
    "query: another app's key, for audio": inQuery(otherApp.apiKey, listening.packageName),
    'query: a key with a changed last character': inQuery(
      changeLastCharacter(trusted.apiKey),
      trusted.packageName,
    ),
    'query: an unknown user': inQuery(trusted.apiKey, trusted.packageName, 'nobody@example.org'),
  }
}

/** A valid credential for a scheme, of the stranger or of the owner. */
export function validCredential(
  fixtures: AuthorizationFixtures,
  scheme: AuthScheme<unknown>,
  holder: 'stranger' | 'owner',
): Credential {
  const { listening } = fixtures
  switch (scheme.name) {
    case 'administrator':
      return bearer(holder === 'owner' ? fixtures.administrator.token : fixtures.stranger.token)
    case 'appKeyHeaders': {
      const { apiKey, packageName } = holder === 'owner' ? fixtures.viewer : fixtures.otherApp
      return { headers: { 'x-api-key': apiKey, 'x-package-name': packageName } }
    }
    case 'appPair': {
      const { apiKey, packageName } = holder === 'owner' ? fixtures.viewer : fixtures.otherApp
      return bearer(`${packageName}:${apiKey}`)
    }
    case 'appSession':
      return bearer(holder === 'owner' ? fixtures.appSessionId : `${fixtures.appSessionId}x`)
    case 'audioApiKey':
      return { query: { apiKey: listening.apiKey, packageName: listening.packageName } }
    default:
      return bearer(holder === 'owner' ? fixtures.victim.token : fixtures.stranger.token)
  }
}

function pemOf(key: unknown): string {
  const { KeyObject } = process.getBuiltinModule('node:crypto')
  return (KeyObject.from(key as never) as KeyObject).export({ type: 'spki', format: 'pem' }).toString()
}

/** Adds a passkey that nobody can use. @returns its id */
async function addPasskey({ cloud }: LocalCloud, userId: string): Promise<string> {
  const id = 'passkey-1'
  const content = { credential_id: id, public_key: '', counter: 0, transports: '[]', name: marker }
  await cloud.db
    .insertInto('passkeys')
    .values({ id, user_id: userId, ...content, created_at: Date.now() })
    .execute()
  return id
}
