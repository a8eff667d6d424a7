import { isIP } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { publicLookup } from '../../../webhooks/index.ts'
import { failed, HOP_TIMEOUT_MS, type HopResult, info, passed, unreachable } from './hop.ts'

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
      'publicUrl starts with http, so calls to the app server are not encrypted',
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
      'Install a certificate for this name, or correct publicUrl',
    )
  if (/^(ERR_SSL_|EPROTO|ERR_TLS_|CERT_)/.test(code))
    return failed(
      `The TLS handshake with ${url.host} failed (${code})`,
      'Check that the port serves https, with TLS 1.2 or newer',
    )
  return unreachable(code, url)
}
