import { isIP } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Logger } from 'pino'
import { type Config, ConfigError, isLoopbackHost, isPrivateHost, isWildcardHost } from '../config/index.ts'
import type { Database } from '../db/index.ts'
import type { Metrics } from '../http/metrics.ts'
import { deriveSecret } from '../identity/index.ts'
import type { Clock } from '../time/index.ts'
import { AcmeCertificates } from './acme/acme-certificates.ts'
import { answerHttpChallenge, createChallengeServer } from './acme/challenge-server.ts'
import { CertificateFiles } from './certificate-files.ts'
import { issueCertificate } from './issue-certificate.ts'
import { InvalidKeyPairError, rootsOf } from './key-pair.ts'
import { answerAuthority } from './local/authority-page.ts'
import { AuthorityStore } from './local/authority-store.ts'
import { LocalCertificates } from './local/local-certificates.ts'
import { Tls } from './tls.ts'

interface OpenTlsDeps {
  readonly config: Pick<Config, 'tls' | 'http' | 'data'>
  readonly db: Database
  /** The accepted values of `AUTH_SECRET`, the current one first. */
  readonly secrets: readonly [string, ...string[]]
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'gauge'>
}

/** How a source of certificates differs from others. */
type SourceOptions = Pick<
  ConstructorParameters<typeof Tls>[0],
  'source' | 'authority' | 'temporary' | 'challenge' | 'answer'
>

const TEMPORARY_MS = 24 * 60 * 60_000

/**
 * Opens the source of the certificate.
 * @returns undefined with `TLS=off`
 * @throws ConfigError if there is no usable certificate
 */
export async function openTls(deps: OpenTlsDeps): Promise<Tls | undefined> {
  const { config, secrets, clock, log, metrics } = deps
  if (config.tls.mode === 'off') return undefined
  const tls = new Tls({
    ...(await openSource(deps)),
    host: config.http.publicUrl?.hostname ?? config.tls.hosts[0],
    nodeHost: nodeHostOf(config),
    ticketSecret: deriveSecret(secrets[0], 'tls session tickets'),
    clock,
    log,
  })
  addMetrics(metrics, tls, clock)
  return tls
}

/** Returns the host at which other nodes fetch video from this one, as far as it is known before the server listens. */
function nodeHostOf({ data, http, tls }: OpenTlsDeps['config']): string | undefined {
  if (http.nodeUrl !== undefined) return http.nodeUrl.hostname
  // By default it is an address, which is never in a certificate of an ACME authority.
  return data.redis !== undefined && tls.mode === 'auto' ? 'the address of this node' : undefined
}

async function openSource({
  config: { http, tls },
  db,
  secrets,
  clock,
  log,
}: OpenTlsDeps): Promise<SourceOptions> {
  switch (tls.mode) {
    case 'files': {
      const source = await CertificateFiles.open({ ...tls, clock, log }).catch((error: unknown) => {
        throw error instanceof InvalidKeyPairError ? new ConfigError([`${error.message}.`]) : error
      })
      trustRoots(rootsOf(source.current.certificate))
      return { source }
    }
    case 'auto': {
      const source = await AcmeCertificates.open({ ...tls, db, secrets, clock, log })
      const { store } = source
      const hasAlpn = tls.acme.challenges.includes('tls-alpn-01')
      return {
        source,
        ...(source.current === undefined && {
          temporary: await temporaryCertificate(tls.hosts, clock.now()),
        }),
        ...(hasAlpn && { challenge: createChallengeServer(store) }),
        answer: async (path) => {
          const body = await answerHttpChallenge(store, path)
          return body === undefined ? undefined : { status: 200, contentType: 'text/plain', body }
        },
      }
    }
    case 'local': {
      const store = new AuthorityStore(db, secrets)
      const host = http.publicUrl?.hostname.replace(/^\[|\]$/g, '')
      const hosts = host === undefined ? tls.hosts : [...new Set([...tls.hosts, host])]
      const source = await LocalCertificates.open({ store, hosts, clock, log })
      const { authority } = source
      trustRoots([authority])
      return { source, authority, answer: async (path) => answerAuthority(authority, path) }
    }
    case 'off':
      throw new Error('TLS=off has no certificate')
  }
}

/** Issues a certificate that no client trusts, with which the cloud says why it has no other. */
function temporaryCertificate(hosts: readonly string[], now: number) {
  return issueCertificate({
    commonName: 'Glasses Cloud without a certificate',
    names: hosts,
    notBefore: now - TEMPORARY_MS,
    notAfter: now + TEMPORARY_MS,
  })
}

function addMetrics(metrics: Pick<Metrics, 'gauge'>, tls: Tls, clock: Clock): void {
  metrics.gauge(
    'tls_certificate_expires_seconds',
    'Time until the certificate of this node expires; negative: it has expired; NaN: there is none yet',
    () => (tls.facts === undefined ? Number.NaN : Math.round((tls.facts.notAfter - clock.now()) / 1000)),
  )
  metrics.gauge(
    'tls_certificate_lifetime_seconds',
    'Time from the beginning to the end of that certificate',
    () => (tls.facts === undefined ? Number.NaN : (tls.facts.notAfter - tls.facts.notBefore) / 1000),
  )
  metrics.gauge(
    'tls_renewal_failures',
    'Failed attempts to obtain, renew or reload the certificate since the last one that succeeded',
    () => tls.source.status.failures,
  )
  metrics.gauge(
    'tls_unfinished_handshakes',
    'Connections that have not completed their handshake',
    () => tls.unfinishedHandshakes,
  )
}

/** Makes this process trust its own authority, so that it can connect to itself and to other nodes. */
export function trustRoots(roots: readonly string[]): void {
  const trusted = getCACertificates('default')
  const added = roots.filter((root) => !trusted.includes(root))
  if (added.length > 0) setDefaultCACertificates([...trusted, ...added])
}

type Named = Pick<Config, 'http' | 'tls'>

/**
 * Returns the host at which clients reach the cloud: that of `PUBLIC_URL`, otherwise the first of `TLS_HOSTS`, otherwise
 * the first name of the certificate. With `TLS=local` on all interfaces it is the first IPv4 address of this machine.
 */
export function publicNameOf({ http, tls: config }: Named, tls: Tls): string {
  if (http.publicUrl) return http.publicUrl.hostname
  const hosts = config.mode === 'off' ? [] : config.hosts
  const names = tls.facts?.names.filter((name) => !name.startsWith('*')) ?? []
  if (hosts[0] !== undefined) return hosts[0]
  // Phones have no name for this machine that always works, only its address.
  const address = names.find((name) => isIP(name) === 4 && !isLoopbackHost(name))
  if (config.mode === 'local' && isWildcardHost(http.host) && address !== undefined) return address
  return names[0] ?? http.host
}

/**
 * Returns whether browsers are to use HTTPS only from now on: where clients reach the cloud over HTTPS at a name of the
 * DNS, and with a certificate that every browser trusts.
 */
export function isStrict(config: Named, tls: Tls | undefined): boolean {
  if (config.tls.mode === 'local') return false
  if (!tls && config.http.publicUrl?.protocol !== 'https:') return false
  const host = tls ? publicNameOf(config, tls) : (config.http.publicUrl?.hostname ?? '')
  const isName = isIP(host.replace(/^\[|\]$/g, '')) === 0 && host.includes('.')
  return isName && !isPrivateHost(host)
}
