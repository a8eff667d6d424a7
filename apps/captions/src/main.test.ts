import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

function run(t: TestContext, env: Record<string, string>): ChildProcess {
  const app = spawn(process.execPath, [main], { env: { NODE_ENV: 'production', ...env } })
  t.after(() => app.kill('SIGKILL'))
  return app
}

async function findFreePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return String(typeof address === 'object' && address?.port)
}

/** Waits for a line of the app's output. */
async function waitForLine(app: ChildProcess, pattern: RegExp): Promise<void> {
  assert.ok(app.stdout)
  for await (const line of createInterface({ input: app.stdout })) if (pattern.test(line)) return
  assert.fail(`The app exited without the line ${pattern}`)
}

describe('Captions app process', () => {
  test('works while the host of the SDK is unreachable, and exits with 0 on SIGTERM', async (t) => {
    const port = await findFreePort()
    const app = run(t, { API_KEY: 'key', PORT: port })
    await waitForLine(app, /App server running/)
    const health = await fetch(`http://127.0.0.1:${port}/health`)
    assert.equal(((await health.json()) as { app: string }).app, 'dev.example.captions')
    app.kill('SIGTERM')
    assert.deepEqual(await once(app, 'exit'), [0, null])
  })

  for (const [env, message] of [
    [{}, /set API_KEY/],
    [{ API_KEY: 'key', PORT: 'abc' }, /PORT must be a port number.*"abc"/],
  ] as const) {
    test(`exits with an error about ${'PORT' in env ? 'the port' : 'the API key'}`, async (t) => {
      const app = run(t, env)
      let errors = ''
      app.stderr?.on('data', (data) => {
        errors += data
      })
      const [code] = await once(app, 'close')
      assert.equal(code, 1)
      assert.match(errors, message)
    })
  }
})
