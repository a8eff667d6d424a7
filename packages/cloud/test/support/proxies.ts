import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram } from '../../src/config/index.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { selfSigned } from './certificates.ts'
import { inheritedEnv } from './inherited-env.ts'
import { skipIfMissing } from './optional-part.ts'
import { CleanUpStack, type Scope } from './scope.ts'
import { waitFor, withTimeout } from './wait-for.ts'

/** A proxy whose configuration is in `ops/proxies`. */
export type ProxyName = 'nginx' | 'caddy' | 'haproxy'

export const PROXY_NAMES: readonly ProxyName[] = ['nginx', 'caddy', 'haproxy']

const FOLDER = fileURLToPath(new URL('../../../../ops/proxies/', import.meta.url))
const STREAM_MODULE = '/usr/lib/nginx/modules/ngx_stream_module.so'
const EXIT_TIMEOUT_MS = 20_000
/** Nodes in a configuration. */
const NODES = 3
/** The port of the first node for encrypted video. */
const FIRST_RTMPS_PORT = 1936

/** Why tests with a proxy are skipped; false if it is installed. */
export function proxyMissing(name: ProxyName): string | false {
  const packages = name === 'nginx' ? 'nginx libnginx-mod-stream' : name
  const isInstalled = findProgram(name) !== undefined && (name !== 'nginx' || existsSync(STREAM_MODULE))
  return skipIfMissing(isInstalled ? undefined : `${name} is not installed (apt-get install ${packages})`)
}

/** A node behind a proxy. */
export interface ProxiedNode {
  readonly port: number
  /** The port for RTMP, if the proxy forwards it. */
  readonly rtmpPort?: number
}

/** How a proxy is started. */
export interface ProxyOptions {
  /** One node, or three. */
  readonly nodes: readonly ProxiedNode[]
  /** Port for HTTPS; a free one by default. */
  readonly port?: number
  /** Port for encrypted video to the first node; a free one by default. */
  readonly rtmpsPort?: number
  /** Seconds after which the proxy closes a connection without traffic; those of the file by default. */
  readonly idleSeconds?: number
}

/** The programs of a proxy and how they are used, as the unit of the Debian package does. */
interface Program {
  readonly file: string
  start(file: string): readonly string[]
  /** Makes the running proxy read its file again. */
  reload(file: string, child: ChildProcess): readonly string[] | NodeJS.Signals
}

const PROGRAMS: Readonly<Record<ProxyName, Program>> = {
  nginx: {
    file: 'nginx.conf',
    start: (file) => ['-c', file, '-g', 'daemon off;'],
    reload: () => 'SIGHUP',
  },
  caddy: {
    file: 'Caddyfile',
    start: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
    reload: (file) => ['reload', '--config', file, '--adapter', 'caddyfile', '--force'],
  },
  haproxy: {
    file: 'haproxy.cfg',
    start: (file) => ['-W', '-f', file],
    reload: () => 'SIGUSR2',
  },
}

/** Certificate and key of `localhost`, as one text for HAProxy. */
const CERTIFICATE = `${selfSigned.cert}\n${selfSigned.key}\n`

/** A running proxy with one of the configurations of `ops/proxies`. */
export class ProxyServer {
  readonly name: ProxyName
  /** The base URL of HTTPS. */
  readonly url: string
  readonly port: number
  /** The base URL that redirects. */
  readonly plainUrl: string
  readonly #folder: string
  readonly #file: string
  #child: ChildProcess | undefined
  #output = ''

  private constructor(name: ProxyName, folder: string, ports: Ports) {
    this.name = name
    this.port = ports.https
    this.url = `https://localhost:${ports.https}`
    this.plainUrl = `http://localhost:${ports.http}`
    this.#folder = folder
    this.#file = join(folder, PROGRAMS[name].file)
  }

  /** Starts a proxy; the scope stops it. */
  static async start(scope: Scope, name: ProxyName, options: ProxyOptions): Promise<ProxyServer> {
    const cleanUp = new CleanUpStack(scope)
    const folder = await mkdtemp(join(tmpdir(), `glasses-cloud-${name}-`))
    cleanUp.after(() => rm(folder, { recursive: true, force: true }))
    const free = await Promise.all(Array.from({ length: 3 + NODES }, () => findFreePort()))
    const [http = 0, https = 0, admin = 0, ...rtmps] = free
    if (options.rtmpsPort !== undefined) rtmps[0] = options.rtmpsPort
    const ports: Ports = { http, https: options.port ?? https, admin, rtmps }
    const proxy = new ProxyServer(name, folder, ports)
    await writeFile(join(folder, 'cloud.pem'), CERTIFICATE, { mode: 0o600 })
    await writeFile(join(folder, 'cloud.key'), selfSigned.key, { mode: 0o600 })
    await mkdir(join(folder, 'caddy'))
    await writeFile(proxy.#file, await adapt(name, folder, ports, options))
    cleanUp.after(() => proxy.#stop())
    await proxy.#start()
    return proxy
  }

  /** Everything that it logged. */
  async log(): Promise<string> {
    const access = await readFile(join(this.#folder, 'access.log'), 'utf8').catch(() => '')
    const errors = await readFile(join(this.#folder, 'error.log'), 'utf8').catch(() => '')
    return `${this.#output}${access}${errors}`
  }

  /** Makes it read its configuration again, and waits until new processes or settings are in force. */
  async reload(): Promise<void> {
    const child = this.#child
    if (!child?.pid) throw new Error(`${this.name} is not running`)
    const how = PROGRAMS[this.name].reload(this.#file, child)
    if (typeof how !== 'string') {
      const [code] = await once(this.#spawn(how), 'exit')
      if (code !== 0) throw new Error(`${this.name} did not reload: ${this.#output}`)
      return
    }
    const before = await childrenOf(child.pid)
    child.kill(how)
    await waitFor(`new processes of ${this.name}`, async () =>
      (await childrenOf(Number(child.pid))).some((pid) => !before.includes(pid)),
    )
    await this.#listens()
  }

  async #start(): Promise<void> {
    const child = this.#spawn(PROGRAMS[this.name].start(this.#file))
    this.#child = child
    const failed = once(child, 'exit').then(([code]) => {
      throw new Error(`${this.name} exited with ${code}: ${this.#output}`)
    })
    failed.catch(() => {})
    await Promise.race([this.#listens(), failed])
  }

  #spawn(args: readonly string[]): ChildProcess {
    const child = spawn(this.name, args, {
      cwd: this.#folder,
      env: { ...inheritedEnv(), HOME: this.#folder, XDG_DATA_HOME: join(this.#folder, 'caddy') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => {
        this.#output += data
      })
    return child
  }

  #listens(): Promise<unknown> {
    return waitFor(`the start of ${this.name}`, async () => {
      const socket = connect(this.port, '127.0.0.1')
      try {
        await once(socket, 'connect')
        return true
      } finally {
        socket.destroy()
      }
    })
  }

  async #stop(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    // Without waiting for open sockets. The processes before a reload end with their master.
    child.kill('SIGTERM')
    await withTimeout(EXIT_TIMEOUT_MS, exited, `${this.name} did not exit`)
  }
}

interface Ports {
  readonly http: number
  readonly https: number
  readonly admin: number
  readonly rtmps: readonly number[]
}

/** Returns the configuration of a proxy with other addresses, ports and paths. */
async function adapt(
  name: ProxyName,
  folder: string,
  { http, https, admin, rtmps }: Ports,
  { nodes, idleSeconds }: ProxyOptions,
): Promise<string> {
  let text = await readFile(join(FOLDER, PROGRAMS[name].file), 'utf8')
  const replace = (from: string | RegExp, to: string) => {
    const replaced = text.replaceAll(from, to)
    if (replaced === text) throw new Error(`${PROGRAMS[name].file} does not contain ${from}`)
    text = replaced
  }
  const replaceListen = (keyword: string, port: number, own: number) =>
    replace(new RegExp(`(${keyword} ):?${port}\\b`, 'g'), `$1127.0.0.1:${own}`)
  for (let index = 0; index < NODES; index += 1) {
    const address = `10.0.0.1${index + 1}`
    const node = nodes[index]
    if (node) replace(`${address}:8080`, `127.0.0.1:${node.port}`)
    // As the file says: with one node, the lines of the others are deleted.
    else replace(new RegExp(`^.*${address}:8080.*\\n`, 'gm'), '')
    if (name !== 'caddy') {
      replaceListen(name === 'nginx' ? 'listen' : 'bind', FIRST_RTMPS_PORT + index, Number(rtmps[index]))
      replace(`${address}:1935`, `127.0.0.1:${node?.rtmpPort ?? 9}`)
    }
  }
  replace(/\/etc\/\w+\/cloud\./g, `${folder}/cloud.`)
  if (idleSeconds !== undefined && name !== 'caddy') replace('75s', `${idleSeconds}s`)
  if (name === 'nginx') {
    replaceListen('listen', 80, http)
    replaceListen('listen', 443, https)
    replace('/var/log/nginx/', `${folder}/`)
    replace('/run/nginx.pid', `${folder}/nginx.pid`)
    replace('cloud.example.org', 'localhost')
  } else if (name === 'caddy') {
    replace('http_port 80', `http_port ${http}`)
    replace('https_port 443', `https_port ${https}`)
    replace('localhost:2019', `localhost:${admin}`)
    replace('cloud.example.org', 'localhost')
  } else {
    replaceListen('bind', 80, http)
    replaceListen('bind', 443, https)
    replace('/dev/log', 'stdout format raw')
  }
  // Only root may change the user.
  return process.getuid?.() === 0 ? text : text.replaceAll(/^ *(user|group) .*\n/gm, '')
}

/** Returns the child processes of a process. */
async function childrenOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(/\s+/)
}
