import { once } from 'node:events'
import { type AddressInfo, connect as connectTcp, createServer, type Server, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ForbiddenAddress, isForbiddenIp, publicLookup } from '../../../webhooks/index.ts'

/** Time to connect, TLS included. */
const CONNECT_TIMEOUT_MS = 10_000

/** Time for which a target may read nothing although data waits for it. */
const STALL_TIMEOUT_MS = 20_000

interface TunnelTarget {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  /** `user:password@` for servers that authenticate publishers, or empty. Secret. */
  readonly credentials: string
}

/** The parts of the URL of an output, as RTMP clients send them. */
export interface RtmpTarget extends TunnelTarget {
  readonly app: string
  /** Usually the stream key. Secret. */
  readonly playpath: string
  readonly tcUrl: string
}

/**
 * A port on the loopback interface that forwards its first connection to an RTMP server, or its first three, one after
 * another, if the client authenticates: the server closes the connection with each challenge. The cloud connects itself, so
 * that the target is checked at the moment of the connection (decision W5), its certificate is verified, and the reason
 * of a failure is known exactly.
 */
export class RtmpTunnel {
  readonly #target: TunnelTarget
  readonly #allowPrivateNetworks: boolean
  readonly #server: Server
  #local: Socket | undefined
  #remote: Socket | undefined
  #problem: string | undefined

  private constructor(target: TunnelTarget, allowPrivateNetworks: boolean) {
    this.#target = target
    this.#allowPrivateNetworks = allowPrivateNetworks
    let connections = target.credentials ? 3 : 1
    this.#server = createServer({ pauseOnConnect: true }, (socket) => {
      connections -= 1
      if (connections === 0) this.#server.close()
      this.#open(socket)
    })
    this.#server.maxConnections = 1
  }

  static async open(target: TunnelTarget, allowPrivateNetworks: boolean): Promise<RtmpTunnel> {
    const tunnel = new RtmpTunnel(target, allowPrivateNetworks)
    tunnel.#server.listen({ host: '127.0.0.1', port: 0 })
    await once(tunnel.#server, 'listening')
    return tunnel
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Why the target cannot be reached; undefined if it was reached, or nothing has failed. */
  get problem(): string | undefined {
    return this.#problem
  }

  close(): void {
    this.#server.close()
    this.#local?.destroy()
    this.#remote?.destroy()
  }

  #open(local: Socket): void {
    this.#local = local
    const { host, port, secure } = this.#target
    local.on('error', () => {})
    if (!this.#allowPrivateNetworks && isForbiddenIp(host)) return this.#fail(new ForbiddenAddress())
    const options = {
      host: host.replace(/^\[|\]$/g, ''),
      port,
      ...(this.#allowPrivateNetworks ? {} : { lookup: publicLookup }),
    }
    const remote = secure
      ? connectTls({ ...options, servername: serverName(options.host) })
      : connectTcp(options)
    this.#remote = remote
    remote.setTimeout(CONNECT_TIMEOUT_MS)
    remote.once('timeout', () => this.#fail(new Error('The target did not respond in time')))
    remote.once('error', (error) => this.#fail(error))
    remote.once(secure ? 'secureConnect' : 'connect', () => {
      remote.setNoDelay()
      remote.setTimeout(0)
      local.pipe(remote)
      remote.pipe(local)
      this.#watchStalls(remote)
    })
    remote.once('close', () => {
      this.#problem ??= 'The target closed the connection'
      local.destroySoon()
    })
    local.once('close', () => remote.destroySoon())
  }

  /** Fails if data waits for a target that reads nothing. */
  #watchStalls(remote: Socket): void {
    let lastWritten = 0
    const timer = setInterval(() => {
      const written = remote.bytesWritten - remote.writableLength
      if (remote.writableLength > 0 && written === lastWritten)
        this.#fail(new Error('The target stopped reading'))
      lastWritten = written
    }, STALL_TIMEOUT_MS)
    timer.unref()
    remote.once('close', () => clearInterval(timer))
  }

  #fail(error: NodeJS.ErrnoException): void {
    this.#problem ??= describe(error)
    this.#remote?.destroy()
    this.#local?.destroy()
  }
}

/** Splits a URL that `parseOutputUrl` accepted as ffmpeg does: of three or more segments the first two are the app. */
export function parseRtmpTarget(url: string): RtmpTarget {
  const { protocol, hostname, port, username, password, pathname, search } = new URL(url)
  const secure = protocol === 'rtmps:'
  const segments = pathname.split('/').slice(1)
  const appSegments = segments.length >= 3 ? 2 : 1
  const app = segments.slice(0, appSegments).join('/')
  const number = port ? Number(port) : secure ? 443 : 1935
  return {
    host: hostname,
    port: number,
    secure,
    app,
    playpath: segments.slice(appSegments).join('/') + search,
    tcUrl: `${protocol}//${hostname}:${number}/${app}`,
    credentials: username || password ? `${username}:${password}@` : '',
  }
}

const serverName = (host: string) => (/^[\d.:]+$/.test(host) ? '' : host)

function describe({ code, message }: NodeJS.ErrnoException): string {
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'The target refused the connection',
    ENOTFOUND: 'The host of the target does not exist',
    EHOSTUNREACH: 'The target is not reachable',
    ENETUNREACH: 'The target is not reachable',
    ETIMEDOUT: 'The target did not respond in time',
    ECONNRESET: 'The target closed the connection',
    EPIPE: 'The target closed the connection',
    FORBIDDEN_ADDRESS: 'The target is in a private network',
  }
  return known[code ?? ''] ?? `The connection failed: ${code ?? message}`
}
