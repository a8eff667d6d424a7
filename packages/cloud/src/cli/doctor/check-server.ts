import type { Config } from '../../config/index.ts'
import { type Finding, note, ok } from './finding.ts'

/** Checks whether the server is running, and whether it is reachable at its public URL. */
export async function checkServer({ http }: Config): Promise<Finding[]> {
  const localUrl = `http://${['0.0.0.0', '::'].includes(http.host) ? '127.0.0.1' : http.host}:${http.port}`
  const findings = [await checkReachable('server', localUrl, 'is not running with these settings')]
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
