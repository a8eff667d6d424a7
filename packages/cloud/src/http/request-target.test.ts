import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { cookieName } from './auth/index.ts'
import { simplifyTargets } from './request-target.ts'

test('PXY-30: a path that a proxy passes on or removes', async (t) => {
  const server = createServer((request, response) => response.end(request.url)).listen(0, '127.0.0.1')
  simplifyTargets(server, '/glasses')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const seen = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).text()
  for (const [path, expected] of [
    ['/glasses', '/'],
    ['/glasses/', '/'],
    ['/glasses?setup=1', '/?setup=1'],
    ['/glasses/api/apps?a=b', '/api/apps?a=b'],
    ['/glasses/glasses/even', '/glasses/even'],
    ['//glasses//api/apps', '/api/apps'],
    ['/glasses-ws', '/glasses-ws'],
    ['/api/apps', '/api/apps'],
  ] as const)
    assert.equal(await seen(path), expected, path)
  assert.equal(await seen('/glasses/even', { 'x-forwarded-prefix': '/glasses' }), '/glasses/even')
})

test('PXY-31: below a path, cookies are not bound to the whole host', () => {
  const nameAt = (url: string) => cookieName('x', new URL(url))
  assert.equal(nameAt('https://cloud.example.org/'), '__Host-x')
  assert.equal(nameAt('https://home.example/glasses'), '__Secure-x')
  assert.equal(nameAt('http://home.example/glasses'), 'x')
})
