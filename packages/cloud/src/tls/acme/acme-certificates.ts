import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { AcmeConfig } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import { PeriodicTask } from '../../jobs/index.ts'
import type { Clock } from '../../time/index.ts'
import {
  type CertificateSource,
  type CertificateStatus,
  describeCertificate,
  type KeyPair,
} from '../key-pair.ts'
import { dateProblem, renewalTime } from '../renewal.ts'
import { OrderFailedError, orderCertificate } from './order-certificate.ts'
import { type CertificateOrder, OrderStore } from './order-store.ts'

/** Interval at which a node looks for a certificate of another one, and whether a new one is due. */
export const ORDER_CHECK_MS = 5_000

const MINUTE_MS = 60_000

/**
 * Delays after failed attempts; the last one repeats. Let's Encrypt allows five failed checks of a host an hour.
 */
const RETRY_MS = [1, 5, 20, 60, 180, 360, 720].map((minutes) => minutes * MINUTE_MS)

/** The longest delay that an authority may ask for. */
const MAX_RETRY_AFTER_MS = 24 * 60 * MINUTE_MS

export interface AcmeCertificatesOptions {
  readonly acme: AcmeConfig
  /** The names of the certificate. */
  readonly hosts: readonly string[]
  readonly db: Database
  /** The accepted values of `AUTH_SECRET`, the current one first. */
  readonly secrets: readonly [string, ...string[]]
  readonly clock: Clock
  readonly log: Logger
}

/** Returns the store of a certificate with these names. */
export function openOrderStore({
  acme,
  hosts,
  db,
  secrets,
}: Pick<AcmeCertificatesOptions, 'acme' | 'hosts' | 'db' | 'secrets'>): OrderStore {
  return new OrderStore(db, `${acme.directory.href} ${hosts.toSorted().join(',')}`, secrets)
}

/** A certificate of an ACME authority. All nodes serve it, and one at a time orders it. */
export class AcmeCertificates implements CertificateSource {
  readonly store: OrderStore
  readonly #options: AcmeCertificatesOptions
  readonly #task: PeriodicTask
  readonly #owner = randomUUID()
  readonly #stopping = new AbortController()
  readonly #listeners: (() => void)[] = []
  #order: CertificateOrder

  private constructor(options: AcmeCertificatesOptions, store: OrderStore, order: CertificateOrder) {
    this.#options = options
    this.store = store
    this.#order = order
    const { clock, log } = options
    this.#task = new PeriodicTask({
      clock,
      everyMs: ORDER_CHECK_MS,
      run: () => this.#run(),
      failed: (err) => log.error({ err }, 'tls: the state of the certificate could not be read'),
    })
  }

  /** Loads the certificate; it is ordered once the job starts. */
  static async open(options: AcmeCertificatesOptions): Promise<AcmeCertificates> {
    const store = openOrderStore(options)
    return new AcmeCertificates(options, store, await store.open(options.clock.now()))
  }

  get current(): KeyPair | undefined {
    return this.#order.pair
  }

  get status(): CertificateStatus {
    const { failures, failure, nextAttemptAt } = this.#order
    return { renewsAt: nextAttemptAt, failures, problem: failure }
  }

  onChange(changed: () => void): void {
    this.#listeners.push(changed)
  }

  start(): void {
    this.#task.start()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#task.stop()
  }

  async #run(): Promise<void> {
    const { clock } = this.#options
    this.#apply(await this.store.open(clock.now()))
    if (this.#order.nextAttemptAt > clock.now()) return
    const claimed = await this.store.claim(this.#owner, clock.now())
    if (claimed === undefined) return
    await this.#attempt(claimed)
    this.#apply(await this.store.open(clock.now()))
  }

  #apply(order: CertificateOrder): void {
    const { pair: before } = this.#order
    this.#order = order
    if (order.pair === undefined || order.pair.certificate === before?.certificate) return
    for (const changed of this.#listeners) changed()
  }

  async #attempt({ failures, pair }: CertificateOrder): Promise<void> {
    const { acme, hosts, clock, log } = this.#options
    const lease = this.store.leases.keep(this.store.id, this.#owner, clock)
    const signal = AbortSignal.any([lease.lost, this.#stopping.signal])
    const challenge = acme.challenges[failures % acme.challenges.length] ?? 'http-01'
    log.info({ hosts, authority: acme.directory.host, challenge }, 'tls: ordering a certificate')
    try {
      const ordered = await orderCertificate({
        acme,
        hosts,
        challenge,
        accountKey: (create) =>
          this.store.accountKey(
            `${acme.directory.href} ${acme.externalAccount?.keyId ?? ''}`,
            create,
            clock.now(),
          ),
        addChallenge: (answer) => this.store.addChallenge(answer, clock.now()),
        signal,
      })
      await this.#complete(ordered, failures)
    } catch (error) {
      if (this.#stopping.signal.aborted) return await this.store.release(this.#owner)
      if (signal.aborted) return
      const known = error instanceof OrderFailedError ? error : undefined
      if (known === undefined) log.error({ err: error }, 'tls: the order failed')
      const problem = known?.message ?? 'the order failed for a reason that is in the log of this node'
      const retryMs = retryDelay(failures, known?.retryAfterMs ?? 0)
      await this.store.fail(this.#owner, failures + 1, problem, clock.now() + retryMs)
      const next = new Date(clock.now() + retryMs).toISOString()
      log.error(
        { problem, attempt: failures + 1, next },
        pair === undefined ? 'tls: there is no certificate yet' : 'tls: the certificate was not renewed',
      )
    } finally {
      lease.stop()
      for (const host of hosts) await this.store.removeChallenges(host, clock.now()).catch(() => {})
    }
  }

  /** A new certificate that is invalid now shows that the clock of this machine is wrong; ordering more does not help. */
  async #complete(pair: KeyPair, failures: number): Promise<void> {
    const { clock, log } = this.#options
    const facts = describeCertificate(pair.certificate)
    const now = clock.now()
    const failure = dateProblem(facts, now)
    const renewsAt = Math.max(renewalTime(facts), now + MINUTE_MS)
    await this.store.complete(
      this.#owner,
      pair,
      failure === undefined ? renewsAt : now + retryDelay(failures, 0),
      { failures: failure === undefined ? 0 : failures + 1, failure },
    )
    if (failure !== undefined) log.error({ problem: failure }, 'tls: the new certificate is not valid now')
  }
}

function retryDelay(failures: number, retryAfterMs: number): number {
  const delay = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? MINUTE_MS
  return Math.max(delay, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS))
}
