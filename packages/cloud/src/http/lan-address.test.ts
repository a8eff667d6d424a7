import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { type Env, readConfig } from '../config/index.ts'
import { chooseLanAddress, findLanAddress, publicUrlProblem } from './lan-address.ts'

const problemOf = (env: Env) => publicUrlProblem(readConfig(env))

test('CFG-7: the address in the home network is that of the default route, unless that is public', async () => {
  const [home, docker, hosted] = ['192.168.1.20', '172.17.0.1', '203.0.113.7']
  assert.equal(chooseLanAddress(home, [docker, home]), home)
  assert.equal(chooseLanAddress(undefined, [hosted, home]), home)
  assert.equal(chooseLanAddress(hosted, [hosted, docker]), undefined)
  assert.equal(chooseLanAddress(undefined, []), undefined)
  const own = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
  const found = await findLanAddress(false)
  assert.ok(found === undefined || own.some(({ address, internal }) => address === found && !internal))
  assert.equal(await findLanAddress(true), undefined)
})

test('CFG-24: addresses that do not lead to the cloud', async () => {
  for (const env of [
    {},
    { HOST: '::1' },
    { HOST: '192.168.1.20' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'http://192.168.1.20:8080' },
    { TRUST_PROXY: '127.0.0.1', PUBLIC_URL: 'https://cloud.example.org' },
    { HOST: '0.0.0.0', TLS: 'local' },
  ])
    assert.equal(await problemOf(env), undefined, JSON.stringify(env))
  for (const HOST of ['0.0.0.0', '::'])
    assert.match(
      String(await problemOf({ HOST, PORT: '8081' })),
      /^PUBLIC_URL is not set, so phones and apps receive http:\/\/[^/]+:8081[;,] .*set it/,
    )
  assert.match(
    String(await problemOf({ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:8080' })),
    /^PUBLIC_URL leads to localhost:8080, where .* such as PUBLIC_URL=http:\/\/[^/]+:8080$/,
  )
  assert.match(String(await problemOf({ TRUST_PROXY: '127.0.0.1' })), /^PUBLIC_URL is not set, .* proxy;/)
})
