import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { AUDIT_ACTIONS, type AuditAction } from '@glasses-cloud/contract'
import { sql } from 'kysely'
import { eitherDatabase, type TestDatabase } from '../../src/db/testing.ts'
import { AuditStore } from '../../src/features/audit/index.ts'
import { urlsOf } from '../../src/http/endpoint.ts'
import { cli } from '../support/cli.ts'
import { createDeveloper, type Developer, type DeveloperBody, newPackageName } from '../support/developer.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, testSecret } from '../support/test-cloud.ts'

eitherDatabase((database: TestDatabase) => {
  describe('the audit log', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let root: Developer

    before(async () => {
      cloud = await startCloud(scope, { database, env: { SYSTEM_APPS: 'system.one' } })
      root = await createDeveloper(cloud, 'root')
      await cloud.operator.users.setAdministrator(root.id, true, Date.now())
    })

    const send = (method: string, path: string, body?: unknown, token = root.token) =>
      cloud.request<DeveloperBody>(method, path, { token, body })
    const entries = async () =>
      (await send('GET', '/api/admin/audit?limit=200')).body.data as unknown as {
        readonly id: string
        readonly actorId: string
        readonly actor?: string
        readonly action: AuditAction
        readonly target: string
        readonly details: Readonly<Record<string, unknown>>
        readonly address: string
        readonly outcome: string
      }[]
    /** Returns the entries that work leaves, oldest first. */
    const entriesOf = async (work: () => Promise<unknown>) => {
      const known = new Set((await entries()).map(({ id }) => id))
      await work()
      return (await entries()).filter(({ id }) => !known.has(id)).toReversed()
    }
    const summary = async (work: () => Promise<unknown>) =>
      (await entriesOf(work)).map(({ action, target, outcome }) => [action, target, outcome])

    test('ADM-9: every endpoint for administrators declares what it leaves in the audit log', () => {
      // An act of the command line only.
      const declared = new Set<AuditAction>(['user.confirm'])
      for (const endpoint of cloud.cloud.server.endpoints) {
        for (const action of endpoint.audited ?? []) declared.add(action)
        if (endpoint.auth.name !== 'administrator') continue
        const name = `${endpoint.method} ${urlsOf(endpoint)[0]}`
        assert.ok(endpoint.audited !== undefined, `${name} does not declare audited`)
        if (endpoint.method !== 'GET') assert.ok(endpoint.audited.length > 0, `${name} changes something`)
      }
      assert.deepEqual([...declared].sort(), [...AUDIT_ACTIONS].sort())
    })

    test('ADM-9 ADM-14: invitations to sign up', async () => {
      const path = '/api/auth/invitations'
      let id = ''
      const left = await entriesOf(async () => {
        const { status, body } = await send('POST', path, { email: 'Zoe@Example.org' })
        assert.equal(status, 200)
        id = String((body as unknown as { id: string }).id)
        assert.equal((await send('DELETE', `${path}/${id}`)).status, 200)
        assert.equal((await send('DELETE', `${path}/${id}`)).status, 404)
        assert.equal((await send('POST', path, { email: 'nobody' })).status, 400)
        assert.equal((await send('GET', path)).status, 200)
      })
      assert.deepEqual(
        left.map(({ action, target, details, actor }) => [action, target, details, actor]),
        [
          ['invitation.create', id, { email: 'zoe@example.org' }, root.email],
          ['invitation.withdraw', id, {}, root.email],
        ],
      )
    })

    test('ADM-9 ADM-14: what only administrators may do with apps', async () => {
      const packageName = newPackageName()
      const change = (fields: object, name = packageName) =>
        send('PATCH', `/api/console/apps/${name}`, fields)
      const left = await entriesOf(async () => {
        await root.create(packageName)
        assert.equal((await change({ description: 'x', featured: false })).status, 200)
        assert.equal((await change({ featured: true, appType: 'SYSTEM_DASHBOARD' })).status, 200)
        assert.equal((await change({ featured: true })).status, 200)
        assert.equal((await change({ featured: false })).status, 200)
        assert.equal((await change({ featured: 'no' })).status, 400)
        await root.create('System.One')
        const taken = {
          packageName: 'system.one',
          name: 'x',
          publicUrl: 'http://127.0.0.1:9',
          featured: true,
        }
        assert.equal((await send('POST', '/api/console/apps', taken)).status, 409)
      })
      assert.deepEqual(
        left.map(({ action, target, details }) => [action, target, details]),
        [
          ['app.administer', packageName, { featured: true, appType: 'SYSTEM_DASHBOARD' }],
          ['app.administer', packageName, { featured: false }],
          ['app.administer', 'System.One', { isReserved: true }],
        ],
      )
    })

    test('ADM-9: reports, incidents, their files and live sessions that an administrator reads', async () => {
      const bob = await createDeveloper(cloud, 'bob')
      await send('POST', '/api/client/feedback', { feedback: 'secret' }, bob.token)
      const reported = await send('POST', '/api/incidents', { feedback: 'with a file' }, bob.token)
      const { incidentId } = reported.body as unknown as { incidentId: string }
      const form = new FormData()
      form.append('files', new Blob(['x']), 'x')
      const headers = { authorization: `Bearer ${bob.token}` }
      const attached = await fetch(`${cloud.url}/api/incidents/${incidentId}/attachments`, {
        method: 'POST',
        headers,
        body: form,
      })
      assert.equal(attached.status, 200)
      const [row] = (await send('GET', '/api/admin/incidents')).body.data
      assert.ok(row)
      const { files } = row.content as { readonly files: { readonly id: string }[] }
      const file = files[0]?.id
      const left = await entriesOf(async () => {
        assert.equal((await send('GET', '/api/admin/reports')).status, 200)
        assert.equal((await send('GET', '/api/admin/incidents?limit=1')).status, 200)
        const path = `/api/admin/incidents/${incidentId}/attachments`
        assert.equal((await send('GET', `${path}/${file}`)).status, 200)
        assert.equal((await send('GET', `${path}/unknown`)).status, 404)
        assert.equal((await send('GET', '/api/admin/sessions')).status, 200)
        const stream = await fetch(`${cloud.url}/api/admin/stream?seconds=0`, {
          headers: { authorization: `Bearer ${root.token}` },
        })
        await stream.text()
      })
      assert.deepEqual(
        left.map(({ action, target }) => [action, target]),
        [
          ['report.list', ''],
          ['incident.list', ''],
          ['incident.open-file', incidentId],
          ['session.list', ''],
          ['session.follow', ''],
        ],
      )
      assert.deepEqual(left[1]?.details, { incidents: [incidentId] })
    })

    test('ADM-14: a change whose entry cannot be stored is not made', async () => {
      const bob = await createDeveloper(cloud, 'bob')
      await sql`alter table audit_log rename to hidden`.execute(cloud.cloud.db)
      try {
        assert.equal((await send('POST', `/api/admin/users/${bob.id}/suspend`, {})).status, 500)
        assert.equal((await send('POST', '/api/auth/invitations', {})).status, 500)
        assert.equal((await send('GET', '/api/admin/reports')).status, 500)
      } finally {
        await sql`alter table hidden rename to audit_log`.execute(cloud.cloud.db)
      }
      assert.equal((await cloud.operator.users.findById(bob.id))?.suspendedAt, undefined)
      const { body } = await send('GET', '/api/auth/invitations')
      assert.deepEqual((body as unknown as { invitations: unknown[] }).invitations, [])
    })

    test('ADM-9 ADM-15: entries of deleted users', async () => {
      const bob = await createDeveloper(cloud, 'bob')
      const carl = await createDeveloper(cloud, 'carl')
      await cloud.operator.users.setAdministrator(carl.id, true, Date.now())
      const left = await entriesOf(async () => {
        await send('POST', '/api/auth/invitations', { email: bob.email })
        await send('POST', `/api/admin/users/${bob.id}/suspend`, { reason: 'Bob is rude' }, carl.token)
        const other = { reason: `As rude as ${bob.email}` }
        await send('POST', `/api/admin/users/${root.id}/suspend`, other, carl.token)
        await cloud.operator.users.setSuspended(root.id, null, Date.now())
        assert.equal((await send('DELETE', `/api/admin/users/${bob.id}`)).status, 200)
        assert.equal((await send('DELETE', `/api/admin/users/${bob.id}`)).status, 404)
        assert.equal((await send('DELETE', `/api/admin/users/${carl.id}`)).status, 200)
      })
      const bobs = left[1]?.target ?? ''
      const carls = left[1]?.actorId ?? ''
      assert.match(bobs, /^deleted-[\w-]{22}$/)
      assert.notEqual(bobs, carls)
      assert.deepEqual(
        left.map(({ action, actorId, target, details, outcome }) => [
          action,
          actorId,
          target,
          details,
          outcome,
        ]),
        [
          ['invitation.create', root.id, left[0]?.target, { email: bobs }, 'done'],
          ['user.suspend', carls, bobs, {}, 'done'],
          ['user.suspend', carls, root.id, { reason: `As rude as ${bobs}` }, 'done'],
          ['user.delete', root.id, bobs, {}, 'done'],
          ['user.delete', root.id, carls, {}, 'done'],
        ],
      )
      assert.deepEqual(
        left.map(({ address }) => address === ''),
        [false, true, true, false, false],
      )
      const all = JSON.stringify(await entries())
      for (const name of [bob.id, bob.email, carl.id, carl.email]) assert.ok(!all.includes(name), name)
    })

    test('ADM-15: entries of users that were deleted before there were pseudonyms', async () => {
      const row = {
        at: 1,
        action: 'user.suspend',
        details: '{}',
        address: '192.0.2.1',
        outcome: 'done',
      } as const
      await cloud.cloud.db
        .insertInto('audit_log')
        .values([
          { ...row, id: '0', actor_id: 'gone', target: root.id },
          { ...row, id: '1', actor_id: root.id, target: 'gone' },
          { ...row, id: '2', actor_id: root.id, action: 'app.approve', target: 'gone' },
        ])
        .execute()
      await new AuditStore(cloud.cloud.db, testSecret).forgetUnknown()
      const found = (await entries()).filter(({ id }) => id.length === 1).toReversed()
      const [first] = found
      assert.match(first?.actorId ?? '', /^deleted-/)
      assert.deepEqual(
        found.map(({ actorId, target, address }) => [actorId, target, address]),
        [
          [first?.actorId, root.id, ''],
          [root.id, first?.actorId, '192.0.2.1'],
          [root.id, first?.actorId, '192.0.2.1'],
        ],
      )
    })

    test('ADM-9: administrators that the command line appoints', async () => {
      const bob = await createDeveloper(cloud, 'bob')
      const left = await summary(async () => {
        assert.equal((await cli(cloud.env, 'user', 'admin', bob.email)).code, 0)
        assert.equal((await cli(cloud.env, 'user', 'admin', bob.email, '--revoke')).code, 0)
      })
      assert.deepEqual(left, [
        ['user.promote', bob.id, 'done'],
        ['user.demote', bob.id, 'done'],
      ])
    })
  })
})
