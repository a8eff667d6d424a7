import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { SettingsStore } from '../../src/features/settings/index.ts'
import { type Document, exportData, type Fields, signIn } from '../support/personal-data-clients.ts'
import { startCloud } from '../support/test-cloud.ts'
import { createUserWithData } from '../support/user-data.ts'

describe('data export', () => {
  eitherDatabase((database) => {
    test('EXP-2 EXP-4 EXP-7: an export is requested, completed and downloaded', async (t) => {
      const cloud = await startCloud(t, { database })
      const { requestExport, status, get } = await signIn(cloud)
      const ids = new Set<unknown>()
      for (const [body, format, type] of [
        [undefined, 'json', 'application/json'],
        [{ format: 'json' }, 'json', 'application/json'],
        [{ format: 'csv' }, 'csv', 'text/csv'],
      ] as const) {
        const requested = await requestExport(body)
        const { id, message, ...rest } = requested.body
        assert.equal(requested.status, 200)
        assert.deepEqual(rest, { status: 'pending' })
        assert.equal(typeof message, 'string')
        assert.match(String(id), /^export_[0-9a-f-]{36}$/)
        ids.add(id)
        await cloud.cloud.features.personalData.exports.idle()
        const { createdAt, completedAt, ...known } = (await status(id)).body
        const downloadUrl = `/api/account/download-export/${id}`
        assert.deepEqual(known, { id, status: 'completed', format, downloadUrl })
        for (const time of [createdAt, completedAt]) assert.equal(new Date(String(time)).toISOString(), time)
        const file = await get<string | object>(`download-export/${id}`)
        assert.equal(file.status, 200)
        assert.equal(file.headers.get('content-type')?.split(';')[0], type)
        assert.equal(file.headers.get('content-disposition'), `attachment; filename="${id}.${format}"`)
        assert.ok(Number(file.headers.get('content-length')) > 100)
      }
      assert.equal(ids.size, 3)
      const { exports } = (await get<{ exports: { id: string; status: string }[] }>('exports')).body
      assert.deepEqual(
        exports.map(({ id, status }) => [id, status]).toSorted(),
        [...ids].map((id) => [id, 'completed']).toSorted(),
      )
      const stranger = await signIn(cloud, 'eve@example.com')
      assert.deepEqual((await stranger.get<object>('exports')).body, { exports: [] })
    })

    test('EXP-1 EXP-3 EXP-5: invalid formats and missing, foreign or unfinished exports are rejected', async (t) => {
      const cloud = await startCloud(t, { database })
      const ada = await signIn(cloud)
      const eve = await signIn(cloud, 'eve@example.com')
      for (const body of [{ format: 'xml' }, { format: 5 }, { format: null }, { format: 'JSON' }, []])
        assert.equal((await ada.requestExport(body)).status, 400, JSON.stringify(body))
      const assertRejected = async (
        response: Promise<{ status: number; body: Fields }>,
        status: number,
        error: string,
      ) => {
        const { body, ...rest } = await response
        assert.deepEqual([rest.status, body], [status, { error }])
      }
      await assertRejected(ada.get('export-status'), 400, 'Export ID is required')
      await assertRejected(ada.status(''), 400, 'Export ID is required')
      for (const id of ['export_nothing', 'x', '%00', `export_${'x'.repeat(500)}`]) {
        await assertRejected(ada.status(id), 404, 'Export request not found')
        await assertRejected(
          ada.download(encodeURIComponent(decodeURIComponent(id))),
          404,
          'Export not found',
        )
      }
      const id = await exportData(cloud, 'ada@example.com', 'json')
      await assertRejected(eve.status(id), 403, 'Not authorized to access this export')
      await assertRejected(eve.download(id), 403, 'Not authorized to access this export')
      assert.ok(await cloud.cloud.blobs.delete(`exports/${id}.1`))
      await assertRejected(ada.download(id), 404, 'Export file not found')
      await cloud.cloud.features.personalData.exports.stop()
      const waiting = (await ada.requestExport()).body.id
      await assertRejected(ada.download(waiting), 400, 'Export is not ready for download')
      const { createdAt: _, ...status } = (await ada.status(waiting)).body
      assert.deepEqual(status, { id: waiting, status: 'pending', format: 'json' })
    })

    test('EXP-6: eleven concurrent requests', async (t) => {
      const cloud = await startCloud(t, { database })
      const { requestExport } = await signIn(cloud)
      const responses = await Promise.all(Array.from({ length: 13 }, () => requestExport()))
      const statuses = responses.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429, 429])
      const rejected = responses.find(({ status }) => status === 429)
      assert.deepEqual(rejected?.body, {
        error: 'You have 10 data exports, which is the limit; each is deleted 24 hours after completion',
      })
      const wait = Number(rejected?.headers.get('retry-after'))
      const [day, sweep] = [24 * 3_600, 600]
      assert.ok(wait > day && wait <= day + sweep, `Retry-After is ${wait}`)
      assert.equal((await (await signIn(cloud, 'eve@example.com')).requestExport()).status, 200)
    })

    test('EXP-10 EXP-13: the JSON export contains everything stored about the user', async (t) => {
      const cloud = await startCloud(t, { database })
      const ada = await createUserWithData(cloud, 'ada@example.com')
      const id = await exportData(cloud, ada.email, 'json')
      const { status, body } = await (await signIn(cloud)).download<Document>(id)
      assert.equal(status, 200)
      const { sections, createdAt, ...head } = body
      assert.equal(new Date(createdAt).toISOString(), createdAt)
      assert.deepEqual(head, {
        format: 'glasses-cloud-export',
        version: 1,
        exportId: id,
        user: { id: ada.id, email: ada.email },
      })
      const values = (section: string) =>
        Object.fromEntries((sections[section] ?? []).map(({ key, value }) => [key, value]))
      const { createdAt: _, ...account } = values('account')
      assert.deepEqual(account, { id: ada.id, email: ada.email, name: 'A. Person' })
      assert.deepEqual(values('profile'), { displayName: '=1+1', phoneNumber: '+44 20', city: 'London' })
      assert.deepEqual(values('privacy'), {
        shareUsageData: false,
        receiveNotifications: true,
        allowDataCollection: true,
      })
      assert.deepEqual(values('settings'), { brightness: 70, flags: { a: [1, null], b: 'x,"y"\r\nz' } })
      assert.deepEqual(Object.keys(values('installedApps')), ['common.one', 'common.two'])
      assert.deepEqual(Object.keys(values('appActivity')), ['common.one', 'common.two'])
      assert.deepEqual(Object.keys(values('runningApps')), ['common.one', 'common.two'])
      assert.deepEqual(values('appSettings'), {
        'common.one/size': 'big',
        'common.one/@cmd': -5,
        'common.two/size': 'big',
        'common.two/@cmd': -5,
      })
      assert.deepEqual(Object.keys(values('organizations')).sort(), ['ada-example-com', 'shared'])
      assert.deepEqual(Object.keys(values('ownApps')), [ada.ownPackage])
      assert.equal(sections.session?.length, 1)
      assert.equal(sections.gallery?.length, 1)
      assert.equal(sections.exports?.length, 3)
      for (const [name, facts] of Object.entries(sections)) {
        assert.ok(facts.length > 0, `${name} contains facts`)
        assert.equal(new Set(facts.map(({ key }) => key)).size, facts.length, `keys of ${name}`)
        for (const { updatedAt } of facts) assert.equal(new Date(String(updatedAt)).toISOString(), updatedAt)
      }
    })

    test('EXP-13: more than 400 settings are exported completely', async (t) => {
      const cloud = await startCloud(t, { database })
      const { id } = await createUserWithData(cloud, 'ada@example.com')
      const many = Object.fromEntries(Array.from({ length: 401 }, (_, n) => [`key ${n}`, n]))
      await new SettingsStore(cloud.cloud.db).mergeUserSettings(id, many, 1)
      const file = await (await signIn(cloud)).download<Document>(
        await exportData(cloud, 'ada@example.com', 'json'),
      )
      assert.equal(file.body.sections.settings?.length, 403)
    })

    test('EXP-11 EXP-12 EXP-13: the CSV export contains the same facts, one per row, and no formula', async (t) => {
      const cloud = await startCloud(t, { database })
      const { email } = await createUserWithData(cloud, 'ada@example.com')
      const { download } = await signIn(cloud)
      const { body: text } = await download<string>(await exportData(cloud, email, 'csv'))
      const [header, ...rows] = readCsv(text)
      assert.deepEqual(header, ['section', 'key', 'value', 'updatedAt'])
      const cell = (section: string, key: string) =>
        rows.find((row) => row[0] === section && row[1] === key)?.[2]
      assert.equal(cell('profile', 'displayName'), "'=1+1")
      assert.equal(cell('profile', 'phoneNumber'), "'+44 20")
      assert.equal(cell('profile', 'city'), 'London')
      assert.equal(cell('settings', 'flags.a'), '[1,null]')
      assert.equal(cell('settings', 'flags.b'), 'x,"y"\r\nz')
      assert.equal(cell('privacy', 'allowDataCollection'), 'true')
      assert.equal(cell('organizations', 'shared.role'), 'admin')
      assert.equal(cell('appSettings', 'common.one/@cmd'), "'-5")
      for (const row of rows) {
        assert.equal(row.length, 4)
        for (const field of row) assert.doesNotMatch(field, /^[=+\-@\t\r]/)
        assert.equal(new Date(row[3] ?? '').toISOString(), row[3])
      }
      const json = await download<Document>(await exportData(cloud, email, 'json'))
      assert.deepEqual([...new Set(rows.map(([section]) => section))], Object.keys(json.body.sections))
    })

    test('EXP-14: an export contains no key, no token and no data of another user', async (t) => {
      const cloud = await startCloud(t, { database })
      await createUserWithData(cloud, 'eve@example.com')
      const ada = await createUserWithData(cloud, 'ada@example.com')
      const hashes = await cloud.cloud.db.selectFrom('api_keys').select(['key_hash', 'signing_key']).execute()
      assert.ok(hashes.length > 0)
      for (const format of ['json', 'csv'] as const) {
        const { body } = await (await signIn(cloud)).download(await exportData(cloud, ada.email, format))
        const text = typeof body === 'string' ? body : JSON.stringify(body)
        assert.doesNotMatch(text, /gck_|eyJ|eve@|eve-/)
        for (const { key_hash, signing_key } of hashes)
          for (const stored of [key_hash, signing_key]) assert.equal(text.includes(stored), false)
      }
    })
  })
})

/** Parses CSV according to RFC 4180. */
function readCsv(text: string): string[][] {
  const records: string[][] = []
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n|$)/y
  let record: string[] = []
  while (field.lastIndex < text.length) {
    const at = field.lastIndex
    const [, raw = '', end] = field.exec(text) ?? []
    if (end === undefined) throw new Error(`invalid CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    record.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw)
    if (end === ',') continue
    records.push(record)
    record = []
  }
  return records
}
