import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'

test('npm run console serves the sources, forwards requests to a cloud and announces changes', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'console-'))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'develop.ts')], {
    env: {
      ...process.env,
      GLASSES_CLOUD_URL: undefined,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      STREAM_PROVIDER: 'none',
      SAMPLE_APP: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  t.after(async () => {
    child.kill()
    await exited
    await rm(dataDir, { recursive: true })
  })
  const url = await localUrl(createInterface({ input: child.stdout }))

  const page = await fetch(new URL('/store', url), { headers: { accept: 'text/html' } })
  assert.match(await page.text(), /src="\/src\/main\.tsx"/)
  const module = await fetch(new URL('/src/pages/NotFound.tsx', url))
  assert.match(await module.text(), /Page not found/)

  const signIn = await fetch(new URL('/api/auth/sign-in/email', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url.origin },
    body: JSON.stringify({ email: 'ada@example.org', password: 'not her password' }),
  })
  assert.equal(signIn.status, 401, 'the cloud accepts the origin of the page')

  const client = await fetch(new URL('/@vite/client', url))
  const token = /wsToken = "([^"]+)"/.exec(await client.text())?.[1] ?? ''
  const updates = new WebSocket(`ws://${url.host}/?token=${token}`, 'vite-hmr')
  const [{ data }] = await once(updates, 'message')
  assert.deepEqual(JSON.parse(data), { type: 'connected' })
  updates.close()
})

/** Returns the address that the development server prints. */
async function localUrl(lines: AsyncIterable<string>): Promise<URL> {
  for await (const line of lines) {
    const url = /Local:\s+(\S+)/.exec(stripVTControlCharacters(line))?.[1]
    if (url !== undefined) return new URL(url)
  }
  throw new Error('The development server has not started.')
}
