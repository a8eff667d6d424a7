import { X509Certificate } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { PeriodicTask } from '../../jobs/index.ts'
import type { Clock } from '../../time/index.ts'
import { issueCertificate, permittedNamesOf } from '../issue-certificate.ts'
import {
  type CertificateSource,
  type CertificateStatus,
  describeCertificate,
  type KeyPair,
} from '../key-pair.ts'
import { renewalTime } from '../renewal.ts'
import type { AuthorityStore } from './authority-store.ts'
import { isPermitted, machineNames, permittedNames } from './machine-names.ts'

const DAY_MS = 24 * 60 * 60_000

const AUTHORITY_MS = 3_650 * DAY_MS

const CERTIFICATE_MS = 7 * DAY_MS

/** Clocks of phones may be behind that of this machine. */
const CLOCK_TOLERANCE_MS = DAY_MS

/** Interval between looks at the names and addresses of this machine. */
export const NAMES_CHECK_MS = 30_000

export interface LocalCertificatesOptions {
  readonly store: AuthorityStore
  /** Names and addresses beside those of this machine. */
  readonly hosts: readonly string[]
  readonly clock: Clock
  readonly log: Logger
  /** Returns the names and addresses of this machine; replaced in tests. */
  readonly names?: () => string[]
}

/**
 * Certificates of an authority of this cloud. The authority exists for ten years; the certificate for a week, and is
 * issued again when it is due or the names and addresses of this machine change.
 */
export class LocalCertificates implements CertificateSource {
  /** The authority that people install on their devices: PEM, without its key. */
  readonly authority: string
  readonly #options: LocalCertificatesOptions
  readonly #issuer: KeyPair
  readonly #permitted: readonly string[]
  readonly #task: PeriodicTask
  readonly #listeners: (() => void)[] = []
  #current: KeyPair
  #names: readonly string[]
  #failures = 0
  #problem: string | undefined

  private constructor(
    options: LocalCertificatesOptions,
    issuer: KeyPair,
    permitted: readonly string[],
    issued: { pair: KeyPair; names: readonly string[] },
  ) {
    const { clock } = options
    this.#options = options
    this.#issuer = issuer
    this.#permitted = permitted
    this.authority = issuer.certificate
    this.#current = issued.pair
    this.#names = issued.names
    this.#task = new PeriodicTask({
      clock,
      everyMs: NAMES_CHECK_MS,
      run: () => this.#run(),
      failed: (err) => this.#failed(err),
    })
  }

  /** Opens the authority, which is created at first use. */
  static async open(options: LocalCertificatesOptions): Promise<LocalCertificates> {
    const { store, hosts, clock, log } = options
    const now = clock.now()
    const issuer = await store.open(
      () =>
        issueCertificate({
          commonName: `Glasses Cloud on ${hostname()}`,
          names: [],
          notBefore: now - CLOCK_TOLERANCE_MS,
          notAfter: now + AUTHORITY_MS,
          permitted: permittedNames(hosts),
        }),
      now,
    )
    const permitted = await permittedNamesOf(issuer.certificate)
    const refused = hosts.filter((host) => !isPermitted(host, permitted))
    if (refused.length > 0)
      log.error(
        { hosts: refused },
        'tls: the certificate is not for these hosts of TLS_HOSTS or PUBLIC_URL, because the authority was made without them; use a name or an address of the home network',
      )
    const names = namesFor(options, permitted)
    const pair = await issue(issuer, names, now)
    const { fingerprint256: fingerprint } = new X509Certificate(issuer.certificate)
    log.info({ fingerprint }, 'tls: compare this fingerprint before you install the authority on a device')
    return new LocalCertificates(options, issuer, permitted, { pair, names })
  }

  get current(): KeyPair {
    return this.#current
  }

  get status(): CertificateStatus {
    return {
      renewsAt: renewalTime(describeCertificate(this.#current.certificate)),
      failures: this.#failures,
      problem: this.#problem,
    }
  }

  onChange(changed: () => void): void {
    this.#listeners.push(changed)
  }

  start(): void {
    this.#task.start()
  }

  stop(): Promise<void> {
    return this.#task.stop()
  }

  async #run(): Promise<void> {
    const names = namesFor(this.#options, this.#permitted)
    const now = this.#options.clock.now()
    const { notBefore, notAfter } = describeCertificate(this.#current.certificate)
    const isValid = now >= notBefore && now < renewalTime({ notBefore, notAfter })
    const isSame = isValid && names.join() === this.#names.join()
    if (!isSame) {
      this.#current = await issue(this.#issuer, names, now)
      this.#names = names
    }
    this.#failures = 0
    this.#problem = undefined
    if (!isSame) for (const changed of this.#listeners) changed()
  }

  /** The next attempt follows at the next look; a reason that stays the same is logged once. */
  #failed(err: unknown): void {
    const problem = `the certificate could not be issued again: ${err instanceof Error ? err.message : String(err)}`
    this.#failures += 1
    if (problem === this.#problem) return
    this.#problem = problem
    this.#options.log.error({ err, problem }, 'tls: the previous certificate stays in use')
  }
}

function namesFor({ hosts, names }: LocalCertificatesOptions, permitted: readonly string[]): string[] {
  const all = [...new Set([...hosts, ...(names ?? machineNames)()])]
  return all.filter((name) => isPermitted(name, permitted))
}

function issue(issuer: KeyPair, names: readonly string[], now: number): Promise<KeyPair> {
  return issueCertificate({
    commonName: names[0] ?? 'localhost',
    names,
    notBefore: now - CLOCK_TOLERANCE_MS,
    notAfter: now + CERTIFICATE_MS,
    issuer,
  })
}
