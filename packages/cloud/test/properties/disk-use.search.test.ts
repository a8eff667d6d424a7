import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { eachDatabase } from '../../src/db/testing.ts'
import { galleryOf } from '../support/photo-app.ts'
import { checkProperty } from '../support/property.ts'
import { suiteScope } from '../support/scope.ts'
import { blobsFolder, sizeOf, startUpload } from '../support/slow-upload.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const KIB = 1024
const QUOTA_BYTES = 1024 * KIB
const MAX_PHOTO_BYTES = 300 * KIB

/** Photos are received although the gallery is full, because an app may have requested them: five at a time. */
const MAX_BEYOND_QUOTA = 5 * (MAX_PHOTO_BYTES + KIB)

const size = { photo: MAX_PHOTO_BYTES, video: 2 * QUOTA_BYTES }

/** An upload, in up to three pieces; it may stop before the last one. */
const upload = fc.constantFrom('photo' as const, 'video' as const).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    bytes: fc.integer({ min: 0, max: size[kind] }),
    isAnnounced: fc.boolean(),
    pieces: fc.integer({ min: 1, max: 3 }),
    isAborted: fc.boolean(),
  }),
)

/** The uploads, and the order in which they and deletions of photos continue. */
const sequences = fc.record({
  uploads: fc.array(upload, { minLength: 1, maxLength: 9 }),
  turns: fc.array(fc.nat({ max: 9 }), { maxLength: 30 }),
})

describe('disk use of an account', () => {
  eachDatabase((database) => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let users = 0
    /** Bytes of the galleries of earlier users. */
    let kept = 0
    before(async () => {
      cloud = await startCloud(scope, { database, env: { GALLERY_MB: '1', REST_LIMIT_PER_MINUTE: '100000' } })
    })

    /** Deletes the newest photo or video. */
    const deleteOne = async (token: string) => {
      const [photo] = await galleryOf(cloud, token, '?type=all')
      if (photo) await cloud.request('DELETE', `/api/gallery/${photo._id}`, { token })
    }

    test('TRU-5: parallel uploads, aborted ones and deletions keep to the quota', async () => {
      await checkProperty(
        fc.asyncProperty(sequences, async ({ uploads, turns }) => {
          users += 1
          const token = await cloud.token(`user${users}@example.com`)
          let largest = 0
          const measure = async () => {
            const size = (await sizeOf(blobsFolder(cloud))) - kept
            largest = Math.max(largest, size)
            return size
          }
          const tasks = uploads.map(async function* ({ kind, bytes, isAnnounced, pieces, isAborted }) {
            const sending = startUpload(cloud, token, { kind, bytes, isAnnounced })
            yield
            for (let piece = 1; piece <= pieces; piece += 1) {
              if (isAborted && piece === pieces) break
              await Promise.race([sending.send(Math.floor(bytes / pieces)), sending.status, delay(100)])
              yield
            }
            if (isAborted) sending.request.destroy()
            else {
              await Promise.race([sending.send(bytes % pieces), sending.status, delay(100)])
              sending.end()
            }
            await sending.status
          })
          for (const turn of turns) {
            await (turn === 9 ? deleteOne(token) : tasks[turn % tasks.length]?.next())
            await measure()
          }
          const rest = Promise.all(
            tasks.map(async (task) => {
              for await (const _ of task);
            }),
          )
          for (let isOver = false; !isOver; ) {
            isOver = await Promise.race([rest.then(() => true), delay(5, false)])
            await measure()
          }
          const photos = async () => await galleryOf(cloud, token, '?type=all')
          const stored = async () => (await photos()).reduce((sum, photo) => sum + Number(photo.size), 0)
          await waitFor('the reservations are released, and every file belongs to a photo', async () => {
            const held = await cloud.cloud.db.selectFrom('space_reservations').select('id').execute()
            return held.length === 0 && (await measure()) === (await stored())
          })
          assert.ok(largest <= QUOTA_BYTES + MAX_BEYOND_QUOTA, `${largest} bytes were on the disk`)
          assert.ok((await stored()) <= QUOTA_BYTES)
          kept += await stored()
        }),
        { runs: 6 },
      )
    })
  })
})
