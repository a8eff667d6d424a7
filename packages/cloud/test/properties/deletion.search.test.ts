import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import pino from 'pino'
import { eachDatabase } from '../../src/db/testing.ts'
import { Feed } from '../../src/features/video/local/feed.ts'
import { Recordings } from '../../src/features/video/local/recordings.ts'
import {
  CLOUDFLARE_ACCOUNT,
  CLOUDFLARE_TOKEN,
  FakeCloudflare,
} from '../../src/features/video/testing/fake-cloudflare.ts'
import { systemClock } from '../../src/time/index.ts'
import { deleteAccount } from '../support/deletion-client.ts'
import { checkProperty } from '../support/property.ts'
import { suiteScope } from '../support/scope.ts'
import { blobsFolder, filesIn, startUpload } from '../support/slow-upload.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { findOccurrences } from '../support/user-data.ts'
import { waitFor } from '../support/wait-for.ts'

/** Copies its input to the file of the last argument; an index takes a moment. */
const RECORDER = `#!/bin/sh
for last; do :; done
case "$*" in
  *faststart*) sleep 0.1; echo video > "$last" ;;
  *) cat > "$last" ;;
esac
`

/** Something of the user that is under way: it starts before or during the deletion, and ends before or during it. */
const activity = fc.record({
  kind: fc.constantFrom('photo', 'video', 'export', 'recording', 'stream', 'incident'),
  startsBefore: fc.boolean(),
  endsBefore: fc.boolean(),
  isAborted: fc.boolean(),
  delayMs: fc.nat({ max: 30 }),
})

type Activity = typeof activity extends fc.Arbitrary<infer Value> ? Value : never

describe('deletion of an account', () => {
  eachDatabase((database) => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let fake: FakeCloudflare
    let recordings: Recordings
    let folder: string
    let users = 0
    before(async () => {
      fake = await FakeCloudflare.start(scope)
      cloud = await startCloud(scope, {
        database,
        env: {
          STREAM_PROVIDER: 'cloudflare',
          CLOUDFLARE_ACCOUNT_ID: CLOUDFLARE_ACCOUNT,
          CLOUDFLARE_API_TOKEN: CLOUDFLARE_TOKEN,
          CLOUDFLARE_API_URL: `${fake.server.url}/client/v4`,
          RECORD_STREAMS: 'true',
          REST_LIMIT_PER_MINUTE: '100000',
        },
      })
      const parent = await mkdtemp(join(tmpdir(), 'recordings-'))
      scope.after(() => rm(parent, { recursive: true, force: true }))
      const program = join(parent, 'ffmpeg')
      await writeFile(program, RECORDER, { mode: 0o700 })
      folder = join(parent, 'recordings')
      recordings = new Recordings({
        gallery: cloud.cloud.features.gallery.gallery,
        program,
        folder,
        diskReserveBytes: 0,
        clock: systemClock,
        log: pino({ level: 'silent' }),
        isAlive: () => false,
      })
      await recordings.open()
    })

    /** Starts an activity. @returns how to end it */
    async function start({ kind, isAborted }: Activity, userId: string, token: string) {
      switch (kind) {
        case 'photo':
        case 'video': {
          const sending = startUpload(cloud, token, { kind, bytes: 200_000 })
          await Promise.race([sending.send(100_000), sending.status, delay(200)])
          return async () => {
            if (isAborted) sending.request.destroy()
            else {
              await Promise.race([sending.send(100_000), sending.status, delay(200)])
              sending.end()
            }
            await sending.status
          }
        }
        case 'export':
          await cloud.request('POST', '/api/account/request-export', { token, body: {} })
          return () => cloud.cloud.features.personalData.exports.idle()
        case 'incident':
          await cloud.cloud.features.incidents.incidents.report(userId, { feedback: userId }).catch(() => {})
          return async () => {}
        case 'recording': {
          const feed = new Feed(systemClock, { onTracks: () => {} })
          const recorder = recordings.recorder(userId, 'input', feed)
          recorder.start({ audio: false, video: true })
          feed.push({ kind: 'video-header', timestamp: 0, data: Buffer.alloc(50) })
          feed.push({ kind: 'keyframe', timestamp: 0, data: Buffer.alloc(1_000) })
          await delay(20)
          return async () => {
            await recorder.stop()
            await recordings.idle()
          }
        }
        case 'stream': {
          const streaming = cloud.cloud.features.video.streams.forUser(userId)
          const inputId = await new Promise<string | undefined>((resolve) =>
            streaming?.createInput((created) => resolve(created.ok ? created.value.inputId : undefined)),
          )
          if (inputId !== undefined && fake.inputs.has(inputId)) fake.goLive(inputId)
          return async () => {
            if (inputId !== undefined) streaming?.deleteInput(inputId)
          }
        }
      }
    }

    test('TRU-4: with uploads and recordings under way, nothing remains of the user', async () => {
      await checkProperty(
        fc.asyncProperty(fc.array(activity, { minLength: 1, maxLength: 6 }), async (activities) => {
          users += 1
          const email = `user${users}@example.com`
          const token = await cloud.token(email)
          const id = String((await cloud.operator.users.findByEmail(email))?.id)
          const begin = async (each: Activity) => {
            if (!each.startsBefore) await delay(each.delayMs)
            const end = await start(each, id, token)
            return { each, end }
          }
          const early = await Promise.all(activities.filter((each) => each.startsBefore).map(begin))
          for (const { each, end } of early) if (each.endsBefore) await end()
          const deletion = deleteAccount(cloud, token)
          const late = activities.filter((each) => !each.startsBefore).map(begin)
          await Promise.all([
            ...early.map(async ({ each, end }) => {
              if (each.endsBefore) return
              await delay(each.delayMs)
              await end()
            }),
            ...late.map(async (begun) => (await begun).end()),
          ])
          const { status } = await deletion
          const { deletions } = cloud.cloud.features.personalData
          await waitFor('the user is deleted', async () => {
            if (await cloud.cloud.users.findByEmail(email)) deletions.start()
            await deletions.idle()
            return (await cloud.cloud.users.findByEmail(email)) === undefined
          })
          assert.ok(status === 200 || status === 500, `${status}`)
          await recordings.idle()
          await waitFor(
            'nothing remains',
            async () => {
              const rows = await findOccurrences(cloud.cloud, [id, email])
              const left = [
                ...rows,
                ...(await readdir(folder)),
                ...fake.inputs.keys(),
                ...fake.videos,
                ...(await filesIn(blobsFolder(cloud))),
              ]
              assert.deepEqual(left, [])
              return true
            },
            5_000,
          )
        }),
        { runs: 6 },
      )
    })
  })
})
