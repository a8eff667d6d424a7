import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { eachDatabase } from '../../src/db/testing.ts'
import { type Endpoint, urlsOf } from '../../src/http/endpoint.ts'
import { openApiDocument } from '../../src/http/openapi/index.ts'
import { arbitraryRequests, bytesOf, type OddRequest } from '../support/arbitrary-requests.ts'
import {
  type AuthorizationFixtures,
  createAuthorizationFixtures,
  goodCredential,
  marker,
} from '../support/authorization-fixtures.ts'
import { authorizationMatrix } from '../support/authorization-matrix.ts'
import { type OpenApiDocument, OpenApiValidator } from '../support/openapi-validator.ts'
import { sendRaw } from '../support/raw-http.ts'
import { suiteScope } from '../support/test-cloud.ts'

/** The same at every run, so that a change is judged by itself; `PROPERTY_SEED=$RANDOM` looks elsewhere, `PROPERTY_RUNS` longer. */
const seed = Number(process.env.PROPERTY_SEED ?? 1)
const numRuns = Number(process.env.PROPERTY_RUNS ?? 25)

const deadlineMs = 5_000

/** What an answer must never show: the innards of the program, the machine or the database. */
const innards =
  /\n\s+at |node:internal|node_modules|file:\/\/|\/(work|home|tmp|usr|etc)\/|\.ts\b|\.js:\d|SQLITE_|\b(select|SELECT)\b.+\b(from|FROM)\b|\binsert into\b|syntax error|TypeError|RangeError|ECONN|AUTH_SECRET/

/** The failures that are documented, and that a client can bring about. */
const documented = [
  'TTS the service not configured',
  'Error starting app',
  'No identity provider is configured for this type of token',
  'No app store is configured',
]

// Databases differ in what they choke on: a NUL in a text is one thing to SQLite and another to PostgreSQL.
eachDatabase((database) => {
  describe('odd requests', () => {
    const scope = suiteScope()
    let fixtures: AuthorizationFixtures
    let mounted: ReadonlyMap<string, Endpoint>
    let description: OpenApiValidator
    let known: readonly string[]

    before(async () => {
      fixtures = await createAuthorizationFixtures(scope, database)
      const { endpoints } = fixtures.cloud.cloud.server
      mounted = new Map(endpoints.map((endpoint) => [`${endpoint.method} ${urlsOf(endpoint)[0]}`, endpoint]))
      const document = openApiDocument(endpoints, { version: '', url: new URL(fixtures.cloud.url) })
      description = new OpenApiValidator(document as unknown as OpenApiDocument)
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

    /** Whoever calls: nobody, somebody who may, or somebody who cannot speak. */
    async function credentials(endpoint: Endpoint): Promise<readonly OddRequest['headers'][]> {
      const { token, headers } = authorizationMatrix[`${endpoint.method} ${urlsOf(endpoint)[0]}`]?.voids
        ? { token: await fixtures.cloud.token('brief@example.org') }
        : goodCredential(fixtures, endpoint.auth, 'stranger')
      const good = [
        ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
        ...Object.entries(headers ?? {}),
      ]
      return [good, good, good, [], [['authorization', 'Bearer \u0001\ud800'] as const]]
    }

    async function ask(endpoint: Endpoint, request: OddRequest, caller: number): Promise<void> {
      const callers = await credentials(endpoint)
      const credential = callers[caller % callers.length] ?? []
      const { method } = endpoint
      const bytes = bytesOf(method, request, credential)
      const { status, headers, body } = await sendRaw(fixtures.cloud.cloud.port, bytes, deadlineMs)
      assert.notEqual(status, 0, 'no answer')
      const failed = status >= 500 && !documented.some((message) => body.includes(message))
      assert.ok(!failed, `answered ${status} ${body}`)
      // What a client has sent may come back to it.
      const sent = bytes.toString() + decoded(request.target)
      const leak = status === 200 && isOpen(endpoint) ? null : innards.exec(body)
      assert.ok(leak === null || sent.includes(leak[0]), `shows its innards: ${leak?.[0]} in ${body}`)
      for (const secret of [marker, fixtures.victim.id, fixtures.victim.email])
        assert.ok(!body.includes(secret) || sent.includes(secret), `shows somebody else's ${secret}`)
      assert.equal(headers.get('x-injected'), undefined)
      // What Node refuses before there is a request has no id.
      if (!headers.has('x-request-id')) return
      description.check(method, request.target, {
        status,
        contentType: headers.get('content-type') ?? null,
        text: body,
      })
    }

    for (const name of Object.keys(authorizationMatrix)) {
      test(`ROB-1 ROB-2 ROB-3 ROB-4: ${name} answers whatever it is asked`, async () => {
        const endpoint = mounted.get(name)
        assert.ok(endpoint)
        await fc.assert(
          fc.asyncProperty(arbitraryRequests(endpoint, known), fc.nat(4), (request, caller) =>
            ask(endpoint, request, caller),
          ),
          { seed, numRuns, endOnFailure: false, interruptAfterTimeLimit: 30_000 },
        )
      })
    }

    test('ROB-5: after all of that, the cloud serves, and what was there is there', async () => {
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

/** Pages and descriptions speak of files and programs by their nature. */
function isOpen(endpoint: Endpoint): boolean {
  return endpoint.tags.includes('operation')
}

function decoded(target: string): string {
  return target.replace(/%[0-9a-f]{2}/gi, (byte) => String.fromCharCode(Number.parseInt(byte.slice(1), 16)))
}
