import type { Config } from '../../config/index.ts'
import { type Finding, note, ok } from './finding.ts'

/** Whether the server runs, and can be reached where clients are told to look for it. */
export async function checkServer({ http }: Config): Promise<Finding[]> {
  const here = `http://${['0.0.0.0', '::'].includes(http.host) ? '127.0.0.1' : http.host}:${http.port}`
  const findings = [await reached('server', here, 'does not run, or not with these settings')]
  if (http.publicUrl === undefined) return findings
  const outside = await reached(
    'public URL',
    http.publicUrl.href,
    'cannot be reached from here; look at PUBLIC_URL',
  )
  return [...findings, outside]
}

async function reached(part: string, url: string, otherwise: string): Promise<Finding> {
  try {
    const response = await fetch(new URL('readyz', url.endsWith('/') ? url : `${url}/`), {
      signal: AbortSignal.timeout(3_000),
    })
    await response.body?.cancel()
    return response.ok ? ok(part, `ready at ${url}`) : note(part, `${url} answers ${response.status}`)
  } catch {
    return note(part, `${url} ${otherwise}`)
  }
}
