import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { loadAuthSecret } from './data-folder.ts'
import { ConfigError } from './env.ts'

async function temporaryFolder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('auth secret', () => {
  test('CFG-9: the secret is generated once and stored with mode 0600', async (t) => {
    const dir = join(await temporaryFolder(t), 'data')
    const secret = await loadAuthSecret(undefined, dir)
    assert.match(secret, /^[0-9a-f]{64}$/)
    assert.equal(await modeOf(join(dir, 'auth-secret')), 0o600)
    assert.equal(await modeOf(dir), 0o700)
    assert.equal(await loadAuthSecret(undefined, dir), secret)
    assert.notEqual(await loadAuthSecret(undefined, join(dir, 'other')), secret)
    assert.deepEqual((await readdir(dir)).sort(), ['auth-secret', 'other'])
  })

  test('CFG-9: processes that start at the same time get the same secret', async (t) => {
    for (let round = 0; round < 10; round += 1) {
      const dir = join(await temporaryFolder(t), 'data')
      const starts: Promise<string>[] = []
      // Staggered, so that some check for the file before and create it after others have read theirs.
      for (let start = 0; start < 30; start += 1) {
        starts.push(loadAuthSecret(undefined, dir))
        await new Promise(setImmediate)
      }
      assert.equal(new Set(await Promise.all(starts)).size, 1)
      assert.deepEqual(await readdir(dir), ['auth-secret'])
    }
  })

  test('CFG-9: a configured secret is used, and none is generated', async (t) => {
    const dir = await temporaryFolder(t)
    assert.equal(await loadAuthSecret('configured', dir), 'configured')
    assert.deepEqual(await readdir(dir), [])
  })

  test('CFG-10: the mode of a stored secret is corrected', async (t) => {
    const dir = await temporaryFolder(t)
    const path = join(dir, 'auth-secret')
    await writeFile(path, `${'k'.repeat(40)}\n`)
    await chmod(path, 0o644)
    assert.equal(await loadAuthSecret(undefined, dir), 'k'.repeat(40))
    assert.equal(await modeOf(path), 0o600)
  })

  test('CFG-10: an unusable secret file is reported with instructions', async (t) => {
    const dir = await temporaryFolder(t)
    await writeFile(join(dir, 'auth-secret'), 'short')
    await assert.rejects(loadAuthSecret(undefined, dir), (error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.message, /fewer than 32 characters; delete it/)
      return true
    })
    assert.equal(await readFile(join(dir, 'auth-secret'), 'utf8'), 'short')

    const blocked = join(await temporaryFolder(t), 'data')
    await mkdir(join(blocked, 'auth-secret'), { recursive: true })
    await assert.rejects(
      loadAuthSecret(undefined, blocked),
      /cannot be used \(EISDIR\); make DATA_DIR writable/,
    )
  })
})
