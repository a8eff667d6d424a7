import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { LiveSession } from '@glasses-cloud/contract'
import { Glasses } from '@glasses-cloud/phone'
import { onPostgres } from '../../src/db/testing.ts'
import { Browser } from '../support/account-browser.ts'
import { startAppServer } from '../support/app-server.ts'
import { openEventStream, type StreamedEvent } from '../support/event-stream.ts'
import { startNodes } from '../support/local-nodes.ts'
import { galleryOf } from '../support/photo-app.ts'
import { redisMissing } from '../support/redis.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import type { LocalCloud } from '../support/test-cloud.ts'

const NOTES = 'dev.example.notes'
const password = 'correct horse battery'

const isSession = (matches: (session: LiveSession) => boolean) => (event: StreamedEvent) =>
  event.name === 'session' && matches(event.data as LiveSession)

describe('live session on two nodes', { skip: redisMissing }, () => {
  onPostgres((database) => {
    const scope = suiteScope()
    let one: LocalCloud
    let two: LocalCloud

    before(async () => {
      ;[one, two] = (await startNodes(scope, database, 2)) as [LocalCloud, LocalCloud]
      const server = await startAppServer(scope, NOTES)
      server.apiKey = (await one.registerApp({ packageName: NOTES, publicUrl: server.url })).apiKey
    })

    const follow = (t: Scope, cloud: LocalCloud, token: string) =>
      openEventStream(t, `${cloud.url}/api/session/events`, { authorization: `Bearer ${token}` })

    test('LIVE-1 LIVE-2: glasses and apps on one node are seen on the other as they change', async (t) => {
      const token = await one.token('ann@example.com')
      const read = async () => (await two.request<LiveSession>('GET', '/api/session', { token })).body
      const none = {
        isPhoneConnected: false,
        phone: null,
        refusedPhone: null,
        glasses: null,
        runningApps: [],
        startingApps: [],
      }
      assert.deepEqual(await read(), none)
      const stream = await follow(t, two, token)
      assert.deepEqual((await stream.next(({ name }) => name === 'session')).data, none)

      const glasses = new Glasses({ url: one.url, token, model: 'Even Realities G1', reconnect: false })
      t.after(() => glasses.disconnect())
      await glasses.connect()
      const worn = await stream.next(isSession((session) => session.glasses !== null))
      assert.deepEqual((worn.data as LiveSession).glasses, {
        modelName: 'Even Realities G1',
        hardware: ['DISPLAY', 'MICROPHONE', 'IMU'],
      })
      assert.deepEqual(await read(), worn.data)

      const started = one.request('POST', `/api/apps/${NOTES}/start`, { token })
      await stream.next(isSession(({ startingApps }) => startingApps.includes(NOTES)))
      await stream.next(isSession(({ runningApps }) => runningApps.includes(NOTES)))
      assert.equal((await started).status, 200)
      await two.request('POST', `/api/apps/${NOTES}/stop`, { token })
      await stream.next(isSession(({ runningApps }) => runningApps.length === 0))
      await glasses.disconnect()
      await stream.next(isSession(({ isPhoneConnected }) => !isPhoneConnected))
      await glasses.connect()
      await stream.next(isSession(({ isPhoneConnected }) => isPhoneConnected))
      one.cloud.sessions.end(String((await one.operator.users.findByEmail('ann@example.com'))?.id), {
        code: 1000,
        reason: 'test',
      })
      await stream.next(isSession(({ isPhoneConnected }) => !isPhoneConnected))
      assert.deepEqual(await read(), none)
    })

    test('LIVE-3: changes of apps, installs and photos of the user are announced, those of others are not', async (t) => {
      const token = await one.token('bob@example.com')
      const stream = await follow(t, two, token)
      await stream.next(({ name }) => name === 'session')
      const other = await one.token('other@example.com')
      const ofOther = await follow(t, two, other)
      await one.request('POST', `/api/apps/install/${NOTES}`, { token: other })
      await ofOther.next(({ name }) => name === 'apps')
      const glasses = new Glasses({ url: one.url, token, model: 'Mentra Live', reconnect: false })
      t.after(() => glasses.disconnect())
      await glasses.connect()
      assert.equal((await stream.next(() => true)).name, 'session')
      await one.request('POST', `/api/apps/install/${NOTES}`, { token })
      await stream.next(({ name }) => name === 'apps')
      await one.registerApp({ packageName: 'dev.example.other' })
      await stream.next(({ name }) => name === 'apps')
      await glasses.takePhoto()
      await stream.next(({ name }) => name === 'gallery')
      const [photo] = await galleryOf(one, token)
      await one.request('DELETE', `/api/gallery/${photo?._id}`, { token })
      await stream.next(({ name }) => name === 'gallery')
    })

    test('LIVE-4: a stream ends when its login does, and a user has at most 20 on a node', async (t) => {
      const browser = new Browser(one)
      await browser.signUp('first@example.com', password)
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const url = `${two.url}/api/session/events`
      const foreign = await fetch(url, { headers: { cookie, 'sec-fetch-site': 'cross-site' } })
      assert.equal(foreign.status, 401)
      const stream = await openEventStream(t, url, { cookie, 'sec-fetch-site': 'same-origin' })
      await stream.next(({ name }) => name === 'session')
      await browser.request('POST', '/api/auth/sign-out')
      // Noticed at the next change.
      await one.registerApp({ packageName: 'dev.example.third' })
      await stream.end()

      const token = await one.token('busy@example.com')
      const streams = []
      for (let count = 0; count < 20; count += 1) streams.push(await follow(t, two, token))
      const { status } = await two.request('GET', '/api/session/events', { token })
      assert.equal(status, 503)
      assert.equal(
        (
          await two.request('GET', '/api/session/events?seconds=0', {
            token: await one.token('calm@example.com'),
          })
        ).status,
        200,
      )
      const [first] = streams
      first?.close()
      for (;;) {
        const response = await two.request('GET', '/api/session/events?seconds=0', { token })
        if (response.status === 200) break
      }
    })
  })
})
