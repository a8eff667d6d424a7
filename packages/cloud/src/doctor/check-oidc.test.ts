import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { readConfig } from '../config/index.ts'
import { findFreePort } from '../http/free-port.ts'
import { checkOidc } from './check-oidc.ts'

const check = async (env: Record<string, string>) =>
  (await checkOidc(readConfig(env))).map(({ level, text }) => `${level}: ${text}`)

test('doctor tries each OpenID Connect issuer, and tells which setting helps', async (t) => {
  let metadata: object | undefined
  const server = createServer((_, response) => void response.end(JSON.stringify(metadata ?? { issuer: url })))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browsers = (more: object = {}) => ({
    OIDC_ISSUERS: JSON.stringify([{ issuer: url, clientId: 'glasses', ...more }]),
  })
  const phones = { OIDC_ISSUER: url, OIDC_AUDIENCE: 'glasses' }
  assert.deepEqual(await check({}), [])
  assert.deepEqual(await check({ ...browsers(), ...phones }), [`ok: ${url} responds`, `ok: ${url} responds`])
  metadata = { issuer: url, claims_supported: ['sub', 'email', 'xms_edov'] }
  assert.match((await check(browsers())).join(), /^note: .+ the claim email_verified, .+ set trustEmail$/)
  assert.match((await check(phones)).join(), /^note: .+ set OIDC_TRUST_EMAIL$/)
  for (const helps of [{ trustEmail: true }, { emailVerifiedClaim: 'xms_edov' }])
    assert.deepEqual(await check(browsers(helps)), [`ok: ${url} responds`])
  metadata = { issuer: 'https://login.example.org/{tenantid}/v2.0' }
  assert.match((await check(browsers())).join(), /^error: .+ describes the issuer .+; correct OIDC_ISSUERS$/)
  const nowhere = `http://127.0.0.1:${await findFreePort()}`
  assert.deepEqual(await check({ ...phones, OIDC_ISSUER: nowhere }), [
    `error: ${nowhere} cannot be used (ECONNREFUSED); correct OIDC_ISSUER`,
  ])
})
