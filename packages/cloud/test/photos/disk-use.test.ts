import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { eitherDatabase } from '../../src/db/testing.ts'
import { deleteAccount } from '../support/deletion-client.ts'
import { galleryOf, image, upload } from '../support/photo-app.ts'
import { blobsFolder, sizeOf, startUpload } from '../support/slow-upload.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const MiB = 1024 * 1024
const ada = 'ada@example.com'

const reservationsOf = async ({ cloud }: LocalCloud) =>
  await cloud.db.selectFrom('space_reservations').selectAll().execute()

describe('disk use of uploads', () => {
  eitherDatabase((database) => {
    test('GAL-20: parallel uploads hold no more than the quota, and are limited in number', async (t) => {
      const cloud = await startCloud(t, { database, env: { GALLERY_MB: '30' } })
      const token = await cloud.token(ada, { scope: 'glasses' })
      const uploads = Array.from({ length: 10 }, () => startUpload(cloud, token, { bytes: 20 * MiB }))
      let largest = 0
      for (let round = 0; round < 20; round += 1) {
        await Promise.all(uploads.map(({ send }) => Promise.race([send(MiB), delay(200)])))
        largest = Math.max(largest, await sizeOf(blobsFolder(cloud)))
      }
      for (const { end } of uploads) end()
      const statuses = await Promise.all(uploads.map(({ status }) => status))
      assert.ok(largest <= 30 * MiB, `${largest / MiB} MiB were on the disk`)
      assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join())
      assert.ok(statuses.includes(429), statuses.join())
      await waitFor('the reservations are released', async () => (await reservationsOf(cloud)).length === 0)
      assert.equal((await galleryOf(cloud, token, '?type=video')).length, 1)
      assert.equal(
        (
          await upload(cloud, token, [
            ['requestId', 'r1'],
            ['photo', image.jpeg()],
          ])
        ).status,
        200,
      )
    })

    test('GAL-20: the space that a dead process reserved is free after its lease', async (t) => {
      const cloud = await startCloud(t, { database, env: { GALLERY_MB: '1' } })
      const token = await cloud.token(ada)
      const user = await cloud.operator.users.findByEmail(ada)
      const takePhoto = async () =>
        (
          await upload(cloud, token, [
            ['requestId', 'r1'],
            ['photo', image.jpeg(100_000)],
          ])
        ).status
      const reserve = (expires_at: number) =>
        cloud.cloud.db
          .insertInto('space_reservations')
          .values({
            id: `${expires_at}`,
            user_id: user?.id ?? '',
            kind: 'upload',
            bytes: MiB,
            holder: 'dead',
            expires_at,
          })
          .execute()
      await reserve(Date.now() - 1)
      assert.equal(await takePhoto(), 200)
      await reserve(Date.now() + 60_000)
      assert.equal(await takePhoto(), 413)
    })

    test('DEL-13: a deletion ends uploads under way, and nothing remains of them', async (t) => {
      const cloud = await startCloud(t, { database })
      const token = await cloud.token(ada)
      const sending = startUpload(cloud, token, { bytes: 20 * MiB })
      await sending.send(2 * MiB)
      await waitFor('the file is received', async () => (await sizeOf(blobsFolder(cloud))) > MiB)
      const startedAt = performance.now()
      assert.equal((await deleteAccount(cloud, token)).status, 200)
      assert.ok(performance.now() - startedAt < 10_000)
      assert.equal(await sizeOf(blobsFolder(cloud)), 0)
      sending.request.destroy()
      await sending.status
      assert.deepEqual(await reservationsOf(cloud), [])
    })
  })

  test('GAL-21: below the reserve of the disk, uploads and exports return 507, and everything else works', async (t) => {
    const cloud = await startCloud(t, { env: { DISK_RESERVE_MB: '100000000' } })
    const token = await cloud.token(ada)
    const full = { error: 'The disk of the server is full; the operator must make space' }
    const photo = await upload(cloud, token, [
      ['requestId', 'r1'],
      ['photo', image.jpeg()],
    ])
    assert.deepEqual([photo.status, photo.body], [507, full])
    const video = startUpload(cloud, token, { bytes: 1 })
    await video.send(1)
    video.end()
    assert.equal(await video.status, 507)
    const exported = await cloud.request('POST', '/api/account/request-export', { token, body: {} })
    assert.deepEqual([exported.status, exported.body], [507, full])
    const profile = await cloud.request('PUT', '/api/account/profile', { token, body: { city: 'Paris' } })
    assert.equal(profile.status, 200)
    assert.deepEqual(await galleryOf(cloud, token), [])
  })
})
