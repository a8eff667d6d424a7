import type { Finding } from '@glasses-cloud/contract'
import { Agent, fetch } from 'undici'
import { connectRedis } from '../bus/index.ts'
import { aboutCloud, type Config, openSignUpProblem } from '../config/index.ts'
import { openDatabase } from '../db/index.ts'
import { publicUrlProblem } from '../http/lan-address.ts'
import { urlOf } from '../http/listening.ts'
import { secretId } from '../identity/index.ts'
import { listNodes, NODE_SECRET_PURPOSE, type NodeInfo } from '../nodes/index.ts'
import { failure, note, ok } from './finding.ts'

/** Checks the version of Node, which runs TypeScript sources and provides SQLite. */
export async function checkNode(): Promise<Finding[]> {
  const { node } = process.versions
  if (Number.parseInt(node, 10) >= 24) return [ok('node', node)]
  return [
    failure('node', `${node} is too old; use "npm run cli", which has its own Node, or install Node 24`),
  ]
}

/** Checks whether something was set that has no effect, such as a setting with a wrong name. */
export async function checkSettings({ warnings }: Config): Promise<Finding[]> {
  return warnings.map((warning) => note('settings', warning))
}

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

const TRUSTS_EVERY_CLIENT =
  'TRUST_PROXY=true lets every client choose its address with X-Forwarded-For; set it to the addresses of your proxies'

/** Checks whether the server is running. */
export async function checkServer({ http, tls }: Config): Promise<Finding[]> {
  const localUrl = urlOf(http.host, http.port, tls.mode === 'off' ? 'http' : 'https')
  // The certificate has a finding of its own, and need not be for this address.
  const lax = new Agent({ connect: { rejectUnauthorized: false } })
  try {
    return [await checkReachable('server', localUrl, 'is not running with these settings', lax)]
  } finally {
    await lax.destroy()
  }
}

/** Checks whether strangers can create accounts with addresses that are not theirs. */
export async function checkSignUp(config: Config): Promise<Finding[]> {
  const problem = openSignUpProblem(config)
  return problem === undefined ? [] : [note('sign-up', problem)]
}

/** Checks whether the server is reachable at its public URL, and which proxies it trusts. */
export async function checkPublicUrl(config: Config): Promise<Finding[]> {
  const { http } = config
  const findings = http.trustProxy === true ? [note('proxy', TRUSTS_EVERY_CLIENT)] : []
  const problem = await publicUrlProblem(config)
  if (problem !== undefined) findings.push(note('public URL', problem))
  if (http.publicUrl === undefined) return findings
  const publicUrl = await checkReachable(
    'public URL',
    http.publicUrl.href,
    'is not reachable from this machine; check PUBLIC_URL',
  )
  return [...findings, publicUrl]
}

async function checkReachable(
  part: string,
  url: string,
  problem: string,
  dispatcher?: Agent,
): Promise<Finding> {
  try {
    const response = await fetch(new URL('readyz', url.endsWith('/') ? url : `${url}/`), {
      signal: AbortSignal.timeout(3_000),
      ...(dispatcher && { dispatcher }),
    })
    await response.body?.cancel()
    return response.ok ? ok(part, `ready at ${url}`) : note(part, `${url} returns status ${response.status}`)
  } catch {
    return note(part, `${url} ${problem}`)
  }
}
