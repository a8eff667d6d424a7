import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { takePicture } from '@glasses-cloud/glasses'
import { createSigner } from 'fast-jwt'
import { importJWK } from 'jose'
import type { TestDatabase } from '../../src/db/testing.ts'
import type { AuthScheme } from '../../src/http/auth/index.ts'
import { connectCameraGlasses, StreamApp } from './stream-rig.ts'
import { type LocalCloud, type Scope, startCloud, type TestRequest, testSecret } from './test-cloud.ts'

/** Somebody with an account. */
export interface Person {
  readonly email: string
  readonly id: string
  readonly token: string
}

/** A credential as a request carries it. */
export interface Credential extends TestRequest {
  /** Added to the address. */
  readonly query?: Readonly<Record<string, string>>
}

/** A word that stands in everything of the victim's, and nowhere else. */
export const marker = 'Vertraulich-7351'

/** A cloud in which a victim has something of everything, and a stranger would like to have it. */
export interface AuthorizationFixtures {
  readonly cloud: LocalCloud
  readonly victim: Person
  readonly stranger: Person
  readonly organizationId: string
  readonly exportId: string
  readonly photoId: string
  readonly incidentId: string
  readonly attachmentId: string
  readonly appSessionId: string
  readonly streamId: string
  readonly outputId: string
  /** The app that views the victim's stream, and another one. */
  readonly viewer: { readonly packageName: string; readonly apiKey: string }
  readonly otherApp: { readonly packageName: string; readonly apiKey: string }
  /** Apps that may use the key in the query: for users, and for audio. */
  readonly trusted: { readonly packageName: string; readonly apiKey: string }
  readonly listening: { readonly packageName: string; readonly apiKey: string }
}

/** Starts the cloud of an authorisation test. */
export async function createAuthorizationFixtures(
  scope: Scope,
  database?: TestDatabase,
): Promise<AuthorizationFixtures> {
  const cloud = await startCloud(scope, {
    ...(database && { database }),
    env: { STREAM_PROVIDER: 'memory', API_KEY_PACKAGES: 'trusted.app', AUDIO_PACKAGE: 'listening.app' },
  })
  const { operator } = cloud
  const { gallery, exports, incidents } = cloud.cloud.services
  const person = async (email: string): Promise<Person> => {
    const token = await cloud.token(email)
    const user = await operator.users.findByEmail(email)
    assert.ok(user)
    return { email, token, id: user.id }
  }
  const [victim, stranger] = [await person('victim@example.org'), await person('stranger@example.org')]

  const organization = await operator.organizations.ensure('victims', {}, Date.now())
  await operator.organizations.addMember(organization.id, victim.id, 'admin', Date.now())
  const permissions = [
    { type: 'CAMERA' as const, description: '' },
    { type: 'MICROPHONE' as const, description: marker },
  ]
  await cloud.registerApp({
    packageName: 'victim.app',
    name: `victim ${marker}`,
    appStoreStatus: 'DEVELOPMENT',
    organization: 'victims',
    webviewURL: 'https://victim.example.org',
    permissions,
  })
  const told = await cloud.request('PUT', '/api/account/profile', {
    token: victim.token,
    body: { displayName: marker },
  })
  assert.equal(told.status, 200)

  const { jpeg } = takePicture(1, 'small')
  const photo = await gallery.receive(
    victim.id,
    (async function* () {
      yield jpeg
    })(),
    { maxBytes: jpeg.length },
  )
  assert.ok(typeof photo === 'object')
  await gallery.file(photo, { requestId: marker, origin: 'app', packageName: 'victim.app' })

  const incidentId = await incidents.report(victim.id, { feedback: marker })
  const shot = (async function* () {
    yield Buffer.from(marker)
  })()
  await incidents.attach(victim.id, incidentId, { filename: marker, mimeType: 'text/plain', content: shot })
  let attachmentId = ''
  for await (const { files } of incidents.allOf(victim.id)) attachmentId = files[0]?.id ?? ''
  assert.ok(attachmentId)

  await connectCameraGlasses(scope, cloud, victim.email)
  await connectCameraGlasses(scope, cloud, stranger.email)
  const [viewer, otherApp] = [
    await StreamApp.serve(scope, cloud, 'viewer.app'),
    await StreamApp.serve(scope, cloud, 'other.app'),
  ]
  const viewing = await operator.apps.findByPackage('viewer.app')
  assert.ok(viewing)
  const listens = permissions.map(({ type }) => ({ type, description: '' }))
  await operator.apps.replacePermissions(viewing.id, listens, Date.now())
  const socket = await viewer.start(victim.email)
  const streamId = await socket.startManagedStream()
  const { outputId } = (
    await viewer.outputs('POST', `${streamId}/outputs`, {
      url: `rtmp://a.example.com/${marker}`,
      name: marker,
    })
  ).body
  assert.ok(outputId)
  const state = await cloud.cloud.services.sessions.find(victim.id)
  assert.ok(state)
  const { sessionId } = await state.appState()

  const asked = await cloud.request<{ id: string }>('POST', '/api/account/request-export', {
    token: victim.token,
  })
  await exports.settled()
  return {
    cloud,
    victim,
    stranger,
    organizationId: organization.id,
    exportId: asked.body.id,
    photoId: photo.id,
    incidentId,
    attachmentId,
    appSessionId: `${sessionId}-viewer.app`,
    streamId,
    outputId,
    viewer,
    otherApp,
    trusted: await cloud.registerApp({ packageName: 'trusted.app' }),
    listening: await cloud.registerApp({ packageName: 'listening.app' }),
  }
}

const bearer = (token: string): Credential => ({ token })
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Credentials that open nothing, or not what one might hope; by what is wrong with them. */
export async function badCredentials(world: AuthorizationFixtures): Promise<Record<string, Credential>> {
  const { cloud, victim, otherApp, trusted, listening, viewer } = world
  const { services } = cloud.cloud
  const exp = Math.floor(Date.now() / 1000) + 3600
  const claims = { sub: victim.id, email: victim.email, iat: exp - 7200, exp, jti: 'gc-1' }
  const signed = (key: string, payload: object = claims) => createSigner({ key, algorithm: 'HS256' })(payload)
  const body = encoded(claims)
  const [jwk] = (await services.webTokens.publicKeys()).keys
  assert.ok(jwk)
  const publicKey = (await importJWK(jwk, 'RS256')) as unknown
  const pem = pemOf(publicKey)
  const confused = `${encoded({ alg: 'HS256', typ: 'JWT', kid: jwk.kid })}.${body}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const webToken = await cloud.request<{ token: string }>('POST', '/api/account/oauth/token', {
    token: victim.token,
    body: { packageName: 'victim.app' },
  })

  const gone = await cloud.token('gone@example.org')
  assert.equal((await cloud.request('POST', '/api/account/request-deletion', { token: gone })).status, 200)
  const revoked = await cloud.token('left@example.org')
  const left = await cloud.operator.users.findByEmail('left@example.org')
  assert.ok(left)
  await cloud.operator.users.setTokensValidFrom(left.id, Date.now() + 5_000)

  const retired = await cloud.registerApp({ packageName: 'rotated.app' })
  // Two keys work at a time; the third puts an end to the first.
  for (const _ of [2, 3]) await cloud.registerApp({ packageName: 'rotated.app' })

  const inHeaders = (apiKey: string, packageName?: string): Credential => ({
    headers: { 'x-api-key': apiKey, ...(packageName === undefined ? {} : { 'x-package-name': packageName }) },
  })
  const inQuery = (apiKey: string, packageName: string, userId = victim.email): Credential => ({
    query: { apiKey, packageName, userId },
  })
  const last = (key: string) => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')
  return {
    'no credential': {},
    'a token that is none': bearer('nonsense'),
    'an expired token': bearer(await cloud.token(victim.email, { lifeMs: -120_000 })),
    'a wrong signature': bearer(signed('another key that nobody gave out, long enough')),
    'a changed claim': bearer(
      [
        encoded({ alg: 'HS256', typ: 'JWT' }),
        encoded({ ...claims, email: 'x@y.z' }),
        signed(testSecret).split('.')[2],
      ].join('.'),
    ),
    'the algorithm none': bearer(`${encoded({ alg: 'none', typ: 'JWT' })}.${body}.`),
    'the algorithm none, with a signature': bearer(
      `${encoded({ alg: 'None', typ: 'JWT' })}.${body}.${signed(testSecret).split('.')[2]}`,
    ),
    'HS512 with our secret': bearer(createSigner({ key: testSecret, algorithm: 'HS512' })(claims)),
    'HS256 with our public key as its secret': bearer(
      `${confused}.${createHmac('sha256', pem).update(confused).digest('base64url')}`,
    ),
    'RS256 of a stranger': bearer(
      createSigner({
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        algorithm: 'RS256',
        kid: jwk.kid,
      })(claims),
    ),
    'a token for the web page of an app': bearer(webToken.body.token),
    'a token without end': bearer(
      signed(testSecret, { sub: victim.id, email: victim.email, iat: exp - 7200 }),
    ),
    'a token of another scope': bearer(signed(testSecret, { ...claims, scope: 'admin' })),
    'a token of a deleted user': bearer(gone),
    'a token from before the logout': bearer(revoked),
    'a token for glasses': bearer(await cloud.token(world.stranger.email, { scope: 'glasses' })),
    'a token for one upload': bearer(
      services.photos.tokens.issue({ sub: world.stranger.id, packageName: 'a.b', requestId: 'r' }),
    ),
    'an API key as token': bearer(otherApp.apiKey),
    "an API key with another app's package": bearer(`${viewer.packageName}:${otherApp.apiKey}`),
    'the package without its key': bearer(`${viewer.packageName}:`),
    "an e-mail in the place of a session's id": bearer(`${victim.email}-${viewer.packageName}`),

    "a key and another app's package": inHeaders(otherApp.apiKey, viewer.packageName),
    'a key with another last letter': inHeaders(last(viewer.apiKey), viewer.packageName),
    'a key without a package': inHeaders(viewer.apiKey),
    'a retired key': inHeaders(retired.apiKey, 'rotated.app'),
    'a user token as key': inHeaders(victim.token, viewer.packageName),

    'in the query: a package that is not allowed': inQuery(otherApp.apiKey, otherApp.packageName),
    "in the query: another app's key": inQuery(otherApp.apiKey, trusted.packageName),
    "in the query: another app's key, for audio": inQuery(otherApp.apiKey, listening.packageName),
    'in the query: a key with another last letter': inQuery(last(trusted.apiKey), trusted.packageName),
    'in the query: a user who does not exist': inQuery(
      trusted.apiKey,
      trusted.packageName,
      'nobody@example.org',
    ),
  }
}

/** A good credential for a scheme: of the stranger, or of the one whom things belong to. */
export function goodCredential(
  world: AuthorizationFixtures,
  scheme: AuthScheme<unknown>,
  whose: 'stranger' | 'owner',
): Credential {
  const { listening } = world
  switch (scheme.name) {
    case 'appKeyHeaders': {
      const { apiKey, packageName } = whose === 'owner' ? world.viewer : world.otherApp
      return { headers: { 'x-api-key': apiKey, 'x-package-name': packageName } }
    }
    case 'appPair': {
      const { apiKey, packageName } = whose === 'owner' ? world.viewer : world.otherApp
      return bearer(`${packageName}:${apiKey}`)
    }
    case 'appSession':
      return bearer(whose === 'owner' ? world.appSessionId : `${world.appSessionId}x`)
    case 'audioApiKey':
      return { query: { apiKey: listening.apiKey, packageName: listening.packageName } }
    default:
      return bearer(whose === 'owner' ? world.victim.token : world.stranger.token)
  }
}

function pemOf(key: unknown): string {
  const { KeyObject } = process.getBuiltinModule('node:crypto')
  return (KeyObject.from(key as never) as KeyObject).export({ type: 'spki', format: 'pem' }).toString()
}
