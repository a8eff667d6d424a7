import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { Redis } from 'ioredis'
import { skipIfMissing } from './optional-part.ts'

/** The Redis server shared by tests, which must use unique keys. */
export const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** Why tests that need Redis are skipped; false if Redis is available. */
export const redisMissing = await findReason()

async function findReason(): Promise<string | false> {
  const redis = new Redis(redisUrl, { lazyConnect: true, connectTimeout: 30_000, retryStrategy: () => null })
  redis.on('error', () => {})
  try {
    await redis.connect()
    return false
  } catch (cause) {
    return skipIfMissing(
      'Redis does not respond (apt-get install redis-server, or set TEST_REDIS_URL)',
      cause,
    )
  } finally {
    redis.disconnect()
  }
}

/**
 * Starts a proxy to Redis; while `silent` is true it reads from both sides and forwards nothing. `unanswered` has what
 * clients sent meanwhile.
 */
export async function proxyTo(t: { after(undo: () => unknown): void }, target: string) {
  const { hostname, port } = new URL(target)
  const state = { silent: false, url: '', unanswered: [] as string[] }
  const server = createServer((client) => {
    const redis = connect(Number(port || 6379), hostname)
    for (const [from, to] of [
      [client, redis],
      [redis, client],
    ] as const) {
      from.on('data', (data) => {
        if (!state.silent) to.write(data)
        else if (from === client) state.unanswered.push(data.toString('latin1'))
      })
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the proxy has no address')
  state.url = `redis://127.0.0.1:${address.port}`
  return state
}
