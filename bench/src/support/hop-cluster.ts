import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connectRedis, type RedisClient } from '@glasses-cloud/cloud/bus'
import { findFreePort } from '@glasses-cloud/cloud/free-port'
import type { HopCommand, HopPath, HopSide } from '../processes/hop-commands.ts'
import { percentile } from '../statistics.ts'

/** What frames on one path took. */
export interface HopSample {
  /** Percentiles of the delay in ms. */
  readonly p50: number
  readonly p99: number
  /** Processor time of both nodes and of Redis, in µs per frame. */
  readonly micros: number
}

/** Two nodes and a Redis of their own, in processes. */
export class HopCluster {
  readonly #sender: HopNode
  readonly #receiver: HopNode
  readonly #client: RedisClient
  readonly #stop: () => void

  private constructor(sender: HopNode, receiver: HopNode, client: RedisClient, stop: () => void) {
    this.#sender = sender
    this.#receiver = receiver
    this.#client = client
    this.#stop = stop
  }

  /** Starts Redis, with and without TLS, and the nodes. */
  static async start(): Promise<HopCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-bench-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
    execFileSync('openssl', ['req', '-x509', ...curve, '-nodes', '-keyout', key, '-out', cert, ...subject], {
      stdio: 'ignore',
    })
    const [port, tlsPort] = [String(await findFreePort()), String(await findFreePort())]
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert]
    const tls = ['--tls-port', tlsPort, ...files, '--tls-auth-clients', 'no']
    const redis = spawn('redis-server', ['--bind', '127.0.0.1', '--port', port, '--save', '', ...tls], {
      stdio: 'ignore',
    })
    const env = {
      REDIS_URL: `redis://127.0.0.1:${port}`,
      REDIS_TLS_URL: `rediss://127.0.0.1:${tlsPort}`,
      NODE_EXTRA_CA_CERTS: cert,
    }
    const client = await connectRedis({ urls: [env.REDIS_URL], isCluster: false })
    client.on('error', () => {})
    await once(client, 'ready')
    const [sender, receiver] = [await HopNode.start(env), await HopNode.start(env)]
    await sender.run({ command: 'meet', other: receiver.side })
    await receiver.run({ command: 'meet', other: sender.side })
    return new HopCluster(sender, receiver, client, () => {
      sender.stop()
      receiver.stop()
      client.disconnect()
      redis.kill()
      rmSync(folder, { recursive: true, force: true })
    })
  }

  /** Sends the audio of sessions from one node to the other. */
  async measure(path: HopPath, sessions: number, seconds: number): Promise<HopSample> {
    const frames = sessions * 50 * seconds
    await this.#receiver.run({ command: 'expect', frames })
    const before = await this.#cpuMicros()
    await this.#sender.run({ command: 'send', path, sessions, seconds })
    const delays = path === 'none' ? [0] : await this.#receiver.run<number[]>({ command: 'delays' })
    const micros = ((await this.#cpuMicros()) - before) / frames
    return { p50: percentile(delays, 0.5), p99: percentile(delays, 0.99), micros }
  }

  stop(): void {
    this.#stop()
  }

  async #cpuMicros(): Promise<number> {
    const info = await this.#client.info('cpu')
    const read = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]) * 1e6
    const nodes = [this.#sender, this.#receiver].map((node) => node.run<number>({ command: 'cpu' }))
    const [sending = 0, receiving = 0] = await Promise.all(nodes)
    return sending + receiving + read('used_cpu_sys') + read('used_cpu_user')
  }
}

/** A node in a process of its own. */
class HopNode {
  readonly side: HopSide
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, side: HopSide) {
    this.#child = child
    this.side = side
  }

  static async start(env: Readonly<Record<string, string>>): Promise<HopNode> {
    const file = fileURLToPath(new URL('../processes/hop-node.ts', import.meta.url))
    const child = fork(file, { env: { PATH: process.env.PATH, ...env } })
    const [{ result }] = (await once(child, 'message')) as [{ result: HopSide }]
    return new HopNode(child, result)
  }

  async run<Result = void>(command: HopCommand): Promise<Result> {
    const responded = once(this.#child, 'message')
    this.#child.send(command)
    return ((await responded)[0] as { result: Result }).result
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }
}
