import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import type { EnvReader } from './env.ts'

/** How the authority checks that a host belongs to this cloud. */
export type AcmeChallenge = 'http-01' | 'tls-alpn-01'

/** Where certificates are ordered. */
export interface AcmeConfig {
  readonly directory: URL
  readonly email: string | undefined
  /** Tried in turn, one for each attempt. */
  readonly challenges: readonly AcmeChallenge[]
  /** The account at the authority that the key of this cloud is bound to. */
  readonly externalAccount: { readonly keyId: string; readonly hmacKey: string } | undefined
}

/** How the cloud serves HTTPS itself. */
export type TlsConfig =
  | { readonly mode: 'off' }
  | (EncryptedConfig &
      (
        | { readonly mode: 'files'; readonly certFile: string; readonly keyFile: string }
        | { readonly mode: 'auto'; readonly acme: AcmeConfig }
        | { readonly mode: 'local' }
      ))

interface EncryptedConfig {
  /** The names of the certificate; for `files` and `local` those that were set. */
  readonly hosts: readonly string[]
  /** The port that redirects to HTTPS; 0: none. */
  readonly redirectPort: number
}

const MODES = ['off', 'files', 'auto', 'local'] as const

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'

/** A DNS name in lower case, or an IP address. */
const HOST_NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

const PORT = { min: 0, max: 65_535 }

const REDIRECT_PORTS: Readonly<Record<number, number>> = { 443: 80, 8443: 8080 }

/** Returns how the cloud serves HTTPS, and the defaults of `HOST` and `PORT`, which depend on it. */
export function readTlsMode(read: EnvReader): {
  readonly mode: TlsConfig['mode']
  readonly host: string
  readonly port: number
} {
  const mode = read.oneOf('TLS', MODES, 'off')
  if (mode === 'off') return { mode, host: '127.0.0.1', port: 8080 }
  return { mode, host: '0.0.0.0', port: mode === 'local' ? 8443 : 443 }
}

/** @param publicUrl `PUBLIC_URL`, if set */
export function readTls(read: EnvReader, port: number, publicUrl: URL | undefined): TlsConfig {
  const mode = read.oneOf('TLS', MODES, 'off')
  const hosts = read.list('TLS_HOSTS', [], { test: isHost }, 'host names in lower case')
  const redirectPort = read.integer('TLS_REDIRECT_PORT', REDIRECT_PORTS[port] ?? 0, PORT)
  const certFile = read.text('TLS_CERT_FILE', undefined)
  const keyFile = read.text('TLS_KEY_FILE', undefined)
  const acme = readAcme(read, redirectPort > 0)
  const terms = read.flag('TLS_ACME_TERMS_AGREED', false)
  if (mode === 'off') return { mode }
  if (publicUrl?.protocol === 'http:') read.reject('PUBLIC_URL', `must begin with https:// while TLS=${mode}`)
  if (redirectPort !== 0 && redirectPort === port)
    read.reject('TLS_REDIRECT_PORT', 'must differ from PORT, which is for HTTPS')
  const served = { hosts, redirectPort }
  switch (mode) {
    case 'files':
      if (certFile === undefined)
        read.reject('TLS_CERT_FILE', 'must be set while TLS=files: the file of the certificate, in PEM')
      if (keyFile === undefined)
        read.reject('TLS_KEY_FILE', 'must be set while TLS=files: the file of its private key, in PEM')
      return { ...served, mode, certFile: resolve(certFile ?? ''), keyFile: resolve(keyFile ?? '') }
    case 'auto': {
      const names = hosts.length > 0 ? hosts : publicUrl ? [publicUrl.hostname] : []
      if (names.length === 0)
        read.reject('TLS_HOSTS', 'must be the host name of this cloud while TLS=auto; or set PUBLIC_URL')
      const unsuitable = names.find((name) => ipaddr.isValid(name) || !name.includes('.'))
      if (unsuitable !== undefined)
        read.reject(
          'TLS_HOSTS',
          `must be public DNS names while TLS=auto (got "${unsuitable}"); at home, use TLS=local`,
        )
      if (publicUrl !== undefined && names.length > 0 && !names.includes(publicUrl.hostname))
        read.reject('TLS_HOSTS', `must contain the host of PUBLIC_URL, ${publicUrl.hostname}`)
      if (!terms)
        read.reject(
          'TLS_ACME_TERMS_AGREED',
          `must be true while TLS=auto: read the terms of service of ${acme.directory.hostname}, and agree to them with it`,
        )
      return { ...served, mode, hosts: names, acme }
    }
    case 'local':
      return { ...served, mode }
  }
}

function readAcme(read: EnvReader, hasHttp: boolean): AcmeConfig {
  const directory = read.url('TLS_ACME_DIRECTORY', ['https'], LETS_ENCRYPT) ?? new URL(LETS_ENCRYPT)
  const email =
    read.match('TLS_ACME_EMAIL', '', /^[^\s@,]+@[^\s@,]+$/, 'an e-mail address such as you@example.org') ||
    undefined
  const challenge = read.oneOf('TLS_ACME_CHALLENGE', ['http-01', 'tls-alpn-01'], undefined)
  if (challenge === 'http-01' && !hasHttp)
    read.reject('TLS_ACME_CHALLENGE', 'cannot be http-01 without TLS_REDIRECT_PORT, which answers it')
  const keyId = read.text('TLS_ACME_EAB_KEY_ID', undefined)
  const hmacKey = read.text('TLS_ACME_EAB_HMAC_KEY', undefined)
  if ((keyId === undefined) !== (hmacKey === undefined))
    read.reject('TLS_ACME_EAB_KEY_ID', 'and TLS_ACME_EAB_HMAC_KEY must be set together, or neither')
  const possible: readonly AcmeChallenge[] = hasHttp ? ['http-01', 'tls-alpn-01'] : ['tls-alpn-01']
  return {
    directory,
    email,
    challenges: challenge === undefined ? possible : [challenge],
    externalAccount: keyId !== undefined && hmacKey !== undefined ? { keyId, hmacKey } : undefined,
  }
}

function isHost(text: string): boolean {
  return ipaddr.isValid(text) || HOST_NAME.test(text)
}
