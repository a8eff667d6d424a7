import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { ConfigError } from './env.ts'
import { authSecret } from './secrets.ts'

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('the secret', () => {
  test('CFG-9: it is made once, private to its owner, and kept', async (t) => {
    const dir = join(await folder(t), 'data')
    const made = await authSecret(undefined, dir)
    assert.match(made, /^[0-9a-f]{64}$/)
    assert.equal(await modeOf(join(dir, 'auth-secret')), 0o600)
    assert.equal(await modeOf(dir), 0o700)
    assert.equal(await authSecret(undefined, dir), made)
    assert.notEqual(await authSecret(undefined, join(dir, 'other')), made)
    assert.deepEqual((await readdir(dir)).sort(), ['auth-secret', 'other'])
  })

  test('CFG-9: processes that start at the same time agree on one', async (t) => {
    for (let round = 0; round < 10; round += 1) {
      const dir = join(await folder(t), 'data')
      const starts: Promise<string>[] = []
      // One step apart, so that some look for the file before and write it after another has read its own.
      for (let start = 0; start < 30; start += 1) {
        starts.push(authSecret(undefined, dir))
        await new Promise(setImmediate)
      }
      assert.equal(new Set(await Promise.all(starts)).size, 1)
      assert.deepEqual(await readdir(dir), ['auth-secret'])
    }
  })

  test('CFG-9: a configured one is used, and none is made', async (t) => {
    const dir = await folder(t)
    assert.equal(await authSecret('configured', dir), 'configured')
    assert.deepEqual(await readdir(dir), [])
  })

  test('CFG-10: a kept one that others may read is made private again', async (t) => {
    const dir = await folder(t)
    const path = join(dir, 'auth-secret')
    await writeFile(path, `${'k'.repeat(40)}\n`)
    await chmod(path, 0o644)
    assert.equal(await authSecret(undefined, dir), 'k'.repeat(40))
    assert.equal(await modeOf(path), 0o600)
  })

  test('CFG-10: one that cannot be used stops the start with a sentence', async (t) => {
    const dir = await folder(t)
    await writeFile(join(dir, 'auth-secret'), 'short')
    await assert.rejects(authSecret(undefined, dir), (error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.message, /fewer than 32 characters; delete it/)
      return true
    })
    assert.equal(await readFile(join(dir, 'auth-secret'), 'utf8'), 'short')

    const blocked = join(await folder(t), 'data')
    await mkdir(join(blocked, 'auth-secret'), { recursive: true })
    await assert.rejects(authSecret(undefined, blocked), /cannot be used \(EISDIR\); make DATA_DIR writable/)
  })
})
