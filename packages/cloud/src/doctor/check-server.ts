import type { Finding } from '@glasses-cloud/contract'
import type { Config } from '../config/index.ts'
import { note, ok } from './finding.ts'

const TRUSTS_EVERY_CLIENT =
  'TRUST_PROXY=true lets every client choose its address with X-Forwarded-For; set it to the addresses of your proxies'

/** Checks whether the server is running. */
export async function checkServer({ http }: Config): Promise<Finding[]> {
  const localUrl = `http://${['0.0.0.0', '::'].includes(http.host) ? '127.0.0.1' : http.host}:${http.port}`
  return [await checkReachable('server', localUrl, 'is not running with these settings')]
}

/** Checks whether the server is reachable at its public URL, and which proxies it trusts. */
export async function checkPublicUrl({ http }: Config): Promise<Finding[]> {
  const findings = http.trustProxy === true ? [note('proxy', TRUSTS_EVERY_CLIENT)] : []
  if (http.publicUrl === undefined) return findings
  const publicUrl = await checkReachable(
    'public URL',
    http.publicUrl.href,
    'is not reachable from this machine; check PUBLIC_URL',
  )
  return [...findings, publicUrl]
}

async function checkReachable(part: string, url: string, problem: string): Promise<Finding> {
  try {
    const response = await fetch(new URL('readyz', url.endsWith('/') ? url : `${url}/`), {
      signal: AbortSignal.timeout(3_000),
    })
    await response.body?.cancel()
    return response.ok ? ok(part, `ready at ${url}`) : note(part, `${url} returns status ${response.status}`)
  } catch {
    return note(part, `${url} ${problem}`)
  }
}
