import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { type Config, isLoopbackHost, isPrivateHost, isWildcardHost } from '../config/index.ts'
import { urlOf } from './listening.ts'

/** An address for documentation, which nothing has: the way to it is that of the default route. */
const ANYWHERE = '192.0.2.1'

/** Files that Docker and Podman make in each container, whose own address leads nowhere from outside of its machine. */
const CONTAINER_FILES = ['/.dockerenv', '/run/.containerenv']

/** Returns the address of this machine in its home network; undefined if it has none, or in a container. */
export async function findLanAddress(
  isContainer = CONTAINER_FILES.some((file) => existsSync(file)),
): Promise<string | undefined> {
  if (isContainer) return undefined
  return chooseLanAddress(
    await defaultAddress(),
    Object.values(networkInterfaces()).flatMap(externalAddresses),
  )
}

/**
 * Returns the private address that others in the network of this machine reach.
 * @param route address of the default route: if it is public, other private ones are of virtual machines and containers
 * @param addresses of all interfaces, for a network without a way out
 */
export function chooseLanAddress(
  route: string | undefined,
  addresses: readonly string[],
): string | undefined {
  const candidates = route === undefined ? addresses : [route]
  return candidates.find((address) => isPrivateHost(address) && !isLoopbackHost(address))
}

/** Returns the address from which this machine would send; nothing is sent. */
async function defaultAddress(): Promise<string | undefined> {
  const socket = createSocket('udp4')
  try {
    const connected = once(socket, 'connect')
    socket.connect(9, ANYWHERE)
    await connected
    return socket.address().address
  } catch {
    return undefined
  } finally {
    socket.close()
  }
}

function externalAddresses(found: ReturnType<typeof networkInterfaces>[string]): string[] {
  return (found ?? []).flatMap(({ address, family, internal }) =>
    family === 'IPv4' && !internal ? [address] : [],
  )
}

/**
 * Returns what to do if phones and apps on other machines may receive an address that does not lead to this cloud, as
 * a sentence.
 * @param port where it listens
 */
export async function publicUrlProblem(
  { http, tls }: Pick<Config, 'http' | 'tls'>,
  port = http.port,
): Promise<string | undefined> {
  const { host, publicUrl, trustProxy } = http
  if (isLoopbackHost(host)) {
    if (trustProxy === false || publicUrl) return undefined
    return 'PUBLIC_URL is not set, so phones and apps receive an address of this machine instead of that of the proxy; set PUBLIC_URL=https://…'
  }
  const lan = await findLanAddress()
  const example = `PUBLIC_URL=${urlOf(lan ?? 'ADDRESS', port, tls.mode === 'off' ? 'http' : 'https')}`
  if (publicUrl && isLoopbackHost(publicUrl.hostname))
    return `PUBLIC_URL leads to ${publicUrl.host}, where phones and other machines reach themselves; set it to the address of this machine in their network, such as ${example}`
  if (publicUrl || tls.mode !== 'off' || !isWildcardHost(host)) return undefined
  return lan === undefined
    ? `PUBLIC_URL is not set, so phones and apps receive http://localhost:${port}, where they reach themselves; set it to the address of this machine in their network: ${example}`
    : `PUBLIC_URL is not set, so phones and apps receive ${urlOf(lan, port)}; set it if they reach this machine at another address`
}
