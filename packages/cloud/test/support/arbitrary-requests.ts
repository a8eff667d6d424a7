import fc from 'fast-check'
import { type Endpoint, urlsOf } from '../../src/http/endpoint.ts'

/** A generated request, valid or not. */
export interface ArbitraryRequest {
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

/** The parts of a JSON Schema that values are generated from. */
export interface SchemaShape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, SchemaShape>>
  readonly items?: SchemaShape
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly SchemaShape[]
}

/** Strings that commonly break programs. */
const hostileStrings = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  '\0',
  'a\0b',
  '\u0000\u0001\u001f\u007f',
  '\ud800',
  '\uffff\ufeff',
  '👓'.repeat(50),
  'ﷺ',
  "' or 1=1 --",
  '"; drop table users; --',
  '%',
  '_',
  '%s%n',
  '../../../../data/auth-secret',
  '..\\..\\x',
  '<script>alert(1)</script>',
  '\r\nX-Injected: yes',
  'x'.repeat(5_000),
  '['.repeat(20_000),
  `${'['.repeat(9_000)}${']'.repeat(9_000)}`,
  `{"a":${'{"a":'.repeat(5_000)}`,
  '2025-13-45T99:99:99Z',
  'rtmp://',
  'rtmp://[::1',
  'export_',
  'http://169.254.169.254/',
] as const

/** Strings that commonly break programs, or random ones. */
export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileStrings) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
)

/** Deeply nested JSON arrays. */
export const deepJson = fc
  .integer({ min: 2, max: 50_000 })
  .map((depth) => '['.repeat(depth) + ']'.repeat(depth))

const anything = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(1e308, -0, 2 ** 53, [], {}, null, true),
)

/** A value that mostly matches a schema, so that requests pass validation. */
function matchingValue(shape: SchemaShape): fc.Arbitrary<unknown> {
  const { properties, items, anyOf } = shape
  if (shape.const !== undefined) return fc.constant(shape.const)
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum)
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(matchingValue))
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, inner]) => [name, arbitraryValue(inner)] as const)
    return fc.record(Object.fromEntries(fields), { requiredKeys: [] })
  }
  if (items !== undefined) return fc.array(arbitraryValue(items), { maxLength: 70 })
  switch (shape.type) {
    case 'string':
      return hostileText
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'boolean':
      return fc.boolean()
    default:
      return anything
  }
}

/** Values that match a schema, one in five an arbitrary one. */
export const arbitraryValue = (shape: SchemaShape): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: matchingValue(shape) }, { weight: 1, arbitrary: anything })

/** A percent-encoded value, or an invalid or hostile encoding. */
const percentEncoded = (value: string) =>
  fc
    .constantFrom(
      () => encodeURIComponent(value.toWellFormed()),
      () => value.replace(/[^!-~]|[#?]/g, ''),
      () => '%',
      () => '%zz',
      () => '%00',
      () => '%c0%af',
      () => '%ed%a0%80',
      () => '%2e%2e%2f',
      () => '%252e',
    )
    .map((make) => make())

/** @param known real ids of other users, tried as path and query parameters */
function targetOf(endpoint: Endpoint, known: readonly string[]): fc.Arbitrary<string> {
  const word = fc.oneof(hostileText, fc.constantFrom(...known)).chain(percentEncoded)
  const path = fc
    .tuple(fc.constantFrom(...urlsOf(endpoint)), fc.array(word, { minLength: 4, maxLength: 4 }))
    .map(([url, words]) => {
      let at = 0
      return url.replace(/:\w+/g, () => words[at++] ?? '')
    })
  const declared = Object.keys(endpoint.schema.querystring?.properties ?? {})
  const name = fc.constantFrom(...declared, 'apiKey', 'packageName', 'userId', '__proto__', 'a[b]', 'x')
  const pair = fc.tuple(name, word).map(([key, value]) => `${key}=${value}`)
  const query = fc.oneof(
    { weight: 6, arbitrary: fc.array(pair, { maxLength: 6 }).map((pairs) => pairs.join('&')) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '&&&', '=', 'q', '?', '%', 'a=%ff', 'q=1&q=2', '&'.repeat(2_000)),
    },
  )
  return fc
    .tuple(path, fc.option(query, { nil: undefined }))
    .map(([address, queryString]) => (queryString === undefined ? address : `${address}?${queryString}`))
    .map((target) => target.replace(/[^!-~]/g, ''))
}

function bodyOf({ schema, media }: Endpoint): fc.Arbitrary<string | Buffer> {
  const shape = (schema.body ?? media?.form ?? {}) as SchemaShape
  const json = arbitraryValue(shape).map((value) => JSON.stringify(value) ?? '')
  return fc.oneof(
    { weight: 8, arbitrary: json },
    { weight: 1, arbitrary: deepJson },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '',
        '{',
        '{"a":1,"a":2}',
        '{"__proto__":{"isAdmin":true}}',
        '{"constructor":{"prototype":{"x":1}}}',
        '[]',
        'null',
        '"text"',
        '1e400',
        '\ufeff{}',
        '{"name":"\\ud800"}',
        '{"name":"\\u0000"}',
        `{"name":"${'x'.repeat(100_000)}"}`,
        '--b\r\nContent-Disposition: form-data; name="requestId"\r\n\r\nr\r\n--b--\r\n',
        '--b\r\nContent-Disposition: form-data; name="photo"; filename="../x"\r\n\r\nnot an image\r\n--b--\r\n',
        '--b\r\nContent-Disposition: form-data; name="photo"; filename="x"\r\n\r\ncut off',
      ),
    },
  )
}

const types = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'application/json; charset=utf-16',
      'APPLICATION/JSON',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=b',
      'application/json; boundary="',
      '/',
      'a'.repeat(300),
    ),
  },
)

/** Requests to an endpoint: valid, with one invalid part, or completely invalid. */
export function arbitraryRequests(
  endpoint: Endpoint,
  known: readonly string[],
): fc.Arbitrary<ArbitraryRequest> {
  const declared = Object.keys(endpoint.schema.headers?.properties ?? {})
  const name = fc.constantFrom(
    ...declared,
    'x-org-id',
    'x-request-id',
    'range',
    'accept',
    'x-forwarded-for',
    'cookie',
  )
  const header = fc.tuple(
    name,
    hostileText.map((value) => value.replace(/[\r\n]/g, '')),
  )
  return fc
    .tuple(
      targetOf(endpoint, known),
      fc.array(header, { maxLength: 3 }),
      fc.option(fc.tuple(types, bodyOf(endpoint)), { nil: undefined }),
    )
    .map(([target, headers, content]) => ({
      target,
      headers: content === undefined ? headers : [...headers, ['content-type', content[0]] as const],
      body: Buffer.from(content?.[1] ?? ''),
    }))
}

/** The bytes of an HTTP/1.1 request, with the credential as first headers. */
export function bytesOf(
  method: string,
  { target, headers, body }: ArbitraryRequest,
  credential: ArbitraryRequest['headers'],
): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'host: cloud',
    'connection: close',
    ...[...credential, ...headers].map(([name, value]) => `${name}: ${value}`),
    ...(body.length === 0 && method === 'GET' ? [] : [`content-length: ${body.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body])
}
