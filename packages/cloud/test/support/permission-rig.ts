import assert from 'node:assert/strict'
import { bearer, type Frame, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { type AppServer, startAppServer } from './app-server.ts'
import { createDeveloper, type Developer, newPackageName } from './developer.ts'
import type { Scope } from './scope.ts'
import type { LocalCloud } from './test-cloud.ts'

/** An app as `GET /api/apps` lists it. */
interface ListedApp {
  readonly packageName: string
  readonly newPermissions?: readonly { readonly type: string }[]
}

/** An app of a developer, whose socket the test controls. */
export interface DevelopedApp {
  readonly packageName: string
  readonly developer: Developer
  readonly server: AppServer
  readonly apiKey: string
}

/** Creates a published app of a new developer through the developer API. */
export async function developApp(
  scope: Scope,
  cloud: LocalCloud,
  manifest: object = {},
): Promise<DevelopedApp> {
  const packageName = newPackageName()
  const server = await startAppServer(scope, packageName)
  server.behavior = 'never-connect'
  const developer = await createDeveloper(cloud, 'developer')
  const apiKey = await developer.create(packageName, {
    publicUrl: server.url,
    appType: 'BACKGROUND',
    appStoreStatus: 'PUBLISHED',
    ...manifest,
  })
  return { packageName, developer, server, apiKey }
}

/** Approves an app as the review lists it. */
export async function approveApp(cloud: LocalCloud, { packageName }: { readonly packageName: string }) {
  const token = await cloud.token('reviewer@example.org')
  const reviewer = await cloud.operator.users.findByEmail('reviewer@example.org')
  assert.ok(reviewer)
  await cloud.operator.users.setAdministrator(reviewer.id, true, Date.now())
  const listed = await cloud.request<{ data: { packageName: string; revision: string }[] }>(
    'GET',
    '/api/admin/apps',
    { token },
  )
  const revision = listed.body.data.find((app) => app.packageName === packageName)?.revision
  assert.ok(revision)
  const path = `/api/admin/apps/${packageName}/approve`
  assert.equal((await cloud.request('POST', path, { token, body: { revision } })).status, 200)
}

/** A user with glasses, on one node of a cloud. */
export class Wearer {
  readonly cloud: LocalCloud
  readonly email: string
  readonly token: string
  readonly glasses: SocketClient
  readonly #scope: Scope

  private constructor(scope: Scope, cloud: LocalCloud, email: string, token: string, glasses: SocketClient) {
    this.#scope = scope
    this.cloud = cloud
    this.email = email
    this.token = token
    this.glasses = glasses
  }

  static async connect(scope: Scope, cloud: LocalCloud, email: string): Promise<Wearer> {
    const token = await cloud.token(email)
    const glasses = await SocketClient.open(scope, `${cloud.wsUrl}/glasses-ws`, bearer(token))
    await glasses.next('connection_ack')
    return new Wearer(scope, cloud, email, token, glasses)
  }

  async install({ packageName }: DevelopedApp): Promise<void> {
    const path = `/api/apps/install/${packageName}`
    assert.equal((await this.cloud.request('POST', path, { token: this.token })).status, 200)
  }

  /** Starts an app and connects its socket. */
  async start(app: DevelopedApp, server = app.server): Promise<StartedApp> {
    const { packageName, apiKey } = app
    const calls = server.calls.filter(({ type }) => type === 'session_request').length
    const path = `/api/apps/${packageName}/start`
    const started = this.cloud.request('POST', path, { token: this.token })
    const call = server.called('session_request', calls + 1)
    await Promise.race([call, started])
    const { sessionId } = await call
    const socket = await SocketClient.open(this.#scope, `${this.cloud.wsUrl}/app-ws`)
    socket.send({ type: 'tpa_connection_init', packageName, apiKey, sessionId })
    await socket.next('tpa_connection_ack')
    assert.equal((await started).status, 200)
    return new StartedApp(this.cloud, app, sessionId, socket)
  }

  async stop({ packageName }: DevelopedApp): Promise<void> {
    const path = `/api/apps/${packageName}/stop`
    assert.equal((await this.cloud.request('POST', path, { token: this.token })).status, 200)
  }

  /** The phone recognizes an utterance, whether or not an app needs speech. */
  async speak(text: string): Promise<void> {
    this.glasses.send({ type: 'local_transcription', text, isFinal: true, transcribeLanguage: 'en-US' })
    await this.flush()
  }

  /** Waits until the cloud has processed all messages of the glasses. */
  async flush(): Promise<void> {
    this.glasses.send({ type: 'ping' })
    await this.glasses.next('pong')
  }

  /** Accepts permissions of an app; returns the status. */
  async accept(
    { packageName }: DevelopedApp,
    permissions: readonly string[],
    cloud = this.cloud,
  ): Promise<number> {
    const path = `/api/apps/${packageName}/permissions/accept`
    return (await cloud.request('POST', path, { token: this.token, body: { permissions } })).status
  }

  /** The permissions of an app that the user is asked for. */
  async newPermissions({ packageName }: DevelopedApp): Promise<readonly string[] | undefined> {
    const { body } = await this.cloud.request<{ data: ListedApp[] }>('GET', '/api/apps', {
      token: this.token,
    })
    const listed = body.data.find((app) => app.packageName === packageName)
    return listed?.newPermissions?.map(({ type }) => type)
  }
}

/** An app with a socket. */
export class StartedApp {
  readonly #cloud: LocalCloud
  readonly #app: DevelopedApp
  readonly sessionId: string
  readonly socket: SocketClient

  constructor(cloud: LocalCloud, app: DevelopedApp, sessionId: string, socket: SocketClient) {
    this.#cloud = cloud
    this.#app = app
    this.sessionId = sessionId
    this.socket = socket
  }

  /** Subscribes; resolves once the cloud has processed the message. */
  async subscribe(...subscriptions: string[]): Promise<void> {
    this.socket.send({ type: 'subscription_update', subscriptions })
    await this.flush()
  }

  async flush(): Promise<void> {
    const { packageName } = this.#app
    this.socket.send({ type: 'stream_status_check', packageName })
    await this.socket.next('stream_status_check_response')
  }

  /** The data of the frames of a stream that it received. */
  received(stream: string): Frame[] {
    return this.socket
      .of('data_stream')
      .filter(({ streamType }) => streamType === stream)
      .map(({ data }) => data as Frame)
  }

  /** The texts of its transcript, or the status if it gets none. */
  async transcript(cloud = this.#cloud): Promise<number | string[]> {
    const { apiKey, packageName } = this.#app
    const path = `/api/transcripts/${encodeURIComponent(this.sessionId)}?duration=600`
    const headers = { 'x-api-key': apiKey, 'x-package-name': packageName }
    const { status, body } = await cloud.request<{ segments: { text: string }[] }>('GET', path, { headers })
    return status === 200 ? body.segments.map(({ text }) => text) : status
  }
}
