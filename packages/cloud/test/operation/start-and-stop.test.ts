import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { eitherDatabase } from '../../src/db/testing.ts'
import { findLanAddress } from '../../src/http/lan-address.ts'
import { cli, spawnCli } from '../support/cli.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { ipv6Missing } from '../support/ipv6.ts'
import { spawnCloud, startCloud } from '../support/test-cloud.ts'
import { waitFor, withTimeout } from '../support/wait-for.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

async function temporaryFolder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}

/** Runs the server until it exits by itself. */
async function runToExit(t: TestContext, cwd: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [main], { cwd, env: { ...inheritedEnv(), ...env } })
  t.after(() => child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', (data) => {
    stderr += data
  })
  const [code] = await withTimeout(20_000, once(child, 'close'), 'the server did not end')
  return { code, stderr }
}

describe('start', () => {
  test('CFG-2: each invalid setting prints one sentence without a stack; the process exits with 1', async (t) => {
    const cwd = await temporaryFolder(t)
    const { code, stderr } = await runToExit(t, cwd, { PORT: 'http', LOG_LEVEL: 'loud' })
    assert.equal(code, 1)
    assert.deepEqual(stderr.trim().split('\n'), [
      'PORT must be an integer from 0 to 65535 (got "http").',
      'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent (got "loud").',
    ])
    await assert.rejects(stat(join(cwd, 'data')))
  })

  test('CFG-4: .env is read, and the environment takes precedence', async (t) => {
    const cwd = await temporaryFolder(t)
    await writeFile(join(cwd, '.env'), 'PORT=from-file\nLOG_LEVEL=from-file\n')
    const { stderr } = await runToExit(t, cwd, { LOG_LEVEL: 'from-env' })
    assert.match(stderr, /PORT must .*got "from-file"/)
    assert.match(stderr, /LOG_LEVEL must .*got "from-env"/)
  })

  test('CFG-4 CFG-22 CFG-23: what editors of Windows save, a setting with a wrong name, a secret in a file', async (t) => {
    const folder = await temporaryFolder(t)
    const file = join(folder, '.env')
    const secret = join(folder, 'secret')
    const lines = [
      'SECURITY_CONTACT=“security@example.org”',
      'SIGNUP=closed',
      `METRICS_TOKEN_FILE=${secret}`,
      '',
    ]
    await writeFile(file, Buffer.from(`\uFEFF${lines.join('\r\n')}`, 'utf16le'))
    await writeFile(secret, '\uFEFFsecret-of-a-container\r\n')
    const cloud = await spawnCloud(t, { env: { GLASSES_CLOUD_ENV_FILE: file, LOG_LEVEL: 'warn' } })
    const contact = await fetch(`${cloud.url}/.well-known/security.txt`)
    assert.match(await contact.text(), /^Contact: mailto:security@example\.org$/m)
    const authorization = 'Bearer secret-of-a-container'
    assert.equal((await fetch(`${cloud.url}/metrics`)).status, 401)
    assert.equal((await fetch(`${cloud.url}/metrics`, { headers: { authorization } })).status, 200)
    const warning = 'SIGNUP is no setting and has no effect; SIGN_UP is one'
    assert.ok(cloud.logged.some(({ msg }) => msg === warning))
    const { out } = await spawnCli(t, cloud.env, 'doctor')
    assert.ok(out.includes(warning), out)
  })

  test('CFG-11: a port in use, a foreign host or an unusable data folder prints a sentence and exits with 1', async (t) => {
    const cwd = await temporaryFolder(t)
    const other = createServer().listen(0, '127.0.0.1')
    t.after(() => other.close())
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    await writeFile(join(cwd, 'file'), '')
    const ends = await Promise.all([
      runToExit(t, cwd, { PORT: `${port}`, LOG_LEVEL: 'silent' }),
      runToExit(t, cwd, { PORT: '0', HOST: '192.0.2.1', LOG_LEVEL: 'silent', DATA_DIR: 'other' }),
      runToExit(t, cwd, { PORT: '0', DATA_DIR: 'file/data', LOG_LEVEL: 'silent' }),
    ])
    assert.deepEqual(
      ends.map(({ code }) => code),
      [1, 1, 1],
    )
    const [portInUse, foreign, unusable] = ends.map(({ stderr }) => stderr)
    assert.equal(portInUse, `Port ${port} is in use; set PORT to a free one.\n`)
    assert.equal(
      foreign,
      'HOST 192.0.2.1 is not an address of this machine; use 0.0.0.0 to listen on all addresses.\n',
    )
    assert.match(
      unusable ?? '',
      /cannot be used \(ENOTDIR\); make DATA_DIR writable, or set AUTH_SECRET\.\n$/,
    )
    for (const { stderr } of ends) assert.doesNotMatch(stderr, /^\s+at /m)
  })

  test('CFG-7 CFG-25: the public URL is localhost by default, also with both kinds of addresses', async (t) => {
    const byDefault = await startCloud(t)
    const { port } = byDefault.cloud
    assert.equal(byDefault.cloud.publicUrl().href, `http://localhost:${port}/`)
    assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200)
    assert.notEqual(port, 0)
    const onBoth = await startCloud(t, { env: { HOST: '::' } })
    for (const host of ['127.0.0.1', ...(ipv6Missing ? [] : ['[::1]'])])
      assert.equal((await fetch(`http://${host}:${onBoth.cloud.port}/healthz`)).status, 200, host)
    const withPublicUrl = await startCloud(t, { env: { PUBLIC_URL: 'https://cloud.example.org' } })
    assert.equal(withPublicUrl.cloud.publicUrl().href, 'https://cloud.example.org/')
    const { headers } = await withPublicUrl.request('GET', '/healthz')
    assert.ok(headers.get('strict-transport-security'))
  })
})

test('CFG-7 CFG-24: on all interfaces, phones and apps receive the address that the start and doctor name', async (t) => {
  const cloud = await spawnCloud(t, { env: { HOST: '0.0.0.0', LOG_LEVEL: 'warn' } })
  const lan = await findLanAddress()
  const { hostname, host } = new URL(cloud.url)
  assert.equal(hostname, lan ?? 'localhost')
  const problem = `PUBLIC_URL is not set, so phones and apps receive http://${host}`
  assert.ok(cloud.logged.some(({ msg }) => String(msg).startsWith(problem)))
  const { out } = await cli({ ...cloud.env, PORT: new URL(cloud.url).port }, 'doctor')
  assert.ok(out.includes(problem), out)
  assert.equal((await fetch(`${cloud.url}/healthz`)).status, 200)
})

test('CFG-7: at ::1 the public URL leads to the cloud, whether or not localhost does', {
  skip: ipv6Missing,
}, async (t) => {
  const { cloud } = await startCloud(t, { env: { HOST: '::1' } })
  assert.equal((await fetch(`${cloud.publicUrl()}healthz`)).status, 200)
})

test('CFG-7: localhost is not the public URL while it leads to another program', {
  skip: ipv6Missing,
}, async (t) => {
  const other = createServer().listen(0, '::1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const beside = await startCloud(t, { env: { PORT: String(port) } })
  assert.equal(beside.cloud.publicUrl().href, `http://127.0.0.1:${port}/`)
})

describe('stop', () => {
  test('HTTP-42: closing completes pending requests and returns the same promise twice', async (t) => {
    const local = await startCloud(t)
    const token = await local.token('a@b.de')
    const body = 'x'.repeat(64)
    const socket = connect(local.cloud.port, '127.0.0.1')
    t.after(() => socket.destroy())
    let received = ''
    socket.on('data', (data) => {
      received += data
    })
    const head = `POST /api/auth/glasses-token HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n`
    const arrived = new Promise<void>((resolve) => local.cloud.server.server.once('request', () => resolve()))
    socket.write(head + body.slice(1))
    await withTimeout(20_000, arrived, 'the request did not arrive')
    const closing = local.cloud.close()
    assert.equal(local.cloud.close(), closing)
    socket.write(body.slice(0, 1))
    await withTimeout(20_000, once(socket, 'close'), 'the response did not end')
    assert.match(received, /^HTTP\/1\.1 200 /)
    await withTimeout(20_000, closing, 'the cloud did not close')
    await assert.rejects(fetch(`${local.url}/healthz`))
  })

  test('HTTP-55: closing with a connection that was never used', async (t) => {
    const local = await startCloud(t)
    const accepted = once(local.cloud.server.server, 'connection')
    const socket = connect(local.cloud.port, '127.0.0.1')
    t.after(() => socket.destroy())
    await withTimeout(20_000, accepted, 'the connection was not accepted')
    const closed = once(socket.resume(), 'close')
    const startedAt = performance.now()
    await withTimeout(20_000, local.cloud.close(), 'the cloud did not close')
    await closed
    // Connections are closed unconditionally after 10 s.
    assert.ok(performance.now() - startedAt < 8_000)
  })

  for (const [signal, from] of [
    ['SIGTERM', 'bundle'],
    ['SIGINT', 'sources'],
    ['SIGHUP', 'bundle'],
  ] as const) {
    test(`HTTP-43: ${signal} shuts a process that runs the ${from} down gracefully`, async (t) => {
      const spawned = await spawnCloud(t, { from, env: { LOG_LEVEL: 'info' } })
      const exited = once(spawned.process, 'exit')
      spawned.process.kill(signal)
      const [code] = await withTimeout(20_000, exited, 'the process did not end')
      assert.equal(code, 0)
      assert.ok(
        spawned.logged.some(({ msg, signal: loggedSignal }) => msg === 'stopping' && loggedSignal === signal),
      )
    })
  }

  test('HTTP-45: an exception thrown outside the sessions', async (t) => {
    const crash = `data:text/javascript,process.on('SIGUSR2',()=>{throw(new(Error)('injected'))})`
    const spawned = await spawnCloud(t, { env: { LOG_LEVEL: 'info', NODE_OPTIONS: `--import=${crash}` } })
    const exited = once(spawned.process, 'exit')
    const token = await spawned.token('a@b.de')
    const glasses = new WebSocket(`${spawned.url.replace('http', 'ws')}/glasses-ws?token=${token}`)
    const closed = new Promise<number>((resolve) => {
      glasses.onclose = ({ code }) => resolve(code)
    })
    await withTimeout(
      10_000,
      new Promise((resolve) => {
        glasses.onmessage = resolve
      }),
      'the glasses were not acknowledged',
    )
    spawned.process.kill('SIGUSR2')
    assert.equal(await withTimeout(20_000, closed, 'the socket was not closed'), 1012)
    const [code] = await withTimeout(20_000, exited, 'the process did not end')
    assert.equal(code, 1)
    assert.ok(spawned.logged.some(({ msg, level }) => msg === 'uncaughtException' && level === 60))
  })

  test('HTTP-43: a second signal ends the process immediately', async (t) => {
    const spawned = await spawnCloud(t, { env: { LOG_LEVEL: 'info' } })
    // A pending request delays the graceful shutdown.
    const socket = connect(Number(new URL(spawned.url).port), '127.0.0.1')
    socket.on('error', () => {})
    t.after(() => socket.destroy())
    const token = await spawned.token('a@b.de')
    socket.write(
      `PUT /api/account/profile HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
    )
    // The server has received the request when it requests the body.
    await once(socket, 'data')
    const stopping = waitForLog(spawned.process.stderr, 'stopping')
    spawned.process.kill('SIGTERM')
    await withTimeout(20_000, stopping, 'the shutdown did not start')
    // The shutdown takes 10 s, and has signals for 2 s that belong to the first.
    const code = await waitFor('the end of the process', () => {
      spawned.process.kill('SIGTERM')
      return spawned.process.exitCode ?? undefined
    })
    assert.equal(code, 1)
  })
})

/** Resolves when the log contains a word. */
function waitForLog(stream: NodeJS.ReadableStream | null, word: string): Promise<void> {
  return new Promise((resolve) => {
    stream?.on('data', (data: Buffer) => {
      if (data.includes(word)) resolve()
    })
  })
}

eitherDatabase((database) => {
  test('HTTP-44 CFG-9: after a kill and restart all acknowledged data exists', async (t) => {
    const first = await spawnCloud(t, { database, env: { AUTH_SECRET: '' } })
    const foreign = await first.request('POST', '/api/auth/glasses-token', {
      token: await first.token('kept@b.de'),
    })
    assert.equal(foreign.status, 401, 'the test does not know the secret that the cloud generated')
    const { apiKey } = await first.registerApp({ packageName: 'dev.example.kept' })
    await first.kill()

    const second = await spawnCloud(t, { env: { ...first.env, PORT: new URL(first.url).port } })
    assert.equal(second.url, first.url)
    const app = await second.operator.apps.findByPackage('dev.example.kept')
    assert.ok(app)
    const [key] = await second.operator.apiKeys.list(app.id)
    assert.equal(key?.keyId, apiKey.split('_')[1])
    assert.ok(await second.operator.users.findByEmail('kept@b.de'))
  })
})
