import { createHmac } from 'node:crypto'
import { createServer, type Server, type TlsOptions } from 'node:tls'
import type { Logger } from 'pino'
import type { Clock, Timer } from '../time/index.ts'
import { type ConnectionHandler, HandshakeGuard, TLS_OPTIONS } from './handshake-guard.ts'
import {
  type CertificateFacts,
  type CertificateSource,
  describeCertificate,
  isFor,
  type KeyPair,
} from './key-pair.ts'
import type { PlainResponse } from './redirect-server.ts'
import { certificateProblems } from './renewal.ts'

const DAY_MS = 24 * 60 * 60_000

/** Bytes of the keys of session tickets: their name, and keys to authenticate and encrypt. */
const TICKET_KEY_BYTES = 48

export interface TlsDeps {
  /** The host of `PUBLIC_URL` or the first of `TLS_HOSTS`, which the certificate must be for; undefined: any. */
  readonly host: string | undefined
  /** The host at which other nodes reach this one, if there are any and it is known. */
  readonly nodeHost?: string | undefined
  readonly source: CertificateSource
  /** Hex, the same on all nodes; the keys of session tickets are derived from it. */
  readonly ticketSecret: string
  /** The certificate of the cloud's own authority in PEM. */
  readonly authority?: string
  /** Served until the source has a certificate. */
  readonly temporary?: KeyPair
  /** Receives connections of an authority that checks a `tls-alpn-01` challenge. */
  readonly challenge?: ConnectionHandler
  /** Answers requests for a path in plain HTTP; undefined: they are redirected. */
  answer?(path: string): Promise<PlainResponse | undefined>
  readonly clock: Clock
  readonly log: Logger
}

/** Serves TLS with the certificate of its source, which it replaces without closing connections. */
export class Tls {
  readonly #deps: TlsDeps
  readonly #servers = new Set<Server>()
  readonly #guards = new Set<HandshakeGuard>()
  #ticketTimer: Timer | undefined

  constructor(deps: TlsDeps) {
    this.#deps = deps
    deps.source.onChange(() => this.#replace())
    this.#report()
  }

  /** What the served certificate says; undefined while there is only a temporary one. */
  get facts(): CertificateFacts | undefined {
    const { current } = this.#deps.source
    return current && describeCertificate(current.certificate)
  }

  /** The certificate of the cloud's own authority in PEM, which people install; undefined if it has none. */
  get authority(): string | undefined {
    return this.#deps.authority
  }

  get source(): CertificateSource {
    return this.#deps.source
  }

  /** Why no client can connect yet, as a text for people; undefined if there is a certificate. */
  get waiting(): string | undefined {
    const { source, host } = this.#deps
    if (source.current !== undefined) return undefined
    const { problem, renewsAt } = source.status
    const last =
      problem === undefined || renewsAt === undefined
        ? 'This takes about a minute after the first start.'
        : `The last attempt failed: ${problem}. The next one is at ${new Date(renewsAt).toISOString()}.`
    return `Glasses Cloud is getting its HTTPS certificate for ${host}. ${last}\n`
  }

  /** Answers what is served in plain HTTP: challenges, and why there is no HTTPS yet. */
  async answer(path: string): Promise<PlainResponse | undefined> {
    const answer = await this.#deps.answer?.(path)
    if (answer) return answer
    const { waiting } = this
    return waiting === undefined
      ? undefined
      : {
          status: 503,
          contentType: 'text/plain; charset=utf-8',
          body: waiting,
          headers: { 'retry-after': '30' },
        }
  }

  /** Whether the served certificate is valid for a host name or address. */
  isFor(host: string): boolean {
    const { current } = this.#deps.source
    return current !== undefined && isFor(current.certificate, host)
  }

  /** Connections without a completed handshake. */
  get unfinishedHandshakes(): number {
    return [...this.#guards].reduce((sum, { unfinished }) => sum + unfinished, 0)
  }

  /** Options of a TLS server, with the present certificate. */
  get options(): TlsOptions {
    return { ...TLS_OPTIONS, ...this.#context }
  }

  /** Keeps the certificate of a server current, and limits its handshakes. */
  attach(server: Server): void {
    this.#servers.add(server)
    server.setTicketKeys(this.#ticketKeys())
    const { clock, challenge } = this.#deps
    this.#guards.add(new HandshakeGuard(server, { clock, challenge }))
  }

  /**
   * Creates a server that encrypts connections, and gives others to `plain`.
   * @param accept receives the encrypted connections
   */
  createServer(accept: ConnectionHandler, plain: ConnectionHandler): Server {
    const server = createServer(this.options, accept)
    this.#servers.add(server)
    server.setTicketKeys(this.#ticketKeys())
    this.#guards.add(new HandshakeGuard(server, { clock: this.#deps.clock, plain }))
    return server
  }

  /** Starts to follow the source. */
  start(): void {
    this.#deps.source.start()
    this.#renewTicketKeys()
  }

  async stop(): Promise<void> {
    this.#ticketTimer?.cancel()
    for (const guard of this.#guards) guard.close()
    await this.#deps.source.stop()
  }

  get #context(): TlsOptions {
    const pair = this.#deps.source.current ?? this.#deps.temporary
    if (pair === undefined) throw new Error('There is no certificate to serve')
    return { cert: pair.certificate, key: pair.key }
  }

  #replace(): void {
    for (const server of this.#servers) server.setSecureContext(this.options)
    this.#report()
    const { facts } = this
    if (facts === undefined) return
    const { names, issuer, notAfter } = facts
    this.#deps.log.info({ names, issuer, expires: new Date(notAfter).toISOString() }, 'tls: new certificate')
  }

  #report(): void {
    const { source, host, nodeHost, clock, log } = this.#deps
    if (source.current === undefined) return
    for (const problem of certificateProblems(source.current.certificate, host, clock.now()))
      log.error({ problem }, 'tls: clients will refuse the certificate')
    if (nodeHost !== undefined && !this.isFor(nodeHost))
      log.error(
        {
          problem: `the certificate is not for ${nodeHost}; set NODE_URL to https:// with a name of the certificate`,
        },
        'tls: other nodes cannot fetch the video of streams from this one',
      )
  }

  /** All nodes have the same keys, which change every day, so that a stolen one opens no older connections. */
  #ticketKeys(): Buffer {
    const { ticketSecret, clock } = this.#deps
    const day = Math.floor(clock.now() / DAY_MS)
    return createHmac('sha384', ticketSecret).update(String(day)).digest().subarray(0, TICKET_KEY_BYTES)
  }

  #renewTicketKeys(): void {
    for (const server of this.#servers) server.setTicketKeys(this.#ticketKeys())
    const { clock } = this.#deps
    const untilTomorrow = DAY_MS - (clock.now() % DAY_MS)
    this.#ticketTimer = clock.after(untilTomorrow + 1_000, () => this.#renewTicketKeys())
  }
}
