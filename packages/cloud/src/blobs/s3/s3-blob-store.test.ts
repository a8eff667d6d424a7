import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { buffer, text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { type Blob, type BlobStore, BlobTooLargeError } from '../blob-store.ts'
import { blobStoreSuite } from '../blob-store-suite.ts'
import { type S3Fault, S3Server } from '../testing/s3-server.ts'
import { openS3BlobStore } from './s3-blob-store.ts'
import type { S3Options, S3Overrides } from './s3-client.ts'

const log = pino({ level: 'silent' })
const fast: S3Overrides = { timing: { retryMs: 1 } }
const MIB = 1024 * 1024

blobStoreSuite('S3 blob store', async (t) => (await start(t)).blobs)

describe('S3 blob store', () => {
  test('STO-80: an upload of several parts', async (t) => {
    const { server, blobs } = await start(t)
    for (const size of [8 * MIB, 8 * MIB + 1, 20 * MIB]) {
      const content = pattern(size)
      server.log.length = 0
      const { etag, size: stored } = await blobs.put('large', chunked(content, 100_000))
      assert.equal(stored, size)
      // A request may have been repeated.
      assert.equal(server.log.includes('POST large'), size > 8 * MIB, `${size}`)
      const blob = await blobs.get('large')
      assert.equal(blob?.etag, etag)
      assert.equal(hash(await buffer(blob.stream)), hash(content))
    }
    assert.equal(server.uploads.size, 0)
  })

  test('STO-80: a source that fails after the first part', async (t) => {
    const { server, blobs } = await start(t)
    await blobs.put('a', chunked(Buffer.from('old'), 1))
    const failing = async function* () {
      yield* chunked(pattern(17 * MIB), MIB)
      throw new Error('the client disconnected')
    }
    await assert.rejects(blobs.put('a', failing()), /the client disconnected/)
    const tooLarge = blobs.put('a', chunked(pattern(18 * MIB), MIB), { maxBytes: 17 * MIB })
    await assert.rejects(tooLarge, BlobTooLargeError)
    assert.equal(server.uploads.size, 0)
    assert.equal(await read(blobs, 'a'), 'old')
  })

  test('STO-80: abandoned uploads are deleted after a day', async (t) => {
    const { server, options } = await start(t)
    const upload = { key: 'photos/1', metadata: {}, parts: new Map() }
    server.uploads.set('old', { ...upload, startedAt: Date.now() - 25 * 60 * 60_000 })
    server.uploads.set('new', { ...upload, startedAt: Date.now() - 23 * 60 * 60_000 })
    await openS3BlobStore(options, log, fast)
    assert.deepEqual([...server.uploads.keys()], ['new'])
  })

  test('STO-81: a bucket is addressed in the path or in the host name', async (t) => {
    const { server } = await start(t)
    const endpoint = new URL(`http://s3.example.org:${server.port}`)
    const hosts: string[] = []
    const blobs = await open(
      t,
      { ...server.options, endpoint, forcePathStyle: false },
      {
        lookup: (host, _options, found) => {
          hosts.push(host)
          found(null, [{ address: '127.0.0.1', family: 4 }])
        },
      },
    )
    await blobs.put('photos/u1/a.jpg', chunked(Buffer.from('1'), 1))
    assert.equal(await read(blobs, 'photos/u1/a.jpg'), '1')
    assert.ok(server.objects.has('photos/u1/a.jpg'))
    assert.equal(hosts[0], 'blobs.s3.example.org')
  })

  for (const fault of [
    { status: 503, code: 'SlowDown' },
    { status: 500, code: 'InternalError' },
    'reset',
    'lose-response',
  ] as const) {
    test(`STO-82: operations are repeated after ${describeFault(fault)}`, async (t) => {
      const { server, blobs } = await start(t)
      const content = pattern(9 * MIB)
      // Every request fails once.
      const failed = new Set<string>()
      server.fault = ({ method, key, query, headers }) => {
        const id = [method, key, query.get('partNumber'), [...query.keys()], headers.range].join()
        if (failed.has(id)) return undefined
        failed.add(id)
        return fault
      }
      await blobs.put('small', chunked(Buffer.from('12'), 1))
      const { etag } = await blobs.put('large', chunked(content, MIB))
      server.fault = fault === 'lose-response' ? () => undefined : server.fault
      const blob = await blobs.get('large')
      assert.equal(blob?.etag, etag)
      assert.equal(hash(await buffer(blob.stream)), hash(content))
      const found: string[] = []
      for await (const { key } of blobs.list('')) found.push(key)
      assert.deepEqual(found, ['large', 'small'])
      assert.equal(await blobs.delete('small'), true)
      assert.equal(await blobs.get('small'), undefined)
      assert.ok(failed.size > 4)
    })
  }

  test('STO-82: a request without a response is repeated', async (t) => {
    const { server, options } = await start(t)
    const blobs = await open(t, options, { timing: { ...fast.timing, idleMs: 500 } })
    server.failNext('hang')
    await blobs.put('a', chunked(Buffer.from('12'), 1))
    server.failNext('hang')
    assert.equal(await read(blobs, 'a'), '12')
  })

  test('STO-82: an interrupted download continues where it stopped', async (t) => {
    const { server, blobs } = await start(t)
    const content = pattern(3 * MIB)
    await blobs.put('a', chunked(content, MIB))
    server.failNext('cut', 'cut', 'reset', 'cut')
    const blob = await blobs.get('a', { range: { start: 5 } })
    assert.equal(hash(await contentOf(blob)), hash(content.subarray(5)))
    assert.equal(server.log.filter((entry) => entry === 'GET a').length, 5)
  })

  test('STO-82: a blob that is replaced while it is downloaded', async (t) => {
    const { server, blobs } = await start(t)
    await blobs.put('a', chunked(pattern(3 * MIB), MIB))
    server.fault = ({ method }) => (method === 'GET' ? 'cut' : undefined)
    const blob = await blobs.get('a')
    await blobs.put('a', chunked(pattern(2 * MIB), MIB))
    await assert.rejects(contentOf(blob), /PreconditionFailed|does not respond/)
  })

  test('STO-83: a service that is away is reported, and works again when it is back', async (t) => {
    const { server, blobs } = await start(t)
    await blobs.put('a', chunked(Buffer.from('1'), 1))
    const { port } = server
    await server.close()
    const away = {
      name: 'S3Error',
      message: `S3: 127.0.0.1:${port} does not respond (ECONNREFUSED); check S3_ENDPOINT and the service`,
    }
    await assert.rejects(blobs.put('b', chunked(Buffer.from('1'), 1)), away)
    await assert.rejects(blobs.get('a'), away)
    await assert.rejects(blobs.delete('a'), away)
    await assert.rejects(read(blobs, 'a'), away)
    // A node starts while S3 is away.
    const other = await open(t, {
      ...server.account,
      bucket: 'blobs',
      endpoint: new URL(`http://127.0.0.1:${port}`),
      forcePathStyle: true,
    })
    await server.listen(port)
    assert.equal(await read(other, 'a'), '1')
    assert.equal(await read(blobs, 'a'), '1')
    assert.equal(await blobs.get('b'), undefined)
  })

  test('STO-83: rejected settings are reported with the setting', async (t) => {
    const { server, options } = await start(t)
    const problems = {
      S3_BUCKET: { ...options, bucket: 'other' },
      S3_ACCESS_KEY_ID: { ...options, accessKeyId: 'unknown' },
      S3_SECRET_ACCESS_KEY: { ...options, secretAccessKey: 'wrong' },
      S3_REGION: { ...options, region: 'us-east-1' },
    }
    for (const [setting, wrong] of Object.entries(problems))
      await assert.rejects(openS3BlobStore(wrong, log, fast), (error: Error) =>
        error.message.includes(setting),
      )
    server.fault = () => ({ status: 403, code: 'AccessDenied' })
    await assert.rejects(openS3BlobStore(options, log, fast), /extend its policy/)
  })

  test('STO-83: a wrong clock is reported with its difference', async (t) => {
    const { server, blobs, options } = await start(t)
    await blobs.put('a', chunked(Buffer.from('1'), 1))
    const wrong = { ...fast, now: () => Date.now() + 20 * 60_000 }
    await assert.rejects(
      openS3BlobStore(options, log, wrong),
      /the clock of this machine differs from that of S3 by (119\d|120\d) s/,
    )
    assert.equal(await read(blobs, 'a'), '1')
    assert.equal(server.objects.size, 1)
  })
})

function describeFault(fault: S3Fault): string {
  return typeof fault === 'string' ? `the fault "${fault}"` : `status ${fault.status}`
}

async function start(t: TestContext) {
  const server = await S3Server.start()
  t.after(() => server.close())
  return { server, options: server.options, blobs: await open(t, server.options) }
}

async function open(t: TestContext, options: S3Options, overrides: S3Overrides = {}) {
  const blobs = await openS3BlobStore(options, log, { ...fast, ...overrides })
  t.after(() => blobs.close())
  return blobs
}

function contentOf(blob: Blob | undefined): Promise<Buffer> {
  assert.ok(blob)
  return buffer(blob.stream)
}

async function read(blobs: BlobStore, key: string): Promise<string | undefined> {
  const blob = await blobs.get(key)
  return blob && (await text(blob.stream))
}

/** Content without repetition at the size of a part. */
function pattern(size: number): Buffer {
  const content = Buffer.alloc(size)
  for (let offset = 0; offset + 4 <= size; offset += 4093) content.writeUInt32LE(offset, offset)
  return content
}

async function* chunked(content: Buffer, bytes: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < content.length; offset += bytes)
    yield content.subarray(offset, offset + bytes)
}

function hash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
