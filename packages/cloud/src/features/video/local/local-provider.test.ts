import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import pino from 'pino'
import { ffmpegMissing, RtmpListener } from '../../../../test/support/media.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { findFreePort } from '../../../http/free-port.ts'
import type { LiveInput, StreamingResult } from '../../../session/index.ts'
import { systemClock } from '../../../time/index.ts'
import type { StreamingProvider } from '../provider.ts'
import { streamingProviderSuite } from '../streaming-provider-suite.ts'
import { type LocalProviderOptions, LocalStreamingProvider } from './local-provider.ts'

async function openProvider(
  t: TestContext,
  options: Partial<LocalProviderOptions> = {},
): Promise<LocalStreamingProvider> {
  const dataDir = await mkdtemp(join(tmpdir(), 'local-provider-'))
  const provider = await LocalStreamingProvider.open({
    clock: systemClock,
    log: pino({ level: 'silent' }),
    program: 'ffmpeg',
    host: '127.0.0.1',
    port: 0,
    rtmpPublicUrl: undefined,
    publicUrl: () => new URL('http://127.0.0.1:8080'),
    folder: join(dataDir, 'streams'),
    maxStreams: 4,
    allowPrivateNetworks: true,
    allowCredentials: false,
    ...options,
  })
  t.after(async () => {
    await provider.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return provider
}

/** Publishes a tiny picture until the end of the test. */
function film(t: TestContext, url: string): ChildProcess {
  const source = [
    '-re',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=160x90:rate=10',
    '-re',
    '-f',
    'lavfi',
    '-i',
    'sine',
  ]
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', '-c:a', 'aac', '-f', 'flv', url]
  const child = spawn('ffmpeg', ['-v', 'quiet', '-nostdin', ...source, ...encoder], { stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  return child
}

function value<Value>(result: StreamingResult<Value>): Value {
  assert.ok(result.ok, result.ok ? '' : result.message)
  return result.value
}

describe('local provider', { skip: ffmpegMissing }, () => {
  streamingProviderSuite('inputs and outputs', async (t) => {
    const local = await openProvider(t)
    const inputs = new Map<string, LiveInput>()
    const provider = new Proxy<StreamingProvider>(local, {
      get: (target, name) => {
        const member = Reflect.get(target, name)
        if (name !== 'createInput') return typeof member === 'function' ? member.bind(target) : member
        return async (owner: { userId: string }) => {
          const result = await target.createInput(owner)
          if (result.ok) inputs.set(result.value.inputId, result.value)
          return result
        }
      },
    })
    return {
      provider,
      settle: async (inputId) => {
        film(t, String(inputs.get(inputId)?.ingestUrl))
        await waitFor('the input is ready', async () => {
          const reports = value(await local.listOutputs(inputId))
          return value(await local.isReady(inputId)) && reports.every(({ status }) => status !== 'connecting')
        })
      },
      targets: {
        good: (await RtmpListener.start(t, 'good')).url,
        bad: `rtmp://127.0.0.1:${await findFreePort()}/live/bad`,
      },
    }
  })

  test('STR-108: a private address', async (t) => {
    const provider = await openProvider(t, { allowPrivateNetworks: false })
    const input = value(await provider.createInput({ userId: 'u' }))
    const listener = await RtmpListener.start(t, 'key')
    for (const url of [
      listener.url,
      listener.url.replace('127.0.0.1', 'localhost'),
      'rtmps://[::1]:1/live/key',
    ])
      value(await provider.addOutput(input.inputId, url))
    film(t, input.ingestUrl)
    const reports = await waitFor('all outputs fail', async () => {
      const listed = value(await provider.listOutputs(input.inputId))
      return listed.every(({ status }) => status === 'error') && listed
    })
    assert.deepEqual(
      reports.map(({ error }) => error),
      Array(3).fill('The target is in a private network'),
    )
  })

  test('STR-108: the certificate of an rtmps:// server is verified', async (t) => {
    const provider = await openProvider(t)
    const input = value(await provider.createInput({ userId: 'u' }))
    const plain: Server = createServer((socket) => socket.end('this is not TLS')).listen(0, '127.0.0.1')
    await once(plain, 'listening')
    t.after(() => plain.close())
    const address = plain.address()
    const port = typeof address === 'object' && address ? address.port : 0
    value(await provider.addOutput(input.inputId, `rtmps://127.0.0.1:${port}/live/key`))
    film(t, input.ingestUrl)
    const error = await waitFor('the output fails', async () => {
      const [report] = value(await provider.listOutputs(input.inputId))
      return report?.status === 'error' && report.error
    })
    assert.match(String(error), /^The connection failed: ERR_SSL/)
  })

  test('OUT-18: user:password@ is rejected, because it is visible among process arguments, unless allowed', async (t) => {
    for (const allowCredentials of [false, true]) {
      const provider = await openProvider(t, { allowCredentials })
      const { inputId } = value(await provider.createInput({ userId: 'u' }))
      for (const credentials of ['user:password', 'user', ':password']) {
        const added = await provider.addOutput(inputId, `rtmp://${credentials}@tv.test/app/key`)
        assert.equal(added.ok, allowCredentials)
        assert.equal(JSON.stringify(added).includes('tv.test'), false)
      }
      assert.equal((await provider.addOutput(inputId, 'rtmp://tv.test/app/key')).ok, true)
    }
  })

  test('STR-112: further inputs are rejected beyond STREAM_MAX', async (t) => {
    const provider = await openProvider(t, { maxStreams: 2 })
    const results = await Promise.all([1, 2, 3, 4].map(() => provider.createInput({ userId: 'u' })))
    assert.equal(results.filter(({ ok }) => ok).length, 2)
    const [first] = results
    if (first?.ok) await provider.deleteInput(first.value.inputId)
    assert.equal((await provider.createInput({ userId: 'u' })).ok, true)
  })

  test('STR-111: the folders of processes that no longer exist are removed', async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'local-provider-'))
    const child = spawn('true')
    await once(child, 'close')
    const abandoned = join(dataDir, 'streams', `${child.pid}.00000000-0000-0000-0000-000000000000`)
    await mkdir(join(abandoned, 'input'), { recursive: true })
    await writeFile(join(abandoned, 'input', 'segment.m4s'), 'video')
    const alive = join(dataDir, 'streams', `${process.ppid}.00000000-0000-0000-0000-000000000000`)
    await mkdir(alive)
    const provider = await openProvider(t, { folder: join(dataDir, 'streams') })
    const folders = await readdir(join(dataDir, 'streams'))
    assert.equal(folders.length, 2)
    assert.ok(folders.includes(`${process.ppid}.00000000-0000-0000-0000-000000000000`))
    await provider.close()
    assert.equal((await readdir(join(dataDir, 'streams'))).length, 1)
  })
})
