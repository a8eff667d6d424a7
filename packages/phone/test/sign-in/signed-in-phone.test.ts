import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { closeFrames } from '@glasses-cloud/contract'
import { DeviceLogin } from '../../src/sign-in/device-login.ts'
import { SignedInPhone, type WearingState } from '../../src/sign-in/signed-in-phone.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { RecordingGlasses } from '../support/recording-glasses.ts'
import { SignInCloud } from '../support/sign-in-cloud.ts'

class MemoryStorage {
  text = ''
  async load(): Promise<string> {
    return this.text
  }
  async save(text: string): Promise<void> {
    this.text = text
  }
}

async function createRig(t: TestContext, storage = new MemoryStorage()) {
  const signIn = await SignInCloud.start(t)
  const glasses = new RecordingGlasses()
  const phone = new SignedInPhone(glasses, {
    url: signIn.cloud.url,
    clientName: 'Test glasses',
    storage,
    reconnect: { firstMs: 20, maxMs: 20 },
  })
  t.after(() => phone.stop())
  return { signIn, glasses, phone, storage, cloud: signIn.cloud }
}

/** Waits for a state, including the present one. */
async function waitForState<Kind extends WearingState['kind']>(
  phone: SignedInPhone,
  kind: Kind,
): Promise<WearingState & { kind: Kind }> {
  const signal = AbortSignal.timeout(30_000)
  while (phone.state.kind !== kind) await once(phone, 'state', { signal })
  return phone.state as WearingState & { kind: Kind }
}

async function waitFor(what: string, check: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!check()) {
    if (Date.now() > deadline) throw new Error(`${what} did not happen`)
    await setTimeout(10)
  }
}

async function signedIn(t: TestContext) {
  const rig = await createRig(t)
  rig.signIn.decision = 'approved'
  rig.phone.start()
  await waitForState(rig.phone, 'worn')
  return rig
}

describe('glasses that sign in by themselves', () => {
  test('EHB-30: the code is shown until it is approved, then the glasses are worn', async (t) => {
    const { signIn, phone, glasses, cloud, storage } = await createRig(t)
    phone.start()
    const { userCode, address } = await waitForState(phone, 'code')
    assert.deepEqual([userCode, address], ['CODE-1', 'https://cloud.example/device'])
    await glasses.waitForLines((text) => text.startsWith('Code: CODE-1\ncloud.example/device'))
    const polls = () => signIn.requests.filter((path) => path === '/api/auth/device/token').length
    await waitFor('two polls', () => polls() >= 2)
    assert.equal(phone.state.kind, 'code')
    signIn.decision = 'approved'
    await waitForState(phone, 'worn')
    const { request } = await cloud.connection(0)
    assert.equal(new URL(request.url ?? '', 'http://x').searchParams.get('token'), 'core1')
    assert.equal(JSON.parse(storage.text).refreshToken, 'refresh1')
  })

  test('EHB-31: at the next start the stored login is used; an old token of it is renewed first', async (t) => {
    const { phone, storage } = await signedIn(t)
    await phone.stop()
    const again = await createRig(t, storage)
    again.phone.start()
    await waitForState(again.phone, 'worn')
    assert.deepEqual(again.signIn.requests, [])
    await again.phone.stop()

    storage.text = JSON.stringify({ ...JSON.parse(storage.text), renewAt: Date.now() - 1 })
    const later = await createRig(t, storage)
    later.phone.start()
    await waitForState(later.phone, 'worn')
    assert.deepEqual(later.signIn.requests, ['/api/auth/refresh'])
    const { coreToken, refreshToken, renewAt } = JSON.parse(storage.text)
    assert.deepEqual([coreToken, refreshToken], ['core1+', 'refresh1+'])
    assert.ok(renewAt > Date.now() + 11 * 3_600_000)
  })

  test('EHB-31: a storage with anything else is like an empty one', async (t) => {
    for (const text of ['x', 'null', '{}', '{"coreToken":1}']) {
      const storage = new MemoryStorage()
      storage.text = text
      const { phone } = await createRig(t, storage)
      phone.start()
      await waitForState(phone, 'code')
    }
  })

  test('EHB-32: a login that ends while the glasses are worn leads back to a code', async (t) => {
    const { signIn, phone, cloud, storage, glasses } = await signedIn(t)
    signIn.endLogin()
    const { code, reason } = closeFrames.LOGGED_OUT
    ;(await cloud.connection(0)).socket.close(code, reason)
    await waitForState(phone, 'code')
    assert.equal(storage.text, '')
    await glasses.waitForLines((text) => text.startsWith('Code: CODE-2'))
    signIn.acceptLogin()
    await waitForState(phone, 'worn')
  })

  test('EHB-32: so does a login that ended while the cloud could not be reached', async (t) => {
    const { signIn, phone, cloud, storage } = await signedIn(t)
    signIn.endLogin()
    ;(await cloud.connection(0)).socket.terminate()
    await waitForState(phone, 'code')
    assert.equal(storage.text, '')
  })

  test('EHB-33: a loss of the connection alone changes neither login nor storage', async (t) => {
    const { signIn, phone, cloud, storage } = await signedIn(t)
    const { text } = storage
    ;(await cloud.connection(0)).socket.terminate()
    await waitForState(phone, 'connecting')
    await waitForState(phone, 'worn')
    assert.equal(cloud.connections.length, 2)
    assert.equal(storage.text, text)
    assert.equal(signIn.requests.filter((path) => path === '/api/auth/device').length, 1)
  })

  test('EHB-33: a token that is no longer accepted is renewed, and the glasses are worn with the new one', async (t) => {
    const { signIn, phone, cloud } = await signedIn(t)
    signIn.coreToken = 'core2'
    cloud.options = { ...cloud.options, reject: { status: 401, body: 'no' } }
    ;(await cloud.connection(0)).socket.terminate()
    await once(phone, 'phone', { signal: AbortSignal.timeout(30_000) })
    const { reject: _, ...options } = cloud.options
    cloud.options = options
    await waitForState(phone, 'worn')
    const { request } = await cloud.connection(1)
    assert.match(request.url ?? '', /token=core2%2B/)
  })

  test('EHB-33: checks at the same time renew the login once, with a refresh token that is valid once', async () => {
    const storage = new MemoryStorage()
    storage.text = JSON.stringify({ coreToken: 'core1', refreshToken: 'refresh1', renewAt: Number.MAX_VALUE })
    let refreshToken = 'refresh1'
    const login = new DeviceLogin({
      storage,
      clock: new ManualClock(),
      post: async (_, body, token) => {
        if (token !== undefined) return { status: token === 'core1' ? 401 : 200, body: {} }
        if (!('refreshToken' in body) || body.refreshToken !== refreshToken) return { status: 401, body: {} }
        refreshToken = 'refresh2'
        return { status: 200, body: { coreToken: 'core2', refreshToken, expiresIn: 60 } }
      },
    })
    assert.equal(await login.token(), 'core1')
    assert.deepEqual(await Promise.all([login.check(), login.check()]), [false, false])
    assert.equal(await login.token(), 'core2')
    assert.equal(await login.check(), true)
  })

  test('EHB-33: a renewal without a response of the cloud changes nothing, and is repeated', async () => {
    const storage = new MemoryStorage()
    storage.text = JSON.stringify({ coreToken: 'core1', refreshToken: 'refresh1', renewAt: 0 })
    const { text } = storage
    const answers = [
      async () => Promise.reject(new Error('The cloud cannot be reached.')),
      // The page of a network where people have to sign in first.
      async () => ({ status: 200, body: {} }),
      async () => ({ status: 200, body: { coreToken: 'core2', refreshToken: 'refresh2', expiresIn: 60 } }),
    ]
    const sent: object[] = []
    const login = new DeviceLogin({
      storage,
      clock: new ManualClock(),
      post: async (_, body) => {
        sent.push(body)
        return (await answers.shift()?.()) ?? { status: 500, body: {} }
      },
    })
    for (let n = 0; n < 2; n += 1) {
      await assert.rejects(login.token())
      assert.equal(storage.text, text)
    }
    assert.equal(await login.token(), 'core2')
    assert.deepEqual(sent, Array(3).fill({ refreshToken: 'refresh1' }))
  })

  test('after other glasses took over, a tap wears these again', async (t) => {
    const { phone, cloud, glasses } = await signedIn(t)
    const { code, reason } = closeFrames.GLASSES_REPLACED
    ;(await cloud.connection(0)).socket.close(code, reason)
    assert.match((await waitForState(phone, 'paused')).reason, /other glasses/)
    await glasses.waitForLines((text) => text.includes('glasses'))
    glasses.events.gesture({ name: 'double_tap' })
    assert.equal(phone.state.kind, 'paused')
    glasses.events.gesture({ name: 'single_tap' })
    await waitForState(phone, 'worn')
    assert.equal(cloud.connections.length, 2)
  })

  test('EHB-35: a denied sign-in waits for a tap before it shows a new code', async (t) => {
    const { signIn, phone, glasses } = await createRig(t)
    signIn.decision = 'access_denied'
    phone.start()
    assert.match((await waitForState(phone, 'paused')).reason, /denied/)
    await glasses.waitForLines((text) => text.includes('denied'))
    signIn.decision = 'authorization_pending'
    glasses.events.gesture({ name: 'single_tap' })
    assert.equal((await waitForState(phone, 'code')).userCode, 'CODE-2')
  })

  test('EHB-35: a code that expired is replaced', async (t) => {
    const { signIn, phone } = await createRig(t)
    signIn.decision = 'expired_token'
    phone.start()
    const signal = AbortSignal.timeout(30_000)
    await waitForState(phone, 'code')
    while (phone.state.kind !== 'code' || phone.state.userCode === 'CODE-1')
      await once(phone, 'state', { signal })
    signIn.decision = 'approved'
    await waitForState(phone, 'worn')
  })

  test('EHB-36: failures are said in words on page and lens, and repeated at growing intervals or by a tap', async (t) => {
    const clock = new ManualClock()
    const glasses = new RecordingGlasses()
    let attempts = 0
    const phone = new SignedInPhone(glasses, {
      url: 'http://127.0.0.1:9',
      clientName: 'Test glasses',
      storage: new MemoryStorage(),
      clock,
      random: () => 0,
      post: async () => {
        attempts += 1
        throw new Error('The cloud cannot be reached.')
      },
    })
    t.after(() => phone.stop())
    phone.start()
    await clock.advance(4_900)
    assert.deepEqual(phone.state, { kind: 'failed', reason: 'The cloud cannot be reached.' })
    assert.equal(glasses.lines[0], 'The cloud cannot be')
    assert.equal(attempts, 1)
    await clock.advance(200)
    assert.equal(attempts, 2)
    glasses.events.gesture({ name: 'single_tap' })
    await clock.advance(1)
    assert.equal(attempts, 3)
    await clock.advance(3_600_000)
    assert.ok(attempts > 60 && attempts < 70, `${attempts}`)
  })

  test('EHB-30: the cloud is asked as often as it allows, also after it was out of reach', async () => {
    const clock = new ManualClock()
    const polls: number[] = []
    const answers = ['authorization_pending', 'slow_down', undefined, 'approved']
    const login = new DeviceLogin({
      clock,
      storage: new MemoryStorage(),
      post: async (path) => {
        if (path === '/api/auth/device')
          return { status: 200, body: { user_code: 'C', expires_in: 600, interval: 5 } }
        polls.push(clock.now() - startedAt)
        const answer = answers.shift()
        if (answer === undefined) throw new Error('The cloud cannot be reached.')
        if (answer !== 'approved') return { status: 400, body: { error: answer } }
        return { status: 200, body: { access_token: 'core', refresh_token: 'refresh', expires_in: 600 } }
      },
    })
    const startedAt = clock.now()
    const done = login.signIn('Test glasses', () => {}, new AbortController().signal)
    await clock.during(done, 31_000)
    assert.deepEqual(polls, [5_000, 10_000, 20_000, 30_000])
    assert.equal(await login.token(), 'core')
  })

  test('EHB-36: too many sign-ins and glasses that cannot be reached have sentences of their own', async (t) => {
    const { signIn, phone } = await createRig(t)
    signIn.startStatus = 429
    phone.start()
    assert.match((await waitForState(phone, 'failed')).reason, /Too many sign-ins.*Wait/)

    const far = await createRig(t)
    far.glasses.problem = new Error('The glasses show no page.')
    far.phone.start()
    assert.equal((await waitForState(far.phone, 'failed')).reason, 'The glasses show no page.')
    far.glasses.problem = undefined
    far.phone.resume()
    await waitForState(far.phone, 'code')
  })

  test('EHB-37: signing out ends the login at the cloud, empties the storage and shows a new code', async (t) => {
    const { signIn, phone, storage } = await signedIn(t)
    await phone.signOut()
    await waitForState(phone, 'code')
    assert.ok(signIn.requests.includes('/api/auth/logout') && signIn.isLoginEnded)
    assert.equal(storage.text, '')
  })
})
