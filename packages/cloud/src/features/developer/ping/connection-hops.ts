import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import type { PingHop } from '@glasses-cloud/contract'
import { publicLookup, resolveHost } from '../../../webhooks/index.ts'

/** Limit of one hop, the same as for the webhook of a start. */
export const HOP_TIMEOUT_MS = 5_000

/** What the test of a hop found. */
export type HopResult = Pick<PingHop, 'status' | 'message' | 'action'>

export const passed = (message: string): HopResult => ({ status: 'passed', message })
export const failed = (message: string, action: string): HopResult => ({ status: 'failed', message, action })
export const skipped = (message: string): HopResult => ({ status: 'skipped', message })
export const info = (message: string, action: string): HopResult => ({ status: 'info', message, action })

/** Describes why an app server could not be reached. */
export function unreachable(code: string, { host }: URL): HopResult {
  switch (code) {
    case 'ECONNREFUSED':
      return failed(
        `Nothing accepts connections at ${host} (${code})`,
        'Start the app server, or correct the port of its address (publicUrl)',
      )
    case 'TIMEOUT':
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return failed(
        `The server at ${host} did not respond within ${HOP_TIMEOUT_MS / 1000} seconds`,
        'Check that the app server responds to its webhook at once, and that no firewall drops the connection',
      )
    case 'FORBIDDEN_ADDRESS':
      return failed(
        `${host} is not a public address, and this cloud calls public addresses only`,
        'Set the address of the app server (publicUrl) to a public one, or have the operator set ALLOW_PRIVATE_NETWORKS',
      )
    default:
      return failed(
        `The connection to ${host} failed (${code})`,
        'Check the app server and every proxy or tunnel in front of it: another program may use the port, or it may expect https',
      )
  }
}

/** Tests whether the host of an app server has an address that the cloud may call. */
export async function testAddress(url: URL, allowPrivateNetworks: boolean): Promise<HopResult> {
  const { hostname } = url
  const resolved = await resolveHost(hostname, { allowPrivateNetworks, timeoutMs: HOP_TIMEOUT_MS })
  if (resolved.ok) return passed(`${hostname} has the address ${resolved.addresses.join(', ')}`)
  if (resolved.code === 'FORBIDDEN_ADDRESS') return unreachable(resolved.code, url)
  if (resolved.code === 'ENOTFOUND')
    return failed(
      `${hostname} does not exist in DNS`,
      'Correct the host in the address of the app server (publicUrl), or create its DNS record',
    )
  return failed(
    `${hostname} could not be resolved (${resolved.code})`,
    'Check the name servers of the domain, and try again',
  )
}

/** Codes of certificates that no known authority signed. */
const UNTRUSTED = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]

/** Tests whether an app server has a valid certificate. */
export async function testTls(url: URL, allowPrivateNetworks: boolean): Promise<HopResult> {
  if (url.protocol === 'http:')
    return info(
      'The address of the app server (publicUrl) starts with http, so calls to the app server are not encrypted',
      'Use https outside your own network',
    )
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: Number(url.port || 443),
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 && { servername: host }),
    ...(!allowPrivateNetworks && { lookup: publicLookup }),
  })
  try {
    const code = await handshake(socket)
    if (code !== undefined) return explain(code, url)
    return passed(`The certificate of ${host} is valid until ${socket.getPeerCertificate().valid_to}`)
  } finally {
    socket.destroy()
  }
}

/** @returns the code of the error, if any */
function handshake(socket: TLSSocket): Promise<string | undefined> {
  return new Promise((resolve) => {
    // Not an idle timeout: a server that sends byte by byte must not delay the result.
    const timer = setTimeout(() => resolve('TIMEOUT'), HOP_TIMEOUT_MS)
    socket.once('close', () => clearTimeout(timer))
    socket.once('secureConnect', () => resolve(undefined))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'TLS_ERROR'))
  })
}

function explain(code: string, url: URL): HopResult {
  if (UNTRUSTED.includes(code))
    return failed(
      `The certificate of ${url.hostname} is not signed by a known authority (${code})`,
      'Install a certificate of a public authority with its intermediate certificates, for example from Let’s Encrypt',
    )
  if (code === 'CERT_HAS_EXPIRED')
    return failed(`The certificate of ${url.hostname} has expired`, 'Renew the certificate')
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return failed(
      `The certificate is for another name than ${url.hostname}`,
      'Install a certificate for this name, or correct the address of the app server (publicUrl)',
    )
  if (/^(ERR_SSL_|EPROTO|ERR_TLS_|CERT_)/.test(code))
    return failed(
      `The TLS handshake with ${url.host} failed (${code})`,
      'Check that the port serves https, with TLS 1.2 or newer',
    )
  return unreachable(code, url)
}
