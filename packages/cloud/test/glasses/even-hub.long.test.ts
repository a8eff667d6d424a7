import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PhoneApi } from '@glasses-cloud/phone'
import { findFreePort } from '../../src/http/free-port.ts'
import { EvenSimulator, evenSimulatorMissing, startDisplay } from '../support/even-simulator.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { startCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const packageName = 'dev.example.touched'
const email = 'ada@example.com'

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

test('EHB-50 EHB-51 EHB-52: Even G2 in the simulator of their maker', {
  skip: evenSimulatorMissing,
}, async (t) => {
  const env = { PORT: String(await findFreePort()) }
  const [first, display] = await Promise.all([startCloud(t, { env }), startDisplay(t)])
  const port = await findFreePort()
  const { apiKey } = await first.registerApp({ packageName, publicUrl: `http://127.0.0.1:${port}` })
  await SdkApp.start(t, { app: new URL('touched-app.ts', import.meta.url), packageName, apiKey, port })
  const lens = await EvenSimulator.open(t, { display, url: `${first.url}/glasses/even` })
  const token = await first.token(email)
  await approve(lens, first, token)

  const api = new PhoneApi({ url: first.url, token })
  await api.install(packageName)
  await waitFor('the start of the app', async () => {
    await api.startApp(packageName)
    return true
  })
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
