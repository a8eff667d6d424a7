import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config/index.ts'
import type { Metrics } from '../http/metrics.ts'
import { deriveSecret } from '../identity/index.ts'
import type { Clock } from '../time/index.ts'
import { CertificateFiles } from './certificate-files.ts'
import { InvalidKeyPairError, rootsOf } from './key-pair.ts'
import { Tls } from './tls.ts'

interface OpenTlsDeps {
  readonly config: Pick<Config, 'tls' | 'http'>
  /** `AUTH_SECRET`. */
  readonly secret: string
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'gauge'>
}

/**
 * Opens the source of the certificate.
 * @returns undefined with `TLS=off`
 * @throws ConfigError if there is no usable certificate
 */
export async function openTls({
  config,
  secret,
  clock,
  log,
  metrics,
}: OpenTlsDeps): Promise<Tls | undefined> {
  const { tls } = config
  if (tls.mode === 'off') return undefined
  if (tls.mode !== 'files') throw new ConfigError([`TLS=${tls.mode} is not available yet.`])
  const source = await CertificateFiles.open({ ...tls, clock, log }).catch((error: unknown) => {
    throw error instanceof InvalidKeyPairError ? new ConfigError([`${error.message}.`]) : error
  })
  trustRoots(rootsOf(source.current.certificate))
  const opened = new Tls({
    host: config.http.publicUrl?.hostname ?? tls.hosts[0],
    source,
    ticketSecret: deriveSecret(secret, 'tls session tickets'),
    temporary: undefined,
    challenge: undefined,
    clock,
    log,
  })
  addMetrics(metrics, opened, clock)
  return opened
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
