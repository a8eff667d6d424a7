import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Manifest, parseManifest } from '@glasses-cloud/contract'
import { issueToken } from '../../src/cli/issue-token.ts'
import { createOperator, type Operator } from '../../src/cli/operator.ts'
import { type RegisteredApp, registerApp } from '../../src/cli/register-app.ts'
import { type Cloud, type CloudOverrides, createCloud } from '../../src/cloud.ts'
import { type Config, type Env, readConfig } from '../../src/config/index.ts'
import { openDatabase } from '../../src/db/index.ts'
import type { TestDatabase } from '../../src/db/testing.ts'
import { createLog } from '../../src/http/log.ts'
import { openApiDocument } from '../../src/http/openapi/index.ts'
import { type TokenScope, Tokens } from '../../src/identity/index.ts'
import { type Answered, type OpenApiDocument, OpenApiValidator } from './openapi-validator.ts'
import { recordSockets, type SocketRecording } from './socket-recorder.ts'

/** The key every test cloud signs its tokens with. */
export const testSecret = 'a key that only tests know, long enough'

/** How long a child process may take to serve or to end, in ms. */
const processDeadlineMs = 20_000

/** Whose end removes what was made: a test's context, or `suiteScope()` for what a suite makes in `before`. */
export interface Scope {
  after(undo: () => unknown): void
}

/** A scope that ends with the suite around the call; call it in the body of `describe`. */
export function suiteScope(): Scope {
  const undoings: (() => unknown)[] = []
  after(async () => {
    for (const undo of undoings.reverse()) await undo()
  })
  return { after: (undo) => void undoings.push(undo) }
}

/** How a test cloud differs from the usual one. */
export interface TestCloudOptions {
  /** Settings over the test's own: a free port, a folder of its own, no log. */
  readonly env?: Env
  /** The database it runs on; SQLite if absent. */
  readonly database?: TestDatabase
}

/** A manifest as tests write it: the rest is filled in. */
export type TestManifest = Partial<Manifest> & Pick<Manifest, 'packageName'>

/** What a request of a test holds. */
export interface TestRequest {
  readonly token?: string | undefined
  /** Sent as JSON; text is sent as it stands. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What came back. `body` is the parsed JSON, or the text where it is none; its shape is the test's claim. */
export interface TestAnswer<Body = unknown> {
  readonly status: number
  readonly body: Body
  readonly headers: Headers
}

/** What a test can do with a cloud, wherever it runs. */
export interface TestCloud {
  /** Without a slash at the end. */
  readonly url: string
  /** `url` for sockets. */
  readonly wsUrl: string
  /** The settings it was started with; start another with them and it is the same cloud again. */
  readonly env: Env
  /** Its users, apps and keys, as the command line sees them. */
  readonly operator: Operator
  /** A token of the user of an address, who is made if there is none. */
  token(email: string, options?: { readonly scope?: TokenScope; readonly lifeMs?: number }): Promise<string>
  /** Registers a published app, unless the manifest says otherwise. */
  registerApp(manifest: TestManifest): Promise<RegisteredApp & { readonly apiKey: string }>
  /** Asks, and fails the test if the answer is none that the interface's own description knows. */
  request<Body = unknown>(method: string, path: string, request?: TestRequest): Promise<TestAnswer<Body>>
  /** Ends it in order. Safe to call again; the end of the scope calls it too. */
  stop(): Promise<void>
}

/** A cloud in this process. What it sends on sockets must be what its description of them says. */
export interface LocalCloud extends TestCloud {
  readonly cloud: Cloud
  /** What was sent on its sockets. */
  readonly sockets: SocketRecording
  /** What it logged, an object a line; `LOG_LEVEL` decides how much. */
  readonly logged: readonly Record<string, unknown>[]
}

/** A cloud in a process of its own. */
export interface SpawnedCloud extends TestCloud {
  readonly process: ChildProcess
  /** What it logged, an object a line; `LOG_LEVEL` decides how much. */
  readonly logged: readonly Record<string, unknown>[]
  /** Ends it as a power cut would; resolves when it is gone. */
  kill(): Promise<void>
}

/** Starts a cloud in this process, on a free port and on rows of its own. */
export async function startCloud(
  scope: Scope,
  options: TestCloudOptions & { readonly overrides?: CloudOverrides } = {},
): Promise<LocalCloud> {
  const cleanUp = new CleanUp(scope)
  let sockets: SocketRecording | undefined
  // Last of all, behind whatever the test undoes after this: what fails here must leave nothing open.
  scope.after(() => scope.after(() => sockets?.verify()))
  const env = await environment(cleanUp, options)
  const config = readConfig(env)
  const logged: Record<string, unknown>[] = []
  const log = createLog(config.log.level, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const cloud = await createCloud(config, { log, ...options.overrides })
  sockets = recordSockets(cloud.server.server)
  const common = operate(cleanUp, cloud.url, env, createOperator(cloud.db, cloud.tokens), {
    describe: async () => openApiDocument(cloud.server.endpoints, { version: '', url: new URL(cloud.url) }),
    end: () => cloud.close(),
  })
  return { ...common, cloud, logged, sockets }
}

/** Starts a cloud as `npm start` does, in a process of its own, and waits until it serves. */
export async function spawnCloud(scope: Scope, options: TestCloudOptions = {}): Promise<SpawnedCloud> {
  const cleanUp = new CleanUp(scope)
  const env = await environment(cleanUp, options)
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
  const child = spawn(process.execPath, [main], {
    // Away from the project, whose .env must not count.
    cwd: tmpdir(),
    env: { ...env, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await withTimeout(processDeadlineMs, exited, 'the cloud did not end')
  }
  cleanUp.after(() => end('SIGKILL'))
  const logged: Record<string, unknown>[] = []
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('{')) logged.push(JSON.parse(line))
    else said.push(line)
  })
  const ready = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = /^Glasses Cloud is ready at (\S+)\/$/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`the cloud ended with ${code}: ${said.join('\n')}`)))
  })
  const url = await withTimeout(processDeadlineMs, ready, 'the cloud did not get ready')
  const { operator, close } = await beside(readConfig(env))
  const common = operate(cleanUp, url, env, operator, {
    describe: async () => (await fetch(`${url}/openapi.json`)).json(),
    end: async () => {
      await close()
      await end('SIGTERM')
    },
  })
  return { ...common, process: child, logged, kill: () => end('SIGKILL') }
}

/**
 * Waits for a promise, but not for ever.
 * @param otherwise what is said when it is over; a function is asked then, and not before
 */
export async function withTimeout<Value>(
  ms: number,
  promise: Promise<Value>,
  otherwise: string | (() => string),
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const sentence = typeof otherwise === 'string' ? otherwise : otherwise()
      reject(new Error(`${sentence} within ${ms} ms`))
    }, ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Undoes what a test made in the opposite order: a server goes before the folder it writes to. */
class CleanUp {
  readonly #steps: (() => unknown)[] = []

  constructor(scope: Scope) {
    scope.after(async () => {
      for (const step of this.#steps.reverse()) await step()
    })
  }

  after(step: () => unknown): void {
    this.#steps.push(step)
  }
}

async function environment(scope: CleanUp, { env = {}, database }: TestCloudOptions): Promise<Env> {
  return {
    PORT: '0',
    AUTH_SECRET: testSecret,
    LOG_LEVEL: 'silent',
    REST_LIMIT_PER_MINUTE: '1000000',
    TTS_LIMIT_PER_MINUTE: '1000000',
    ...(env.DATA_DIR === undefined ? { DATA_DIR: await temporaryFolder(scope) } : {}),
    ...(database === undefined ? {} : await readCoordinates(scope, database)),
    ...env,
  }
}

async function readCoordinates(scope: CleanUp, database: TestDatabase): Promise<Env> {
  const { databaseUrl } = await database.createEmpty(scope as Scope as TestContext)
  return databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
}

async function temporaryFolder(scope: CleanUp): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
  scope.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The operator of a cloud in another process, on a connection of its own. */
async function beside({ data, auth }: Config): Promise<{ operator: Operator; close(): Promise<void> }> {
  const db = await openDatabase({ databaseUrl: data.databaseUrl, dataDir: data.dir })
  const tokens = new Tokens({
    secret: auth.secret ?? testSecret,
    acceptNonExpiring: auth.acceptNonExpiringTokens,
  })
  return { operator: createOperator(db, tokens), close: () => db.destroy() }
}

/** What the interface says of itself. */
let description: Promise<OpenApiValidator> | undefined

function operate(
  scope: CleanUp,
  url: string,
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
    wsUrl: url.replace(/^http/, 'ws'),
    env,
    operator,
    token: (email, options) => issueToken(operator, email, options),
    registerApp: (manifest) => register(operator, manifest),
    request: async (method, path, request) => {
      const answer = await send(url, method, path, request)
      // The same for every cloud of this process, so that it is asked for once.
      description ??= describe().then((document) => new OpenApiValidator(document as OpenApiDocument))
      const held = await description
      held.check(method, path, answer)
      return { status: answer.status, body: jsonOr(answer.text) as never, headers: answer.headers }
    },
    stop,
  }
}

async function register(
  operator: Operator,
  given: TestManifest,
): Promise<RegisteredApp & { readonly apiKey: string }> {
  const reading = parseManifest({
    name: given.packageName,
    publicUrl: 'http://127.0.0.1:9',
    appStoreStatus: 'PUBLISHED',
    ...given,
  })
  if (!reading.ok) throw new Error(reading.problems.join('; '))
  const { packageName, apiKey } = await registerApp(operator, reading.manifest, { rotate: true })
  if (apiKey === null) throw new Error('no key was made')
  return { packageName, apiKey }
}

async function send(
  url: string,
  method: string,
  path: string,
  { token, body, headers }: TestRequest = {},
): Promise<Answered & { readonly headers: Headers }> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await response.text()
  const { status, headers: answered } = response
  return { status, text, contentType: answered.get('content-type'), headers: answered }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
