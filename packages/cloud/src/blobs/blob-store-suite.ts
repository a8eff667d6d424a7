import assert from 'node:assert/strict'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { BlobKeyError, BlobRangeError, type BlobStore, BlobTooLargeError } from './blob-store.ts'

/**
 * Tests that every blob store must pass.
 * @param open opens an empty store for the duration of a test
 */
export function blobStoreSuite(name: string, open: (t: TestContext) => Promise<BlobStore>): void {
  describe(name, () => {
    test('a blob is read as it was written, in any number of chunks', async (t) => {
      const blobs = await open(t)
      const large = 'x'.repeat(300_000)
      const put = await blobs.put('photos/u1/a.txt', bytes('hello ', '', large))
      assert.equal(put.size, 300_006)
      const got = await blobs.get('photos/u1/a.txt')
      assert.equal(got?.size, put.size)
      assert.equal(got.etag, put.etag)
      assert.equal(await text(got.stream), `hello ${large}`)
      await blobs.put('empty', bytes())
      assert.equal(await read(blobs, 'empty'), '')
    })

    test('a missing blob is not found, listed or deleted', async (t) => {
      const blobs = await open(t)
      await blobs.put('photos/a', bytes('1'))
      for (const key of ['photos', 'photos/b', 'photos/a/b']) {
        assert.equal(await blobs.get(key), undefined, key)
        assert.equal(await blobs.delete(key), false, key)
      }
      assert.deepEqual(await keys(blobs, 'other/'), [])
      assert.equal(await read(blobs, 'photos/a'), '1')
    })

    test('replacing a blob changes its content and its etag', async (t) => {
      const blobs = await open(t)
      const first = await blobs.put('a', bytes('old content'))
      const before = await blobs.get('a')
      const second = await blobs.put('a', bytes('new'))
      assert.notEqual(second.etag, first.etag)
      assert.equal(await read(blobs, 'a'), 'new')
      assert.equal(
        before && (await text(before.stream)),
        'old content',
        'an open reader keeps the old content',
      )
    })

    test('STO-53: a failed put changes nothing', async (t) => {
      const blobs = await open(t)
      await blobs.put('a', bytes('old'))
      const broken = async function* () {
        yield Buffer.from('half')
        throw new Error('the client disconnected')
      }
      for (const key of ['a', 'b']) {
        await assert.rejects(blobs.put(key, broken()), /the client disconnected/)
        await assert.rejects(blobs.put(key, bytes('12', '345'), { maxBytes: 4 }), BlobTooLargeError)
      }
      assert.equal((await blobs.put('c', bytes('12', '34'), { maxBytes: 4 })).size, 4)
      assert.equal(await read(blobs, 'a'), 'old')
      assert.deepEqual(await keys(blobs, ''), ['a', 'c'])
    })

    test('an aborted put rejects immediately with the reason, even while its source is pending', async (t) => {
      const blobs = await open(t)
      const abort = new AbortController()
      const requested = new EventTarget()
      const pending: AsyncIterable<Uint8Array> = {
        [Symbol.asyncIterator]: () => ({
          next: () => {
            requested.dispatchEvent(new Event('next'))
            return new Promise(() => {})
          },
          return: async () => ({ done: true, value: undefined }),
        }),
      }
      const reading = once(requested, 'next')
      const put = blobs.put('a', pending, { signal: abort.signal })
      await reading
      abort.abort(new Error('aborted by the client'))
      await assert.rejects(put, /aborted by the client/)
      await assert.rejects(blobs.put('a', bytes('1'), { signal: abort.signal }), /aborted by the client/)
      assert.deepEqual(await keys(blobs, ''), [])
    })

    test('a range returns exactly its bytes', async (t) => {
      const blobs = await open(t)
      await blobs.put('a', bytes('0123456789'))
      assert.equal(await read(blobs, 'a', { start: 2, end: 4 }), '234')
      assert.equal(await read(blobs, 'a', { start: 9 }), '9')
      assert.equal(await read(blobs, 'a', { start: 0, end: 99 }), '0123456789')
      assert.equal((await part(blobs, { start: 2, end: 4 }))?.size, 10)
      for (const range of [{ start: 10 }, { start: 5, end: 4 }, { start: -1 }, { start: Number.NaN }])
        await assert.rejects(blobs.get('a', { range }), BlobRangeError, JSON.stringify(range))
    })

    test('a list has every blob whose key starts with the prefix', async (t) => {
      const blobs = await open(t)
      for (const key of ['a', 'photos/u1/1.jpg', 'photos/u1/2.jpg', 'photos/u10/1.jpg', 'exports/e1'])
        await blobs.put(key, bytes(key))
      assert.deepEqual(await keys(blobs, 'photos/u1/'), ['photos/u1/1.jpg', 'photos/u1/2.jpg'])
      assert.deepEqual(await keys(blobs, 'photos/u1'), [
        'photos/u1/1.jpg',
        'photos/u1/2.jpg',
        'photos/u10/1.jpg',
      ])
      assert.deepEqual(await keys(blobs, 'exp'), ['exports/e1'])
      assert.equal((await keys(blobs, '')).length, 5)
      for await (const { key, size } of blobs.list('')) assert.equal(size, key.length)
      assert.equal(await blobs.delete('photos/u1/1.jpg'), true)
      assert.deepEqual(await keys(blobs, 'photos/u1/'), ['photos/u1/2.jpg'])
    })

    test('STO-57: malformed keys are rejected before any file is accessed', async (t) => {
      const blobs = await open(t)
      for (const key of malformed) {
        await assert.rejects(blobs.put(key, bytes('1')), BlobKeyError, key)
        await assert.rejects(blobs.get(key), BlobKeyError, key)
        await assert.rejects(blobs.delete(key), BlobKeyError, key)
      }
      assert.deepEqual(await keys(blobs, ''), [])
      for (const prefix of ['../', '/', '/etc/', 'a/../', './', 'a\0/'])
        assert.deepEqual(await keys(blobs, prefix), [])
    })

    test('concurrent puts of one key leave one complete content', async (t) => {
      const blobs = await open(t)
      const contents = Array.from({ length: 8 }, (_, n) => String(n).repeat(100_000))
      await Promise.all(contents.map((content) => blobs.put('new/a', bytes(content))))
      assert.ok(contents.includes((await read(blobs, 'new/a')) ?? ''))
      assert.deepEqual(await keys(blobs, ''), ['new/a'])
    })
  })
}

const malformed = [
  '',
  '/',
  '/a',
  'a/',
  'a//b',
  '.',
  '..',
  '../a',
  'a/../b',
  'a/..',
  '.uploads/a',
  'a/.b',
  'a\\b',
  'a b',
  'a\0b',
  'é',
  'a\n',
  'x'.repeat(201),
  `${'x/'.repeat(256)}x`,
]

async function* bytes(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

async function part(blobs: BlobStore, range: { start: number; end?: number }) {
  const blob = await blobs.get('a', { range })
  blob?.stream.destroy()
  return blob
}

async function read(blobs: BlobStore, key: string, range?: { start: number; end?: number }) {
  const blob = await blobs.get(key, { range })
  return blob && text(blob.stream)
}

async function keys(blobs: BlobStore, prefix: string): Promise<string[]> {
  const found: string[] = []
  for await (const { key } of blobs.list(prefix)) found.push(key)
  return found.sort()
}
