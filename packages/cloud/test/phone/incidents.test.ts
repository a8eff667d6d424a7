import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

type Fields = Record<string, unknown>

const email = 'ada@example.com'
const MIB = 1024 * 1024
const marker = 'Zerbrochen-7351'

/** Signs a user in; returns calls that report incidents and read them back from the user's data export. */
async function signIn(cloud: LocalCloud, of = email) {
  const token = await cloud.token(of)
  const post = (path: string, body?: unknown) =>
    cloud.request<Fields>('POST', `/api/incidents${path}`, { token, body })
  const report = async (body: unknown = { feedback: marker }) => {
    const response = await post('', body)
    assert.equal(response.status, 200)
    assert.equal(response.body.success, true)
    return String(response.body.incidentId)
  }
  const attach = async (id: string, form: FormData) => {
    const response = await fetch(`${cloud.url}/api/incidents/${id}/attachments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: form,
    })
    return { status: response.status, body: (await response.json()) as Fields }
  }
  const exportIncidents = async () => {
    const { body } = await cloud.request<Fields>('POST', '/api/account/request-export', { token })
    await cloud.cloud.features.personalData.exports.idle()
    const path = `/api/account/download-export/${body.id}`
    const { sections } = (await cloud.request<{ sections: Record<string, Fields[]> }>('GET', path, { token }))
      .body
    return (sections.incidents ?? []).map(({ key, value }) => ({ key, ...(value as Fields) })) as Fields[]
  }
  return { token, post, report, attach, exportIncidents }
}

function formOf(...files: [name: string, bytes: number][]): FormData {
  const form = new FormData()
  form.append('note', 'a field')
  for (const [name, bytes] of files) form.append('files', new Blob([new Uint8Array(bytes)]), name)
  return form
}

async function blobsOf({ cloud }: LocalCloud): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of cloud.blobs.list('incidents/')) keys.push(key)
  return keys
}

describe('incidents', () => {
  eitherDatabase((database) => {
    test('PHN-62: an attachment that arrives during the sweep of another report is kept', async (t) => {
      const cloud = await startCloud(t, { database })
      const ada = await signIn(cloud)
      const { blobs } = cloud.cloud
      const list = blobs.list.bind(blobs)
      let isFirst = true
      t.mock.method(blobs, 'list', async function* (prefix: string) {
        if (isFirst && prefix.startsWith('incidents/')) {
          isFirst = false
          const id = await ada.report()
          assert.equal((await ada.attach(id, formOf(['screen.png', 10]))).status, 200)
        }
        yield* list(prefix)
      })
      await ada.report()
      assert.equal((await blobsOf(cloud)).length, 1)
    })

    test('PHN-60 PHN-61 PHN-63: an incident with logs is stored and exported, not logged', async (t) => {
      const cloud = await startCloud(t, { database, env: { LOG_LEVEL: 'trace' } })
      const ada = await signIn(cloud)
      const eve = await signIn(cloud, 'eve@example.com')
      const phoneState = { os: 'Android', note: 'a\0b' }
      const id = await ada.report({ feedback: { text: marker }, phoneState })
      const logs = [
        { timestamp: 5, level: 'error', message: `${marker} \0`, source: 'ble' },
        { timestamp: '2026-01-01T00:00:00Z', level: 'info', message: '' },
      ]
      assert.deepEqual((await ada.post(`/${id}/logs`, { source: 'phone', logs })).body, { success: true })
      assert.equal((await ada.post(`/${id}/logs`, { logs: [] })).status, 200)

      for (const body of [undefined, {}, { feedback: '' }, { feedback: null }])
        assert.equal((await ada.post('', body)).status, 400)
      for (const body of [undefined, {}, { logs: {} }, { logs: null }])
        assert.equal((await ada.post(`/${id}/logs`, body)).status, 400)
      for (const [who, path] of [
        [eve, `/${id}/logs`],
        [ada, '/another/logs'],
        [ada, '/%00/logs'],
      ] as const) {
        const { status, body } = await who.post(path, { logs: [] })
        assert.deepEqual([status, body], [404, { error: 'Incident not found' }])
      }
      assert.equal((await eve.attach(id, formOf(['a.png', 1]))).status, 404)

      const [incident, ...others] = await ada.exportIncidents()
      assert.deepEqual(incident, {
        key: id,
        feedback: { text: marker },
        phoneState,
        logs: [{ source: 'phone', logs }],
        attachments: [],
      })
      assert.deepEqual(others, [])
      assert.deepEqual(await eve.exportIncidents(), [])
      assert.ok(cloud.logged.length > 0)
      assert.ok(!JSON.stringify(cloud.logged).includes(marker))
    })

    test('PHN-61 PHN-66: logs are stored without what cannot be read', async (t) => {
      const cloud = await startCloud(t, { database })
      const ada = await signIn(cloud)
      const id = await ada.report({ feedback: 'x', phoneState: 'tired' })
      const report = {
        source: 'a\0b',
        logs: ['x', { level: 3, message: 'x'.repeat(30_000), timestamp: null }, { source: {} }],
      }
      const { body } = await ada.post(`/${id}/logs`, report)
      assert.deepEqual(body, { success: true, ignored: ['source', 'logs[0]', 'logs[2].source'] })
      const [incident] = await ada.exportIncidents()
      const stored = [{ level: '3', message: 'x'.repeat(20_000) }, {}]
      assert.deepEqual(incident?.logs, [{ source: 'phone', logs: stored }])
    })

    test('PHN-61: the logs of an incident have at most 1 MiB', async (t) => {
      const cloud = await startCloud(t, { database })
      const ada = await signIn(cloud)
      const id = await ada.report()
      const log = { timestamp: 1, level: 'info', message: 'x'.repeat(19_900) }
      const some = { logs: Array.from({ length: 25 }, () => log) }
      for (const status of [200, 200, 413, 413])
        assert.equal((await ada.post(`/${id}/logs`, some)).status, status)
      assert.equal((await ada.post(`/${id}/logs`, { logs: [{ ...log, message: 'x' }] })).status, 200)
      const [incident] = await ada.exportIncidents()
      const logs = Object(incident).logs as { logs: unknown[] }[]
      assert.deepEqual(
        logs.map(({ logs }) => logs.length),
        [25, 25, 1],
      )
    })

    test('PHN-62 PHN-64: attachments are stored one by one and downloaded by their owner only', async (t) => {
      const cloud = await startCloud(t, { database })
      const ada = await signIn(cloud)
      const eve = await signIn(cloud, 'eve@example.com')
      const id = await ada.report()
      const first = await ada.attach(
        id,
        formOf(['../a b.png', 3], ['huge.bin', 10 * MIB + 1], ['ä.txt', 10 * MIB]),
      )
      assert.deepEqual(
        [first.status, first.body],
        [
          200,
          {
            success: true,
            uploaded: [{ filename: 'a b.png' }, { filename: 'ä.txt' }],
            errors: [{ filename: 'huge.bin', error: 'A file may have 10 MiB at most' }],
          },
        ],
      )
      const misnamed = formOf()
      misnamed.append('photo', new Blob(['x']), 'photo.png')
      assert.deepEqual((await ada.attach(id, misnamed)).body.errors, [
        { filename: 'photo.png', error: 'The field must be called files' },
      ])
      const four = formOf(['1', 0], ['2', 1], ['3', 1], ['4', 1])
      const [response, racing] = await Promise.all([ada.attach(id, four), ada.attach(id, formOf(['5', 1]))])
      const uploaded = [response, racing].flatMap(({ body }) => body.uploaded as Fields[])
      const errors = [response, racing].flatMap(({ body }) => body.errors as Fields[])
      assert.deepEqual([uploaded.length, errors.length], [3, 2])
      assert.ok(errors.every(({ error }) => error === 'An incident may have 5 files at most'))
      assert.equal((await blobsOf(cloud)).length, 5)

      const [incident] = await ada.exportIncidents()
      const files = incident?.attachments as { filename: string; size: number; file: { url: string } }[]
      const [file] = files
      assert.deepEqual([files.length, file?.filename, file?.size], [5, 'a b.png', 3])
      const url = file?.file.url ?? ''
      const get = (token: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } })
      const fetched = await get(ada.token)
      assert.deepEqual([...new Uint8Array(await fetched.arrayBuffer())], [0, 0, 0])
      assert.equal(fetched.headers.get('content-type'), 'application/octet-stream')
      assert.match(
        fetched.headers.get('content-disposition') ?? '',
        /^attachment; filename\*=UTF-8''a%20b\.png$/,
      )
      assert.equal((await get(eve.token)).status, 404)
      const unknown = await fetch(url.replace(/[^/]+$/, '%00'), {
        headers: { authorization: `Bearer ${ada.token}` },
      })
      assert.equal(unknown.status, 404)
      assert.equal((await fetch(url)).status, 401)
      assert.equal((await get(ada.token.slice(1))).status, 401)

      assert.equal((await ada.attach(id, formOf())).status, 400)
      assert.equal((await ada.post(`/${id}/attachments`, {})).status, 415)
      const broken = await fetch(`${cloud.url}/api/incidents/${id}/attachments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'multipart/form-data; boundary=x' },
        body: '--x\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\nabc',
      })
      assert.equal(broken.status, 400)
      assert.equal((await blobsOf(cloud)).length, 5)
    })

    test('PHN-64: an attachment uploaded during the account deletion is not kept', async (t) => {
      const cloud = await startCloud(t, { database })
      const ada = await signIn(cloud)
      const id = await ada.report()
      const user = await cloud.operator.users.findByEmail(email)
      const half = Promise.withResolvers<void>()
      const rest = Promise.withResolvers<void>()
      const content = (async function* () {
        yield Buffer.from('half')
        half.resolve()
        await rest.promise
        yield Buffer.from('rest')
      })()
      const file = { filename: 'a', mimeType: 'image/png', content }
      const attached = cloud.cloud.features.incidents.incidents.attach(user?.id ?? '', id, file)
      await half.promise
      const incidents = cloud.cloud.features.personalData.deletions.steps.find(
        ({ name }) => name === 'incidents',
      )
      await incidents?.run({ id: user?.id ?? '', email, ownsAddress: true })
      rest.resolve()
      assert.equal((await attached).ok, false)
      assert.deepEqual(await blobsOf(cloud), [])
    })

    test('PHN-60 PHN-64: eleven incidents, then a deletion', async (t) => {
      const cloud = await startCloud(t, { database })
      const ada = await signIn(cloud)
      const ids: string[] = []
      for (let n = 0; n < 12; n += 1) {
        const id = await ada.report({ feedback: `no. ${n}` })
        ids.push(id)
        assert.equal((await ada.attach(id, formOf(['a', 1]))).status, 200)
      }
      const kept = (await ada.exportIncidents()).map(({ key }) => String(key))
      assert.equal(kept.length, 10)
      assert.ok(kept.includes(ids.at(-1) ?? ''))
      const blobs = await blobsOf(cloud)
      assert.deepEqual(new Set(blobs.map((key) => key.split('/')[2])), new Set(kept))
      const dropped = ids.find((id) => !kept.includes(id))
      assert.equal((await ada.post(`/${dropped}/logs`, { logs: [] })).status, 404)

      const eve = await signIn(cloud, 'eve@example.com')
      await eve.attach(await eve.report(), formOf(['b', 1]))
      assert.equal(
        (await cloud.request('POST', '/api/account/request-deletion', { token: ada.token })).status,
        200,
      )
      assert.equal((await blobsOf(cloud)).length, 1)
      assert.equal((await cloud.cloud.db.selectFrom('incidents').selectAll().execute()).length, 1)
      assert.equal((await cloud.cloud.db.selectFrom('incident_files').selectAll().execute()).length, 1)
    })
  })
})
