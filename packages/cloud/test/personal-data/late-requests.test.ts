import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { deleteAccount, me } from '../support/deletion-client.ts'
import { createDeveloper, type Developer, newPackageName } from '../support/developer.ts'
import { recentToken } from '../support/recent-token.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { findOccurrences } from '../support/user-data.ts'

/** What a request names: an app and an organization of the user. */
interface Own {
  readonly packageName: string
  readonly org: string
}

interface Late {
  readonly path: (own: Own) => string
  readonly body: (own: Own) => object
}

const newApp = () => ({ packageName: newPackageName(), name: 'Late', publicUrl: 'https://late.example.org' })

/** Requests of a user that add something. */
const LATE: Readonly<Record<string, Late>> = {
  app: { path: () => '/api/console/apps', body: newApp },
  published: {
    path: () => '/api/console/apps',
    body: () => ({ ...newApp(), appStoreStatus: 'PUBLISHED' }),
  },
  appOfOrganization: { path: ({ org }) => `/api/console/apps?orgId=${org}`, body: newApp },
  key: { path: ({ packageName }) => `/api/console/apps/${packageName}/keys`, body: () => ({}) },
  publication: { path: ({ packageName }) => `/api/console/apps/${packageName}/publish`, body: () => ({}) },
  move: {
    path: ({ packageName }) => `/api/console/apps/${packageName}/move`,
    body: () => ({ orgId: null }),
  },
  organization: { path: () => '/api/console/orgs', body: () => ({ name: 'Late', slug: 'late' }) },
  personalToken: { path: () => '/api/auth/tokens', body: () => ({ name: 'late', scopes: ['apps:read'] }) },
  export: { path: () => '/api/account/request-export', body: () => ({ format: 'json' }) },
  settings: { path: () => '/api/account/privacy', body: () => ({ allowDataCollection: true }) },
}

/** Sends the head of a request, which authenticates it. The returned function sends the body. */
async function begin(cloud: LocalCloud, token: string, path: string, body: object) {
  const request = httpRequest(cloud.url + path, {
    method: path === '/api/account/privacy' ? 'PUT' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  const text = JSON.stringify(body)
  request.write(text.slice(0, 1))
  const [socket] = (await once(request, 'socket')) as [Socket]
  if (socket.connecting) await once(socket, 'connect')
  // A later request has been authenticated, so this one has been too.
  assert.equal((await me(cloud, token)).status, 200)
  return async () => {
    const response = once(request, 'response') as Promise<[IncomingMessage]>
    request.end(text.slice(1))
    const [message] = await response
    message.resume()
    return message.statusCode
  }
}

/** What nobody owns, but an owner made: keys and published apps, and organizations. */
async function leftovers({ cloud: { db } }: LocalCloud) {
  const keys = await db.selectFrom('api_keys').select('key_id').execute()
  const published = await db
    .selectFrom('apps')
    .select('package_name')
    .where('app_store_status', '!=', 'DEVELOPMENT')
    .execute()
  const organizations = await db.selectFrom('organizations').select('slug').execute()
  return { keys: keys.length, published: published.length, organizations: organizations.length }
}

/** Creates a developer with an app and an organization. */
async function createOwner(cloud: LocalCloud): Promise<{ developer: Developer; token: string; own: Own }> {
  const developer = await createDeveloper(cloud, 'owner')
  const own = { packageName: newPackageName(), org: `own-${developer.id}` }
  await developer.create(own.packageName)
  const { status } = await developer.call('POST', '/orgs', { name: 'Own', slug: own.org })
  assert.equal(status, 200)
  // New personal tokens need a recent sign-in.
  return { developer, token: await recentToken(cloud, developer.email), own }
}

describe('requests that began before the deletion of the account', () => {
  eitherDatabase((database) => {
    test('DEL-15: leave nothing behind when they end after the deletion', async (t) => {
      const cloud = await startCloud(t, { database })
      for (const [name, { path, body }] of Object.entries(LATE)) {
        const { developer, token, own } = await createOwner(cloud)
        const finish = await begin(cloud, token, path(own), body(own))
        assert.equal((await deleteAccount(cloud, developer.token)).status, 200)
        const status = await finish()
        assert.deepEqual(await leftovers(cloud), { keys: 0, published: 0, organizations: 0 }, name)
        assert.deepEqual(await findOccurrences(cloud.cloud, [developer.id, developer.email]), [], name)
        assert.notEqual(status, 200, name)
      }
    })

    test('DEL-15: are refused with 401 while the account is being deleted', async (t) => {
      const cloud = await startCloud(t, { database })
      // The ownership has not ended yet, so that only the lock of the user refuses.
      const [first] = cloud.cloud.features.personalData.deletionSteps
      assert.ok(first)
      const run = first.run.bind(first)
      const statuses: Record<string, number | undefined> = {}
      const begun = new Map<string, { name: string; finish: () => Promise<number | undefined> }>()
      first.run = async (user) => {
        const late = begun.get(user.id)
        begun.delete(user.id)
        if (late !== undefined) statuses[late.name] = await late.finish()
        await run(user)
      }
      for (const [name, { path, body }] of Object.entries(LATE)) {
        const { developer, token, own } = await createOwner(cloud)
        const finish = await begin(cloud, token, path(own), body(own))
        begun.set(developer.id, { name, finish })
        assert.equal((await deleteAccount(cloud, developer.token)).status, 200)
        assert.deepEqual(await leftovers(cloud), { keys: 0, published: 0, organizations: 0 }, name)
        assert.deepEqual(await findOccurrences(cloud.cloud, [developer.id, developer.email]), [], name)
      }
      // Settings are deleted with the row of the user.
      const { settings, ...others } = statuses
      assert.equal(settings, 200)
      for (const [name, status] of Object.entries(others)) assert.equal(status, 401, name)
    })
  })
})
