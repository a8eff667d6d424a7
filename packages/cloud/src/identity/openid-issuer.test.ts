import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { createOpenIdReaders } from './openid-issuer.ts'

const AUDIENCE = 'glasses'
const PATHS = { discovery: '/.well-known/openid-configuration', keys: '/keys' }

/** An issuer that can fail, and counts requests. */
async function startIssuer(t: TestContext) {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }
  const state = { failing: new Set<string>(), requests: [] as string[] }
  const server = createServer(({ url: path = '' }, response) => {
    state.requests.push(path)
    if (state.failing.has(path)) return void response.writeHead(500).end()
    const body = path === PATHS.discovery ? { issuer: url, jwks_uri: `${url}${PATHS.keys}` } : { keys: [jwk] }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const token = await new SignJWT({ email: 'ann@example.com', email_verified: true })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(url)
    .setAudience(AUDIENCE)
    .setSubject('ann')
    .setIssuedAt()
    .setExpirationTime('1 h')
    .sign(privateKey)
  return { state, url, token }
}

test('AUTH-14: keys without names, rotated keys, and a name with a slash', async (t) => {
  const pairs = await Promise.all([1, 2, 3].map(() => generateKeyPair('ES256')))
  const jwks = await Promise.all(pairs.map(({ publicKey }) => exportJWK(publicKey)))
  let published = jwks.slice(0, 2)
  const server = createServer(({ url: path }, response) => {
    const isMetadata = path?.endsWith('openid-configuration')
    response.end(
      JSON.stringify(isMetadata ? { issuer: url, jwks_uri: `${origin}/keys` } : { keys: published }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `${origin}/o/app/`
  const sign = (key: number) =>
    new SignJWT({ email: 'ann@example.com', email_verified: true })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(url)
      .setAudience(['another', AUDIENCE])
      .setSubject('ann')
      .setIssuedAt()
      .setExpirationTime('1 h')
      .sign(pairs[key]?.privateKey ?? Buffer.alloc(32))
  for (const issuer of [url, url.slice(0, -1)]) {
    const read = createOpenIdReaders([{ issuer, audience: AUDIENCE }], () => 0)
    for (const key of [0, 1]) assert.equal((await read(await sign(key)))?.email, 'ann@example.com')
    assert.equal(await read(await sign(2)), undefined)
  }
  published = jwks.slice(1)
  const read = createOpenIdReaders([{ issuer: url, audience: AUDIENCE }], () => 0)
  assert.equal((await read(await sign(2)))?.email, 'ann@example.com')
  assert.equal(await read(await sign(0)), undefined)
})

for (const failing of ['discovery', 'keys'] as const) {
  test(`AUTH-77: failures of ${failing} cost one request in 5 s, however many tokens come`, async (t) => {
    const { state, url, token } = await startIssuer(t)
    let now = 0
    const read = createOpenIdReaders([{ issuer: url, audience: AUDIENCE }], () => now)
    const rejects = () => assert.rejects(read(token), { name: 'IssuerUnavailable' })
    const asked = () => state.requests.filter((path) => path === PATHS[failing]).length
    state.failing.add(PATHS[failing])
    for (let attempt = 0; attempt < 3; attempt += 1) await rejects()
    await Promise.all([rejects(), rejects()])
    assert.equal(asked(), 1)
    now = 4_999
    await rejects()
    assert.equal(asked(), 1)
    now = 5_000
    await rejects()
    await rejects()
    assert.equal(asked(), 2)
    state.failing.clear()
    await rejects()
    now = 10_000
    assert.equal((await read(token))?.email, 'ann@example.com')
    assert.equal((await read(token))?.email, 'ann@example.com')
    assert.equal(asked(), 3)
  })
}
