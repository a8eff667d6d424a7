import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Glasses, PhoneApi } from '@glasses-cloud/phone'
import sharp from 'sharp'
import { Browser } from '../support/account-browser.ts'
import { type CloudProcess, startCloudProcess } from '../support/cloud-process.ts'
import { ipv6Missing } from '../support/ipv6.ts'
import { upload } from '../support/photo-app.ts'
import { sendRequest } from '../support/send-request.ts'
import { waitFor } from '../support/wait-for.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const PASSWORD = 'correct horse battery'
const SAMPLE_APP = 'dev.glasses-cloud.captions'
const lensTimeout = { timeoutMs: 30_000 }

/** What a cloud runs in. Its settings are the defaults, except for free ports. */
interface Surroundings {
  /** All variables of the environment, `PATH` too. */
  readonly env?: Readonly<Record<string, string>>
  /** A command that runs the command after it. */
  readonly wrapper?: readonly string[]
  /** Standard error, if it is no pipe. */
  readonly log?: number
}

interface RunningCloud extends CloudProcess {
  /** The code of the link to create the administrator; undefined where one exists. */
  readonly setUpCode: string | undefined
  /** Lines on standard error. */
  readonly lines: readonly string[]
}

const inMount = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"`
const readOnly = ['unshare', '--mount', 'sh', '-c', inMount, 'sh', ROOT]
const canMount = spawnSync('unshare', [...readOnly.slice(1), 'true']).status === 0

const PLACES: Readonly<Record<string, Surroundings & { readonly skip?: string | false }>> = {
  'an empty environment, as of a service': {},
  'NODE_ENV=production in another language and time zone, without a home folder': {
    env: {
      PATH: '/usr/bin:/bin',
      HOME: '/nonexistent',
      NODE_ENV: 'production',
      LANG: 'tr_TR.UTF-8',
      LC_ALL: 'tr_TR.UTF-8',
      TZ: 'Asia/Kathmandu',
    },
  },
  IPv6: {
    env: { HOST: '::1' },
    skip: ipv6Missing,
  },
  'a program folder that is read-only': {
    wrapper: readOnly,
    env: { PATH: process.env.PATH ?? '', TZ: 'Nowhere/Unknown' },
    skip: !canMount && 'this account may not mount',
  },
}

/** Starts the program of `npm start` in an empty folder and waits until it serves. */
async function start(
  t: TestContext,
  cwd: string,
  { env = {}, wrapper = [], log }: Surroundings,
): Promise<RunningCloud> {
  const lines: string[] = []
  const started = await startCloudProcess(
    t,
    [...wrapper, process.execPath, join(ROOT, 'scripts/start.mjs')],
    {
      cwd,
      env: { PORT: '0', RTMP_PORT: '0', ...env },
      log,
      onLogLine: (line) => lines.push(line),
    },
  )
  return { ...started, setUpCode: /[?]setup=(\S+)/.exec(started.printed)?.[1], lines }
}

/** Stops a cloud, which must have printed nothing but its log, without errors. */
async function stop({ end, lines }: RunningCloud): Promise<void> {
  assert.deepEqual(await end('SIGTERM'), [0, null])
  const problems = lines.filter((line) => !line.startsWith('{') || JSON.parse(line).level >= 50)
  assert.deepEqual(problems, [])
}

/** A browser whose requests are not compared with the OpenAPI document. */
function browserOf({ url }: RunningCloud): Browser {
  return new Browser({ url, request: (method, path, options) => sendRequest(url, method, path, options) })
}

/** Creates the first account, and uses what depends on files, threads and processes of the program. */
async function walk(t: TestContext, cloud: RunningCloud): Promise<void> {
  const browser = browserOf(cloud)
  assert.equal((await browser.request('GET', '/readyz')).status, 200)
  assert.match(String((await browser.request('GET', '/')).body), /<script type="module"/)
  const signedUp = await browser.signUp('Info@Example.org', PASSWORD, { setUpCode: cloud.setUpCode })
  assert.deepEqual([signedUp.status, signedUp.body.user?.email], [200, 'info@example.org'])
  assert.equal((await browser.signIn('INFO@EXAMPLE.ORG', PASSWORD)).status, 200)
  const passkeys = await browser.request('POST', '/api/auth/passkeys/registration-options')
  // Browsers have passkeys at `localhost` only, which does not lead to `::1` on every machine.
  assert.equal(passkeys.status, cloud.url.startsWith('http://[') ? 501 : 200)
  const exchanged = await browser.request<{ coreToken: string }>('POST', '/api/auth/exchange-token')
  const token = exchanged.body.coreToken

  const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#345' } })
    .jpeg()
    .toBuffer()
  const uploaded = await upload<{ photoUrl: string }>(cloud, token, [
    ['requestId', 'r1'],
    ['photo', picture],
  ])
  const thumbnail = await fetch(uploaded.body.photoUrl.replace(/\/file$/, '/thumbnails/160'), {
    headers: { authorization: `Bearer ${token}` },
  })
  assert.equal(thumbnail.headers.get('content-type'), 'image/webp', await thumbnail.text())

  const phone = new PhoneApi({ url: cloud.url, token })
  const glasses = new Glasses({ url: cloud.url, token, reconnect: false })
  t.after(() => glasses.disconnect())
  await glasses.connect(lensTimeout)
  await waitFor('the publication of the sample app', () => phone.install(SAMPLE_APP).then(() => true))
  await waitFor('the start of the sample app', () => phone.startApp(SAMPLE_APP).then(() => true))
  await glasses.waitForMicrophone('transcription', lensTimeout)
  await glasses.speak('Hello there', { language: 'en-US' })
  await glasses.waitForDisplay('Hello there', lensTimeout)
  await glasses.disconnect()
}

async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'surroundings-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe('the program that users run', { concurrency: 2 }, () => {
  // A start that makes one of them says so.
  before(async () => {
    for (const script of ['scripts/build.ts', 'scripts/bundle.ts'])
      await promisify(execFile)(process.execPath, [join(ROOT, script)], { cwd: ROOT })
  })

  for (const [name, { skip = false, ...surroundings }] of Object.entries(PLACES))
    test(name, { skip }, async (t) => {
      const folder = await emptyFolder(t)
      const first = await start(t, folder, surroundings)
      await walk(t, first)
      await stop(first)

      const second = await start(t, folder, surroundings)
      assert.equal(second.setUpCode, undefined)
      assert.equal((await browserOf(second).signIn('info@example.org', PASSWORD)).status, 200)
      await stop(second)
    })

  test('OBS-28: a log on a full disk', {
    skip: !existsSync('/dev/full') && 'this machine has no /dev/full',
  }, async (t) => {
    const full = await open('/dev/full', 'w')
    t.after(() => full.close())
    const cloud = await start(t, await emptyFolder(t), { log: full.fd })
    const browser = browserOf(cloud)
    for (let i = 0; i < 20; i++) assert.equal((await browser.request('GET', '/api/apps')).status, 401)
    await stop(cloud)
  })
})
