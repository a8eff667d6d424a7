import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { AdminReport, IncidentLogs } from '@glasses-cloud/contract'
import { Glasses } from '@glasses-cloud/phone'
import { eitherDatabase, type TestDatabase } from '../../src/db/testing.ts'
import { startAppServer } from '../support/app-server.ts'
import { createDeveloper, type Developer, type DeveloperBody, newPackageName } from '../support/developer.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, type TestResponse } from '../support/test-cloud.ts'
import { withTimeout } from '../support/wait-for.ts'

eitherDatabase((database: TestDatabase) => {
  describe('administration', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let root: Developer

    before(async () => {
      cloud = await startCloud(scope, { database, env: { APP_REVIEW: 'on', SYSTEM_APPS: 'system.one' } })
      root = await createDeveloper(cloud, 'root')
      await cloud.operator.users.setAdministrator(root.id, true, Date.now())
    })

    const admin = (method: string, path: string, body?: unknown, token = root.token) =>
      cloud.request<DeveloperBody>(method, `/api/admin${path}`, { token, body })
    /** The newest acts in the audit log, oldest first. */
    const acts = async (limit: number) => {
      const { body } = await admin('GET', `/audit?limit=${limit}`)
      return body.data.map(({ action, target, outcome }) => [action, target, outcome]).toReversed()
    }

    test('ADM-1: other users and personal tokens are rejected', async () => {
      const bob = await createDeveloper(cloud, 'bob')
      assert.equal((await admin('GET', '/users', undefined, bob.token)).status, 403)
      const scopes = ['apps:read', 'apps:write', 'account'] as const
      const expiresAt = Date.now() + 60_000
      const personal = await cloud.cloud.personalTokens.create({
        userId: root.id,
        name: 'x',
        scopes,
        expiresAt,
      })
      assert.equal((await admin('GET', '/users', undefined, personal?.token)).status, 401)
      await cloud.operator.users.setAdministrator(bob.id, true, Date.now())
      assert.equal((await admin('GET', '/users', undefined, bob.token)).status, 200)
      await cloud.operator.users.setAdministrator(bob.id, false, Date.now())
      assert.equal((await admin('GET', '/users', undefined, bob.token)).status, 403)
    })

    test('ADM-2: users are found by the beginning of their address, in pages', async () => {
      const people = [await createDeveloper(cloud, 'zoe'), await createDeveloper(cloud, 'zoe')]
      const emails = people.map(({ email }) => email).sort()
      const found = await admin('GET', '/users?q=ZOE-&limit=1')
      assert.deepEqual(
        found.body.data.map(({ email }) => email),
        [emails[0]],
      )
      const next = /<([^>]+)>/.exec(found.headers.get('link') ?? '')?.[1] ?? ''
      const rest = await cloud.request<DeveloperBody>('GET', next, { token: root.token })
      assert.deepEqual(
        rest.body.data.map(({ email }) => email),
        [emails[1]],
      )
      assert.deepEqual((await admin('GET', '/users?q=%25')).body.data, [])
      assert.deepEqual((await admin('GET', '/users?q=zoe&suspended=true')).body.data, [])
    })

    test('ADM-3 ADM-6 ADM-9: a suspended user is out at once, glasses and apps included', async (t) => {
      const bob = await createDeveloper(cloud, 'bob')
      const packageName = newPackageName()
      const server = await startAppServer(t, packageName)
      server.apiKey = await bob.create(packageName, { publicUrl: server.url, name: 'Ärzte' })
      const glasses = new Glasses({ url: cloud.url, token: bob.token, reconnect: false })
      t.after(() => glasses.disconnect())
      await glasses.connect()
      await cloud.request('POST', `/api/apps/${packageName}/start`, { token: bob.token })
      glasses.putOn('Mentra Live')
      const find = async (q: string) => {
        const { body } = await admin('GET', `/sessions?q=${encodeURIComponent(q)}`)
        return body.data.find(({ userId }) => userId === bob.id)
      }
      while ((await find('mentra L')) === undefined) await glasses.api.listApps()
      const { name: node } = cloud.cloud.config.node
      for (const q of [bob.email.slice(1), packageName.toUpperCase(), node.slice(1), 'Ärz'])
        assert.ok(await find(q), q)
      for (const q of ['%', '_', 'Vuzix', "'"]) assert.equal(await find(q), undefined, q)
      const sessions = (await admin('GET', '/sessions')).body.data
      const session = sessions.find(({ userId }) => userId === bob.id)
      assert.deepEqual([session?.email, session?.apps], [bob.email, [packageName]])
      assert.equal(session?.node, cloud.cloud.config.node.name)
      const connections = session?.connections as Record<string, unknown> | undefined
      assert.deepEqual(
        [connections?.glasses, connections?.appSockets, connections?.microphone],
        [true, 1, []],
      )
      const appClosed = new Promise<number>((resolve) => server.sockets[0]?.once('close', resolve))
      const closed = new Promise<number>((resolve) => glasses.once('close', ({ code }) => resolve(code)))
      const reason = { reason: 'Abuse' }
      assert.equal((await admin('POST', `/users/${bob.id}/suspend`, reason)).status, 200)
      assert.equal(await closed, 4401)
      await appClosed
      assert.equal((await bob.call('GET', '/apps')).status, 401)
      assert.equal((await admin('DELETE', `/sessions/${bob.id}`)).status, 404)
      const suspended = await admin('GET', `/users?q=${bob.email}&suspended=true`)
      assert.equal(suspended.body.data.length, 1)
      assert.equal((await admin('POST', `/users/${bob.id}/reinstate`)).status, 200)
      assert.equal((await bob.call('GET', '/apps')).status, 200)
      assert.deepEqual(await acts(2), [
        ['user.suspend', bob.id, 'done'],
        ['user.reinstate', bob.id, 'done'],
      ])
      const [, entry] = (await admin('GET', '/audit?limit=2')).body.data
      const suspensions = (await admin('GET', '/audit?action=user.suspend')).body.data
      assert.deepEqual([suspensions[0], suspensions.length], [entry, 1])
      assert.equal((await admin('GET', '/audit?action=nothing')).status, 400)
      assert.deepEqual(entry?.details, reason)
      assert.deepEqual([entry?.actor, entry?.actorId], [root.email, root.id])
      assert.match(String(entry?.address), /127\.0\.0\.1$/)
    })

    test('ADM-6: live sessions are listed in pages', async (t) => {
      const people = [await createDeveloper(cloud, 'ida'), await createDeveloper(cloud, 'ida')]
      for (const { token } of people) {
        const glasses = new Glasses({ url: cloud.url, token, reconnect: false })
        t.after(() => glasses.disconnect())
        await glasses.connect()
      }
      const userIds: string[] = []
      for (let next: string | undefined = '/api/admin/sessions?limit=1'; next !== undefined; ) {
        const page: TestResponse<DeveloperBody> = await cloud.request('GET', next, { token: root.token })
        const { body, headers } = page
        assert.equal(body.data.length, 1)
        userIds.push(...body.data.map(({ userId }) => String(userId)))
        next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
      }
      assert.equal(new Set(userIds).size, userIds.length)
      for (const { id } of people) assert.ok(userIds.includes(id))
    })

    test('ADM-10 ADM-11 ADM-12: nodes, sessions and checks; the stream ends with the rights of its reader', async (t) => {
      const carl = await createDeveloper(cloud, 'carl')
      await cloud.operator.users.setAdministrator(carl.id, true, Date.now())
      const response = await fetch(`${cloud.url}/api/admin/stream`, {
        headers: { authorization: `Bearer ${carl.token}` },
      })
      assert.equal(response.headers.get('content-type'), 'text/event-stream')
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      assert.ok(reader)
      let text = ''
      /** Reads until the pattern matches, or to the end. */
      const read = async (pattern?: RegExp) => {
        while (pattern === undefined || !pattern.test(text)) {
          const { value, done } = await withTimeout(30_000, reader.read(), () => `not in ${text}`)
          if (done) return
          text += value
        }
      }
      const node = `"name":"${cloud.cloud.config.node.name}","version":`
      await read(/^event: nodes\ndata: .*\n\n/m)
      assert.ok(text.includes(node), text)
      assert.ok(!text.includes(carl.email))
      const glasses = new Glasses({ url: cloud.url, token: carl.token, reconnect: false })
      t.after(() => glasses.disconnect())
      await glasses.connect()
      await read(new RegExp(`"email":"${carl.email}".*"glasses":true`))
      await cloud.operator.users.setAdministrator(carl.id, false, Date.now())
      await read()

      assert.ok(JSON.stringify((await admin('GET', '/nodes')).body.data).includes(node))
      const checks = (await admin('GET', '/checks')).body.data
      assert.deepEqual(checks.find(({ part }) => part === 'node')?.level, 'ok')
      assert.match(String(checks.find(({ part }) => part === 'database')?.text), /\d+ apps, \d+ users/)
      assert.equal((await admin('GET', '/metrics?minutes=1441')).status, 400)
    })

    test('ADM-18: events of the nodes are listed', async () => {
      const [started] = (await admin('GET', '/events')).body.data
      assert.deepEqual([started?.kind, started?.node], ['started', cloud.cloud.config.node.name])
      assert.equal((await admin('GET', '/events?minutes=0')).status, 400)
    })

    test('ADM-4 ADM-9: an administrator deletes and promotes others, not the own account', async () => {
      const bob = await createDeveloper(cloud, 'bob')
      assert.equal(
        (await admin('PUT', `/users/${bob.id}/administrator`, { isAdministrator: true })).status,
        200,
      )
      assert.equal((await admin('DELETE', `/users/${root.id}`, undefined, bob.token)).status, 200)
      assert.equal((await admin('GET', '/users')).status, 401)
      root = bob
      for (const [method, path, body] of [
        ['POST', 'suspend', {}],
        ['DELETE', '', undefined],
        ['PUT', 'administrator', { isAdministrator: false }],
      ] as const)
        assert.equal((await admin(method, `/users/${root.id}/${path}`.replace(/\/$/, ''), body)).status, 409)
      assert.equal((await admin('DELETE', '/users/nobody')).status, 404)
      const [, promoted] = (await admin('GET', '/audit?limit=2')).body.data
      assert.deepEqual(
        [promoted?.action, promoted?.target, promoted?.actor],
        ['user.promote', bob.id, undefined],
      )
    })

    test('ADM-5 ADM-9: apps in review are approved or rejected once, with notes', async () => {
      const ada = await createDeveloper(cloud, 'ada')
      const packageName = newPackageName()
      await ada.create(packageName)
      const revision = (await ada.call('GET', `/apps/${packageName}`)).body.data.revision
      const decide = (verb: string, body = {}) =>
        admin('POST', `/apps/${packageName}/${verb}`, { revision, ...body })
      assert.equal((await decide('approve')).status, 409)
      await ada.call('POST', `/apps/${packageName}/publish`)
      const inReview = (await admin('GET', '/apps')).body.data
      assert.ok(inReview.some((app) => app.packageName === packageName))
      assert.equal((await decide('reject')).status, 400)
      assert.equal((await decide('reject', { notes: 'Needs a logo' })).body.data.appStoreStatus, 'REJECTED')
      const rejected = (await ada.call('GET', `/apps/${packageName}`)).body.data
      assert.equal((rejected.review as { notes: string }).notes, 'Needs a logo')
      await ada.call('POST', `/apps/${packageName}/publish`)
      const decisions = await Promise.all([
        decide('approve'),
        decide('approve'),
        decide('reject', { notes: 'No' }),
      ])
      assert.deepEqual(decisions.map(({ status }) => status).sort(), [200, 409, 409])
      assert.equal((await admin('POST', '/apps/no.such.app/approve', { revision })).status, 404)
      const log = await acts(20)
      assert.equal(
        log.filter(([, target, outcome]) => target === packageName && outcome === 'done').length,
        2,
      )
    })

    test('ADM-7: reports, incidents and system apps are listed', async () => {
      const bob = await createDeveloper(cloud, 'bob')
      const { token } = bob
      await cloud.request('POST', '/api/client/feedback', { token, body: { feedback: 'splendid' } })
      const incidents = ['a', 'b', 'c', 'd', 'e']
      for (const feedback of incidents) {
        const path = '/api/incidents'
        const reported = await cloud.request<{ incidentId: string }>('POST', path, {
          token,
          body: { feedback },
        })
        for (const message of [`first of ${feedback}`, `second of ${feedback}`]) {
          const body = { logs: [{ timestamp: 1, level: 'warn', message }] }
          const added = await cloud.request('POST', `${path}/${reported.body.incidentId}/logs`, {
            token,
            body,
          })
          assert.equal(added.status, 200)
        }
      }
      const [report] = (await admin('GET', '/reports')).body.data
      assert.deepEqual([report?.kind, report?.email], ['feedback', bob.email])
      assert.match(JSON.stringify(report?.content), /splendid/)
      const listed = (await admin('GET', '/incidents?limit=5')).body.data as unknown as AdminReport[]
      const contents = listed.map(({ content }) => content as { feedback: string; logs: IncidentLogs[] })
      assert.deepEqual(contents.map(({ feedback }) => feedback).sort(), incidents)
      for (const { feedback, logs } of contents)
        assert.deepEqual(
          logs.flatMap((batch) => batch.logs.map((line) => (line as { message: string }).message)),
          [`first of ${feedback}`, `second of ${feedback}`],
        )
      const system = (await admin('GET', '/system-apps')).body.data
      assert.deepEqual(
        system.map(({ packageName, isRegistered }) => [packageName, isRegistered]),
        [['system.one', false]],
      )
    })

    test('ADM-13: administrators, and no other users, download files of incidents', async () => {
      const bob = await createDeveloper(cloud, 'bob')
      const { token } = bob
      const report = { token, body: { feedback: 'with a picture' } }
      const { incidentId } = (await cloud.request<Record<string, unknown>>('POST', '/api/incidents', report))
        .body
      const form = new FormData()
      form.append('files', new Blob(['<script>'], { type: 'text/html' }), 'a “page”.html')
      const attached = await fetch(`${cloud.url}/api/incidents/${incidentId}/attachments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      })
      assert.equal(attached.status, 200)
      const incidents = (await admin('GET', '/incidents')).body.data
      const { content } = incidents.find(({ id }) => id === incidentId) ?? {}
      const [file] = (content as { files: { id: string; filename: string }[] }).files
      assert.equal(file?.filename, 'a “page”.html')
      const path = `/incidents/${incidentId}/attachments/${file.id}`
      const { status, headers } = await admin('GET', path)
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'application/octet-stream')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(
        headers.get('content-disposition'),
        `attachment; filename*=UTF-8''a%20%E2%80%9Cpage%E2%80%9D.html`,
      )
      const download = await fetch(`${cloud.url}/api/admin${path}`, {
        headers: { authorization: `Bearer ${root.token}` },
      })
      assert.equal(await download.text(), '<script>')

      assert.equal((await admin('GET', path, undefined, token)).status, 403)
      const other = await cloud.request<Record<string, unknown>>('POST', '/api/incidents', report)
      for (const unknown of [
        `/incidents/${incidentId}/attachments/unknown`,
        `/incidents/${other.body.incidentId}/attachments/${file.id}`,
        `/incidents/unknown/attachments/${file.id}`,
        `/incidents/%00/attachments/${file.id}`,
      ])
        assert.equal((await admin('GET', unknown)).status, 404, unknown)
    })
  })
})

describe('administration: settings', () => {
  test('ADM-8: the settings in force contain no secret', async (t) => {
    const mark = 'Verborgen-8713'
    const cloud = await startCloud(t, {
      env: {
        AUTH_SECRET: `${mark} ${'x'.repeat(32)}`,
        METRICS_TOKEN: `${mark}-metrics-token`,
        SUPABASE_URL: 'https://supabase.example.org',
        SUPABASE_ANON_KEY: mark,
        SUPABASE_JWT_SECRET: `${mark} ${'y'.repeat(32)}`,
        SMTP_URL: `smtp://user:${mark}@mail.example.org:25`,
        TTS_PROVIDER: 'openai',
        TTS_API_KEY: mark,
        TTS_BASE_URL: `https://user:${mark}@speech.example.org/?key=${mark}`,
        OIDC_ISSUERS: JSON.stringify([
          { issuer: 'https://login.example.org', clientId: 'glasses', clientSecret: mark, label: 'Login' },
        ]),
        API_KEY_PACKAGES: 'trusted.app',
      },
    })
    const user = await cloud.operator.users.findOrCreate('root@example.org', Date.now())
    await cloud.operator.users.setAdministrator(user.id, true, Date.now())
    const token = cloud.cloud.tokens.issue(user)
    const { status, body } = await cloud.request('GET', '/api/admin/settings', { token })
    assert.equal(status, 200)
    const text = JSON.stringify(body)
    assert.ok(!text.includes(mark), text)
    for (const shown of ['trusted.app', 'TTS_BASE_URL', 'speech.example.org', '[set]'])
      assert.ok(text.includes(shown), `${shown} is missing in ${text}`)
  })

  test('CFG-19: the default of PUBLIC_URL is shown as the address in use', async (t) => {
    const cloud = await startCloud(t)
    const user = await cloud.operator.users.findOrCreate('root@example.org', Date.now())
    await cloud.operator.users.setAdministrator(user.id, true, Date.now())
    const token = cloud.cloud.tokens.issue(user)
    const { body } = await cloud.request<{ data: { name: string; value: string; source: string }[] }>(
      'GET',
      '/api/admin/settings',
      { token },
    )
    const shown = body.data.find(({ name }) => name === 'PUBLIC_URL')
    assert.deepEqual([shown?.value, shown?.source], [`http://localhost:${cloud.cloud.port}/`, 'default'])
  })
})
