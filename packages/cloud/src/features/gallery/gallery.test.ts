import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import sharp from 'sharp'
import { waitFor } from '../../../test/support/wait-for.ts'
import { openFolderBlobStore } from '../../blobs/folder-blob-store.ts'
import { eachDatabase } from '../../db/testing.ts'
import { UserStore } from '../../identity/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { keyOf, type Photo, thumbnailKeyOf } from './photo.ts'
import { ReservationStore } from './reservation-store.ts'
import { Reservations } from './reservations.ts'
import { ImageProcesses, type ImageResizer } from './resize-image.ts'
import { type Thumbnail, Thumbnails } from './thumbnails.ts'

const MINUTE_MS = 60_000

eachDatabase(({ open }) => {
  test('GAL-20: space whose release failed once is free after a minute, while its process lives', async (t) => {
    const db = await open(t)
    const clock = new VirtualClock()
    const { id: userId } = await new UserStore(db).findOrCreate('ada@example.com', 1)
    const store = new ReservationStore(db)
    const bus = { publish: () => {}, subscribe: () => ({ ready: Promise.resolve(), close: () => {} }) }
    const log = pino({ level: 'silent' })
    const reservations = new Reservations({ store, bus, clock, log, maxBytes: 100 })
    const [lost, kept] = [
      await reservations.reserve(userId, 'upload', 60),
      await reservations.reserve(userId, 'upload', 30),
    ]
    t.mock.method(store, 'remove', () => Promise.reject(new Error('the database is away')), { times: 1 })
    await lost?.release()
    reservations.start()
    for (let passed = 0; passed <= MINUTE_MS; passed += MINUTE_MS / 3) {
      // The next renewal is due once one has ended.
      await waitFor('a renewal', () => clock.pendingTimers === 1)
      clock.advance(MINUTE_MS / 3)
    }
    await reservations.stop()
    assert.equal(await store.hasAny(userId, clock.now()), true, 'the other one is still reserved')
    const next = await reservations.reserve(userId, 'upload', 100)
    assert.equal(next?.bytes, 70)
    await kept?.release()
  })
})

/** Reduces images until the test ends. @param program what its processes run */
function processes(t: TestContext, program?: URL): ImageProcesses {
  const images = new ImageProcesses(program)
  t.after(() => images.close())
  return images
}

/** Returns thumbnails over a folder, and a function that stores photos. */
async function setUp(t: TestContext, images: ImageResizer = processes(t)) {
  const folder = await mkdtemp(join(tmpdir(), 'thumbnails-'))
  t.after(() => rm(folder, { recursive: true }))
  const blobs = await openFolderBlobStore(folder)
  const photos = new Map<string, Photo>()
  const store = { find: async (id: string) => photos.get(id) }
  const thumbnails = new Thumbnails({ store, blobs, images, log: pino({ level: 'silent' }) })
  const add = async (id: string, userId: string, content: Buffer): Promise<Photo> => {
    const source = { requestId: id, origin: 'app', packageName: null } as const
    const photo = { id, userId, type: 'image/png', size: content.length, uploadedAt: 0, ...source } as const
    photos.set(id, photo)
    await blobs.put(keyOf(photo), Readable.from([content]))
    return photo
  }
  const isStored = async (photo: Photo) => {
    const stored = await blobs.get(thumbnailKeyOf(photo, 480))
    stored?.stream.destroy()
    return stored !== undefined
  }
  return { blobs, photos, thumbnails, add, isStored }
}

const picture = (pixels: number) =>
  sharp({
    create: {
      width: pixels,
      height: pixels,
      channels: 3,
      background: '#fff',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .png()
    .toBuffer()

const FAKE_RESIZER: ImageResizer = {
  problem: async () => undefined,
  resize: async () => Buffer.from('small'),
}

async function sizeOf(thumbnail: Thumbnail | undefined): Promise<number> {
  assert.ok(thumbnail !== undefined)
  return (Buffer.isBuffer(thumbnail) ? thumbnail : await buffer(thumbnail)).length
}

describe('thumbnails', () => {
  test('GAL-23: a thumbnail that is made while its photo is deleted is not left behind', async (t) => {
    const { blobs, photos, thumbnails, add, isStored } = await setUp(t)
    const photo = await add('p1', 'u1', await picture(600))
    const put = blobs.put.bind(blobs)
    t.mock.method(blobs, 'put', (...args: Parameters<typeof put>) => {
      photos.delete(photo.id)
      return put(...args)
    })
    assert.ok((await sizeOf(await thumbnails.open(photo, 480))) > 0)
    assert.equal(await isStored(photo), false)
  })

  test('GAL-23: a thumbnail that is not smaller than its photo is served, and not stored', async (t) => {
    const { thumbnails, add, isStored } = await setUp(t)
    const photo = await add('p1', 'u1', await picture(600))
    const small = { ...photo, size: 10 }
    assert.ok((await sizeOf(await thumbnails.open(small, 480))) > 10)
    assert.equal(await isStored(photo), false)
    await thumbnails.open(photo, 480)
    assert.equal(await isStored(photo), true)
  })

  test('GAL-23: without space a thumbnail is served, and not stored', async (t) => {
    const { blobs, thumbnails, add, isStored } = await setUp(t)
    const photo = await add('p1', 'u1', await picture(600))
    t.mock.method(blobs, 'checkSpace', () => Promise.reject(new Error('The disk is full')))
    assert.ok((await sizeOf(await thumbnails.open(photo, 480))) > 0)
    assert.equal(await isStored(photo), false)
  })

  test('GAL-24: a platform that cannot reduce images serves the photo, also what another one stored', async (t) => {
    const images = { ...FAKE_RESIZER, problem: async () => 'it has no build of sharp' }
    const { blobs, thumbnails, add } = await setUp(t, images)
    const photo = await add('p1', 'u1', await picture(600))
    assert.equal(await thumbnails.open(photo, 480), undefined)
    await blobs.put(thumbnailKeyOf(photo, 480), Readable.from([Buffer.from('stored')]))
    assert.equal(await sizeOf(await thumbnails.open(photo, 480)), 6)
  })

  /** Writes a program that answers the messages of its process. */
  async function programOf(t: TestContext, answer: string): Promise<{ url: URL; starts(): Promise<number> }> {
    const folder = await mkdtemp(join(tmpdir(), 'program-'))
    t.after(() => rm(folder, { recursive: true }))
    const [file, starts] = [join(folder, 'program.mjs'), join(folder, 'starts')]
    const record = `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(starts)}, 'x')`
    await writeFile(file, `${record}\nprocess.on('message', ({ image }) => { ${answer} })`)
    return { url: pathToFileURL(file), starts: async () => (await stat(starts)).size }
  }

  for (const [signal, reason] of [
    ['SIGILL', 'its process ended with SIGILL: this processor lacks instructions that its native code needs'],
    ['SIGSEGV', 'its process ended with SIGSEGV'],
  ])
    test(`GAL-24: native code that ends its process with ${signal} is tried once`, async (t) => {
      const program = await programOf(t, `process.kill(process.pid, '${signal}')`)
      const images = processes(t, program.url)
      const { thumbnails, add } = await setUp(t, images)
      const photo = await add('p1', 'u1', await picture(600))
      assert.deepEqual(await Promise.all([1, 2].map(() => thumbnails.open(photo, 480))), [
        undefined,
        undefined,
      ])
      assert.equal(await thumbnails.open(photo, 160), undefined)
      assert.equal(await images.problem(), reason)
      assert.equal(await program.starts(), 1)
    })

  test('GAL-24: a photo that ends the process is served as it is, and the next one is reduced', async (t) => {
    const { url } = await programOf(
      t,
      "if (image?.[0] === 88) process.kill(process.pid, 'SIGSEGV'); else process.send({ image: Buffer.from('small') })",
    )
    const { thumbnails, add } = await setUp(t, processes(t, url))
    assert.equal(await thumbnails.open(await add('p1', 'u1', Buffer.from('X')), 480), undefined)
    assert.equal(await sizeOf(await thumbnails.open(await add('p2', 'u1', Buffer.from('Y')), 480)), 5)
  })

  test('GAL-24: beyond 100 waiting thumbnails of a user, the photo itself is served, to others nothing changes', async (t) => {
    const { promise: isResized, resolve: resize } = Promise.withResolvers<void>()
    const images = { ...FAKE_RESIZER, resize: () => isResized.then(() => Buffer.from('small')) }
    const { thumbnails, add } = await setUp(t, images)
    const photos = await Promise.all(
      Array.from({ length: 101 }, (_, index) => add(`p${index}`, 'u1', Buffer.from('a picture'))),
    )
    const opened = photos.map((photo) => thumbnails.open(photo, 480))
    assert.equal(await Promise.race(opened), undefined)
    const other = thumbnails.open(await add('other', 'u2', Buffer.from('a picture')), 480)
    resize()
    const made = (await Promise.all(opened)).filter((thumbnail) => thumbnail !== undefined)
    assert.equal(made.length, 100)
    assert.equal(await sizeOf(await other), 5)
    const refused = photos.at((await Promise.all(opened)).indexOf(undefined))
    assert.ok(refused)
    assert.equal(await sizeOf(await thumbnails.open(refused, 480)), 5)
  })

  test('GAL-24: one at a time for each user and two in total are made', async (t) => {
    const { blobs, thumbnails, add } = await setUp(t)
    const content = await picture(600)
    const photos = await Promise.all(
      ['u1', 'u1', 'u1', 'u2', 'u3'].map((user, index) => add(`p${index}`, user, content)),
    )
    const originals = new Map(photos.map((photo) => [keyOf(photo), photo.userId]))
    const active: string[] = []
    const seen: string[][] = []
    const [get, put] = [blobs.get.bind(blobs), blobs.put.bind(blobs)]
    t.mock.method(blobs, 'get', (...args: Parameters<typeof get>) => {
      const user = originals.get(args[0])
      if (user !== undefined) {
        active.push(user)
        seen.push([...active])
      }
      return get(...args)
    })
    t.mock.method(blobs, 'put', async (...args: Parameters<typeof put>) => {
      active.splice(active.indexOf(args[0].split('/')[1] ?? ''), 1)
      return await put(...args)
    })
    await Promise.all(photos.map(async (photo) => sizeOf(await thumbnails.open(photo, 480))))
    assert.equal(seen.length, 5)
    assert.ok(
      seen.every((users) => users.length <= 2 && new Set(users).size === users.length),
      String(seen),
    )
    assert.ok(seen.some((users) => users.length === 2))
  })
})
