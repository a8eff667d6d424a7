import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PhoneApi, silence } from '@glasses-cloud/phone'
import { findFreePort } from '../../src/http/free-port.ts'
import { EvenSimulator, evenSimulatorMissing, startDisplay } from '../support/even-simulator.ts'
import { suiteScope } from '../support/scope.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { spoken, startRecognizer, voiceMissing } from '../support/spoken.ts'
import { type SpawnedCloud, spawnCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'
import { shadesOnLens } from './touched-app.ts'

const TOUCHED = 'dev.example.touched'
const CAPTIONS = 'dev.example.captions'
const SENTENCE = 'the meeting starts at seven in the evening'

/** Before the sentence, for the start of the recognizer. */
const PAUSE_MS = 5_000

/** Approves the sign-in whose code the lens shows: of those that wait, the one that is most like what was read. */
async function approve(lens: EvenSimulator, cloud: TestCloud, token: string): Promise<void> {
  const read = await lens.readCode()
  const { db } = cloud.operator
  const waiting = await db
    .selectFrom('device_codes')
    .select('user_code')
    .where('status', '=', 'pending')
    .execute()
  const [best] = waiting
    .map(({ user_code: userCode }) => ({ userCode, common: commonLetters(userCode, read) }))
    .sort((one, other) => other.common - one.common)
  assert.ok(best && best.common >= 6, `the code ${read}`)
  const body = { userCode: best.userCode }
  assert.equal((await cloud.request('POST', '/api/auth/device/approve', { token, body })).status, 200)
}

/** Letters that two texts have in common, in order. */
function commonLetters(one: string, other: string): number {
  if (one === '' || other === '') return 0
  const [first, second] = [one.slice(1), other.slice(1)]
  if (one[0] === other[0]) return 1 + commonLetters(first, second)
  return Math.max(commonLetters(first, other), commonLetters(one, second))
}

/** Starts an app on the unmodified SDK. */
async function startApp(
  t: Parameters<typeof SdkApp.start>[0],
  cloud: TestCloud,
  packageName: string,
  app: string | URL,
) {
  await SdkApp.register(t, cloud, app, {
    packageName,
    permissions: [{ type: 'MICROPHONE', description: 'To caption speech' }],
  })
}

/** Whether the levels of 16 greys are as the lens of the simulator shows them: from dark to bright, the brightest alike. */
function isRising(levels: readonly number[]): boolean {
  const isDistinct = levels.every((level, shade) => shade > 9 || level > (levels[shade - 1] ?? -1))
  return isDistinct && levels[0] === 0 && levels.slice(9).every((level) => level === 255)
}

describe('Even G2 in the simulator of their maker', { skip: evenSimulatorMissing || voiceMissing }, () => {
  const scope = suiteScope()
  let cloud: SpawnedCloud
  let ada: Wearer
  let bob: Wearer

  /** A user with a lens of their own. */
  interface Wearer {
    readonly lens: EvenSimulator
    readonly token: string
    readonly api: PhoneApi
  }

  /** Opens the page, approves the code on the lens, and starts the app there. */
  async function wear(name: string, display: string, recording: Buffer): Promise<Wearer> {
    const [lens, token] = await Promise.all([
      EvenSimulator.open(scope, { display, url: `${cloud.url}/glasses/even`, recording }),
      cloud.token(`${name}@example.com`),
    ])
    await approve(lens, cloud, token)
    const api = new PhoneApi({ url: cloud.url, token })
    await api.install(TOUCHED)
    await start(api, TOUCHED)
    return { lens, token, api }
  }

  /** Starts an app as soon as the glasses are connected. */
  function start(api: PhoneApi, packageName: string): Promise<boolean> {
    return waitFor('the start of the app', () => api.startApp(packageName).then(() => true))
  }

  before(async () => {
    const [recognizer, display, sentence, port] = await Promise.all([
      startRecognizer(scope),
      startDisplay(scope),
      spoken(SENTENCE),
      findFreePort(),
    ])
    cloud = await spawnCloud(scope, { env: { PORT: String(port), ...recognizer } })
    await Promise.all([
      startApp(scope, cloud, TOUCHED, new URL('touched-app.ts', import.meta.url)),
      startApp(scope, cloud, CAPTIONS, 'captions'),
    ])
    const recording = Buffer.concat([silence(PAUSE_MS), sentence])
    ;[ada, bob] = await Promise.all([wear('ada', display, recording), wear('bob', display, silence(100))])
  })

  test('EHB-54: two wearers, their touches and the battery', async () => {
    await Promise.all([ada.lens.waitForLens(/^ada is ready$/), bob.lens.waitForLens(/^bob is ready$/)])
    await ada.lens.press('click')
    await ada.lens.waitForLens(/^ada: single tap number 1 battery 100$/)
    await ada.lens.press('double_click')
    await ada.lens.waitForLens(/^ada: double tap number 2/)
    assert.match(await bob.lens.lens(), /^bob is ready\s*$/)
    await bob.lens.press('long_press')
    // The small letters o and a look alike.
    await bob.lens.waitForLens(/^bob: l[oa]ng press number 1 battery 100$/)
    await bob.lens.press('up')
    await bob.lens.waitForLens(/^bob: up swipe number 2/)
    assert.match(await ada.lens.lens(), /^ada: double tap number 2/)
    for (const { lens } of [ada, bob]) {
      // The simulator itself writes there too.
      const written = await lens.console()
      assert.deepEqual(
        written.filter((line) => line.includes('EvenAppBridge')),
        [],
      )
    }
  })

  test('EHB-54: a picture on one of the lenses', async () => {
    const shades = shadesOnLens()
    await ada.lens.press('down')
    await waitFor('the picture', async () => {
      const pixels = await ada.lens.pixels()
      const levels = Array.from({ length: 16 }, (_, shade) => pixels[shades.indexOf(shade)] ?? 0)
      return isRising(levels) && pixels.every((pixel, index) => pixel === levels[shades[index] ?? 0])
    })
    assert.match(await bob.lens.lens(), /^bob: up swipe number 2/)
  })

  test('after a cloud was killed and started again, the glasses are connected without a touch', async () => {
    await cloud.kill()
    cloud = await spawnCloud(scope, { env: cloud.env })
    // Before a tap, which would also connect.
    await Promise.all([ada.lens.waitForLens(/^ada is ready$/), bob.lens.waitForLens(/^bob is ready$/)])
    await Promise.all([ada.lens.press('click'), bob.lens.press('click')])
    await Promise.all([
      ada.lens.waitForLens(/^ada: single tap number 3/),
      bob.lens.waitForLens(/^bob: single tap number 3/),
    ])
  })

  test('a login that was ended leads to a new code, and other wearers do not notice it', async () => {
    const { lens, token } = ada
    const path = '/api/auth/logins'
    const { body } = await cloud.request<{ logins: { id: string }[] }>('GET', path, { token })
    assert.equal(body.logins.length, 1)
    for (const { id } of body.logins)
      assert.equal((await cloud.request('DELETE', `${path}/${id}`, { token })).status, 200)
    await approve(lens, cloud, token)
    await lens.waitForLens(/^ada/)
    assert.match(await bob.lens.lens(), /^bob/)
  })

  test('spoken words are shown on the lens', async () => {
    await ada.api.install(CAPTIONS)
    await ada.api.stopApp(TOUCHED)
    await start(ada.api, CAPTIONS)
    await ada.lens.waitForLens(/meeting starts at seven in the evening/)
    assert.match(await bob.lens.lens(), /^bob/)
  })
})
