import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Manifest, parseManifest } from '@glasses-cloud/contract'
import { createOperator, issueToken, type Operator } from '../../src/cli/operator.ts'
import { type Cloud, type CloudOverrides, createCloud } from '../../src/cloud.ts'
import { type Config, type Env, readConfig } from '../../src/config/index.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/index.ts'
import type { TestDatabase } from '../../src/db/testing.ts'
import { createMigratedSqlite } from '../../src/db/testing-sqlite.ts'
import { PasswordHasher } from '../../src/features/auth/password/password-hasher.ts'
import { PasswordPolicy } from '../../src/features/auth/password/password-policy.ts'
import { type RegisteredApp, registerApp } from '../../src/features/catalogue/index.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { urlOf } from '../../src/http/listening.ts'
import { createLog } from '../../src/http/log.ts'
import { openApiDocument } from '../../src/http/openapi/index.ts'
import { baseUrlOf } from '../../src/http/request-origin.ts'
import { type TokenScope, Tokens } from '../../src/identity/index.ts'
import { startCloudProcess } from './cloud-process.ts'
import { inheritedEnv } from './inherited-env.ts'
import { type OpenApiDocument, OpenApiValidator } from './openapi-validator.ts'
import { CleanUpStack, type Scope } from './scope.ts'
import { sendRequest, type TestRequest, type TestResponse } from './send-request.ts'
import { recordSockets, type SocketRecording } from './socket-recorder.ts'
import { withTimeout } from './wait-for.ts'

export type { TestRequest, TestResponse }

/** The AUTH_SECRET of every test cloud. */
export const testSecret = 'a secret for tests that is long enough'

/** The time within which the bundle must be made. */
const BUNDLE_TIMEOUT_MS = 150_000

/** Limits that tests do not reach. */
const RAISED_LIMITS: Env = {
  REST_LIMIT_PER_MINUTE: '1000000',
  APP_LIMIT_PER_MINUTE: '0',
  TTS_LIMIT_PER_MINUTE: '1000000',
}

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** Options of a test cloud. */
export interface TestCloudOptions {
  /** Environment variables that override the defaults: a free port, a temporary folder, no log. */
  readonly env?: Env
  /** The database; SQLite by default. */
  readonly database?: TestDatabase
  /** Whether the limits of requests are those that users get. Tests send more by default. */
  readonly hasDefaultLimits?: boolean
}

/** Options of a cloud in a child process. */
interface SpawnedCloudOptions extends TestCloudOptions {
  /** What is run; the bundle by default. */
  readonly from?: 'bundle' | 'sources' | { readonly main: string }
}

/** A manifest; missing fields are filled in. */
export type TestManifest = Partial<Manifest> & Pick<Manifest, 'packageName'>

/** A running cloud, in this process or another. */
export interface TestCloud {
  /** The base URL, without a trailing slash. */
  readonly url: string
  /** The base URL with the address it listens on, whatever its public address is. */
  readonly localUrl: string
  /** The base URL for sockets. */
  readonly wsUrl: string
  /** The environment it was started with. A cloud started with the same environment continues with the same data. */
  readonly env: Env
  /** Direct access to its database, users, apps and keys, as the CLI has. */
  readonly operator: Operator
  /** Issues a token for a user, who is created if necessary. */
  token(
    email: string,
    options?: { readonly scope?: TokenScope; readonly lifetimeMs?: number },
  ): Promise<string>
  /** Registers an app, published by default. */
  registerApp(manifest: TestManifest): Promise<RegisteredApp<string>>
  /** Sends a request and asserts that the response matches the OpenAPI document. */
  request<Body = unknown>(method: string, path: string, request?: TestRequest): Promise<TestResponse<Body>>
  /** Stops it gracefully. May be called repeatedly; the end of the scope calls it too. */
  stop(): Promise<void>
}

/** A cloud in this process. Every frame it sends must match the AsyncAPI document, or the test fails. */
export interface LocalCloud extends TestCloud {
  readonly cloud: Cloud
  /** The message types sent on its sockets. */
  readonly sockets: SocketRecording
  /** The parsed log lines; `LOG_LEVEL` is `silent` by default. */
  readonly logged: readonly Record<string, unknown>[]
}

/** A cloud in a child process. */
export interface SpawnedCloud extends TestCloud {
  readonly process: ChildProcess
  /** The parsed log lines; `LOG_LEVEL` is `silent` by default. */
  readonly logged: readonly Record<string, unknown>[]
  /** Kills it as a power failure would; resolves when the process has exited. */
  kill(): Promise<unknown>
}

/** One for all clouds of this process: its worker takes half a second to load the dictionaries. */
const sharedPolicy = new PasswordPolicy()
const passwordPolicy = {
  require: sharedPolicy.require.bind(sharedPolicy),
  close: () => Promise.resolve(),
}

/** The least that Argon2id takes. Real hashes were half of the time of tests with passwords. */
export const passwords = new PasswordHasher({ cost: { memory: 8, passes: 1 } })

/** Starts a cloud in this process, on a free port and with its own database. */
export async function startCloud(
  scope: Scope,
  options: TestCloudOptions & { readonly overrides?: CloudOverrides } = {},
): Promise<LocalCloud> {
  const cleanUp = new CleanUpStack(scope)
  let sockets: SocketRecording | undefined
  // Verified last, after all clean-up of the test, so that a failure leaves nothing open.
  scope.after(() => scope.after(() => sockets?.verify()))
  const env = await environment(cleanUp, options)
  const config = readConfig(env)
  const logged: Record<string, unknown>[] = []
  const log = createLog(config.log.level, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const cloud = await createCloud(config, { log, passwordPolicy, passwords, ...options.overrides })
  sockets = recordSockets(cloud.server.server)
  const common = createTestCloud(
    cleanUp,
    {
      // The address that operators and users get.
      url: config.http.publicUrl === undefined ? baseUrlOf(cloud.publicUrl()) : cloud.url,
      localUrl: cloud.url,
    },
    env,
    createOperator(cloud.db, cloud.tokens, cloud.secrets),
    {
      describe: async () => openApiDocument(cloud.server.endpoints, { version: '', url: new URL(cloud.url) }),
      end: () => cloud.close(),
    },
  )
  return { ...common, cloud, logged, sockets }
}

/** Starts a cloud in a child process, as `npm start` does: from the bundle. Resolves when it serves. */
export async function spawnCloud(scope: Scope, options: SpawnedCloudOptions = {}): Promise<SpawnedCloud> {
  const cleanUp = new CleanUpStack(scope)
  // The line that it prints contains PUBLIC_URL instead of the port, if there is one.
  const port = options.env?.PUBLIC_URL === undefined ? {} : { PORT: String(await findFreePort()) }
  const given = { ...options, env: { ...port, ...options.env } }
  // A migrated database would hide that a first start creates the tables.
  const env = await environment(cleanUp, given, 'createEmpty')
  const logged: Record<string, unknown>[] = []
  const {
    process: child,
    url,
    end,
  } = await startCloudProcess(cleanUp, [process.execPath, await entryPoint(options.from)], {
    // Outside the repository, so that its .env is not read.
    cwd: tmpdir(),
    env: { ...inheritedEnv(), ...env },
    onLogLine: (line) => line.startsWith('{') && logged.push(JSON.parse(line)),
  })
  const config = readConfig(env)
  const { operator, close } = await openOperator(config)
  const { host, port: configuredPort } = config.http
  const scheme = config.tls.mode === 'off' ? 'http' : 'https'
  const localUrl = urlOf(host, configuredPort || Number(new URL(url).port), scheme)
  const common = createTestCloud(cleanUp, { url, localUrl }, env, operator, {
    describe: async () => (await fetch(`${url}/openapi.json`)).json(),
    end: async () => {
      await close()
      await end('SIGTERM')
    },
  })
  return { ...common, process: child, logged, kill: () => end('SIGKILL') }
}

/** The bundle, made once for all clouds of this process. */
let bundle: Promise<void> | undefined

/** Makes the bundle that `npm start` runs, if a source has changed. */
export function makeBundle(): Promise<void> {
  bundle ??= runBundleScript()
  return bundle
}

/** The program that starts a cloud. */
async function entryPoint(from: SpawnedCloudOptions['from'] = 'bundle'): Promise<string> {
  if (typeof from === 'object') return from.main
  if (from === 'sources') return join(ROOT, 'packages/cloud/src/main.ts')
  await makeBundle()
  return join(ROOT, 'scripts/start.mjs')
}

/** It may take longer than a start. */
async function runBundleScript(): Promise<void> {
  const making = spawn(process.execPath, [join(ROOT, 'scripts/bundle.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await withTimeout(BUNDLE_TIMEOUT_MS, once(making, 'exit'), 'the bundle was not made')
  if (code !== 0) throw new Error('The bundle could not be made')
}

async function environment(
  scope: CleanUpStack,
  { env = {}, database, hasDefaultLimits = false }: TestCloudOptions,
  provide: 'acquire' | 'createEmpty' = 'acquire',
): Promise<Env> {
  return {
    PORT: '0',
    AUTH_SECRET: testSecret,
    LOG_LEVEL: 'silent',
    STREAM_PROVIDER: 'none',
    SAMPLE_APP: 'off',
    // Tests that run at the same time share the connections of one PostgreSQL server.
    DATABASE_POOL_SIZE: '4',
    ...(hasDefaultLimits ? {} : RAISED_LIMITS),
    ...(env.DATA_DIR === undefined ? { DATA_DIR: await temporaryFolder(scope, provide) } : {}),
    ...(database === undefined ? {} : databaseEnv(await database[provide](scope))),
    ...env,
  }
}

function databaseEnv({ databaseUrl }: DatabaseOptions): Env {
  return databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
}

/** A data folder; unless it is to be empty, with a migrated SQLite database. */
async function temporaryFolder(scope: CleanUpStack, provide: 'acquire' | 'createEmpty'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
  if (provide === 'acquire') await createMigratedSqlite(folder)
  scope.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** An operator for a cloud in another process, with a separate database connection. */
async function openOperator({ data, auth }: Config): Promise<{ operator: Operator; close(): Promise<void> }> {
  const db = await openDatabase({ databaseUrl: data.databaseUrl, dataDir: data.dir })
  const secret = auth.secret ?? testSecret
  const tokens = new Tokens({ secret, acceptNonExpiring: auth.acceptNonExpiringTokens })
  return { operator: createOperator(db, tokens, [secret]), close: () => db.destroy() }
}

/** Created once, because the document is the same for every cloud of this process. */
let validator: Promise<OpenApiValidator> | undefined

function createTestCloud(
  scope: CleanUpStack,
  { url, localUrl }: Pick<TestCloud, 'url' | 'localUrl'>,
  env: Env,
  operator: Operator,
  { describe, end }: { describe(): Promise<unknown>; end(): Promise<void> },
): TestCloud {
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= end()
    return stopping
  }
  scope.after(stop)
  return {
    url,
    localUrl,
    wsUrl: url.replace(/^http/, 'ws'),
    env,
    operator,
    token: (email, options) => issueToken(operator, email, options),
    registerApp: (manifest) => register(operator, manifest),
    request: async (method, path, request) => {
      const received = await sendRequest<never>(url, method, path, request)
      validator ??= describe().then((document) => new OpenApiValidator(document as OpenApiDocument))
      const openApi = await validator
      openApi.check(method, path, received)
      const { status, body, headers } = received
      return { status, body, headers }
    },
    stop,
  }
}

async function register(operator: Operator, partial: TestManifest): Promise<RegisteredApp<string>> {
  const result = parseManifest({
    name: partial.packageName,
    publicUrl: 'http://127.0.0.1:9',
    appStoreStatus: 'PUBLISHED',
    ...partial,
  })
  if (!result.ok) throw new Error(result.problems.join('; '))
  return registerApp(operator, result.manifest, Date.now(), { rotate: true })
}
