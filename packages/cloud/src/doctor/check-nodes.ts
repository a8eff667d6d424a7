import type { Finding } from '@glasses-cloud/contract'
import { connectRedis } from '../bus/index.ts'
import { aboutCloud, type Config } from '../config/index.ts'
import { openDatabase } from '../db/index.ts'
import { secretId } from '../identity/index.ts'
import { listNodes, NODE_SECRET_PURPOSE, type NodeInfo } from '../nodes/index.ts'
import { failure, note, ok } from './finding.ts'

/** Checks that the running nodes of the cluster have the same `AUTH_SECRET` and version as this configuration. */
export async function checkNodes(config: Config): Promise<Finding[]> {
  const { data, auth } = config
  if (data.redis === undefined) return []
  const redis = await connectRedis(data.redis, { retryStrategy: () => null, enableOfflineQueue: true })
  redis.on('error', () => {})
  try {
    const db = await openDatabase({ databaseUrl: data.databaseUrl, dataDir: data.dir })
    try {
      const nodes = await listNodes(redis, db, data.redis.isCluster)
      const secrets = [auth.secret, auth.previousSecret].filter((secret) => secret !== undefined)
      return compareNodes(nodes, secrets, aboutCloud(config).version)
    } finally {
      await db.destroy()
    }
  } catch {
    // Redis and the database have findings of their own.
    return []
  } finally {
    redis.disconnect()
  }
}

/**
 * Compares nodes with a configuration.
 * @param secrets the accepted values of `AUTH_SECRET`
 */
export function compareNodes(
  nodes: readonly Pick<NodeInfo, 'name' | 'version' | 'secretId'>[],
  secrets: readonly string[],
  version: string,
): Finding[] {
  const accepted = new Set(secrets.map((secret) => secretId(secret, NODE_SECRET_PURPOSE)))
  const others = nodes.filter((node) => !accepted.has(node.secretId))
  const outdated = nodes.filter((node) => node.version !== version)
  const names = (list: typeof nodes) => list.map(({ name }) => name).join(', ')
  const findings: Finding[] = []
  if (others.length > 0)
    findings.push(
      failure(
        'nodes',
        `${names(others)} use another AUTH_SECRET and reject each other's tokens; set the same on all nodes`,
      ),
    )
  if (outdated.length > 0)
    findings.push(note('nodes', `${names(outdated)} do not run version ${version}; complete the update`))
  if (findings.length === 0) findings.push(ok('nodes', `${nodes.length} running`))
  return findings
}
