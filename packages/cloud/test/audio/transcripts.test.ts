import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { TranscriptHistory } from '@glasses-cloud/contract'
import { Glasses } from '@glasses-cloud/phone'
import { startAppServer } from '../support/app-server.ts'
import { flushMessages } from '../support/lifecycle-fixtures.ts'
import { type LocalCloud, startCloud, type TestManifest } from '../support/test-cloud.ts'

const captions = 'com.example.live-captions'
const email = 'ann-marie@example.org'

/** Sends transcriptions although no app is subscribed to them. */
const unsolicited = { offlineMode: true }

/** Registers an app, starts its server and starts the app for the user. */
async function startApp(t: TestContext, cloud: LocalCloud, manifest: TestManifest) {
  const server = await startAppServer(t, manifest.packageName)
  const { apiKey } = await cloud.registerApp({ publicUrl: server.url, ...manifest })
  server.apiKey = apiKey
  const token = await cloud.token(email)
  const path = `/api/apps/${manifest.packageName}/start`
  assert.equal((await cloud.request('POST', path, { token })).status, 200)
  const { sessionId } = await server.called('session_request')
  return { apiKey, appSessionId: sessionId, packageName: manifest.packageName }
}

/** Connects glasses and starts a captions app. */
async function startCaptions(t: TestContext) {
  const cloud = await startCloud(t)
  const glasses = new Glasses({ url: cloud.url, token: await cloud.token(email), reconnect: false })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  const app = await startApp(t, cloud, { packageName: captions, permissions: [{ type: 'MICROPHONE' }] })
  const transcripts = (
    query: Record<string, string>,
    { appSessionId, apiKey, packageName }: typeof app = app,
  ) =>
    cloud.request<TranscriptHistory>(
      'GET',
      `/api/transcripts/${encodeURIComponent(appSessionId)}?${new URLSearchParams(query)}`,
      { headers: { 'x-api-key': apiKey, 'x-package-name': packageName } },
    )
  return { cloud, glasses, app, transcripts }
}

const texts = (history: TranscriptHistory) => history.segments.map(({ text }) => text)

describe('transcripts', () => {
  test('TRN-1 TRN-2: segments are returned oldest first with unique ids, the interim one last', async (t) => {
    const { glasses, transcripts } = await startCaptions(t)
    const before = Date.now()
    await glasses.speak('Good morning everybody', unsolicited)
    await glasses.speak('How are you', { ...unsolicited, speakerId: 3 })
    glasses.send({ type: 'local_transcription', text: 'I am', isFinal: false, transcribeLanguage: 'en-US' })
    await flushMessages(glasses)
    const { status, body } = await transcripts({ duration: '60' })
    assert.equal(status, 200)
    assert.equal(body.language, 'en-US')
    assert.deepEqual(
      body.segments.map(({ resultId: _, timestamp: __, ...rest }) => rest),
      [
        { text: 'Good morning everybody', isFinal: true, speakerId: '0' },
        { text: 'How are you', isFinal: true, speakerId: '3' },
        { text: 'I am', isFinal: false },
      ],
    )
    assert.equal(new Set(body.segments.map(({ resultId }) => resultId)).size, 3)
    for (const { timestamp } of body.segments) {
      assert.equal(new Date(timestamp).toISOString(), timestamp)
      assert.ok(Date.parse(timestamp) >= before && Date.parse(timestamp) <= Date.now())
    }
  })

  test('TRN-3: segments in two languages', async (t) => {
    const { glasses, transcripts } = await startCaptions(t)
    await glasses.speak('Good morning', unsolicited)
    await glasses.speak('Guten Morgen', { ...unsolicited, language: 'de-DE' })
    await flushMessages(glasses)
    const german = await transcripts({ duration: '60', language: 'de-DE' })
    assert.deepEqual([german.body.language, texts(german.body)], ['de-DE', ['Guten Morgen']])
    assert.deepEqual(texts((await transcripts({ duration: '60' })).body), ['Good morning'])
    const korean = await transcripts({ duration: '60', language: 'ko-KR' })
    assert.deepEqual(korean.body, { language: 'ko-KR', segments: [] })
  })

  test('TRN-4: bounds of a range, and a duration beside it', async (t) => {
    const { glasses, transcripts } = await startCaptions(t)
    await glasses.speak('One', unsolicited)
    await flushMessages(glasses)
    const [one] = (await transcripts({ duration: '60' })).body.segments
    const at = Date.parse(one?.timestamp ?? '')
    const iso = (time: number) => new Date(time).toISOString()
    const textsBetween = async (from: number, to: number) =>
      texts((await transcripts({ startTime: iso(from), endTime: iso(to) })).body)
    assert.deepEqual(await textsBetween(at, at), ['One'])
    assert.deepEqual(await textsBetween(at - 60_000, at - 1), [])
    assert.deepEqual(await textsBetween(at + 1, at + 60_000), [])
    const past = { startTime: iso(at - 60_000), endTime: iso(at - 1) }
    assert.deepEqual(texts((await transcripts({ ...past, duration: '60' })).body), ['One'])
  })

  test('TRN-5: a missing, incomplete or invalid time returns 400 with a reason', async (t) => {
    const { transcripts } = await startCaptions(t)
    const time = 'must be an ISO 8601 time like 2025-01-31T18:30:00Z'
    const cases: [Record<string, string>, string][] = [
      [{}, 'duration, startTime, or endTime is required'],
      [{ language: 'de-DE' }, 'duration, startTime, or endTime is required'],
      [{ startTime: '2025-01-01T00:00:00Z' }, 'duration, startTime, or endTime is required'],
      [{ endTime: 'yesterday' }, 'duration, startTime, or endTime is required'],
      [{ startTime: 'yesterday', endTime: '2025-01-01' }, `startTime ${time}`],
      [{ startTime: '2025-01-01', endTime: '2025-02-30' }, `endTime ${time}`],
      [{ startTime: '2025-01-02', endTime: '2025-01-01' }, 'startTime must not be after endTime'],
      [{ duration: 'long' }, 'duration must be a number'],
      [{ duration: '' }, 'duration must be a number'],
      [{ duration: 'NaN' }, 'duration must be a number'],
      [{ duration: '-5' }, 'duration must be 0 or more'],
    ]
    for (const [query, error] of cases)
      assert.deepEqual(await answerOf(transcripts(query)), { status: 400, body: { error } }, error)
    assert.equal((await transcripts({ duration: '60', language: 'no language!' })).status, 400)
  })

  test('TRN-6: an invalid API key returns 401 before anything else is checked', async (t) => {
    const { cloud, app, transcripts } = await startCaptions(t)
    const other = await cloud.registerApp({ packageName: 'com.example.other' })
    const expected = { status: 401, body: { error: 'Unauthorized' } }
    for (const wrong of [{ apiKey: '' }, { apiKey: 'wrong' }, { apiKey: other.apiKey }, { packageName: '' }])
      assert.deepEqual(await answerOf(transcripts({}, { ...app, ...wrong })), expected)
    const open = await cloud.request('GET', `/api/transcripts/${app.appSessionId}?duration=60`)
    assert.deepEqual([open.status, open.body], [401, { error: 'Unauthorized' }])
  })

  test('TRN-7: the session of another app returns 403', async (t) => {
    const { cloud, app, transcripts } = await startCaptions(t)
    const other = await cloud.registerApp({ packageName: 'com.example.other' })
    assert.deepEqual(
      await answerOf(transcripts({ duration: '60' }, { ...other, appSessionId: app.appSessionId })),
      { status: 403, body: { error: 'Unauthorized package name' } },
    )
    assert.deepEqual(
      (await transcripts({ duration: '60' }, { ...app, appSessionId: `${app.appSessionId}-more` })).status,
      403,
    )
  })

  test('TRN-8: an unknown session, or one in which the app does not run, returns 404', async (t) => {
    const { cloud, app, transcripts } = await startCaptions(t)
    const expected = { status: 404, body: { error: 'Session not found' } }
    for (const appSessionId of [
      `none-${captions}`,
      `${email}-${captions}`.replace('ann-', 'ann'),
      'nohyphen',
    ]) {
      assert.deepEqual(await answerOf(transcripts({ duration: '60' }, { ...app, appSessionId })), expected)
    }
    const stop = `/api/apps/${captions}/stop`
    assert.equal((await cloud.request('POST', stop, { token: await cloud.token(email) })).status, 200)
    assert.deepEqual(await answerOf(transcripts({ duration: '60' })), expected)
  })

  test('TRN-9: an app without the MICROPHONE permission returns 403', async (t) => {
    const { cloud, glasses, transcripts } = await startCaptions(t)
    const appWithoutMicrophone = await startApp(t, cloud, { packageName: 'com.example.clock' })
    await glasses.speak('Between us', unsolicited)
    assert.deepEqual(await answerOf(transcripts({ duration: '60' }, appWithoutMicrophone)), {
      status: 403,
      body: { error: 'The app does not declare the permission MICROPHONE' },
    })
  })

  test('TRN-13: a failure returns 500 Error fetching transcripts', async (t) => {
    const { cloud, transcripts } = await startCaptions(t)
    t.mock.method(cloud.cloud.sessions, 'findBySessionId', async () => {
      throw new Error('the owner of the session is unreachable')
    })
    assert.deepEqual(await answerOf(transcripts({ duration: '60' })), {
      status: 500,
      body: { error: 'Error fetching transcripts' },
    })
  })
})

async function answerOf(response: Promise<{ status: number; body: unknown }>) {
  const { status, body } = await response
  return { status, body }
}
