import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startBalancer } from '@glasses-cloud/cloud/balancer'
import { VERSION } from '@glasses-cloud/cloud/config'
import { findFreePort } from '@glasses-cloud/cloud/free-port'
import { type CloudProcess, startCloudProcess } from '@glasses-cloud/cloud/test/cloud-process'
import { FlakyProxy } from '@glasses-cloud/cloud/test/flaky-proxy'
import type { Release } from '@glasses-cloud/cloud/test/next-version'
import { RedisServer } from '@glasses-cloud/cloud/test/redis-server'
import { CleanUpStack, type Scope } from '@glasses-cloud/cloud/test/scope'
import { createDatabase, dropDatabase, optionsFor, runOn } from '@glasses-cloud/cloud/testing-postgres'
import { AUTH_SECRET, START_FLAGS } from '../support/server-process.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const CLI = join(ROOT, 'packages/cloud/src/cli.ts')

/** This version, as `npm start` runs it: from the bundle. */
export const CURRENT: Release = { version: VERSION, main: join(ROOT, 'scripts/start.mjs') }

interface SoakCloudOptions {
  /** One node uses SQLite; several use PostgreSQL, a Redis of their own, and a balancer. */
  readonly nodes: number
  /** Receives errors in the logs of the nodes. */
  readonly onError: (node: string, line: string) => void
  /** Interval of backups, such as `10m`; undefined: none are scheduled. */
  readonly backupEvery?: string | undefined
}

/** What several nodes share. */
interface SharedParts {
  readonly redis: RedisServer
  /** The connections of all nodes to PostgreSQL. */
  readonly databaseProxy: FlakyProxy
  /** Name of the database. */
  readonly database: string
}

/** The cloud under test, in processes, with data of its own. */
export class SoakCloud {
  /** Base URL: that of the balancer, if there is one. */
  readonly url: string
  readonly nodes: readonly CloudNode[]
  /** `undefined` for one node. */
  readonly shared: SharedParts | undefined
  /** Contains scheduled backups, and what the soak itself writes. */
  readonly folder: string
  readonly #env: NodeJS.ProcessEnv

  private constructor(
    url: string,
    nodes: readonly CloudNode[],
    folder: string,
    env: NodeJS.ProcessEnv,
    shared?: SharedParts,
  ) {
    this.url = url
    this.nodes = nodes
    this.folder = folder
    this.#env = env
    this.shared = shared
  }

  /** Creates an empty cloud whose nodes do not run yet. The scope removes it. */
  static async create(
    scope: Scope,
    { nodes: size, onError, backupEvery }: SoakCloudOptions,
  ): Promise<SoakCloud> {
    // The first start would make it otherwise, and print what it does.
    await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/bundle.ts')], { cwd: ROOT })
    const cleanUp = new CleanUpStack(scope)
    const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-soak-'))
    cleanUp.after(() => rm(folder, { recursive: true, force: true }))
    const shared = size > 1 ? await createShared(cleanUp) : undefined
    const ports: number[] = []
    while (ports.length < size) ports.push(await findFreePort())
    const url = `http://127.0.0.1:${shared ? await findFreePort() : ports[0]}`
    const env = {
      PATH: process.env.PATH,
      PUBLIC_URL: url,
      DATA_DIR: join(folder, 'data'),
      STREAM_PROVIDER: 'none',
      SAMPLE_APP: 'off',
      LOG_LEVEL: 'warn',
      AUTH_SECRET,
      REST_LIMIT_PER_MINUTE: '1000000',
      APP_LIMIT_PER_MINUTE: '0',
      ...(backupEvery && { BACKUP_EVERY: backupEvery, BACKUP_TO: join(folder, 'backups'), BACKUP_KEEP: '2' }),
      ...(shared && sharedSettings(shared)),
    }
    const nodes = ports.map((port, index) => {
      const name = `node-${index + 1}`
      return new CloudNode(cleanUp, name, { ...env, PORT: String(port), NODE_NAME: name }, (line) =>
        onError(name, line),
      )
    })
    if (shared) {
      const balancer = await startBalancer(
        nodes.map((node) => node.url),
        Number(new URL(url).port),
      )
      cleanUp.after(() => balancer.close())
    }
    return new SoakCloud(url, nodes, folder, env, shared)
  }

  /** Starts the nodes that do not run. The first one migrates the database. */
  async start(): Promise<void> {
    for (const node of this.nodes) if (!node.isRunning) await node.start(CURRENT)
  }

  /** Kills all nodes at once, as a power failure would. */
  async kill(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()))
  }

  /** Replaces one node after the other by another version. */
  async replace(release: Release): Promise<void> {
    for (const node of this.nodes) {
      await node.stop()
      await node.start(release)
    }
  }

  /** Registers an app and returns its API key. */
  async registerApp(manifest: Readonly<Record<string, unknown>>): Promise<string> {
    const path = join(this.folder, 'manifest.json')
    await writeFile(path, JSON.stringify(manifest))
    return (JSON.parse(await this.#run('app', 'register', path)) as { apiKey: string }).apiKey
  }

  /** Makes a backup, and checks it by a restore. @returns the file */
  async backUp(): Promise<string> {
    const file = join(this.folder, 'backup.tar')
    await this.#run('backup', '--to', file)
    await this.#run('verify', file)
    return file
  }

  /** Restores a backup into this cloud, which must be empty. */
  async restore(file: string): Promise<void> {
    await this.#run('restore', file)
  }

  /** Rows of each table, and the bytes and keys of the database and of Redis; empty for one node. */
  async sizes(): Promise<ReadonlyMap<string, number>> {
    if (!this.shared) return new Map()
    const { database, redis } = this.shared
    const rows = await runOn(database, (run) =>
      run(`analyze;
        select relname as name, reltuples::float8 as size from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
        union all select 'bytes of the database', pg_database_size(current_database())::float8`),
    )
    const [info, keys] = await redis.run((client) => Promise.all([client.info('memory'), client.dbsize()]))
    return new Map([
      ...rows.map(({ name, size }) => [String(name), Math.max(0, Number(size))] as const),
      ['bytes of Redis', Number(/^used_memory:(\d+)/m.exec(info)?.[1])],
      ['keys of Redis', keys],
    ])
  }

  async #run(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], {
      env: this.#env,
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  }
}

async function createShared(cleanUp: CleanUpStack): Promise<SharedParts> {
  const database = await createDatabase()
  cleanUp.after(() => dropDatabase(database))
  // Commits wait for the disk, as in production.
  await runOn(database, (run) => run(`alter database ${database} reset synchronous_commit`))
  const databaseProxy = await FlakyProxy.open(cleanUp)
  databaseProxy.target = new URL(String(optionsFor(database).databaseUrl))
  return { redis: await RedisServer.start(cleanUp), databaseProxy, database }
}

function sharedSettings({ redis, databaseProxy, database }: SharedParts): NodeJS.ProcessEnv {
  const databaseUrl = new URL(String(optionsFor(database).databaseUrl))
  databaseUrl.hostname = '127.0.0.1'
  databaseUrl.port = new URL(databaseProxy.url).port
  return { DATABASE_URL: databaseUrl.href, REDIS_URL: redis.url, SHARED_DATA_DIR: 'true' }
}

const PROCESS_TIMEOUT_MS = 120_000
const METRICS_TIMEOUT_MS = 10_000
/** Numeric level of `error` in the log; `fatal` is higher. */
const ERROR_LEVEL = 50

/** One node of the cloud under test: a process that is started, killed, frozen and replaced by another version. */
export class CloudNode {
  readonly name: string
  readonly url: string
  readonly #scope: Scope
  readonly #env: NodeJS.ProcessEnv
  readonly #onError: (line: string) => void
  #process: CloudProcess | undefined
  #isStopping = false
  /** How often the process was started. */
  starts = 0

  /**
   * @param env settings of the node, including `PORT`
   * @param onError receives log lines of level error and above, and output that is not a log line
   */
  constructor(scope: Scope, name: string, env: NodeJS.ProcessEnv, onError: (line: string) => void) {
    this.#scope = scope
    this.name = name
    this.url = `http://127.0.0.1:${env.PORT}`
    this.#env = env
    this.#onError = onError
  }

  get isRunning(): boolean {
    const child = this.#process?.process
    return child !== undefined && child.exitCode === null && child.signalCode === null
  }

  /** Starts a version; resolves when it serves. */
  async start({ main }: Release): Promise<void> {
    this.#isStopping = false
    this.starts += 1
    const scope: Scope = {
      after: (step) =>
        this.#scope.after(() => {
          this.#isStopping = true
          return step()
        }),
    }
    this.#process = await startCloudProcess(scope, [process.execPath, ...START_FLAGS, main], {
      // Outside the repository, so that its .env is not read.
      cwd: tmpdir(),
      env: this.#env,
      timeoutMs: PROCESS_TIMEOUT_MS,
      onLogLine: (line) => this.#checkLine(line),
    })
    this.#process.process.once('exit', (code, signal) => {
      if (!this.#isStopping) this.#onError(`The process exited with ${signal ?? code}`)
    })
  }

  /** Kills the process as a power failure would. */
  async kill(): Promise<void> {
    this.#isStopping = true
    await this.#process?.end('SIGKILL')
  }

  /** Stops the process as a supervisor does. @throws Error if it fails */
  async stop(): Promise<void> {
    this.#isStopping = true
    const [code, signal] = (await this.#process?.end('SIGTERM')) ?? []
    if (code !== 0) throw new Error(`${this.name} exited with ${signal ?? code}`)
  }

  /** Suspends the process for a time, as a virtual machine that is moved. */
  async freeze(ms: number): Promise<void> {
    this.#process?.process.kill('SIGSTOP')
    await delay(ms)
    this.#process?.process.kill('SIGCONT')
  }

  /** Reads its metrics without labels; `undefined` while it does not answer. */
  async metrics(): Promise<ReadonlyMap<string, number> | undefined> {
    try {
      const signal = AbortSignal.timeout(METRICS_TIMEOUT_MS)
      const text = await (await fetch(`${this.url}/metrics`, { signal })).text()
      const lines = text.matchAll(/^([a-z_]+)(?:\{node="[^"]*"\})? (\S+)$/gm)
      return new Map([...lines].map(([, name, value]) => [String(name), Number(value)]))
    } catch {
      return undefined
    }
  }

  #checkLine(line: string): void {
    try {
      const { level } = JSON.parse(line) as { level?: unknown }
      if (typeof level === 'number' && level < ERROR_LEVEL) return
    } catch {
      // Not a log line: a warning of Node.js or a stack trace.
    }
    this.#onError(line)
  }
}
