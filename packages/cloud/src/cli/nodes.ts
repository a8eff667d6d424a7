import { connectRedis } from '../bus/index.ts'
import { openDatabase } from '../db/index.ts'
import { listNodes } from '../nodes/index.ts'
import { type Command, CommandError, print, readArguments } from './command.ts'
import { formatTable } from './table.ts'

export const nodes: Command = {
  name: 'nodes',
  args: '[--json]',
  summary: 'List the nodes of the cluster',
  options: { json: { type: 'boolean' } },
  async run(input) {
    readArguments(input, [])
    const { data } = input.config()
    const { redis: settings } = data
    if (!settings) throw new CommandError('REDIS_URL is not set, so this cloud is a single node')
    const db = await openDatabase({ databaseUrl: data.databaseUrl, dataDir: data.dir })
    const redis = await connectRedis(settings, { retryStrategy: () => null, enableOfflineQueue: true })
    try {
      const listed = await listNodes(redis, db, settings.isCluster)
      if (input.values.json === true) print(input, JSON.stringify(listed))
      else print(input, formatTable([HEADERS, ...listed.map(toRow)]))
    } finally {
      redis.disconnect()
      await db.destroy()
    }
    return undefined
  },
}

const HEADERS = ['NAME', 'VERSION', 'UPTIME', 'SESSIONS', 'STATE']

type ListedNode = Awaited<ReturnType<typeof listNodes>>[number]

function toRow({ name, version, uptimeMs, sessions, isDraining }: ListedNode): string[] {
  return [name, version, formatUptime(uptimeMs), String(sessions), isDraining ? 'draining' : 'serving']
}

/** Formats a duration with its two largest units, such as `2d 3h`. */
function formatUptime(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const
  const first = Math.max(
    0,
    parts.findIndex(([count]) => count > 0),
  )
  const shown = parts[first] === undefined || seconds === 0 ? parts.slice(-1) : parts.slice(first, first + 2)
  return shown.map(([count, unit]) => `${count}${unit}`).join(' ')
}
