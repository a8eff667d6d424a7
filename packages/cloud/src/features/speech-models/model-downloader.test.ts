import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type ModelPublisher, sha256Of, startPublisher } from '../../../test/support/model-publisher.ts'
import { systemClock } from '../../time/index.ts'
import { createGuardedAgent } from '../../webhooks/index.ts'
import { InstallError } from './install-error.ts'
import { type DownloadOptions, ModelDownloader } from './model-downloader.ts'

const CONTENT = Buffer.alloc(300_000, 'speech model ')
const roomy = { available: async () => Number.POSITIVE_INFINITY }

async function rig(
  t: TestContext,
  { space = roomy, allowsPrivate = true, stallTimeoutMs = 5_000 } = {},
): Promise<{
  publisher: ModelPublisher
  path: string
  get: (name: string, options?: Partial<DownloadOptions>) => ReturnType<ModelDownloader['download']>
  downloader: ModelDownloader
}> {
  const publisher = await startPublisher(t)
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const downloader = new ModelDownloader({
    open: () => createGuardedAgent(allowsPrivate),
    space,
    clock: systemClock,
    stallTimeoutMs,
    retryDelayMs: 5,
  })
  t.after(() => downloader.close())
  const path = join(folder, '0')
  // The retries of the clock do not keep the process alive.
  const keepAlive = setInterval(() => {}, 1_000)
  t.after(() => clearInterval(keepAlive))
  const get = (name: string, options: Partial<DownloadOptions> = {}) =>
    downloader.download(`${publisher.url}${name}`, path, {
      maxBytes: 10_000_000,
      hasHash: false,
      signal: new AbortController().signal,
      onProgress() {},
      ...options,
    })
  return { publisher, path, get, downloader }
}

test('MOD-12 MOD-17: a connection that is cut again and again is continued where it was', async (t) => {
  const { publisher, path, get } = await rig(t)
  publisher.files.set('a', { content: CONTENT, fault: { stallAfter: 100_000, times: 2 } })
  const progress: number[] = []
  await get('a', {
    onProgress(received) {
      progress.push(received)
      if (received === 100_000 || received === 200_000) publisher.cut()
    },
  })
  assert.ok((await readFile(path)).equals(CONTENT))
  assert.deepEqual(publisher.requests, ['a', 'a bytes=100000-', 'a bytes=200000-'])
  assert.deepEqual(progress.at(-1), CONTENT.length)
  assert.ok(progress.every((each, index) => index === 0 || each >= (progress[index - 1] ?? 0)))
})

test('MOD-12: a file that changed in between is downloaded from its beginning', async (t) => {
  const { publisher, path, get } = await rig(t)
  const abort = new AbortController()
  publisher.files.set('a', { content: CONTENT, fault: { stallAfter: 50_000 } })
  const stalled = publisher.stalled()
  const first = get('a', {
    signal: abort.signal,
    onProgress: (received) => received >= 50_000 && abort.abort(),
  })
  await stalled
  await assert.rejects(first)
  assert.equal((await stat(path)).size, 50_000)
  const changed = Buffer.alloc(200_000, 'another ')
  publisher.files.set('a', { content: changed })
  await get('a')
  assert.ok((await readFile(path)).equals(changed))
  assert.equal(publisher.requests.at(-1), 'a bytes=50000-')
})

test('MOD-12: without validator or ranges of the publisher', async (t) => {
  const { publisher, path, get } = await rig(t)
  const onProgress = (received: number) => received === 90_000 && publisher.cut()
  const fault = () => ({ stallAfter: 90_000, times: 1 })
  publisher.files.set('a', { content: CONTENT, isWithoutEtag: true, fault: fault() })
  await get('a', { onProgress })
  assert.deepEqual(publisher.requests, ['a', 'a'])
  assert.ok((await readFile(path)).equals(CONTENT))
  await rm(path)
  // A hash will tell whether the parts belong together.
  publisher.files.set('b', { content: CONTENT, isWithoutEtag: true, fault: fault() })
  await get('b', { hasHash: true, onProgress })
  assert.equal(publisher.requests.at(-1), 'b bytes=90000-')
  assert.ok((await readFile(path)).equals(CONTENT))
  await rm(path)
  publisher.files.set('c', { content: CONTENT, isWithoutRanges: true, fault: fault() })
  await get('c', { onProgress })
  assert.ok((await readFile(path)).equals(CONTENT))
})

test('MOD-12: a file that is complete already', async (t) => {
  const { publisher, path, get } = await rig(t)
  publisher.files.set('a', { content: CONTENT })
  await get('a')
  await get('a')
  assert.equal(publisher.requests.at(-1), `a bytes=${CONTENT.length}-`)
  await get('a', { bytes: CONTENT.length })
  assert.equal(publisher.requests.length, 2)
  assert.ok((await readFile(path)).equals(CONTENT))
})

test('MOD-17: what fails at once, and what after several attempts', async (t) => {
  const { publisher, get } = await rig(t, { stallTimeoutMs: 300 })
  await assert.rejects(get('missing'), /missing answers with the status 404$/)
  assert.equal(publisher.requests.length, 1)
  publisher.files.set('busy', { content: CONTENT, fault: { status: 503 } })
  await assert.rejects(get('busy'), /busy cannot be downloaded \(.*status 503\)/)
  assert.equal(publisher.requests.filter((each) => each === 'busy').length, 5)
  publisher.files.set('short', { content: CONTENT, isWithoutRanges: true, fault: { cutAfter: 1_000 } })
  await assert.rejects(get('short'), InstallError)
  publisher.files.set('silent', { content: CONTENT, fault: { stallAfter: 0, times: 1 } })
  await get('silent')
})

test('MOD-11: another size than the manifest states', async (t) => {
  const { publisher, get } = await rig(t)
  publisher.files.set('a', { content: CONTENT })
  await assert.rejects(get('a', { bytes: 5 }), /has 300000 bytes instead of 5/)
  await assert.rejects(get('a', { maxBytes: 1_000 }), /is larger than a model may be/)
})

test('MOD-15 MOD-16: redirects, and what the publisher states on the way', async (t) => {
  const { publisher, path, get } = await rig(t)
  publisher.files.set('stored', { content: CONTENT })
  const headers = { 'x-linked-etag': `"${sha256Of(CONTENT)}"`, 'x-linked-size': String(CONTENT.length) }
  publisher.files.set('a', { content: CONTENT, location: `${publisher.url}stored?signed`, headers })
  assert.equal((await get('a')).sha256, sha256Of(CONTENT))
  assert.ok((await readFile(path)).equals(CONTENT))
  publisher.files.set('loop', { content: CONTENT, location: `${publisher.url}loop` })
  await assert.rejects(get('loop'), /redirects too often/)
  publisher.files.set('away', { content: CONTENT, location: 'ftp://example.org/x' })
  await assert.rejects(get('away'), /redirects to an address that is not encrypted/)
})

test('MOD-16: addresses that are not public', async (t) => {
  const { publisher, get, downloader } = await rig(t, { allowsPrivate: false })
  publisher.files.set('a', { content: CONTENT })
  await assert.rejects(get('a'), /FORBIDDEN_ADDRESS/)
  await assert.rejects(
    downloader.fetchJson(`${publisher.url}a`, new AbortController().signal),
    /FORBIDDEN_ADDRESS/,
  )
  assert.deepEqual(publisher.requests, [])
})

test('MOD-18: a disk without space for the file', async (t) => {
  const { publisher, path, get } = await rig(t, { space: { available: async () => 200_000 } })
  publisher.files.set('a', { content: CONTENT })
  await assert.rejects(get('a'), /The disk is too full: 1 MB are needed, 1 MB are free/)
  await assert.rejects(stat(path))
})

test('MOD-20: a manifest that is too large, missing or not JSON', async (t) => {
  const { publisher, downloader } = await rig(t)
  const fetch = (name: string) =>
    downloader.fetchJson(`${publisher.url}${name}`, new AbortController().signal)
  publisher.files.set('ok', { content: Buffer.from('{"a":1}') })
  assert.deepEqual(await fetch('ok'), { a: 1 })
  publisher.files.set('large', { content: Buffer.alloc(2_000_000, ' ') })
  await assert.rejects(fetch('large'), /has more than 1048576 bytes/)
  publisher.files.set('text', { content: Buffer.from('hello') })
  await assert.rejects(fetch('text'), /is not valid JSON/)
  await assert.rejects(fetch('none'), /answers with the status 404/)
})
