import type { CloudOverrides } from '../../src/cloud.ts'
import type { Env } from '../../src/config/index.ts'
import type { TestDatabase } from '../../src/db/testing.ts'
import { redisUrl } from './redis.ts'
import type { Scope } from './scope.ts'
import { type LocalCloud, startCloud } from './test-cloud.ts'

/** Starts nodes on one PostgreSQL database, one Redis and one folder. */
export async function startNodes(
  scope: Scope,
  database: TestDatabase,
  count: number,
  { env, overrides }: { readonly env?: Env; readonly overrides?: CloudOverrides } = {},
): Promise<LocalCloud[]> {
  const cluster = { REDIS_URL: redisUrl, SHARED_DATA_DIR: 'true', ...env }
  const first = await startCloud(scope, { database, env: cluster, ...(overrides && { overrides }) })
  const nodes = [first]
  while (nodes.length < count) {
    const node = { ...first.env, PORT: '0' }
    nodes.push(await startCloud(scope, { env: node, ...(overrides && { overrides }) }))
  }
  return nodes
}
