import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Finding } from '@glasses-cloud/contract'
import { type Config, childEnvironment } from '../config/index.ts'
import { createExternalProvider } from '../features/video/index.ts'
import { systemClock } from '../time/index.ts'
import { failure, note, ok } from './finding.ts'

const TIMEOUT_MS = 10_000

/** The first version of ffmpeg with every option that streams use (`-stats_period`). */
const FFMPEG_VERSION = [4, 4] as const

/** Checks that managed streams are possible with the configured provider. */
export async function checkStreaming(config: Config): Promise<Finding[]> {
  switch (config.streaming.provider) {
    case 'none':
      return [note('streaming', 'STREAM_PROVIDER=none; managed streams are rejected')]
    case 'memory':
      return [note('streaming', 'STREAM_PROVIDER=memory only simulates managed streams')]
    case 'cloudflare':
    case 'mediamtx':
      return [await checkProvider(config)]
    case 'local':
      return [await checkFfmpeg(config.streaming.ffmpeg)]
  }
}

async function checkProvider(config: Config): Promise<Finding> {
  const problem = await createExternalProvider(config, systemClock).problem()
  return problem === undefined
    ? ok('streaming', `${config.streaming.provider} responds`)
    : failure('streaming', problem)
}

/** Runs the program, since a file with its name may lack a library. */
async function checkFfmpeg(program: string): Promise<Finding> {
  const child = spawn(program, ['-hide_banner', '-version'], {
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  const [code] = await once(child, 'close').catch(() => [-1])
  clearTimeout(timer)
  const version = /^ffmpeg version (\S+)/.exec(output)?.[1]
  if (code !== 0 || version === undefined)
    return failure(
      'streaming',
      `${program} cannot be started, so managed streams are rejected; install it (apt-get install ffmpeg), or set FFMPEG_PATH or STREAM_PROVIDER=none`,
    )
  if (isTooOld(version))
    return failure(
      'streaming',
      `ffmpeg ${version} is too old: managed streams fail; install ${FFMPEG_VERSION.join('.')} or newer, and set FFMPEG_PATH`,
    )
  return ok('streaming', `ffmpeg ${version}`)
}

/** @param version such as `5.1.6-0+deb12u1` or `n7.1`; that of a build from git has no numbers, and is taken as new */
function isTooOld(version: string): boolean {
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version)?.map(Number) ?? []
  if (major === undefined || minor === undefined) return false
  return major < FFMPEG_VERSION[0] || (major === FFMPEG_VERSION[0] && minor < FFMPEG_VERSION[1])
}

/**
 * Checks that the port for RTMP is free. A port in use is only a note, because it may be in use by the running cloud.
 */
export async function checkRtmpPort({ http, streaming }: Config): Promise<Finding[]> {
  const { port } = streaming.rtmp
  if (streaming.provider !== 'local' || port === 0) return []
  const server = createServer()
  server.listen({ host: http.host, port })
  try {
    await once(server, 'listening')
    server.close()
    return [ok('streaming', `port ${port} is free for RTMP`)]
  } catch {
    return [note('streaming', `port ${port} for RTMP is in use; unless this cloud is running, set RTMP_PORT`)]
  }
}
