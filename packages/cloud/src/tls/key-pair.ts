import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import ipaddr from 'ipaddr.js'
import type { BackgroundJob } from '../feature.ts'

/** A certificate and its private key. */
export interface KeyPair {
  /** PEM: the certificate, then those between it and the authority. */
  readonly certificate: string
  /** PEM. */
  readonly key: string
}

/** What a certificate says, for operators. */
export interface CertificateFacts {
  /** DNS names and IP addresses. */
  readonly names: readonly string[]
  /** Name of the authority that issued it. */
  readonly issuer: string
  /** Epoch ms. */
  readonly notBefore: number
  /** Epoch ms. */
  readonly notAfter: number
  /** SHA-256 in hex, with colons. */
  readonly fingerprint: string
}

/** A certificate that cannot be served; its message is a sentence for the operator. */
export class InvalidKeyPairError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvalidKeyPairError'
  }
}

/** Names of a certificate and its key for messages: files, or what they are. */
export interface KeyPairNames {
  readonly certificate: string
  readonly key: string
}

/**
 * Checks that a server can use a certificate with its key. An expired one passes.
 * @throws InvalidKeyPairError
 */
export function checkKeyPair(pair: KeyPair, names: KeyPairNames): CertificateFacts {
  const certificate = parseCertificate(pair.certificate, names.certificate)
  const key = parseKey(pair.key, names.key)
  if (!certificate.checkPrivateKey(key))
    throw new InvalidKeyPairError(
      `${names.key} is not the private key of ${names.certificate}, whose first certificate must be that of this cloud; use the files of one issue`,
    )
  try {
    createSecureContext({ cert: pair.certificate, key: pair.key })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new InvalidKeyPairError(
      `${names.certificate} cannot be used (${reason}); use an ECDSA key, or RSA with 2048 bits or more`,
    )
  }
  return factsOf(certificate)
}

/** Returns what the first certificate of a PEM text says. @throws Error if there is none */
export function describeCertificate(pem: string): CertificateFacts {
  return factsOf(new X509Certificate(pem))
}

/** Returns whether a certificate is valid for a DNS name or IP address, which may have the brackets of a URL. */
export function isFor(pem: string, host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  const certificate = new X509Certificate(pem)
  return (isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare)) !== undefined
}

/** Returns the certificates of a PEM text that signed themselves: roots, which this process may trust as its own. */
export function rootsOf(pem: string): string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.filter((block) => {
    const certificate = new X509Certificate(block)
    return certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey)
  })
}

function parseCertificate(pem: string, name: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new InvalidKeyPairError(
      `${name} is not a certificate in PEM; its first line must be -----BEGIN CERTIFICATE-----`,
    )
  }
}

function parseKey(pem: string, name: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new InvalidKeyPairError(
      code === 'ERR_MISSING_PASSPHRASE'
        ? `${name} is encrypted with a passphrase; decrypt it with "openssl pkey -in FILE -out FILE"`
        : `${name} is not a private key in PEM; its first line must be -----BEGIN PRIVATE KEY----- or the like`,
    )
  }
}

function factsOf(certificate: X509Certificate): CertificateFacts {
  const names = [...(certificate.subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^\s,"]+)/g)]
  return {
    names: names.map(([, name = '']) => (ipaddr.isValid(name) ? ipaddr.parse(name).toString() : name)),
    issuer: nameOf(certificate.issuer),
    notBefore: Date.parse(certificate.validFrom),
    notAfter: Date.parse(certificate.validTo),
    fingerprint: certificate.fingerprint256,
  }
}

/** Returns the organization and the common name of a distinguished name. */
function nameOf(distinguishedName: string): string {
  const field = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(distinguishedName)?.[1]
  return [field('O'), field('CN')].filter((part) => part !== undefined).join(', ') || 'unknown'
}

/** The state of the certificate of this node, for operators. */
export interface CertificateStatus {
  /** When it is renewed by this cloud, in epoch ms; undefined: never, or there is none yet. */
  readonly renewsAt: number | undefined
  /** Failed attempts to obtain or reload it since the last one that succeeded. */
  readonly failures: number
  /** Why the last attempt failed, as a sentence; undefined if it succeeded. */
  readonly problem: string | undefined
}

/** Where the certificate of this node comes from. Its job keeps it current. */
export interface CertificateSource extends BackgroundJob {
  /** What to serve; undefined: there is none yet. */
  readonly current: KeyPair | undefined
  readonly status: CertificateStatus
  /** Registers what is called when `current` changed. */
  onChange(changed: () => void): void
}
