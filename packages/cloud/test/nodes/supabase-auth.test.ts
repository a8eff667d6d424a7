import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { createClient } from '@supabase/supabase-js'
import { onPostgres } from '../../src/db/testing.ts'
import { SupabaseProject } from '../../src/identity/testing/supabase-project.ts'
import { Browser } from '../support/account-browser.ts'
import { startNodes } from '../support/local-nodes.ts'
import { redisMissing } from '../support/redis.ts'
import type { LocalCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const email = 'ada@example.com'
const password = 'correct horse battery'

/** The client library of the app at one node; sessions are passed from one to another. */
function createApp(node: LocalCloud) {
  const options = { autoRefreshToken: false, persistSession: false, detectSessionInUrl: false }
  return createClient(node.url, 'any key', { auth: options }).auth
}

describe('Supabase Auth on three nodes', { skip: redisMissing }, () => {
  onPostgres((database) => {
    // The nodes of one test at a time: PostgreSQL accepts 100 connections.
    const start = async (t: TestContext, env: Record<string, string> = {}) =>
      (await startNodes(t, database, 3, { env })) as [LocalCloud, LocalCloud, LocalCloud]

    const exchange = (node: LocalCloud, supabaseToken: string) =>
      node.request<{ coreToken: string }>('POST', '/auth/exchange-token', { body: { supabaseToken } })

    test('SUP-3 SUP-5 SUP-7: sign-up on one node, refresh on another, sign-out seen by the third', async (t) => {
      const [one, two, three] = await start(t)
      await new Browser(one).signUp('first@example.com', password)
      const { data, error } = await createApp(one).signUp({ email, password })
      assert.equal(error, null)
      assert.ok(data.session)

      const refreshed = await createApp(two).refreshSession(data.session)
      assert.equal(refreshed.error, null)
      const { access_token: token = '', refresh_token: refreshToken = '' } = refreshed.data.session ?? {}
      const addressAt = async (node: LocalCloud) => (await createApp(node).getUser(token)).data.user?.email
      assert.equal(await addressAt(three), email)
      // Each node has seen the login, so that none finds out only because it asks the database for the first time.
      for (const node of [one, two, three]) assert.equal((await exchange(node, token)).status, 200)

      const leaving = createApp(one)
      assert.equal(
        (await leaving.setSession({ access_token: token, refresh_token: refreshToken })).error,
        null,
      )
      assert.equal((await leaving.signOut({ scope: 'local' })).error, null)
      for (const node of [three, two])
        await waitFor('the sign-out', async () => (await addressAt(node)) === undefined)
      for (const node of [two, three]) {
        assert.equal((await exchange(node, token)).status, 401)
        const again = await createApp(node).refreshSession({ refresh_token: refreshToken })
        assert.equal(again.error?.code, 'refresh_token_not_found')
      }
    })

    test('SUP-5: refreshes whose responses are lost, on one node after the other', async (t) => {
      const [one, two, three] = await start(t)
      await new Browser(one).signUp('first@example.com', password)
      let { session } = (await createApp(one).signUp({ email, password })).data
      for (let n = 0; n < 3; n += 1) {
        const last = { refresh_token: session?.refresh_token ?? '' }
        const [lost, also] = await Promise.all(
          [two, three].map((node) => createApp(node).refreshSession(last)),
        )
        assert.ok(lost?.data.session && also?.data.session)
        const received = await createApp(one).refreshSession(last)
        assert.equal(received.error, null)
        session = received.data.session
      }
      assert.equal((await createApp(two).getUser(session?.access_token)).data.user?.email, email)
    })

    test('SUP-5: a refresh token that was used on one node ends the login on all', async (t) => {
      const [one, two, three] = await start(t)
      await new Browser(one).signUp('first@example.com', password)
      const { data } = await createApp(one).signUp({ email, password })
      const first = { refresh_token: data.session?.refresh_token ?? '' }
      const second = (await createApp(two).refreshSession(first)).data.session
      assert.ok(second)
      const third = (await createApp(three).refreshSession(second)).data.session
      assert.ok(third)
      assert.equal((await createApp(one).refreshSession(first)).error?.code, 'refresh_token_already_used')
      for (const node of [one, two, three])
        await waitFor('the end of the login', async () => {
          return (await createApp(node).getUser(third.access_token)).data.user === null
        })
    })

    test('AUTH-76: nodes that exchange tokens of one session at once have one login', async (t) => {
      const project = await SupabaseProject.start(t)
      const nodes = await start(t, project.env)
      const session = project.startSession()
      const user = project.addUser(email)
      const exchanged = await Promise.all(
        nodes.map(async (node) => exchange(node, await project.issue(user, session))),
      )
      for (const { status, body } of exchanged) {
        assert.equal(status, 200)
        const { body: list } = await nodes[0].request<{ logins: unknown[] }>('GET', '/api/auth/logins', {
          token: body.coreToken,
        })
        assert.equal(list.logins.length, 1)
      }
    })
  })
})
