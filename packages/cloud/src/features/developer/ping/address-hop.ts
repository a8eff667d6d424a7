import { resolveHost } from '../../../webhooks/index.ts'
import { failed, HOP_TIMEOUT_MS, type HopResult, passed, unreachable } from './hop.ts'

/** Tests whether the host of an app server has an address that the cloud may call. */
export async function testAddress(url: URL, allowPrivateNetworks: boolean): Promise<HopResult> {
  const { hostname } = url
  const resolved = await resolveHost(hostname, { allowPrivateNetworks, timeoutMs: HOP_TIMEOUT_MS })
  if (resolved.ok) return passed(`${hostname} has the address ${resolved.addresses.join(', ')}`)
  if (resolved.code === 'FORBIDDEN_ADDRESS') return unreachable(resolved.code, url)
  if (resolved.code === 'ENOTFOUND')
    return failed(
      `${hostname} does not exist in DNS`,
      'Correct the host in publicUrl, or create its DNS record',
    )
  return failed(
    `${hostname} could not be resolved (${resolved.code})`,
    'Check the name servers of the domain, and try again',
  )
}
