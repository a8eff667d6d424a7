import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isForbiddenIp } from './public-address.ts'

/** The result of resolving the host of an app server. */
export type ResolvedHost =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | {
      readonly ok: false
      /** `FORBIDDEN_ADDRESS`, `TIMEOUT` or the code of the DNS error. */
      readonly code: string
    }

/**
 * Resolves a host as calls to app servers do, without connecting. Never rejects.
 * @param hostname of a URL; IPv6 addresses in brackets
 */
export async function resolveHost(
  hostname: string,
  { allowPrivateNetworks, timeoutMs }: { readonly allowPrivateNetworks: boolean; readonly timeoutMs: number },
): Promise<ResolvedHost> {
  const host = hostname.replace(/^\[|\]$/g, '')
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs)
  })
  try {
    const found = isIP(host) ? [host] : await Promise.race([resolve(host), timeout])
    if (found === 'timeout') return { ok: false, code: 'TIMEOUT' }
    if (!allowPrivateNetworks && found.some(isForbiddenIp)) return { ok: false, code: 'FORBIDDEN_ADDRESS' }
    return { ok: true, addresses: found }
  } catch (error) {
    return { ok: false, code: (error as NodeJS.ErrnoException).code ?? 'DNS_ERROR' }
  } finally {
    clearTimeout(timer)
  }
}

async function resolve(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}
