import assert from 'node:assert/strict'
import { mkdtemp, open, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { SpeechCache } from './speech-cache.ts'

const log = pino({ level: 'silent' })

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'tts-cache')
}

async function readSpeech(cache: SpeechCache, key: string): Promise<string | undefined> {
  const cached = await cache.read(key)
  if (!cached) return undefined
  const audio = await buffer(await cached.open())
  assert.equal(cached.bytes, audio.length)
  return audio.toString()
}

describe('speech cache', () => {
  test('TTS-30: stored speech is read unchanged, also after a restart, and is private to its owner', async (t) => {
    const folder = await folderFor(t)
    const cache = await SpeechCache.open(folder, 100, log)
    assert.equal(await readSpeech(cache, 'a'), undefined)
    await cache.put('a', [Buffer.from('Hel'), Buffer.from('lo')])
    assert.equal(await readSpeech(cache, 'a'), 'Hello')
    assert.equal(await readSpeech(await SpeechCache.open(folder, 100, log), 'a'), 'Hello')
    assert.equal((await stat(folder)).mode & 0o777, 0o700)
    assert.equal((await stat(join(folder, 'a.mp3'))).mode & 0o777, 0o600)
  })

  test('TTS-31: the least recently used speech is evicted first, and speech above the limit is not cached', async (t) => {
    const folder = await folderFor(t)
    const cache = await SpeechCache.open(folder, 100, log)
    for (const key of ['a', 'b', 'c']) await cache.put(key, [Buffer.alloc(30)])
    await readSpeech(cache, 'a')
    await cache.put('d', [Buffer.alloc(30)])
    assert.deepEqual((await readdir(folder)).sort(), ['a.mp3', 'c.mp3', 'd.mp3'])
    await cache.put('huge', [Buffer.alloc(101)])
    await cache.put('a', [Buffer.alloc(20)])
    await cache.put('e', [Buffer.alloc(20)])
    assert.deepEqual((await readdir(folder)).sort(), ['a.mp3', 'c.mp3', 'd.mp3', 'e.mp3'])
    await cache.put('f', [Buffer.alloc(1)])
    assert.deepEqual((await readdir(folder)).sort(), ['a.mp3', 'd.mp3', 'e.mp3', 'f.mp3'])
  })

  test('TTS-31: the order of use and the limit apply after a restart', async (t) => {
    const folder = await folderFor(t)
    const cache = await SpeechCache.open(folder, 100, log)
    for (const [at, key] of ['a', 'b', 'c'].entries()) {
      await cache.put(key, [Buffer.alloc(30)])
      await utimes(join(folder, `${key}.mp3`), at, at)
    }
    await readSpeech(cache, 'a')
    await SpeechCache.open(folder, 70, log)
    assert.deepEqual((await readdir(folder)).sort(), ['a.mp3', 'c.mp3'])
    await SpeechCache.open(folder, 0, log)
    assert.deepEqual(await readdir(folder), [])
  })

  test('TTS-30: temporary files of a crashed process are removed, and a deleted file is a cache miss', async (t) => {
    const folder = await folderFor(t)
    const cache = await SpeechCache.open(folder, 100, log)
    await cache.put('a', [Buffer.from('Hello')])
    await writeFile(join(folder, 'left-behind.part'), 'Hel')
    const next = await SpeechCache.open(folder, 100, log)
    assert.deepEqual(await readdir(folder), ['a.mp3'])
    await rm(join(folder, 'a.mp3'))
    assert.equal(await readSpeech(next, 'a'), undefined)
    await next.put('a', [Buffer.from('Hello')])
    assert.equal(await readSpeech(next, 'a'), 'Hello')
  })

  test('TTS-33: an unusable folder causes only cache misses', async (t) => {
    const folder = await folderFor(t)
    await writeFile(folder, 'a file in its place')
    const warnings: string[] = []
    const cache = await SpeechCache.open(
      folder,
      100,
      pino({}, { write: (line: string) => void warnings.push(line) }),
    )
    await cache.put('a', [Buffer.from('Hello')])
    assert.equal(await cache.read('a'), undefined)
    assert.match(warnings[0] ?? '', /the speech cache cannot use its folder/)
  })

  test('TTS-22: speech for which the disk has no space is not cached in part', async (t) => {
    const folder = await folderFor(t)
    const cache = await SpeechCache.open(folder, 1_000, log)
    const file = await open(join(folder, 'other'), 'w')
    t.after(() => file.close())
    // A write to a disk that is almost full succeeds, and is shorter.
    t.mock.method(Object.getPrototypeOf(file), 'writev', async () => ({ bytesWritten: 3 }))
    await cache.put('a', [Buffer.from('Hel'), Buffer.from('lo')])
    assert.equal(await readSpeech(cache, 'a'), undefined)
    assert.deepEqual(await readdir(folder), ['other'])
  })

  test('TTS-30: concurrent writes of the same speech leave it complete', async (t) => {
    const cache = await SpeechCache.open(await folderFor(t), 1_000, log)
    const chunks = Array.from({ length: 50 }, (_, n) => Buffer.from(`${n} `))
    await Promise.all(Array.from({ length: 8 }, () => cache.put('a', chunks)))
    assert.equal(await readSpeech(cache, 'a'), Buffer.concat(chunks).toString())
  })
})
