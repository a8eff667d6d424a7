import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Glasses, PhoneApi } from '@glasses-cloud/phone'
import { SdkApp } from '../support/sdk-app.ts'
import { startCloud } from '../support/test-cloud.ts'

const packageName = 'dev.my-app.notebook'
const email = 'Ann-Marie@ex-ample.com'
const lensTimeout = { timeoutMs: 20_000 }

/** Installs and starts the notebook app, built on the unmodified SDK. */
async function startNotebook(t: TestContext) {
  const cloud = await startCloud(t)
  const { app, apiKey } = await SdkApp.registerSample(t, cloud, 'notebook', { packageName })
  const token = await cloud.token(email)
  const glasses = new Glasses({ url: cloud.url, token, reconnect: false })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  const phone = new PhoneApi({ url: cloud.url, token })
  await phone.install(packageName)
  await phone.startApp(packageName)
  await app.waitForLine(/session started with 0 notes, newest first/)
  await glasses.waitForMicrophone('transcription')
  const stored = async () => {
    const { body } = await cloud.request<{ data: Record<string, string> }>(
      'GET',
      `/api/sdk/simple-storage/${encodeURIComponent(email)}`,
      { headers: { authorization: `Bearer ${packageName}:${apiKey}` } },
    )
    return Object.values(body.data).sort()
  }
  return { app, phone, glasses, stored }
}

describe('storage and settings on the unmodified SDK', () => {
  test('STG-12: notes persist in the next session and can be deleted', async (t) => {
    const { app, phone, glasses, stored } = await startNotebook(t)
    for (const [phrase, line] of [
      ['Note buy milk', /saved, 1 notes/],
      ['Note feed the cat', /saved, 2 notes/],
    ] as const) {
      await glasses.speak(phrase, { language: 'en-US' })
      await app.waitForLine(line)
    }
    assert.deepEqual(await stored(), ['buy milk', 'feed the cat'])
    await phone.stopApp(packageName)
    await phone.startApp(packageName)
    await app.waitForLine(/session started with 2 notes/)
    await glasses.waitForMicrophone('transcription')
    await glasses.speak('Forget that', { language: 'en-US' })
    await app.waitForLine(/deleted a note: true/)
    assert.deepEqual(await stored(), ['buy milk'])
    await glasses.speak('Forget everything', { language: 'en-US' })
    await app.waitForLine(/deleted all notes: true/)
    assert.deepEqual(await stored(), [])
  })

  test('SET-24: the app receives each change of an app or system setting once', async (t) => {
    const { app, phone, glasses } = await startNotebook(t)
    for (const phrase of ['Note first', 'Note second']) {
      await glasses.speak(phrase, { language: 'en-US' })
      await app.waitForLine(phrase === 'Note first' ? /saved, 1 notes/ : /saved, 2 notes/)
    }
    await phone.request('POST', `/appsettings/${packageName}`, { key: 'order', value: 'oldest' })
    await glasses.waitForDisplay(({ text }) => /first\n+second/.test(text.trim()), lensTimeout)
    await phone.request('POST', `/appsettings/${packageName}`, [{ key: 'lines', value: 1 }])
    await glasses.waitForDisplay(
      ({ text }) => text.includes('first') && !text.includes('second'),
      lensTimeout,
    )
    await phone.request('PUT', '/api/client/user/settings', { settings: { brightness: 73 } })
    await app.waitForLine(/brightness is now 73/)
    const seen = app.lines.filter((line) => /^notebook: (order|lines) is now/.test(line))
    assert.deepEqual(seen, ['notebook: order is now oldest', 'notebook: lines is now 1'])
  })
})
