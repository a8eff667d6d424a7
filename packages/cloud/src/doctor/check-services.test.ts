import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { ffmpegMissing } from '../../test/support/media.ts'
import { S3Server } from '../blobs/testing/s3-server.ts'
import { readConfig } from '../config/index.ts'
import { secretId } from '../identity/index.ts'
import { NODE_SECRET_PURPOSE } from '../nodes/index.ts'
import { compareNodes } from './check-nodes.ts'
import { checkInfo } from './check-redis.ts'
import { checkBlobs, compareClocks } from './check-storage.ts'
import { checkRtmpPort, checkStreaming } from './check-streaming.ts'

const check = async (env: Record<string, string>) =>
  [...(await checkStreaming(readConfig(env))), ...(await checkRtmpPort(readConfig(env)))].map(
    ({ level, text }) => `${level}: ${text}`,
  )

describe('doctor: streaming', () => {
  test('STR-109: the doctor reports missing programs and ports in use', {
    skip: ffmpegMissing,
  }, async (t) => {
    const [found] = await check({ RTMP_PORT: '0' })
    assert.match(String(found), /^ok: ffmpeg \S+$/)
    const [missing] = await check({ RTMP_PORT: '0', FFMPEG_PATH: '/nowhere/ffmpeg' })
    assert.match(String(missing), /^error: \/nowhere\/ffmpeg cannot be started.*install it/)
    const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
    t.after(() => rm(folder, { recursive: true }))
    const program = join(folder, 'ffmpeg')
    const versioned = async (version: string) => {
      await writeFile(program, `#!/bin/sh\necho "ffmpeg version ${version} Copyright"\n`, { mode: 0o755 })
      return (await check({ RTMP_PORT: '0', FFMPEG_PATH: program }))[0]
    }
    assert.match(
      String(await versioned('4.2.7-0ubuntu0.1')),
      /^error: ffmpeg 4.2.7\S* is too old.*4.4 or newer/,
    )
    for (const version of ['4.4.1', 'n7.1', '10.0', 'N-112233-gabcdef'])
      assert.equal(await versioned(version), `ok: ffmpeg ${version}`)
    const server = createServer().listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    assert.match(String((await check({ RTMP_PORT: `${port}` }))[1]), /^note: port \d+ for RTMP is in use/)
    assert.deepEqual(await check({ STREAM_PROVIDER: 'none' }), [
      'note: STREAM_PROVIDER=none; managed streams are rejected',
    ])
  })
})

describe('doctor: services', () => {
  test('the bucket is checked with an object that is deleted again', async (t) => {
    const server = await S3Server.start()
    t.after(() => server.close())
    const check = async (env: object = {}) =>
      (await checkBlobs(readConfig({ ...server.env, ...env }))).map(({ level, text }) => `${level}: ${text}`)
    assert.match(
      (await check()).join(),
      /^ok: the bucket blobs can be written, read and deleted from \(\d+ ms\)$/,
    )
    assert.equal(server.objects.size, 0)
    server.fault = ({ method }) => (method === 'PUT' ? { status: 403, code: 'AccessDenied' } : undefined)
    assert.match((await check()).join(), /^error: S3: the access key may not read, write, list and delete/)
    server.fault = () => undefined
    assert.match(
      (await check({ S3_SECRET_ACCESS_KEY: 'wrong' })).join(),
      /^error: .+ correct S3_SECRET_ACCESS_KEY$/,
    )
    assert.deepEqual(await checkBlobs(readConfig({})), [])
  })

  test('version and memory policy of Redis are checked', () => {
    const check = (...lines: string[]) => checkInfo(lines.join('\r\n')).map(({ level }) => level)
    const current = 'redis_version:7.2.4'
    assert.deepEqual(check(current, 'maxmemory:0', 'maxmemory_policy:allkeys-lru'), ['ok'])
    assert.deepEqual(check(current, 'maxmemory:1000', 'maxmemory_policy:noeviction'), ['ok'])
    assert.deepEqual(check(current, 'maxmemory:1000', 'maxmemory_policy:allkeys-lru'), ['ok', 'note'])
    assert.deepEqual(check('redis_version:5.0.14', 'maxmemory:0'), ['error'])
  })

  test('a clock that differs from the database is reported', () => {
    assert.equal(compareClocks({ now: Date.now(), roundTripMs: 1 }).level, 'ok')
    const finding = compareClocks({ now: Date.now() - 5 * 60_000, roundTripMs: 1 })
    assert.equal(finding.level, 'note')
    assert.match(finding.text, /^differs by 300\d\d\d ms .+ NTP$/)
  })

  test('CLI-44: nodes with another AUTH_SECRET or version are named', () => {
    const [current, previous] = ['a current secret', 'a previous secret']
    const node = (name: string, secret: string, version = '1.0.0') => ({
      name,
      version,
      secretId: secretId(secret, NODE_SECRET_PURPOSE),
    })
    const compare = (...nodes: ReturnType<typeof node>[]) =>
      compareNodes(nodes, [current, previous], '1.0.0').map(({ level, text }) => `${level}: ${text}`)
    assert.deepEqual(compare(node('a', current), node('b', previous)), ['ok: 2 running'])
    const [failure = '', note = ''] = compare(
      node('a', current),
      node('b', 'another'),
      node('c', current, '0.9.0'),
    )
    assert.match(failure, /^error: b use another AUTH_SECRET/)
    assert.match(note, /^note: c do not run version 1\.0\.0/)
    assert.doesNotMatch(failure, /another$|secretId/)
  })
})
