import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import { runCommandLine } from '../../src/cli/run.ts'
import { type Env, readConfig, readRemoteSettings } from '../../src/config/index.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { Browser } from '../support/account-browser.ts'
import { cli } from '../support/cli.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { spawnCloud } from '../support/test-cloud.ts'
import { withTimeout } from '../support/wait-for.ts'

const packageName = 'org.newcomer.captions'
const password = 'correct horse battery'
const lensTimeout = { timeoutMs: 20_000 }

/** Signs in by device: confirms the code that the command shows in a browser. */
async function loginByDevice(env: Env, url: string, browser: Browser): Promise<void> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const done = runCommandLine(
    ['login', '--url', url],
    () => readConfig(env),
    { stdin, stdout, stderr },
    () => readRemoteSettings(env),
  )
  const [line] = await withTimeout(20_000, once(stderr, 'data'), 'no code was shown')
  const userCode = /code ([A-Z-]+)/.exec(String(line))?.[1]
  assert.ok(userCode, String(line))
  assert.equal((await browser.request('POST', '/api/auth/device/approve', { userCode })).status, 200)
  assert.equal(await withTimeout(30_000, done, 'the login did not end'), 0)
}

describe('a newcomer', () => {
  test('CLI-60: signs up, makes, runs and publishes an app, and rotates its key', async (t) => {
    const cloud = await spawnCloud(t)
    const env = { ...cloud.env, HOME: String(cloud.env.DATA_DIR) }
    const json = async (...args: string[]) => {
      const { code, out, err } = await cli(env, ...args, '--json')
      assert.equal(code, 0, err)
      return JSON.parse(out)
    }
    const [developer, second, intruder] = [new Browser(cloud), new Browser(cloud), new Browser(cloud)]
    for (const [browser, name] of [
      [developer, 'ada'],
      [second, 'bob'],
      [intruder, 'eve'],
    ] as const)
      assert.equal((await browser.signUp(`${name}@example.org`, password)).status, 200)

    await loginByDevice(env, cloud.url, developer)
    assert.equal((await json('whoami')).email, 'ada@example.org')
    const port = await findFreePort()
    const sample = new URL('../../../../apps/captions/manifest.json', import.meta.url)
    const { appStoreStatus: _, ...fields } = JSON.parse(await readFile(sample, 'utf8'))
    const file = join(String(env.HOME), 'manifest.json')
    await writeFile(file, JSON.stringify({ ...fields, packageName, publicUrl: `http://127.0.0.1:${port}` }))
    const { apiKey } = await json('app', 'create', file)
    const app = await SdkApp.start(t, { app: 'captions', packageName, apiKey, port })
    assert.equal((await json('app', 'publish', packageName)).appStoreStatus, 'PUBLISHED')

    const tokenOf = async (browser: Browser) =>
      (await browser.request<{ coreToken: string }>('POST', '/api/auth/exchange-token')).body.coreToken
    const token = await tokenOf(second)
    const glasses = new Glasses({ url: cloud.url, token, reconnect: false })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    const post = (path: string) => cloud.request('POST', `/api/apps/${path}`, { token })
    assert.equal((await post(`install/${packageName}`)).status, 200)
    assert.equal((await post(`${packageName}/start`)).status, 200)
    await glasses.waitForMicrophone('transcription', lensTimeout)
    await glasses.speak('With the first key', { language: 'en-US' })
    await glasses.waitForDisplay('With the first key', lensTimeout)

    const rotated = await json('app', 'keys', packageName, '--rotate')
    await app.end()
    await glasses.waitForMicrophone(false, lensTimeout)
    await SdkApp.start(t, { app: 'captions', packageName, apiKey: rotated.apiKey, port })
    await json('app', 'keys', packageName, '--revoke', apiKey.split('_')[1])
    assert.equal((await post(`${packageName}/start`)).status, 200)
    await glasses.waitForMicrophone('transcription', lensTimeout)
    await glasses.speak('With the second key', { language: 'en-US' })
    await glasses.waitForDisplay('With the second key', lensTimeout)

    const intruding = await tokenOf(intruder)
    for (const path of ['', '/keys', '/logs', '/usage']) {
      const request = { token: intruding }
      const { status } = await cloud.request('GET', `/api/console/apps/${packageName}${path}`, request)
      assert.equal(status, 404, path)
    }
    for (const [key, status] of [
      [apiKey, 401],
      [rotated.apiKey, 404],
    ]) {
      const headers = { 'x-api-key': key, 'x-package-name': packageName }
      const transcripts = await cloud.request('GET', '/api/transcripts/none?duration=1', { headers })
      assert.equal(transcripts.status, status)
    }
    const events = (await cli(env, 'app', 'logs', packageName)).out
    assert.match(events, /start +running/)
  })
})
