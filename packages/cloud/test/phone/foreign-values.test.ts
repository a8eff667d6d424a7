import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  FakeTranslationService,
  libreTranslateProtocol,
  translationKey,
} from '../../src/features/translation/testing/fake-translation-service.ts'
import {
  acceptedBody,
  type Fields,
  flushAppMessages,
  frames,
  startWithApp,
} from '../support/phone-report-rig.ts'
import { suiteScope } from '../support/scope.ts'
import { type SpawnedCloud, spawnCloud } from '../support/test-cloud.ts'

/** The bundle, on a machine that is neither in UTC nor where the user is. */
describe('values of phones, with the program that users run', () => {
  const scope = suiteScope()
  let starting: Promise<{ cloud: SpawnedCloud; translations: FakeTranslationService }> | undefined
  const start = async () => {
    const translations = await FakeTranslationService.start(scope, libreTranslateProtocol)
    const env = {
      TZ: 'America/Los_Angeles',
      TRANSLATION_PROVIDER: 'libretranslate',
      LIBRETRANSLATE_URL: translations.url.href,
      LIBRETRANSLATE_API_KEY: translationKey,
    }
    return { cloud: await spawnCloud(scope, { env, hasDefaultLimits: true }), translations }
  }
  const shared = () => {
    starting ??= start()
    return starting
  }

  test('NOTI-1 PHN-65 PHN-66: a notification without a title, with a number as its id', async (t) => {
    const { cloud } = await shared()
    const { app, sessionId, post, subscribe } = await startWithApp(t, cloud)
    await subscribe('phone_notification')
    const report = { notificationId: 42, app: 'Chat', title: null, content: 'Hi', timestamp: {} }
    const { ignored } = acceptedBody(await post('/api/client/notifications', report))
    assert.deepEqual(ignored, ['timestamp'])
    await flushAppMessages(app)
    const [[, { timestamp: _, ...data }] = assert.fail()] = frames(app, sessionId) as [string, Fields][]
    const fields = { notificationId: '42', app: 'Chat', title: '', content: 'Hi', priority: 'normal' }
    assert.deepEqual(data, { type: 'phone_notification', ...fields })
  })

  test('CALE-13 CALE-14: events in local time', async (t) => {
    const { cloud } = await shared()
    const { app, sessionId, post, subscribe } = await startWithApp(t, cloud)
    await subscribe('calendar_event')
    const events = [
      { id: 1, title: 'Tea', start: '2126-10-05 09:00:00', end: 'later' },
      { id: 2, title: 'Tea', start: '2126-10-05T09:00:00', timeZone: 'W. Europe Standard Time' },
      { id: 3, title: 'Tea', start: { date: '2126-10-06' }, timeZone: 'America/Los_Angeles' },
    ]
    const { ignored } = acceptedBody(await post('/api/client/calendar', { events }))
    assert.deepEqual(ignored, ['events[0].end'])
    await flushAppMessages(app)
    assert.deepEqual(
      (frames(app, sessionId) as [string, Fields][]).map(([, { dtStart, timezone }]) => [dtStart, timezone]),
      [
        ['2126-10-05T07:00:00.000Z', 'Europe/Berlin'],
        ['2126-10-05T09:00:00.000Z', 'UTC'],
        ['2126-10-06T07:00:00.000Z', 'America/Los_Angeles'],
      ],
    )
  })

  test('SUB-16 TRN-3 STT-62: languages that the phone, the app and the translator spell differently', async (t) => {
    const { cloud, translations } = await shared()
    const { app, glasses, sessionId, subscribe } = await startWithApp(t, cloud)
    await subscribe('transcription:zh-CN', 'translation:zh-CN-to-pt-BR', 'transcription:en-US')
    glasses.send({
      type: 'local_transcription',
      text: 'ni hao',
      isFinal: true,
      transcribeLanguage: 'zh_Hans_CN',
    })
    await app.next('data_stream')
    await app.next('data_stream')
    glasses.send({ type: 'local_transcription', text: 'hello', isFinal: true, transcribeLanguage: 'en' })
    await app.next('data_stream')
    assert.deepEqual(
      (frames(app, sessionId) as [string, Fields][]).map(([stream, { text }]) => `${stream} ${text}`),
      ['transcription:zh-CN ni hao', 'translation:zh-CN-to-pt-BR NI HAO', 'transcription:en-US hello'],
    )
    const { source, target } = translations.requests.at(-1)?.body ?? {}
    assert.deepEqual([source, target], ['zh-Hans', 'pt-BR'])
  })

  test('LIM-46: a walk with navigation and a chatty group leave the requests of the user', async (t) => {
    const { cloud } = await shared()
    const { token, packageName, post } = await startWithApp(t, cloud)
    for (let count = 0; count < 60; count += 1) {
      const answers = await Promise.all([
        post('/api/client/location', { coords: { latitude: 48, longitude: 11 + count / 1e4, speed: -1 } }),
        post('/api/client/notifications', { notificationId: count, title: 'Group' }),
      ])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
    }
    assert.equal((await cloud.request('POST', `/api/apps/${packageName}/start`, { token })).status, 200)
    const form = new FormData()
    form.set('requestId', 'own-photo')
    form.set('file', new Blob([Buffer.from('ffd8ffe000104a46494600010100', 'hex')]), 'a.jpg')
    const upload = await fetch(`${cloud.url}/api/photos/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    assert.equal(upload.status, 200, await upload.text())
  })
})
