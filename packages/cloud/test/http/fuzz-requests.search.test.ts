import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { eitherDatabase } from '../../src/db/testing.ts'
import { type Endpoint, urlsOf } from '../../src/http/endpoint.ts'
import { openApiDocument } from '../../src/http/openapi/index.ts'
import { type ArbitraryRequest, arbitraryRequests, bytesOf } from '../support/arbitrary-requests.ts'
import {
  type AuthorizationFixtures,
  createAuthorizationFixtures,
  marker,
  validCredential,
} from '../support/authorization-fixtures.ts'
import { authorizationMatrix } from '../support/authorization-matrix.ts'
import { type OpenApiDocument, OpenApiValidator } from '../support/openapi-validator.ts'
import { sendRaw } from '../support/raw-http.ts'
import { suiteScope } from '../support/scope.ts'
import { shareOf } from '../support/search-share.ts'

/** A fixed seed makes runs reproducible; `PROPERTY_SEED=$RANDOM` tries another one, `PROPERTY_RUNS` more runs. */
const seed = Number(process.env.PROPERTY_SEED ?? 1)
const numRuns = Number(process.env.PROPERTY_RUNS ?? shareOf(15))

const deadlineMs = 20_000

/** Internals of the program, the machine or the database, which no response may contain. */
const internals =
  /\n\s+at |node:internal|node_modules|file:\/\/|\/(work|home|tmp|usr|etc)\/|\.ts\b|\.js:\d|SQLITE_|\b(select|SELECT)\b.+\b(from|FROM)\b|\binsert into\b|syntax error|TypeError|RangeError|ECONN|AUTH_SECRET/

/** The documented 5xx messages that a client can cause. */
const documented = [
  'TTS the service not configured',
  'Error starting app',
  'No identity provider is configured for this type of token',
  'No app store is configured',
  'Passkeys require an https address with a host name, or http://localhost',
]

// Databases fail on different input: SQLite stores a NUL character in a text, PostgreSQL rejects it.
eitherDatabase((database) => {
  describe('fuzzed requests', () => {
    const scope = suiteScope()
    let fixtures: AuthorizationFixtures
    let mounted: ReadonlyMap<string, Endpoint>
    let validator: OpenApiValidator
    let known: readonly string[]

    before(async () => {
      fixtures = await createAuthorizationFixtures(scope, database)
      const { endpoints } = fixtures.cloud.cloud.server
      mounted = new Map(endpoints.map((endpoint) => [`${endpoint.method} ${urlsOf(endpoint)[0]}`, endpoint]))
      const document = openApiDocument(endpoints, { version: '', url: new URL(fixtures.cloud.url) })
      validator = new OpenApiValidator(document as unknown as OpenApiDocument)
      known = [
        fixtures.victim.email,
        fixtures.victim.id,
        fixtures.exportId,
        fixtures.photoId,
        fixtures.appSessionId,
        fixtures.streamId,
        fixtures.outputId,
        fixtures.organizationId,
        'victim.app',
        'viewer.app',
      ]
    })

    /** The credentials to call with: a valid one (three of five), none, and a malformed one. */
    async function credentials(endpoint: Endpoint): Promise<readonly ArbitraryRequest['headers'][]> {
      const { token, headers } = authorizationMatrix[`${endpoint.method} ${urlsOf(endpoint)[0]}`]?.voids
        ? { token: await fixtures.cloud.token('brief@example.org') }
        : validCredential(fixtures, endpoint.auth, 'stranger')
      const good = [
        ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
        ...Object.entries(headers ?? {}),
      ]
      return [good, good, good, [], [['authorization', 'Bearer \u0001\ud800'] as const]]
    }

    async function sendAndCheck(
      endpoint: Endpoint,
      request: ArbitraryRequest,
      caller: number,
    ): Promise<void> {
      const callers = await credentials(endpoint)
      const credential = callers[caller % callers.length] ?? []
      const { method } = endpoint
      const bytes = bytesOf(method, request, credential)
      const { status, headers, body } = await sendRaw(fixtures.cloud.cloud.port, bytes, deadlineMs)
      assert.notEqual(status, 0, 'no response')
      const failed = status >= 500 && !documented.some((message) => body.includes(message))
      assert.ok(!failed, `the response is ${status} ${body}`)
      // The response may contain what the client has sent.
      const sentText = bytes.toString() + decoded(request.target)
      const leak = status === 200 && isOperational(endpoint) ? null : internals.exec(body)
      assert.ok(
        leak === null || sentText.includes(leak[0]),
        `the response contains internals: ${leak?.[0]} in ${body}`,
      )
      for (const secret of [marker, fixtures.victim.id, fixtures.victim.email])
        assert.ok(
          !body.includes(secret) || sentText.includes(secret),
          `the response contains ${secret} of another user`,
        )
      assert.equal(headers.get('x-injected'), undefined)
      // A request that Node.js rejects while parsing has no id.
      if (!headers.has('x-request-id')) return
      validator.check(method, request.target, {
        status,
        contentType: headers.get('content-type') ?? null,
        text: body,
      })
    }

    for (const name of Object.keys(authorizationMatrix)) {
      test(`ROB-1 ROB-3 ROB-4: ${name} answers any request as documented`, async () => {
        const endpoint = mounted.get(name)
        assert.ok(endpoint)
        await fc.assert(
          fc.asyncProperty(arbitraryRequests(endpoint, known), fc.nat(4), (request, caller) =>
            sendAndCheck(endpoint, request, caller),
          ),
          { seed, numRuns, endOnFailure: false, interruptAfterTimeLimit: 30_000 },
        )
      })
    }

    test('ROB-5: after the tests above the cloud still serves and its data is unchanged', async () => {
      const { cloud, victim } = fixtures
      assert.equal((await cloud.request('GET', '/readyz')).status, 200)
      const me = await cloud.request<{ profile: { displayName: string } }>('GET', '/api/account/me', {
        token: victim.token,
      })
      assert.equal(me.body.profile.displayName, marker)
      const photos = await cloud.request<{ photos: unknown[] }>('GET', '/api/gallery', {
        token: victim.token,
      })
      assert.equal(photos.body.photos.length, 1)
      assert.equal((await cloud.request('GET', '/api/apps/victim.app', { token: victim.token })).status, 200)
      assert.equal(Object.hasOwn(Object.prototype, 'isAdmin'), false)
    })
  })
})

/** Whether the endpoint serves documentation or metrics, which mention files and programs. */
function isOperational(endpoint: Endpoint): boolean {
  return endpoint.tags.includes('operation')
}

function decoded(target: string): string {
  return target.replace(/%[0-9a-f]{2}/gi, (byte) => String.fromCharCode(Number.parseInt(byte.slice(1), 16)))
}
