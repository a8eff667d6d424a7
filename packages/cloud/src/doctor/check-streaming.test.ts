import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, test } from 'node:test'
import { ffmpegMissing } from '../../test/support/media.ts'
import { readConfig } from '../config/index.ts'
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
