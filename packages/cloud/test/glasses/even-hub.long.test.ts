import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { PhoneApi, silence } from '@glasses-cloud/phone'
import { findFreePort } from '../../src/http/free-port.ts'
import { EvenSimulator, evenSimulatorMissing, startDisplay } from '../support/even-simulator.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { spoken, startRecognizer, voiceMissing } from '../support/spoken.ts'
import { startCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const packageName = 'dev.example.app'
const email = 'ada@example.com'
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

/** Starts an app on the unmodified SDK, opens the page, approves the code on the lens, and starts the app there. */
async function wear(t: TestContext, cloud: TestCloud, app: string | URL, recording: Buffer) {
  const port = await findFreePort()
  const { apiKey } = await cloud.registerApp({
    packageName,
    publicUrl: `http://127.0.0.1:${port}`,
    permissions: [{ type: 'MICROPHONE', description: 'To caption speech' }],
  })
  await SdkApp.start(t, { app, packageName, apiKey, port })
  const display = await startDisplay(t)
  const lens = await EvenSimulator.open(t, { display, url: `${cloud.url}/glasses/even`, recording })
  const token = await cloud.token(email)
  await approve(lens, cloud, token)
  const api = new PhoneApi({ url: cloud.url, token })
  await api.install(packageName)
  await waitFor('the start of the app', async () => {
    await api.startApp(packageName)
    return true
  })
  return { lens, token }
}

test('EHB-53: spoken words on the lens of Even G2', {
  skip: evenSimulatorMissing || voiceMissing,
}, async (t) => {
  const cloud = await startCloud(t, { env: await startRecognizer(t) })
  const recording = Buffer.concat([silence(PAUSE_MS), await spoken(SENTENCE)])
  const { lens } = await wear(t, cloud, 'captions', recording)
  await lens.waitForLens(/meeting starts at seven in the evening/)
})

test('EHB-50 EHB-51 EHB-52: Even G2 in the simulator of their maker', {
  skip: evenSimulatorMissing,
}, async (t) => {
  const first = await startCloud(t, { env: { PORT: String(await findFreePort()) } })
  const app = new URL('touched-app.ts', import.meta.url)
  const { lens, token } = await wear(t, first, app, silence(100))
  await lens.waitForLens(/^ada is ready/)
  await lens.press('click')
  await lens.waitForLens(/^ada: single tap number 1/)
  await lens.press('long_press')
  await lens.waitForLens(/^ada: long press number 2/)
  // The simulator itself writes there too.
  const written = await lens.console()
  assert.deepEqual(
    written.filter((line) => line.includes('EvenAppBridge')),
    [],
  )

  await first.stop()
  const second = await startCloud(t, { env: first.env })
  await waitFor('a touch after the restart', async () => {
    await lens.press('click')
    return /number [3-9]/.test(await lens.lens())
  })

  const path = '/api/auth/logins'
  const { body } = await second.request<{ logins: { id: string }[] }>('GET', path, { token })
  assert.equal(body.logins.length, 1)
  for (const { id } of body.logins)
    assert.equal((await second.request('DELETE', `${path}/${id}`, { token })).status, 200)
  await approve(lens, second, token)
  await lens.waitForLens(/^ada/)
})
