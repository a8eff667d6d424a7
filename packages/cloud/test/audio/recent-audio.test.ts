import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { RecordingPeer } from '../../src/session/testing/recording-peer.ts'
import { Sessions } from '../../src/session-host/index.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const audioPackage = 'com.example.song-finder'
const wearer = 'ann-marie@example.org'

/** A cloud with the package that may read recent audio, and another one. */
async function world(t: TestContext) {
  const cloud = await startCloud(t, {
    env: { AUDIO_PACKAGE: audioPackage },
    overrides: { limits: { audioBytesPerSecond: 10_000_000 } },
  })
  const { apiKey } = await cloud.registerApp({ packageName: audioPackage })
  const other = await cloud.registerApp({ packageName: 'com.example.other' })
  const audio = (query: Record<string, string>, userId = wearer) =>
    fetch(`${cloud.url}/api/audio/${encodeURIComponent(userId)}?${new URLSearchParams(query)}`)
  const credentials = { apiKey, packageName: audioPackage, userId: wearer }
  return { cloud, audio, apiKey, otherKey: other.apiKey, credentials }
}

/** Glasses that say what they are told to, byte for byte. */
async function glasses(t: TestContext, cloud: LocalCloud, email = wearer) {
  const socket = new WebSocket(`${cloud.wsUrl}/glasses-ws`, {
    headers: { authorization: `Bearer ${await cloud.token(email)}` },
  })
  t.after(() => socket.terminate())
  const [ack] = await once(socket, 'message')
  const { sessionId } = JSON.parse(String(ack))
  return {
    sessionId: String(sessionId),
    /** Sends sound; resolves when the cloud has heard it. */
    async say(...frames: Uint8Array[]) {
      for (const frame of frames) socket.send(frame)
      const heard = new Promise<void>((resolve) => {
        socket.on('message', (data) => JSON.parse(String(data)).type === 'pong' && resolve())
      })
      socket.send(JSON.stringify({ type: 'ping' }))
      await heard
    },
  }
}

async function refusal(response: Response) {
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  return { status: response.status, body: await response.json() }
}

describe('recent audio', () => {
  test('RAU-5 RAU-1: the sound comes as octets, byte for byte and in order', async (t) => {
    const { cloud, audio, credentials } = await world(t)
    const { say } = await glasses(t, cloud)
    const frames = [1, 2, 3].map((value) => new Uint8Array(640).fill(value))
    await say(...frames)
    for (const query of [credentials, { ...credentials, userId: ' Ann-Marie@Example.ORG ' }]) {
      const response = await audio(query)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'application/octet-stream')
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.concat(frames))
    }
  })

  test('RAU-3: no more than the last ten seconds come', async (t) => {
    const { cloud, audio, credentials } = await world(t)
    const { say } = await glasses(t, cloud)
    await say(...Array.from({ length: 12 }, (_, second) => new Uint8Array(32_000).fill(second)))
    const sound = Buffer.from(await (await audio(credentials)).arrayBuffer())
    assert.equal(sound.length, 320_000)
    assert.deepEqual([sound[0], sound.at(-1)], [2, 11])
  })

  test('RAU-10: without apiKey, packageName or userId it is 401, whatever else is wrong', async (t) => {
    const { audio, credentials } = await world(t)
    const message = 'Authentication required. Provide apiKey, packageName, and userId.'
    const expected = { status: 401, body: { success: false, message } }
    assert.deepEqual(await refusal(await audio({})), expected)
    for (const missing of ['apiKey', 'packageName', 'userId'] as const) {
      const { [missing]: _, ...rest } = { ...credentials, apiKey: 'wrong', packageName: 'wrong' }
      assert.deepEqual(await refusal(await audio(rest)), expected, missing)
      assert.deepEqual(await refusal(await audio({ ...rest, [missing]: '' })), expected, `empty ${missing}`)
    }
  })

  test('RAU-11: a package that may not read audio is 403 before its key is looked at, with its own key as well', async (t) => {
    const { audio, credentials, otherKey } = await world(t)
    const expected = { status: 403, body: { success: false, message: 'Unauthorized package name' } }
    for (const apiKey of [otherKey, credentials.apiKey, 'wrong']) {
      const query = { ...credentials, apiKey, packageName: 'com.example.other' }
      assert.deepEqual(await refusal(await audio(query)), expected)
    }
  })

  test('RAU-12: a key that is not the package’s is 401 before anything is said about the user', async (t) => {
    const { audio, credentials, otherKey } = await world(t)
    const expected = { status: 401, body: { success: false, message: 'Invalid API key.' } }
    for (const apiKey of [otherKey, 'wrong', `${credentials.apiKey}x`])
      assert.deepEqual(
        await refusal(await audio({ ...credentials, apiKey, userId: 'eve@example.org' })),
        expected,
      )
  })

  test('RAU-13: the users of path and query must be the same one', async (t) => {
    const { cloud, audio, credentials } = await world(t)
    const { say } = await glasses(t, cloud)
    await say(new Uint8Array(640))
    const error = 'userId must be the same in the path and in the query'
    const expected = { status: 400, body: { error } }
    assert.deepEqual(await refusal(await audio({ ...credentials, userId: 'eve@example.org' })), expected)
    assert.deepEqual(await refusal(await audio(credentials, 'eve@example.org')), expected)
  })

  test('RAU-14: a user nobody knows, or without a session, is 404 Session not found', async (t) => {
    const { cloud, audio, credentials } = await world(t)
    const expected = { status: 404, body: { error: 'Session not found' } }
    assert.deepEqual(await refusal(await audio(credentials)), expected)
    await cloud.token(wearer)
    assert.deepEqual(await refusal(await audio(credentials)), expected)
    const odd = { ...credentials, userId: 'no address' }
    assert.deepEqual(await refusal(await audio(odd, 'no address')), expected)
  })

  test('RAU-15 RAU-4: a session without sound is 404 No audio available; with sound nobody can decode, another 404', async (t) => {
    const { cloud, audio, credentials } = await world(t)
    const { sessionId } = await glasses(t, cloud)
    const none = { status: 404, body: { error: 'No audio available' } }
    assert.deepEqual(await refusal(await audio(credentials)), none)
    const { sessions } = cloud.cloud
    assert.ok(sessions instanceof Sessions)
    const session = sessions.byUserSessionId(sessionId)?.session
    const peer = new RecordingPeer()
    session?.attachGlasses(peer)
    session?.handleUndecodableAudio(new RecordingPeer('replaced'))
    assert.deepEqual(await refusal(await audio(credentials)), none)
    session?.handleUndecodableAudio(peer)
    const undecodable = { status: 404, body: { error: 'No decodable audio available' } }
    assert.deepEqual(await refusal(await audio(credentials)), undecodable)
  })

  test('RAU-16: a failure is 500 Error fetching audio', async (t) => {
    const { cloud, audio, credentials } = await world(t)
    const { sessions } = cloud.cloud
    t.mock.method(sessions, 'find', async () => {
      throw new Error('the owner of the session is gone')
    })
    await cloud.token(wearer)
    const expected = { status: 500, body: { error: 'Error fetching audio' } }
    assert.deepEqual(await refusal(await audio(credentials)), expected)
  })

  test('RAU-17: nobody may read audio where no package is configured', async (t) => {
    const cloud = await startCloud(t)
    const { apiKey } = await cloud.registerApp({ packageName: audioPackage })
    const query = new URLSearchParams({ apiKey, packageName: audioPackage, userId: wearer })
    assert.equal((await cloud.request('GET', `/api/audio/${wearer}?${query}`)).status, 403)
  })
})
