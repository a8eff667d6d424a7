import type { Finding } from '@glasses-cloud/contract'
import { connectRedis, type RedisClient } from '../bus/index.ts'
import type { Config } from '../config/index.ts'
import { failure, note, ok } from './finding.ts'

/** Pings from which the latency is determined. */
const PINGS = 5

/** Latency from which calls between nodes are noticeably slow. */
const SLOW_MS = 10

/** The oldest version whose commands are all known. */
const OLDEST_MAJOR_VERSION = 6

/** Checks latency, version and memory policy of Redis, if it is configured. */
export async function checkRedis({ data }: Config): Promise<Finding[]> {
  if (data.redis === undefined) return []
  const redis = await connectRedis(data.redis, { lazyConnect: true, retryStrategy: () => null })
  // `connect` rejects with the same error; without a listener it would also be printed.
  redis.on('error', () => {})
  try {
    await redis.connect()
    const latency = await measureLatency(redis)
    return [checkLatency(latency), ...checkInfo(await redis.info())]
  } catch (error) {
    const { message } = error as Error
    return [failure('redis', `does not respond (${message}); start it, or correct REDIS_URL`)]
  } finally {
    redis.disconnect()
  }
}

async function measureLatency(redis: RedisClient): Promise<number> {
  const times: number[] = []
  for (let ping = 0; ping < PINGS; ping += 1) {
    const startedAt = performance.now()
    await redis.ping()
    times.push(performance.now() - startedAt)
  }
  // The median: the first ping of a connection is slow.
  return times.sort((one, other) => one - other)[Math.floor(PINGS / 2)] ?? 0
}

function checkLatency(ms: number): Finding {
  const text = `responds in ${ms.toFixed(1)} ms`
  return ms < SLOW_MS ? ok('redis', text) : note('redis', `${text}; run it nearer to the nodes`)
}

/** Checks the output of the command INFO. */
export function checkInfo(info: string): Finding[] {
  const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  const version = field('redis_version')
  const findings =
    Number.parseInt(version, 10) >= OLDEST_MAJOR_VERSION
      ? [ok('redis', `version ${version}`)]
      : [failure('redis', `version ${version} is too old; install ${OLDEST_MAJOR_VERSION} or newer`)]
  const policy = field('maxmemory_policy')
  const isLimited = Number(field('maxmemory')) > 0
  if (isLimited && policy !== 'noeviction')
    findings.push(
      note(
        'redis',
        `maxmemory-policy is ${policy}, so that leases and request counts may be evicted; set it to noeviction`,
      ),
    )
  return findings
}
