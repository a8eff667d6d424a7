import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { checks, runChecks } from '@glasses-cloud/conformance'
import { findFreePort } from '../../src/http/free-port.ts'
import { selfSigned } from '../support/certificates.ts'
import { PROXY_NAMES, ProxyServer, proxyMissing } from '../support/proxies.ts'
import { spawnCloud } from '../support/test-cloud.ts'

setDefaultCACertificates([...getCACertificates('default'), selfSigned.cert])

describe('the conformance kit through a proxy', () => {
  for (const name of PROXY_NAMES)
    test(`PXY-7: every check passes (${name})`, { skip: proxyMissing(name) }, async (t) => {
      const port = await findFreePort()
      const url = `https://localhost:${port}`
      const env = { TRUST_PROXY: '127.0.0.1', PUBLIC_URL: url, REST_LIMIT_PER_MINUTE: '100' }
      const cloud = await spawnCloud(t, { env })
      await ProxyServer.start(t, name, { nodes: [{ port: Number(new URL(cloud.localUrl).port) }], port })
      const appPort = await findFreePort()
      const appUrl = `http://127.0.0.1:${appPort}`
      const { packageName, apiKey } = await cloud.registerApp({
        packageName: 'dev.example.conformance',
        publicUrl: appUrl,
        webviewURL: `${appUrl}/webview`,
        permissions: [{ type: 'MICROPHONE' }, { type: 'CAMERA' }],
      })
      const common = {
        url,
        app: { packageName, apiKey, url: appUrl, port: appPort },
        deadlineMs: 30_000,
        maxAckMs: 5_000,
        format: 'text',
        output: undefined,
      } as const
      const run = async (lasting: boolean, only: readonly string[]) => {
        // A user for each run: the requests of a minute are limited.
        const token = await cloud.token(`conformance-${only.length}@example.com`)
        return runChecks(checks, { ...common, token, lasting, only })
      }
      const leaving = ['account.export', 'limits.requests']
      const results = [...(await run(false, [])), ...(await run(true, leaving))]
      const passed = results.filter(({ status }) => status === 'passed').map(({ check }) => check.id)
      const unmet = results.filter(({ status, check }) => status === 'failed' || !passed.includes(check.id))
      assert.deepEqual(
        unmet.map(({ check, reason }) => [check.id, reason]),
        [],
      )
    })
})
