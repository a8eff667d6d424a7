import assert from 'node:assert/strict'
import { once } from 'node:events'
import { appendFileSync, copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { boardQueries, readBoard } from '@glasses-cloud/cloud/test/monitoring-files'
import { startPebble } from '@glasses-cloud/cloud/test/pebble'
import { waitFor } from '@glasses-cloud/cloud/test/wait-for'
import { NAME, PROJECT, RELEASE, VERSION } from './artifacts.ts'
import { type BareRoot, skipUnlessPossible, stop } from './bare-root.ts'
import { makeLaterFile } from './later-version.ts'
import { startPrometheus } from './prometheus.ts'
import { AS_USER, addFile, HOME, rootWithFile } from './single-file.ts'

const HOST = 'cloud.example.org'
const BACKUPS = `${HOME}/backups`
const METRICS_TOKEN = '0123456789abcdef'

/** Metrics that have values without users, sessions and other nodes. */
const SHOWN = [
  'cloud_info',
  'cloud_ready',
  'cloud_check_ok',
  'user_sessions',
  'database_query_duration_seconds_count',
  'disk_available_bytes',
  'tls_certificate_expires_seconds',
  'backup_last_success_timestamp_seconds',
  'backup_last_size_bytes',
  'process_resident_memory_bytes',
]

describe('a person with a clean machine and one downloaded file', { skip: skipUnlessPossible() }, () => {
  let root: BareRoot
  let folder: string

  before(() => {
    root = rootWithFile()
    folder = mkdtempSync(join(PROJECT, 'dist/test-'))
  })
  after(async () => {
    rmSync(folder, { recursive: true, force: true })
    await root.remove()
  })

  test('has HTTPS, a verified backup, an upgrade that can be undone, and a board', async (t) => {
    const pebble = await startPebble(t)
    const later = makeLaterFile(folder)
    const inHome = (file: string) => join(root.folder, HOME, file)
    const run = (...args: string[]) => root.check(args, AS_USER)

    // Downloads the file, and checks it.
    copyFileSync(join(RELEASE, 'SHA256SUMS'), inHome('SHA256SUMS'))
    addFile(root, join(RELEASE, NAME), `${HOME}/${NAME}`)
    assert.equal(run('sha256sum', '--check', '--ignore-missing', 'SHA256SUMS'), `${NAME}: OK\n`)
    const program = `./${NAME}`

    // Starts it, with HTTPS and backups.
    cpSync(pebble.directoryAuthority, inHome('directory.pem'))
    const settings = {
      TLS: 'auto',
      PUBLIC_URL: `https://${HOST}:${pebble.tlsPort}`,
      TLS_ACME_TERMS_AGREED: 'true',
      BACKUP_EVERY: '24h',
      BACKUP_TO: BACKUPS,
      METRICS_TOKEN,
      // Of the authority of the test, instead of Let's Encrypt.
      TLS_ACME_DIRECTORY: String(pebble.env.TLS_ACME_DIRECTORY),
      HOST: '127.0.0.1',
      PORT: String(pebble.tlsPort),
      TLS_REDIRECT_PORT: String(pebble.httpPort),
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
    writeFileSync(inHome('.env'), lines.join(''))
    const service = { ...AS_USER, env: { ...AS_USER.env, NODE_EXTRA_CA_CERTS: `${HOME}/directory.pem` } }
    const cloud = await root.start([program], service)
    run(program, 'health', '--wait', '60')
    const authority = await pebble.root()
    const get = async (path: string, token: string) => {
      const sent = request({
        host: '127.0.0.1',
        port: pebble.tlsPort,
        servername: HOST,
        ca: authority,
        path,
        headers: { host: `${HOST}:${pebble.tlsPort}`, authorization: `Bearer ${token}` },
      })
      const [response] = await once(sent.end(), 'response')
      return { status: response.statusCode as number, body: await text(response) }
    }
    const token = run(program, 'token', 'ada@example.org').trim()
    const isSignedIn = async () => (await get('/api/account/me', token)).status === 200
    assert.equal(await isSignedIn(), true)

    // The scheduled backup is made, and was restored before it counts.
    const metric = async (name: string) => {
      const { body } = await get('/metrics', METRICS_TOKEN)
      return Number(new RegExp(`^${name}(?:\\{.*\\})? (.+)$`, 'm').exec(body)?.[1])
    }
    await waitFor('the first backup', async () => (await metric('backup_last_success_timestamp_seconds')) > 0)
    // The name of the test is unknown to the machine, which doctor reports as an error.
    const { stdout: findings } = root.run([program, 'doctor'], AS_USER)
    assert.match(findings, /^ok +backup /m)
    assert.match(findings, /^ok +https +certificate for cloud\.example\.org by Pebble/m)
    assert.match(run(program, 'verify', BACKUPS), /The backup is complete/)

    // The board has data.
    const query = await startPrometheus(t, {
      address: `127.0.0.1:${pebble.tlsPort}`,
      name: HOST,
      authority,
      token: METRICS_TOKEN,
    })
    const queries = boardQueries(readBoard()).map(({ expr }) =>
      expr.replaceAll('$job', 'glasses-cloud').replaceAll(/\$\w+/g, '.*'),
    )
    const found = await Promise.all(queries.map(async (expr) => [expr, await query(expr)] as const))
    for (const name of SHOWN) {
      const panels = found.filter(([expr]) => expr.includes(name))
      assert.ok(panels.length > 0 && panels.every(([, count]) => count > 0), name)
    }

    // An upgrade: a backup before, what the upgrade would do, and that it works with the backup.
    run(program, 'backup')
    const next = `./glasses-cloud-${later.version}`
    addFile(root, later.file, `${HOME}/${next}`)
    assert.match(
      run(next, 'upgrade', '--check'),
      /9001-next-version .*\n[\s\S]*Nodes can be replaced one at a time/,
    )
    assert.match(run(next, 'upgrade', '--dry-run', BACKUPS), /their references are complete/)
    assert.equal(await stop(cloud), 0)
    const upgraded = await root.start([next], service)
    run(next, 'health', '--wait', '60')
    assert.equal(await isSignedIn(), true)
    assert.equal((await get('/metrics', METRICS_TOKEN)).body.includes(`version="${later.version}"`), true)

    // And undone.
    assert.equal(await stop(upgraded), 0)
    const previous = await root.start([program], service)
    run(program, 'health', '--wait', '60')
    assert.equal(await isSignedIn(), true)
    assert.equal((await get('/metrics', METRICS_TOKEN)).body.includes(`version="${VERSION}"`), true)
    assert.equal(await stop(previous), 0)

    // The backup of before is the other way back.
    appendFileSync(inHome('.env'), 'DATA_DIR=restored\n')
    run(program, 'restore', BACKUPS)
    const restored = await root.start([program], service)
    run(program, 'health', '--wait', '60')
    assert.equal(await isSignedIn(), true)
    assert.equal(await stop(restored), 0)
  })
})
