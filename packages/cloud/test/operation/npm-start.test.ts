import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { before, describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type CloudProcess, startCloudProcess } from '../support/cloud-process.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { makeBundle } from '../support/test-cloud.ts'
import { waitFor, withTimeout } from '../support/wait-for.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

interface StartedByNpm extends CloudProcess {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The lines of its log. */
  readonly logged: readonly Record<string, unknown>[]
}

/** Runs a command that runs `npm start`. */
async function start(t: TestContext, command: readonly string[] = ['npm', 'start']): Promise<StartedByNpm> {
  const folder = await mkdtemp(join(tmpdir(), 'npm-start-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const env = {
    ...inheritedEnv(),
    HOME: folder,
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    STREAM_PROVIDER: 'none',
    SAMPLE_APP: 'off',
  }
  const logged: Record<string, unknown>[] = []
  const started = await startCloudProcess(t, command, {
    cwd: ROOT,
    env,
    onLogLine: (line) => line.startsWith('{') && logged.push(JSON.parse(line)),
  })
  return { ...started, env, logged }
}

/** Waits until the server has closed its port and its process has ended, and returns the signal that it logged. */
async function ended({ url, logged }: StartedByNpm): Promise<unknown> {
  await waitFor('the end of the server', () =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  const { pid, signal } = logged.find(({ msg }) => msg === 'stopping') ?? {}
  await waitFor('the end of its process', () => {
    try {
      return !process.kill(Number(pid), 0)
    } catch {
      return true
    }
  })
  return signal
}

describe('npm start', { concurrency: 2 }, () => {
  before(makeBundle)

  test('HTTP-59: SIGTERM to npm, which waits for the server', async (t) => {
    const cloud = await start(t)
    assert.deepEqual(await cloud.end('SIGTERM'), [0, null])
    assert.equal(await ended(cloud), 'SIGTERM')
  })

  test('HTTP-59 HTTP-43: a signal that reaches each process, as of Ctrl+C, and from npm once more', async (t) => {
    const cloud = await start(t, ['setsid', 'npm', 'start'])
    const exited = once(cloud.process, 'exit')
    process.kill(-Number(cloud.process.pid), 'SIGINT')
    assert.deepEqual(await withTimeout(30_000, exited, 'npm did not end'), [0, null])
    assert.equal(await ended(cloud), 'SIGINT')
  })

  // SIGHUP is what a terminal sends that is closed. npm passes neither on.
  for (const signal of ['SIGKILL', 'SIGHUP'] as const)
    test(`HTTP-59: ${signal} to npm in a session of its own`, async (t) => {
      const cloud = await start(t, ['setsid', 'npm', 'start'])
      assert.deepEqual(await cloud.end(signal), [null, signal])
      assert.equal(await ended(cloud), 'SIGTERM')
    })

  test('HTTP-59: the end of a shell that runs npm', async (t) => {
    const cloud = await start(t, ['sh', '-c', 'cd . && npm start'])
    await cloud.end('SIGTERM')
    assert.equal(await ended(cloud), 'SIGTERM')
  })

  test('CFG-21: a second server of a data folder', async (t) => {
    const cloud = await start(t)
    const second = spawn('npm', ['start'], { cwd: ROOT, env: cloud.env, stdio: ['ignore', 'ignore', 'pipe'] })
    t.after(() => second.kill('SIGKILL'))
    const [printed, [code]] = await withTimeout(
      30_000,
      Promise.all([text(second.stderr), once(second, 'close')]),
      'the second server did not end',
    )
    assert.equal(code, 1)
    const pattern =
      /The data folder (\S+) is used by the server that is process (\d+) on (\S+), started at \S+\. Stop that one first, or set DATA_DIR to another folder\.\n/
    const [, folder, pid] = pattern.exec(printed) ?? []
    assert.equal(folder, cloud.env.DATA_DIR, printed)
    assert.equal((await fetch(`${cloud.url}/readyz`)).status, 200)
    await cloud.end('SIGTERM')
    assert.equal(cloud.logged.find(({ msg }) => msg === 'stopping')?.pid, Number(pid))
  })
})
