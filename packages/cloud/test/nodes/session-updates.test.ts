import assert from 'node:assert/strict'
import { once } from 'node:events'
import { before, describe, test } from 'node:test'
import { eachDatabase } from '../../src/db/testing.ts'
import { connectGlasses, PhotoApp } from '../support/photo-app.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const TIMEOUT_MS = 20_000

eachDatabase((database) => {
  describe('changes by another process', () => {
    const scope = suiteScope()
    /** The node that hosts the sessions, and another process on its database. */
    let host: LocalCloud
    let other: LocalCloud

    before(async () => {
      host = await startCloud(scope, { database })
      other = await startCloud(scope, { env: { ...host.env, PORT: '0' } })
    })

    test('SHARE-1 PRM-24: permissions edited by the command line, and edited and accepted on another node', async (t) => {
      const token = await host.token('wearer@example.com')
      await connectGlasses(t, host, token)
      const app = await PhotoApp.run(t, host, token, 'app.photos')
      let requests = 0
      const request = async () => {
        const id = `r${requests++}`
        app.requestPhoto(id)
        return (await app.waitForDelivery(id)).photo ? 'photo' : 'denied'
      }
      // The app is not told of its new permissions. The pause keeps its requests below the limit of its socket.
      const outcome = (expected: string) => waitFor(expected, async () => (await request()) === expected)
      assert.equal(await request(), 'photo')
      const manifest = {
        packageName: 'app.photos',
        name: 'A',
        publicUrl: app.url,
        developerId: 'me@example.com',
      }
      await host.operator.apps.register({ ...manifest, permissions: [] }, 1)
      await outcome('denied')
      const permissions = { permissions: [{ type: 'ALL' }] }
      const developer = await other.token('me@example.com')
      const path = '/api/permissions/app.photos'
      assert.equal((await other.request('PATCH', path, { token: developer, body: permissions })).status, 200)
      const accept = '/api/apps/app.photos/permissions/accept'
      const accepted = await other.request('POST', accept, { token, body: { permissions: ['ALL'] } })
      assert.equal(accepted.status, 200)
      await outcome('photo')
    })

    test('SHARE-2: a logout on another node, a suspension and a removed user end live sessions', async (t) => {
      const { users } = host.operator
      const revoked = [
        async (_id: string, token: string) => {
          assert.equal((await other.request('POST', '/api/auth/logout', { token })).status, 200)
        },
        async (id: string) => void (await users.setSuspended(id, Date.now(), Date.now())),
        async (id: string) => void (await users.remove(id, 'hash', Date.now())),
      ]
      for (const [index, revoke] of revoked.entries()) {
        const email = `u${index}@example.com`
        const token = await host.token(email)
        const glasses = await connectGlasses(t, host, token)
        const bystander = await connectGlasses(t, host, await host.token('bystander@example.com'))
        const closed = once(glasses, 'close', { signal: AbortSignal.timeout(TIMEOUT_MS) })
        const user = await users.findByEmail(email)
        assert.ok(user)
        await revoke(user.id, token)
        const [{ code }] = await closed
        assert.equal(code, 4401)
        assert.equal(bystander.isConnected, true)
      }
    })

    test('SHARE-2: a login after a logout keeps its session when the user changes again', async (t) => {
      const token = await host.token('again@example.com')
      assert.equal((await other.request('POST', '/api/auth/logout', { token })).status, 200)
      const renewed = await host.token('again@example.com')
      const glasses = await connectGlasses(t, host, renewed)
      const named = { token: renewed, body: { name: 'Again' } }
      assert.equal((await other.request('PUT', '/api/account/profile', named)).status, 200)
      // A later change, whose effect is visible, was delivered after it.
      const marker = await connectGlasses(t, host, await host.token('marker@example.com'))
      const closed = once(marker, 'close', { signal: AbortSignal.timeout(TIMEOUT_MS) })
      const { id = '' } = (await host.operator.users.findByEmail('marker@example.com')) ?? {}
      await host.operator.users.setSuspended(id, 1, 1)
      await closed
      assert.equal(glasses.isConnected, true)
    })
  })
})
