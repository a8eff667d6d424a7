import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createClient } from '@supabase/supabase-js'
import WebSocket from 'ws'
import { eitherDatabase } from '../../src/db/testing.ts'
import { Browser } from '../support/account-browser.ts'
import { startMailServer, tokenIn } from '../support/mail-server.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { totpCode } from '../support/totp.ts'

const password = 'correct horse battery'
const newPassword = 'staple of another kind'

/** The client library of the app, as the app creates it, with its storage in memory. */
function createApp(cloud: LocalCloud) {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
  const options = { storage, autoRefreshToken: false, persistSession: true, detectSessionInUrl: false }
  return createClient(cloud.url, 'any key', { auth: options }).auth
}

const exchange = (cloud: LocalCloud, supabaseToken: unknown) =>
  cloud.request<Record<string, unknown>>('POST', '/auth/exchange-token', { body: { supabaseToken } })

/** @returns the type of the first message of the cloud */
async function wearGlasses(cloud: LocalCloud, token: unknown): Promise<unknown> {
  const socket = new WebSocket(`${cloud.wsUrl}/glasses-ws`, {
    headers: { authorization: `Bearer ${String(token)}` },
  })
  try {
    return await new Promise((resolve, reject) => {
      socket.on('error', reject)
      socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init' })))
      socket.on('message', (data) => resolve(JSON.parse(String(data)).type))
    })
  } finally {
    socket.close()
  }
}

eitherDatabase((database) => {
  describe('Supabase Auth', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let mails: Awaited<ReturnType<typeof startMailServer>>
    before(async () => {
      mails = await startMailServer(scope)
      cloud = await startCloud(scope, { database, env: { SMTP_URL: mails.url } })
      await new Browser(cloud).signUp('first@example.com', password)
    })

    /** Signs up with the library. */
    const signUp = async (email: string) => {
      const app = createApp(cloud)
      const { data, error } = await app.signUp({ email, password })
      assert.equal(error, null)
      assert.ok(data.session)
      return { app, session: data.session }
    }

    test('SUP-1 SUP-9: sign-up, user, token exchange, glasses', async () => {
      const { app, session } = await signUp('ada@example.com')
      const { data } = await app.getUser()
      assert.equal(data.user?.email, 'ada@example.com')
      assert.equal(data.user?.identities?.length, 1)
      const { status, body } = await exchange(cloud, session.access_token)
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body), ['coreToken', 'expiresIn'])
      assert.equal(await wearGlasses(cloud, body.coreToken), 'connection_ack')
      assert.equal((await app.refreshSession()).error, null)
      const { body: glasses } = await cloud.request<{ token: string }>('POST', '/api/auth/glasses-token', {
        token: session.access_token,
      })
      assert.equal((await exchange(cloud, glasses.token)).status, 401)
      assert.equal((await exchange(cloud, 'of another issuer')).status, 501)
    })

    test('SUP-2 SUP-4: wrong passwords, up to the limit of all sign-ins', async () => {
      await signUp('guessed@example.com')
      const app = createApp(cloud)
      const guess = () => app.signInWithPassword({ email: 'guessed@example.com', password: 'wrong' })
      const { error } = await guess()
      assert.deepEqual([error?.code, error?.status], ['invalid_credentials', 401])
      const browser = new Browser(cloud)
      for (let n = 1; n < 10; n += 1) await browser.signIn('guessed@example.com', 'wrong')
      assert.equal((await guess()).error?.code, 'over_request_rate_limit')
    })

    test('SUP-3: weak passwords, addresses with an account', async () => {
      const app = createApp(cloud)
      for (const weak of ['short', 'password123'])
        assert.equal(
          (await app.signUp({ email: 'weak@example.com', password: weak })).error?.code,
          'weak_password',
        )
      const { error } = await app.signUp({ email: 'first@example.com', password })
      assert.equal(error?.code, 'user_already_exists')
    })

    test('SUP-4: an account with a second factor', async () => {
      const browser = new Browser(cloud)
      await browser.signUp('careful@example.com', password)
      const { body } = await browser.request<{ totpURI: string }>('POST', '/api/auth/two-factor/enable', {
        password,
      })
      const code = totpCode(new URL(body.totpURI).searchParams.get('secret') ?? '')
      assert.equal((await browser.request('POST', '/api/auth/two-factor/verify-totp', { code })).status, 200)
      const app = createApp(cloud)
      const signIn = (of: string) => app.signInWithPassword({ email: 'careful@example.com', password: of })
      assert.equal((await signIn(password)).error?.code, 'insufficient_aal')
      assert.equal((await signIn('wrong')).error?.code, 'invalid_credentials')
      assert.equal((await app.getSession()).data.session, null)
    })

    test('SUP-5: refresh tokens, and the list of logins', async () => {
      const { app, session } = await signUp('refresh@example.com')
      const [first] = [session.refresh_token]
      for (let n = 0; n < 2; n += 1) assert.equal((await app.refreshSession()).error, null)
      const token = (await app.getSession()).data.session?.access_token
      const list = await cloud.request<{ logins: { id: string; isCurrent: boolean }[] }>(
        'GET',
        '/api/auth/logins',
        { token },
      )
      assert.deepEqual(
        list.body.logins.map(({ isCurrent }) => isCurrent),
        [true],
      )
      const thief = createApp(cloud)
      const { error } = await thief.refreshSession({ refresh_token: first })
      assert.equal(error?.code, 'refresh_token_already_used')
      assert.equal((await app.refreshSession()).error?.code, 'refresh_token_not_found')
      assert.equal((await app.getUser()).data.user, null)
      assert.equal((await app.getSession()).data.session, null, 'the library forgets the session')
      assert.equal((await exchange(cloud, token)).status, 401)
    })

    test('SUP-6: changes of the password, and of other things', async () => {
      const { app } = await signUp('changed@example.com')
      const change = async (current_password?: string) =>
        (await app.updateUser({ password: newPassword, ...(current_password && { current_password }) })).error
          ?.code
      assert.equal(await change(), 'reauthentication_needed')
      assert.equal(await change('wrong'), 'invalid_credentials')
      assert.equal((await app.updateUser({ email: 'new@example.com' })).error?.code, 'validation_failed')
      assert.equal(await change(password), undefined)
      assert.equal((await app.getUser()).data.user, null)
      const signIn = (of: string) => app.signInWithPassword({ email: 'changed@example.com', password: of })
      assert.equal((await signIn(password)).error?.code, 'invalid_credentials')
      assert.equal((await signIn(newPassword)).error, null)
    })

    test('SUP-2 SUP-4 SUP-5: a suspended account, until it is admitted again', async () => {
      const email = 'suspended@example.com'
      const { app, session } = await signUp(email)
      const { users } = cloud.operator
      const user = await users.findByEmail(email)
      const suspend = async (at: number | null) =>
        void (await users.setSuspended(String(user?.id), at, Date.now()))
      const signIn = async () => (await createApp(cloud).signInWithPassword({ email, password })).error?.code
      /** With a copy of the session, which the library would forget. */
      const refresh = async () =>
        (await createApp(cloud).refreshSession({ refresh_token: session.refresh_token })).error?.code
      const getUser = async () => (await createApp(cloud).getUser(session.access_token)).data.user?.email
      await suspend(Date.now())
      assert.equal(await signIn(), 'user_banned')
      assert.equal(await refresh(), 'refresh_token_not_found')
      assert.equal(await getUser(), undefined)
      assert.equal((await exchange(cloud, session.access_token)).status, 401)
      await assert.rejects(wearGlasses(cloud, session.access_token), /401/)
      const change = { password: newPassword, current_password: password }
      assert.ok((await app.updateUser(change)).error)
      assert.ok((await app.signUp({ email, password })).error)
      await suspend(null)
      assert.equal(await signIn(), undefined)
      assert.equal(await getUser(), email)
      assert.equal(await refresh(), undefined)
    })

    test('SUP-7: signing out here, elsewhere and everywhere', async () => {
      const email = 'out@example.com'
      await signUp(email)
      const apps = [createApp(cloud), createApp(cloud), createApp(cloud)] as const
      for (const app of apps) assert.equal((await app.signInWithPassword({ email, password })).error, null)
      const isSignedIn = async () =>
        Promise.all(apps.map(async (app) => (await app.getUser()).data.user !== null))
      assert.equal((await apps[0].signOut({ scope: 'local' })).error, null)
      assert.deepEqual(await isSignedIn(), [false, true, true])
      assert.equal((await apps[1].signOut({ scope: 'others' })).error, null)
      assert.deepEqual(await isSignedIn(), [false, true, false])
      await apps[0].signInWithPassword({ email, password })
      assert.equal((await apps[1].signOut()).error, null)
      assert.deepEqual(await isSignedIn(), [false, false, false])
    })

    test('SUP-8: a new password by mail', async () => {
      const { app } = await signUp('forgot@example.com')
      const redirectTo = 'https://elsewhere.example.org/reset-password'
      assert.equal((await app.resetPasswordForEmail('nobody@example.com', { redirectTo })).error, null)
      assert.equal((await app.resetPasswordForEmail('forgot@example.com', { redirectTo })).error, null)
      const mail = await mails.next('forgot@example.com')
      assert.ok(mail.text.includes(`${cloud.url}/reset-password#token=`))
      assert.doesNotMatch(mail.text, /elsewhere/)
      const body = { token: tokenIn(mail), newPassword }
      assert.equal((await cloud.request('POST', '/api/auth/reset-password', { body })).status, 200)
      assert.equal((await app.refreshSession()).error?.code, 'refresh_token_not_found')
      const { error } = await app.signInWithPassword({ email: 'forgot@example.com', password: newPassword })
      assert.equal(error, null)
    })
  })

  test('SUP-3 SUP-4 SUP-8: addresses that must be confirmed, and are taken', async (t) => {
    const mails = await startMailServer(t)
    const env = { SMTP_URL: mails.url, EMAIL_VERIFICATION: 'true' }
    const cloud = await startCloud(t, { database, env })
    await new Browser(cloud).signUp('first@example.com', password)
    const app = createApp(cloud)
    const email = 'new@example.com'
    const created = await app.signUp({ email, password })
    const taken = await app.signUp({ email: 'first@example.com', password })
    for (const { data, error } of [created, taken]) {
      assert.deepEqual([error, data.session, data.user?.identities?.length], [null, null, 1])
    }
    assert.deepEqual(Object.keys(created.data.user ?? {}), Object.keys(taken.data.user ?? {}))
    await mails.next(email)
    assert.equal((await app.resend({ type: 'signup', email })).error, null)
    const token = tokenIn(await mails.next(email))
    assert.equal((await app.signInWithPassword({ email, password })).error?.code, 'email_not_confirmed')
    const body = { token, newPassword }
    assert.equal((await cloud.request('POST', '/api/auth/verify-email', { body })).status, 200)
    assert.equal((await app.signInWithPassword({ email, password: newPassword })).error, null)
  })

  test('SUP-3: a new cloud, and one without sign-up', async (t) => {
    const cloud = await startCloud(t, { database, env: { SIGN_UP: 'invite' } })
    const signUp = async (email: string) => (await createApp(cloud).signUp({ email, password })).error?.code
    assert.equal(await signUp('first@example.com'), 'signup_disabled')
    await new Browser(cloud).signUp('first@example.com', password)
    assert.equal(await signUp('second@example.com'), 'signup_disabled')
  })
})
