import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { RecordingPeer } from '../../src/session/testing/recording-peer.ts'
import { Sessions } from '../../src/session-host/index.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const audioPackage = 'com.example.song-finder'
const userEmail = 'ann-marie@example.org'

/** Starts a cloud with the package that may read recent audio, and another package. */
async function createAudioRig(t: TestContext) {
  const cloud = await startCloud(t, {
    env: { AUDIO_PACKAGE: audioPackage },
    overrides: { limits: { audioBytesPerSecond: 10_000_000 } },
  })
  const { apiKey } = await cloud.registerApp({ packageName: audioPackage })
  const other = await cloud.registerApp({ packageName: 'com.example.other' })
  const audio = (query: Record<string, string>, userId = userEmail) =>
    fetch(`${cloud.url}/api/audio/${encodeURIComponent(userId)}?${new URLSearchParams(query)}`)
  const credentials = { apiKey, packageName: audioPackage, userId: userEmail }
  return { cloud, audio, apiKey, otherKey: other.apiKey, credentials }
}

/** Connects a glasses socket that sends the given audio frames. */
async function connectGlasses(t: TestContext, cloud: LocalCloud, email = userEmail) {
  const socket = new WebSocket(`${cloud.wsUrl}/glasses-ws`, {
    headers: { authorization: `Bearer ${await cloud.token(email)}` },
  })
  t.after(() => socket.terminate())
  const [ack] = await once(socket, 'message')
  const { sessionId } = JSON.parse(String(ack))
  return {
    sessionId: String(sessionId),
    /** Sends audio frames; resolves when the cloud has received them. */
    async sendAudio(...frames: Uint8Array[]) {
      for (const frame of frames) socket.send(frame)
      const ponged = new Promise<void>((resolve) => {
        socket.on('message', (data) => JSON.parse(String(data)).type === 'pong' && resolve())
      })
      socket.send(JSON.stringify({ type: 'ping' }))
      await ponged
    },
  }
}

async function errorOf(response: Response) {
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  return { status: response.status, body: await response.json() }
}

describe('recent audio', () => {
  test('RAU-5 RAU-1: the audio is returned as raw bytes, in order', async (t) => {
    const { cloud, audio, credentials } = await createAudioRig(t)
    const { sendAudio } = await connectGlasses(t, cloud)
    const frames = [1, 2, 3].map((value) => new Uint8Array(640).fill(value))
    await sendAudio(...frames)
    for (const query of [credentials, { ...credentials, userId: ' Ann-Marie@Example.ORG ' }]) {
      const response = await audio(query)
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'application/octet-stream')
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), Buffer.concat(frames))
    }
  })

  test('RAU-3: at most the last ten seconds are returned', async (t) => {
    const { cloud, audio, credentials } = await createAudioRig(t)
    const { sendAudio } = await connectGlasses(t, cloud)
    await sendAudio(...Array.from({ length: 12 }, (_, second) => new Uint8Array(32_000).fill(second)))
    const audioBytes = Buffer.from(await (await audio(credentials)).arrayBuffer())
    assert.equal(audioBytes.length, 320_000)
    assert.deepEqual([audioBytes[0], audioBytes.at(-1)], [2, 11])
  })

  test('RAU-10: a missing apiKey, packageName or userId returns 401 before anything else is checked', async (t) => {
    const { audio, credentials } = await createAudioRig(t)
    const message = 'Authentication required. Provide apiKey, packageName, and userId.'
    const expected = { status: 401, body: { success: false, message } }
    assert.deepEqual(await errorOf(await audio({})), expected)
    for (const missing of ['apiKey', 'packageName', 'userId'] as const) {
      const { [missing]: _, ...rest } = { ...credentials, apiKey: 'wrong', packageName: 'wrong' }
      assert.deepEqual(await errorOf(await audio(rest)), expected, missing)
      assert.deepEqual(await errorOf(await audio({ ...rest, [missing]: '' })), expected, `empty ${missing}`)
    }
  })

  test('RAU-11: a package that may not read audio returns 403 before its key is checked', async (t) => {
    const { audio, credentials, otherKey } = await createAudioRig(t)
    const expected = { status: 403, body: { success: false, message: 'Unauthorized package name' } }
    for (const apiKey of [otherKey, credentials.apiKey, 'wrong']) {
      const query = { ...credentials, apiKey, packageName: 'com.example.other' }
      assert.deepEqual(await errorOf(await audio(query)), expected)
    }
  })

  test('RAU-12: a key of another package returns 401 before the user is looked up', async (t) => {
    const { audio, credentials, otherKey } = await createAudioRig(t)
    const expected = { status: 401, body: { success: false, message: 'Invalid API key.' } }
    for (const apiKey of [otherKey, 'wrong', `${credentials.apiKey}x`])
      assert.deepEqual(
        await errorOf(await audio({ ...credentials, apiKey, userId: 'eve@example.org' })),
        expected,
      )
  })

  test('RAU-13: the user in the path must match the user in the query', async (t) => {
    const { cloud, audio, credentials } = await createAudioRig(t)
    const { sendAudio } = await connectGlasses(t, cloud)
    await sendAudio(new Uint8Array(640))
    const error = 'userId must be the same in the path and in the query'
    const expected = { status: 400, body: { error } }
    assert.deepEqual(await errorOf(await audio({ ...credentials, userId: 'eve@example.org' })), expected)
    assert.deepEqual(await errorOf(await audio(credentials, 'eve@example.org')), expected)
  })

  test('AUTH-26: a user whose address has a plus', async (t) => {
    const { cloud, credentials } = await createAudioRig(t)
    const email = 'you+tag@example.org'
    await connectGlasses(t, cloud, email)
    const { apiKey, packageName } = credentials
    for (const [path, query] of [
      [email, email],
      ['you%2Btag@example.org', email],
      ['you%20tag@example.org', 'you%2Btag%40example.org'],
    ]) {
      const url = `/api/audio/${path}?apiKey=${apiKey}&packageName=${packageName}&userId=${query}`
      const { status, body } = await cloud.request('GET', url)
      assert.deepEqual([status, body], [404, { error: 'No audio available' }])
    }
  })

  test('RAU-14: an unknown user, and one without a session', async (t) => {
    const { cloud, audio, credentials } = await createAudioRig(t)
    const expected = { status: 404, body: { error: 'Session not found' } }
    assert.deepEqual(await errorOf(await audio(credentials)), expected)
    await cloud.token(userEmail)
    assert.deepEqual(await errorOf(await audio(credentials)), expected)
    const odd = { ...credentials, userId: 'no address' }
    assert.deepEqual(await errorOf(await audio(odd, 'no address')), expected)
  })

  test('RAU-15: a session without audio returns 404; one with undecodable audio another 404', async (t) => {
    const { cloud, audio, credentials } = await createAudioRig(t)
    const { sessionId } = await connectGlasses(t, cloud)
    const none = { status: 404, body: { error: 'No audio available' } }
    assert.deepEqual(await errorOf(await audio(credentials)), none)
    const { sessions } = cloud.cloud
    assert.ok(sessions instanceof Sessions)
    const session = sessions.byUserSessionId(sessionId)?.session
    const peer = new RecordingPeer()
    session?.attachGlasses(peer)
    session?.handleUndecodableAudio(new RecordingPeer('replaced'))
    assert.deepEqual(await errorOf(await audio(credentials)), none)
    session?.handleUndecodableAudio(peer)
    const undecodable = { status: 404, body: { error: 'No decodable audio available' } }
    assert.deepEqual(await errorOf(await audio(credentials)), undecodable)
  })

  test('RAU-16: a failure returns 500 Error fetching audio', async (t) => {
    const { cloud, audio, credentials } = await createAudioRig(t)
    const { sessions } = cloud.cloud
    t.mock.method(sessions, 'find', async () => {
      throw new Error('the owner of the session is unreachable')
    })
    await cloud.token(userEmail)
    const expected = { status: 500, body: { error: 'Error fetching audio' } }
    assert.deepEqual(await errorOf(await audio(credentials)), expected)
  })

  test('RAU-17: without AUDIO_PACKAGE every package returns 403', async (t) => {
    const cloud = await startCloud(t)
    const { apiKey } = await cloud.registerApp({ packageName: audioPackage })
    const query = new URLSearchParams({ apiKey, packageName: audioPackage, userId: userEmail })
    assert.equal((await cloud.request('GET', `/api/audio/${userEmail}?${query}`)).status, 403)
  })
})
