import type { Dispatcher } from 'undici'
import { ForbiddenAddress, isForbiddenIp, publicLookup } from './public-address.ts'

/**
 * Creates the HTTP agent for calls to app servers. Unless private networks are allowed, it connects to public
 * addresses only. The check applies to the address of the connection, so a name cannot resolve to another address in
 * between (decision W5). Loads undici on the first call, which keeps the start of the cloud fast.
 */
export async function createGuardedAgent(allowPrivateNetworks: boolean): Promise<Dispatcher> {
  const { Agent } = await import('undici')
  const options = { keepAliveTimeout: 10_000, connections: 32 }
  if (allowPrivateNetworks) return new Agent(options)
  return new Agent({ ...options, connect: { lookup: publicLookup } }).compose(
    (dispatch) => (request, handler) => {
      // An IP address is never passed to `lookup`.
      if (isForbiddenIp(new URL(String(request.origin)).hostname)) throw new ForbiddenAddress()
      return dispatch(request, handler)
    },
  )
}
