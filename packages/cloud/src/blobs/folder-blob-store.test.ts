import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { untilAborted } from './blob-store.ts'
import { blobStoreSuite } from './blob-store-suite.ts'
import { openFolderBlobStore } from './folder-blob-store.ts'

test('chunks that were read are not kept in memory', async () => {
  const collectGarbage = exposeGarbageCollector()
  const read: WeakRef<object>[] = []
  const source = async function* () {
    for (let index = 0; index < 100; index += 1) {
      const chunk = { index }
      read.push(new WeakRef(chunk))
      yield chunk
    }
    // A WeakRef keeps its object until the end of the current task.
    await new Promise(setImmediate)
    collectGarbage()
    const kept = read.filter((chunk) => chunk.deref() !== undefined).length
    assert.ok(kept < 10, `${kept} of 100 chunks are in memory`)
  }
  let count = 0
  for await (const _ of untilAborted(source(), new AbortController().signal)) count += 1
  assert.equal(count, 100)
})

function exposeGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

blobStoreSuite('folder blob store', async (t) => openFolderBlobStore(await temporaryFolder(t)))

test('STO-59: blobs and their folders are accessible by their owner only', async (t) => {
  const folder = await temporaryFolder(t)
  const blobs = await openFolderBlobStore(folder)
  await blobs.put('photos/u1/a', one())
  assert.equal((await stat(join(folder, 'photos/u1/a'))).mode & 0o777, 0o600)
  for (const path of ['', 'photos', 'photos/u1'])
    assert.equal((await stat(join(folder, path))).mode & 0o777, 0o700, path)
})

test('STO-53: a failed put leaves no file', async (t) => {
  const folder = await temporaryFolder(t)
  const blobs = await openFolderBlobStore(folder)
  await assert.rejects(blobs.put('a', one(), { maxBytes: 0 }))
  assert.deepEqual(await readdir(join(folder, '.uploads')), [])
})

test('incomplete uploads are deleted after a day', async (t) => {
  const folder = await temporaryFolder(t)
  await openFolderBlobStore(folder)
  const uploads = join(folder, '.uploads')
  await writeFile(join(uploads, 'old'), 'x')
  await writeFile(join(uploads, 'new'), 'x')
  const longAgo = Date.now() / 1000 - 25 * 60 * 60
  await utimes(join(uploads, 'old'), longAgo, longAgo)
  const blobs = await openFolderBlobStore(folder)
  assert.deepEqual(await readdir(uploads), ['new'])
  for await (const { key } of blobs.list('')) assert.fail(key)
})

test('deleting the last blob of a folder removes the folder and its empty parents', async (t) => {
  const folder = await temporaryFolder(t)
  const blobs = await openFolderBlobStore(folder)
  for (const key of ['photos/u1/a', 'photos/u1/b', 'photos/u2/c']) await blobs.put(key, one())
  await blobs.delete('photos/u1/a')
  assert.deepEqual((await readdir(join(folder, 'photos'))).sort(), ['u1', 'u2'])
  await blobs.delete('photos/u1/b')
  assert.deepEqual(await readdir(join(folder, 'photos')), ['u2'])
  await blobs.delete('photos/u2/c')
  assert.deepEqual(await readdir(folder), ['.uploads'])
})

test('a put during the deletion of the last other blob succeeds', async (t) => {
  const folder = await temporaryFolder(t)
  const blobs = await openFolderBlobStore(folder)
  for (let round = 0; round < 100; round++) {
    await blobs.put('a/b/old', one())
    await Promise.all([blobs.delete('a/b/old'), blobs.put('a/b/new', one())])
    assert.equal(await blobs.delete('a/b/new'), true)
  }
})

async function temporaryFolder(t: TestContext): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'glasses-cloud-blobs-'))
  t.after(() => rm(parent, { recursive: true, force: true }))
  return join(parent, 'blobs')
}

async function* one(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('1')
}
