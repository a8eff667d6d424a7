import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pino } from 'pino'
import {
  type ModelPublisher,
  publishModel,
  sha256Of,
  startPublisher,
} from '../../../test/support/model-publisher.ts'
import { oneChunk, openFolderBlobStore } from '../../blobs/index.ts'
import type { ChangedKeys, ChangeFeed } from '../../db/index.ts'
import { eachDatabase, type TestDatabase } from '../../db/testing.ts'
import { JobRunStore, ROW_LEASE_MS } from '../../jobs/index.ts'
import { type Clock, systemClock } from '../../time/index.ts'
import { createGuardedAgent } from '../../webhooks/index.ts'
import { InstalledModelCache, verifyModels } from './installed-models.ts'
import { ModelDownloader } from './model-downloader.ts'
import { blobKey, ModelFolders } from './model-folders.ts'
import { ModelInstaller } from './model-installer.ts'
import type { ModelManifest } from './speech-model.ts'
import { SpeechModelStore } from './speech-model-store.ts'
import { newInstallId, SpeechModels } from './speech-models.ts'

const log = pino({ level: 'silent' })

/** A node: it has a disk of its own, and shares the database and the file store with the others. */
interface Node {
  readonly installer: ModelInstaller
  readonly folders: ModelFolders
  readonly cache: InstalledModelCache
  readonly models: SpeechModels
  readonly root: string
  /** Delivers a change of the list of installed models. */
  change(): void
}

eachDatabase((database) => {
  async function rig(t: TestContext, options: { readonly available?: number; readonly clock?: Clock } = {}) {
    const publisher = await startPublisher(t)
    return rigWith(t, database, publisher, options)
  }

  test('MOD-10 MOD-30: a model is installed, and used on every node', async (t) => {
    const { publisher, store, request, addNode, blobs } = await rig(t)
    const manifest = publishModel(publisher, 'a')
    const [one, two] = [await addNode(), await addNode()]
    let changes = 0
    const stop = two.cache.onChange(() => {
      changes += 1
    })
    assert.equal(await request(manifest), undefined)
    assert.deepEqual(one.cache.list(), [])
    await one.installer.processAll()
    assert.deepEqual(await store.listInstallations(Date.now()), [])
    for (const node of [one, two]) {
      node.change()
      const folder = await node.cache.folderOf('a')
      assert.deepEqual(
        node.cache.list().map(({ id }) => id),
        ['a'],
      )
      assert.deepEqual((await readdir(folder)).sort(), [
        'decoder.onnx',
        'encoder.onnx',
        'joiner.onnx',
        'model.json',
        'tokens.txt',
      ])
      for (const { name, sha256 } of manifest.files)
        assert.equal(sha256Of(await readFile(join(folder, name))), sha256)
      assert.deepEqual(JSON.parse(await readFile(join(folder, 'model.json'), 'utf8')), node.cache.list()[0])
    }
    assert.equal(changes, 1)
    stop()
    // The downloads are gone, and the copy is used again without the file store.
    assert.deepEqual(await readdir(join(one.root, 'downloads')), [])
    for await (const { key } of blobs.list('')) await blobs.delete(key)
    assert.equal(await one.cache.folderOf('a'), await one.cache.folderOf('a'))
    await rm(join(await two.cache.folderOf('a'), 'tokens.txt'))
    await assert.rejects(two.cache.folderOf('a'), /has lost its file encoder.onnx in the file store/)
    await assert.rejects(one.cache.folderOf('b'), /The speech model b is not installed/)
  })

  test('MOD-11: a file with another content', async (t) => {
    const { publisher, store, request, addNode, blobs } = await rig(t)
    const manifest = publishModel(publisher, 'a')
    const right = publisher.files.get('a/joiner.onnx')?.content ?? Buffer.alloc(0)
    publisher.files.set('a/joiner.onnx', { content: Buffer.alloc(right.length, 'x') })
    const { installer, root } = await addNode()
    await request(manifest)
    await installer.processAll()
    const [failed] = await store.listInstallations(Date.now())
    assert.ok(failed?.isFailed)
    assert.match(failed.failure ?? '', /joiner.onnx has the SHA-256 [0-9a-f]{64}, but the manifest states/)
    assert.deepEqual(await store.listInstalled(), [])
    assert.deepEqual(await readdir(join(root, 'downloads', failed.installId)), [])
    // The right files are kept, and the wrong one is downloaded again.
    publisher.files.set('a/joiner.onnx', { content: right })
    publisher.requests.length = 0
    assert.equal(await request(manifest), undefined)
    await installer.processAll()
    assert.deepEqual(publisher.requests, ['a/joiner.onnx', 'a/tokens.txt'])
    const installed = await store.listInstalled()
    assert.equal(installed.length, 1)
    for await (const { damaged } of verifyModels(installed, blobs)) assert.deepEqual(damaged, [])
  })

  test('MOD-15: hashes that no manifest states', async (t) => {
    const { publisher, store, request, addNode } = await rig(t)
    const { installer } = await addNode()
    const manifest = publishModel(publisher, 'a', 'unstated')
    const encoder = publisher.files.get('a/encoder.onnx')?.content ?? Buffer.alloc(0)
    const headers = { 'x-linked-etag': `"${'0'.repeat(64)}"` }
    publisher.files.set('a/encoder.onnx', { content: encoder, headers })
    await request(manifest)
    await installer.processAll()
    assert.match(
      (await store.listInstallations(Date.now()))[0]?.failure ?? '',
      /but its publisher states 0{64}/,
    )
    publisher.files.set('a/encoder.onnx', {
      content: encoder,
      headers: { 'x-linked-etag': `"${sha256Of(encoder)}"` },
    })
    await request(manifest)
    await installer.processAll()
    const [installed] = await store.listInstalled()
    assert.deepEqual(
      installed?.model.files.map(({ name, bytes, sha256 }) => [name, bytes, sha256]),
      manifest.files.map(({ name }) => {
        const content = publisher.files.get(`a/${name}`)?.content ?? Buffer.alloc(0)
        return [name, content.length, sha256Of(content)]
      }),
    )
  })

  test('MOD-12 MOD-13: a process dies in the middle of a file', async (t) => {
    let offset = 0
    const clock = { ...systemClock, now: () => Date.now() + offset }
    const { publisher, store, request, addNode } = await rig(t, { clock })
    const manifest = publishModel(publisher, 'a')
    const content = publisher.files.get('a/joiner.onnx')?.content ?? Buffer.alloc(0)
    publisher.files.set('a/joiner.onnx', { content, fault: { stallAfter: 30_000, times: 1 } })
    const dying = await addNode()
    await request(manifest)
    const stalled = publisher.stalled()
    // Never awaited: its process is gone. What it wrote remains.
    const lost = dying.installer.processAll()
    await stalled
    assert.deepEqual(await store.listInstalled(), [])
    const other = await addNode(dying.root)
    await other.installer.processAll()
    assert.deepEqual(await store.listInstalled(), [], 'the lease is valid')
    offset = ROW_LEASE_MS + 1
    publisher.requests.length = 0
    await other.installer.processAll()
    assert.equal((await store.listInstalled()).length, 1)
    assert.match(String(publisher.requests[0]), /^a\/joiner.onnx( bytes=\d+-)?$/)
    assert.deepEqual(publisher.requests.slice(1), ['a/tokens.txt'])
    // The process that was only suspended changes nothing any more.
    publisher.cut()
    await lost
    assert.equal((await store.listInstalled()).length, 1)
    assert.deepEqual(await store.listInstallations(Date.now()), [])
  })

  test('MOD-13: a node that stops hands its installation over', async (t) => {
    const { publisher, store, request, addNode } = await rig(t)
    const manifest = publishModel(publisher, 'a')
    const content = publisher.files.get('a/decoder.onnx')?.content ?? Buffer.alloc(0)
    publisher.files.set('a/decoder.onnx', { content, fault: { stallAfter: 100, times: 1 } })
    const [one, two] = [await addNode(), await addNode()]
    await request(manifest)
    const stalled = publisher.stalled()
    const working = one.installer.processAll()
    await stalled
    one.installer.stop()
    await working
    await two.installer.processAll()
    assert.equal((await store.listInstalled()).length, 1)
    assert.equal(publisher.requests.filter((each) => each.startsWith('a/encoder.onnx')).length, 1)
  })

  test('MOD-14: concurrent requests and nodes install a model once', async (t) => {
    const { publisher, store, request, addNode } = await rig(t)
    const manifest = publishModel(publisher, 'a')
    const nodes = [await addNode(), await addNode(), await addNode()]
    const results = await Promise.all([request(manifest), request(manifest), request(manifest)])
    assert.deepEqual(results.filter((each) => each === undefined).length, 1)
    assert.deepEqual(results.filter((each) => each === 'installing').length, 2)
    await Promise.all(nodes.map(({ installer }) => installer.processAll()))
    assert.equal(publisher.requests.length, manifest.files.length)
    assert.equal(await request(manifest), 'installed')
    assert.equal((await store.listInstalled()).length, 1)
  })

  test('MOD-18: a disk that is too full', async (t) => {
    const { publisher, store, request, addNode } = await rig(t, { available: 300_000 })
    const { installer } = await addNode()
    await request(publishModel(publisher, 'a'))
    await installer.processAll()
    assert.match(
      (await store.listInstallations(Date.now()))[0]?.failure ?? '',
      /^The disk is too full: 1 MB are needed/,
    )
    assert.deepEqual(publisher.requests, [])
  })

  test('MOD-19: an installation that is canceled leaves nothing', async (t) => {
    const { publisher, store, request, addNode, blobs } = await rig(t)
    const manifest = publishModel(publisher, 'a')
    const content = publisher.files.get('a/joiner.onnx')?.content ?? Buffer.alloc(0)
    publisher.files.set('a/joiner.onnx', { content, fault: { stallAfter: 100, times: 1 } })
    const node = await addNode()
    await request(manifest)
    const stalled = publisher.stalled()
    const working = node.installer.processAll()
    await stalled
    assert.ok(await store.cancel('a'))
    // The connection continues; the next record of the progress finds no row.
    publisher.cut()
    await working
    assert.deepEqual(await store.listInstalled(), [])
    assert.deepEqual(await readdir(join(node.root, 'downloads')), [])
    for await (const { key } of blobs.list('')) assert.fail(key)
  })

  test('a damaged file in the file store is reported, and its folder does not appear', async (t) => {
    const { publisher, store, request, addNode, blobs } = await rig(t)
    const node = await addNode()
    await request(publishModel(publisher, 'a'))
    await node.installer.processAll()
    const [installed] = await store.listInstalled()
    assert.ok(installed)
    await blobs.put(blobKey('a', installed.installId, 1), oneChunk(Buffer.from('damaged')))
    node.change()
    await assert.rejects(node.cache.folderOf('a'), /The speech model a has a damaged file decoder.onnx/)
    assert.deepEqual(await readdir(node.root).then((names) => names.includes('models')), false)
    assert.deepEqual(await readdir(join(node.root, 'copies')), [])
    for await (const { damaged } of verifyModels([installed], blobs))
      assert.deepEqual(damaged, [{ id: 'a', name: 'decoder.onnx', problem: 'damaged' }])
  })

  test('MOD-32: a removed model disappears from every node', async (t) => {
    const { publisher, store, request, addNode, blobs } = await rig(t)
    const [one, two] = [await addNode(), await addNode()]
    await request(publishModel(publisher, 'a'))
    await one.installer.processAll()
    for (const node of [one, two]) node.change()
    const folders = await Promise.all([one.cache.folderOf('a'), two.cache.folderOf('a')])
    const removed = await store.remove('a')
    assert.ok(removed)
    await one.models.deleteFiles(removed)
    for (const node of [one, two]) {
      node.change()
      await assert.rejects(node.cache.folderOf('a'), /is not installed/)
      assert.deepEqual(node.cache.list(), [])
    }
    for (const folder of folders) await assert.rejects(stat(folder))
    for await (const { key } of blobs.list('')) assert.fail(key)
    assert.equal(await store.remove('a'), undefined)
  })

  test('what processes that died left is deleted', async (t) => {
    const { publisher, store, request, addNode, blobs, db } = await rig(t)
    const node = await addNode()
    await request(publishModel(publisher, 'a'))
    await node.installer.processAll()
    node.change()
    const folder = await node.cache.folderOf('a')
    const left = [
      join(node.root, 'models', 'old.0123'),
      join(node.root, 'downloads', '0123'),
      // The highest process id of Linux.
      join(node.root, 'copies', '4194304-x'),
    ]
    const kept = join(node.root, 'copies', `${process.ppid}-y`)
    for (const path of [...left, kept]) await mkdir(path, { recursive: true })
    await blobs.put('speech-models/a/0123/0', oneChunk(Buffer.from('x')))
    await node.models.start()
    t.after(() => node.models.stop())
    await node.models.idle()
    await node.folders.removeLeftOvers(await store.listInstalled(), await store.installIds())
    for (const path of left) await assert.rejects(stat(path), path)
    await stat(kept)
    await stat(folder)
    const keys: string[] = []
    for await (const { key } of blobs.list('speech-models/a/')) keys.push(key)
    assert.equal(keys.length, 4)
    assert.ok(!keys.includes('speech-models/a/0123/0'))
    assert.ok((await new JobRunStore(db).claim('speech-model-sweep', 1_000, Date.now())) === false)
  })

  test('MOD-13 MOD-40: local files whose process died can be installed at once', async (t) => {
    const { publisher, store, addNode, clock } = await rig(t)
    const manifest = publishModel(publisher, 'a')
    const node = await addNode()
    const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    for (const { name } of manifest.files)
      await writeFile(join(folder, name), publisher.files.get(`a/${name}`)?.content ?? '')
    const local = { manifest, source: 'local', installId: newInstallId() } as const
    assert.equal(await store.request({ ...local, owner: 'dead' }, clock.now() - ROW_LEASE_MS), undefined)
    // No other process has the files.
    await node.installer.processAll()
    assert.match((await store.listInstallations(Date.now()))[0]?.failure ?? '', /run it again/)
    const { owner } = node.installer
    assert.equal(await store.request({ ...local, owner }, clock.now()), undefined)
    const job = await store.findInstallation('a')
    assert.ok(job)
    assert.equal(await node.installer.run(job, folder), undefined)
    assert.equal((await store.listInstalled()).length, 1)
    assert.deepEqual(publisher.requests, [])
    await stat(join(folder, 'tokens.txt'))
  })
})

async function rigWith(
  t: TestContext,
  database: TestDatabase,
  publisher: ModelPublisher,
  { available = Number.POSITIVE_INFINITY, clock = systemClock }: { available?: number; clock?: Clock },
) {
  const base = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
  t.after(() => rm(base, { recursive: true, force: true }))
  const keepAlive = setInterval(() => {}, 1_000)
  t.after(() => clearInterval(keepAlive))
  const db = await database.open(t)
  const blobs = await openFolderBlobStore(join(base, 'blobs'))
  const store = new SpeechModelStore(db)
  const space = { available: async () => available }
  let count = 0
  const addNode = async (root = join(base, `node${count++}`)): Promise<Node> => {
    const folders = new ModelFolders({ root, blobs, space })
    const open = () => createGuardedAgent(true)
    const downloader = new ModelDownloader({ open, space, clock, retryDelayMs: 5, stallTimeoutMs: 5_000 })
    t.after(() => downloader.close())
    const installer = new ModelInstaller({
      store,
      blobs,
      folders,
      downloader,
      space,
      hasBlobsOnDisk: true,
      clock,
      log,
    })
    t.after(() => installer.stop())
    const listeners: ((keys: ChangedKeys) => void)[] = []
    const changes: ChangeFeed = {
      on: (_, listener) => void listeners.push(listener),
      catchUp: () => undefined,
      close: async () => {},
    }
    const cache = await InstalledModelCache.open({ store, changes, folders, clock, log })
    t.after(() => cache.close())
    const runs = new JobRunStore(db)
    const models = new SpeechModels({
      store,
      installer,
      downloader,
      folders,
      blobs,
      catalogue: [],
      runs,
      clock,
      log,
    })
    const change = () => {
      for (const listener of listeners) listener('all')
    }
    return { installer, folders, cache, models, root, change }
  }
  const request = (manifest: ModelManifest) =>
    store.request({ manifest, source: 'web', installId: newInstallId() }, clock.now())
  return { publisher, db, blobs, store, request, addNode, clock }
}
