import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { type OpenApiDocument, OpenApiValidator } from '../support/openapi-validator.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

/** The parts of a documented response that the tests read. */
interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<
    Record<string, { readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }>
  >
}

interface DocumentedOperation {
  readonly operationId: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: true }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly responses: Readonly<Record<string, DocumentedResponse>>
  readonly 'x-aliases'?: readonly string[]
}

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>
    readonly securitySchemes: Readonly<Record<string, unknown>>
  }
}

const envelope = (message: string) => ({ success: false, message })
const bare = (error: string) => ({ error })
const withCode = (error: string) => ({ error })
const unauthorized = { 401: [bare('Unauthorized')] }
const unauthorizedOrFailed = { 500: [bare('Internal server error')], ...unauthorized }
const appNotFound = { 404: [envelope('App not found')] }
const streamErrors = {
  404: [withCode('STREAM_NOT_FOUND')],
  500: [withCode('INTERNAL_ERROR')],
}

/** The endpoints of the contract, with the error bodies that it prescribes. */
const contract: Readonly<Record<string, Readonly<Record<number, readonly object[]>>>> = {
  'GET /api/apps': { 401: [envelope('Unauthorized')] },
  'GET /api/apps/public': {},
  'GET /api/apps/search': {},
  'GET /api/apps/available': {},
  'GET /api/apps/installed': { 401: [envelope('Unauthorized')] },
  'GET /api/apps/{packageName}': appNotFound,
  'POST /api/apps/install/{packageName}': { 400: [envelope('App is already installed')], ...appNotFound },
  'POST /api/apps/uninstall/{packageName}': {
    400: [envelope('App is not installed')],
    404: [envelope('App is not installed')],
  },
  'POST /api/apps/{packageName}/start': {
    401: [envelope('No active session found')],
    ...appNotFound,
    500: [envelope('Error starting app')],
  },
  'POST /api/apps/{packageName}/stop': {
    401: [envelope('No active session found')],
    ...appNotFound,
    500: [envelope('Error stopping app')],
  },
  'GET /api/apps/version': {},
  'GET /api/account/me': { ...unauthorized, 500: [bare('Failed to fetch user data')] },
  'PUT /api/account/profile': {
    ...unauthorized,
    404: [bare('User not found')],
    500: [bare('Failed to update user profile')],
  },
  'POST /api/account/request-deletion': { ...unauthorized, 500: [bare('Failed to delete user account')] },
  'POST /api/account/request-export': unauthorizedOrFailed,
  'GET /api/account/export-status': {
    ...unauthorizedOrFailed,
    400: [bare('Export ID is required')],
    403: [bare('Not authorized to access this export')],
    404: [bare('Export request not found')],
  },
  'GET /api/account/download-export/{id}': {
    ...unauthorizedOrFailed,
    400: [bare('Export is not ready for download')],
    403: [bare('Not authorized to access this export')],
    404: [bare('Export not found'), bare('Export file not found')],
  },
  'GET /api/account/privacy': unauthorizedOrFailed,
  'PUT /api/account/privacy': { ...unauthorized, 500: [bare('Failed to update privacy settings')] },
  'GET /api/account/oauth/app/{packageName}': {
    ...unauthorizedOrFailed,
    400: [bare('Package name is required'), bare('App does not support web authentication')],
    404: [bare('App not found')],
  },
  'POST /api/account/oauth/token': {
    ...unauthorized,
    400: [bare('Package name is required')],
    500: [bare('Failed to generate authentication token')],
  },
  'GET /api/permissions/{packageName}': {
    ...unauthorizedOrFailed,
    403: [{ ...bare('Unauthorized'), message: 'You may not see the permissions of this app' }],
    404: [bare('App not found')],
  },
  'PATCH /api/permissions/{packageName}': {
    ...unauthorizedOrFailed,
    400: [bare('Permissions must be an array'), bare('Invalid permission type')],
    403: [bare('Unauthorized')],
    404: [bare('App not found')],
  },
  'GET /api/gallery': { ...unauthorized, 500: [bare('Failed to fetch gallery photos')] },
  'DELETE /api/gallery/{photoId}': {
    ...unauthorized,
    403: [bare('Not authorized to delete this photo')],
    404: [bare('Photo not found')],
    500: [bare('Failed to delete photo')],
  },
  'GET /api/audio/{userId}': {
    401: [
      envelope('Invalid API key.'),
      envelope('Authentication required. Provide apiKey, packageName, and userId.'),
    ],
    403: [envelope('Unauthorized package name')],
    404: [bare('Session not found'), bare('No audio available'), bare('No decodable audio available')],
    500: [bare('Error fetching audio')],
  },
  'GET /api/tts': {
    400: [envelope('Text parameter is required and must be a string')],
    500: [envelope('TTS the service not configured'), envelope('Internal server error')],
  },
  'GET /api/transcripts/{appSessionId}': {
    400: [bare('duration, startTime, or endTime is required')],
    404: [bare('Session not found')],
    500: [bare('Error fetching transcripts')],
  },
  'POST /api/streams/{streamId}/outputs': {
    ...streamErrors,
    400: [withCode('INVALID_URL')],
    403: [withCode('NOT_A_VIEWER')],
    409: [withCode('MAX_OUTPUTS_REACHED'), withCode('MAX_APP_OUTPUTS_REACHED'), withCode('DUPLICATE_URL')],
    502: [withCode('STREAMING_PROVIDER_ERROR')],
  },
  'DELETE /api/streams/{streamId}/outputs/{outputId}': {
    ...streamErrors,
    403: [withCode('NOT_AUTHORIZED')],
    404: [withCode('STREAM_NOT_FOUND'), withCode('OUTPUT_NOT_FOUND')],
    502: [withCode('STREAMING_PROVIDER_ERROR')],
  },
  'GET /api/streams/{streamId}/outputs': { ...streamErrors, 403: [withCode('NOT_A_VIEWER')] },
}

/** The content types of responses other than JSON. */
const media: Readonly<Record<string, readonly string[]>> = {
  'GET /api/account/download-export/{id}': ['application/json', 'text/csv'],
  'GET /api/audio/{userId}': ['application/octet-stream'],
  'GET /api/tts': ['audio/mpeg'],
  'GET /api/gallery/{photoId}/thumbnails/{size}': ['image/jpeg', 'image/png', 'image/webp'],
  'GET /api/gallery/{photoId}/file': ['image/jpeg', 'image/png', 'image/webp', 'video/mp4'],
}

describe('OpenAPI document', () => {
  const scope = suiteScope()
  let cloud: LocalCloud
  let document: Document

  before(async () => {
    cloud = await startCloud(scope)
    document = (await cloud.request<Document>('GET', '/openapi.json')).body
  })

  /** `GET /api/apps` and the like. */
  const operation = (name: string): DocumentedOperation => {
    const [method = '', path = ''] = name.split(' ')
    const found = document.paths[path]?.[method.toLowerCase()]
    assert.ok(found, name)
    return found
  }
  const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods))

  test('OAPI-1: the document is valid OpenAPI 3.1 and public', async () => {
    const response = await cloud.request('GET', '/openapi.json')
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    const validator = new Validator()
    const { valid, errors } = await validator.validate({ ...document })
    assert.deepEqual([valid, errors, validator.version], [true, undefined, '3.1'])
  })

  for (const [name, errors] of Object.entries(contract)) {
    test(`OAPI-2: ${name} is documented with its responses`, () => {
      const { responses } = operation(name)
      assert.ok(responses['200'], 'no 200')
      for (const [status, expected] of Object.entries(errors)) {
        const documented = Object.values(responses[status]?.content?.['application/json']?.examples ?? {})
        for (const body of expected) {
          const found = documented.some(({ value }) =>
            Object.entries(body).every(
              ([key, content]) => (value as Record<string, unknown>)[key] === content,
            ),
          )
          assert.ok(found, `${status} ${JSON.stringify(body)} is not among ${JSON.stringify(documented)}`)
        }
      }
    })
  }

  test('OAPI-2: every mounted endpoint is documented', () => {
    const { endpoints } = cloud.cloud.server
    assert.ok(endpoints.length > Object.keys(contract).length)
    assert.equal(operations().length, endpoints.length)
  })

  test('OAPI-3: every endpoint lists its security schemes', () => {
    const securityOf = (name: string) => operation(name).security.map((needed) => Object.keys(needed))
    assert.deepEqual(securityOf('GET /api/account/me'), [
      ['coreToken'],
      ['sessionCookie'],
      ['storeToken'],
      ['personalToken'],
    ])
    assert.deepEqual(securityOf('GET /api/apps/public'), [
      [],
      ['coreToken'],
      ['sessionCookie'],
      ['storeToken'],
    ])
    assert.deepEqual(securityOf('GET /api/tts'), [])
    assert.deepEqual(securityOf('GET /api/gallery'), [['glassesToken'], ['coreToken'], ['sessionCookie']])
    assert.deepEqual(securityOf('GET /api/apps'), [
      ['coreToken'],
      ['sessionCookie'],
      ['storeToken'],
      ['apiKeyQuery', 'packageNameQuery', 'userIdQuery'],
    ])
    const named = operations().flatMap(({ security }) => security.flatMap((needed) => Object.keys(needed)))
    assert.deepEqual([...new Set(named)].sort(), Object.keys(document.components.securitySchemes).sort())
  })

  test('OAPI-4: parameters and request bodies are documented', () => {
    const parameters = (name: string) =>
      (operation(name).parameters ?? []).map(
        ({ name, in: place, required }) => `${place} ${name} ${!!required}`,
      )
    assert.deepEqual(parameters('PATCH /api/permissions/{packageName}'), [
      'path packageName true',
      'header x-org-id false',
    ])
    assert.deepEqual(parameters('GET /api/account/export-status'), ['query id true'])
    // The parameter has a default, so it is optional.
    assert.ok(parameters('GET /api/transcripts/{appSessionId}').includes('query language false'))
    const types = (name: string) => Object.keys(operation(name).requestBody?.content ?? {})
    assert.deepEqual(types('PUT /api/account/profile'), ['application/json'])
    assert.deepEqual(types('POST /api/photos/upload'), ['multipart/form-data'])
    assert.deepEqual(types('POST /api/apps/install/{packageName}'), [])
  })

  for (const [name, types] of Object.entries(media)) {
    test(`OAPI-4: ${name} returns ${types.join(' or ')}`, () => {
      assert.deepEqual(Object.keys(operation(name).responses['200']?.content ?? {}), types)
    })
  }

  test('OAPI-5: responses have the documented headers', async () => {
    for (const [path, status] of [
      ['/api/account/me', 401],
      ['/api/apps/version', 200],
      ['/healthz', 200],
    ] as const) {
      const response = await cloud.request('GET', path)
      assert.equal(response.status, status)
      const documented = Object.keys(operation(`GET ${path}`).responses[status]?.headers ?? {})
      assert.ok(documented.length > 0)
      for (const name of documented) assert.ok(response.headers.has(name), `${path} ${name}`)
    }
    const { responses } = operation('GET /api/apps')
    assert.ok(responses['429']?.headers?.['Retry-After'])
  })

  test('OAPI-6: schemas are named, operation ids unique and aliases listed', () => {
    for (const name of ['App', 'AppDetails', 'GalleryPhoto', 'User', 'RestreamOutput', 'TranscriptSegment'])
      assert.ok(document.components.schemas[name], name)
    const ids = operations().map(({ operationId }) => operationId)
    assert.equal(new Set(ids).size, ids.length)
    assert.deepEqual(operation('GET /api/apps/{packageName}')['x-aliases'], ['/apps/{packageName}'])
  })

  test('OAPI-7: the validator rejects responses that the document does not describe', () => {
    const validator = new OpenApiValidator(document as unknown as OpenApiDocument)
    const check = (status: number, text: string, contentType = 'application/json; charset=utf-8') =>
      validator.check('POST', '/apps/some.app/stop/?x=1', { status, text, contentType })
    const notFoundBody = JSON.stringify(envelope('App not found'))
    const forbidden = { status: 403, contentType: 'application/json' }
    check(404, notFoundBody)
    assert.throws(() => check(404, JSON.stringify(bare('App not found'))), /must have required property/)
    assert.throws(
      () => check(404, JSON.stringify({ success: true, message: '' })),
      /must be equal to constant/,
    )
    assert.throws(() => check(404, notFoundBody, 'text/html'), /content type text\/html is not documented/)
    assert.throws(() => check(418, notFoundBody), /status is not documented/)
    assert.throws(
      () => check(200, JSON.stringify({ success: true, data: { status: 'stopped' } })),
      /packageName/,
    )
    assert.throws(
      () => validator.check('GET', '/api/permissions/a', { ...forbidden, text: '{"error":"Unauthorized"}' }),
      /must have required property 'message'/,
    )
    const failed = { ...envelope('Error starting app'), error: { stage: 'WEBHOOK', code: 'TIMEOUT' } }
    assert.throws(
      () =>
        validator.check('POST', '/api/apps/a/start', {
          ...forbidden,
          status: 500,
          text: JSON.stringify(failed),
        }),
      /must have required property 'retryable'/,
    )
    const outputs = {
      status: 409,
      contentType: 'application/json',
      text: '{"error":"DUPLICATE","message":"x"}',
    }
    assert.throws(() => validator.check('POST', '/api/streams/a/outputs', outputs), /must be equal to one of/)
    validator.check('GET', '/api/nowhere', { status: 200, text: '', contentType: null })
  })

  test('OAPI-8: the documentation page loads all its files from the cloud', async () => {
    for (const path of ['/docs', '/docs/']) {
      const { body, headers } = await cloud.request<string>('GET', path)
      const policy = headers.get('content-security-policy') ?? ''
      assert.match(policy, /^default-src 'none'; script-src 'self'; /)
      assert.doesNotMatch(policy, /unsafe-eval|https:|\*/)
      const loaded = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link)
      assert.equal(loaded.length, 4)
      for (const link of loaded) {
        const file = new URL(link, cloud.url + path)
        assert.equal(file.origin, cloud.url)
        const { status, headers } = await cloud.request('GET', file.pathname)
        assert.equal(status, 200, file.pathname)
        assert.match(headers.get('content-type') ?? '', /^(text\/(css|javascript)|image\/png)/)
      }
    }
    for (const unknownFile of ['index.html', '..%2f..%2fpackage.json', '__proto__', 'constructor'])
      assert.equal((await cloud.request('GET', `/docs/${unknownFile}`)).status, 404, unknownFile)
  })
})
