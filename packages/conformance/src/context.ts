import { appState, grants, type PermissionType, permission } from '@glasses-cloud/contract'
import { Glasses } from '@glasses-cloud/phone'
import { Type } from 'typebox'
import { expectBody, isRecord } from './expect.ts'
import { KitApp } from './kit-app.ts'
import type { Options } from './options.ts'
import { Deviation, Skipped } from './outcome.ts'
import { RestClient } from './rest-client.ts'
import { type Handshake, type HandshakeOptions, Socket } from './socket.ts'

const MODEL = 'Simulated Glasses'

/** Response of start and stop. */
const startResponse = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({ status: Type.Literal('started'), packageName: Type.String(), appState }),
})

/** What all checks of a run share: connected glasses and the app of the kit, each created on first use. */
export class Shared {
  readonly #options: Options
  readonly #created = new Map<string, { readonly by: string; readonly value: Promise<unknown> }>()
  readonly #cleanUp: (() => unknown)[] = []

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns what an earlier check created, or creates it. Only the check that creates it fails with it. */
  async get<Value>(name: string, by: string, create: () => Promise<Value>): Promise<Value> {
    const existing = this.#created.get(name)
    if (existing === undefined) {
      const value = create()
      this.#created.set(name, { by, value })
      return value
    }
    return existing.value.catch(() => {
      throw new Skipped(`${name} failed in ${existing.by}`)
    }) as Promise<Value>
  }

  /** Forgets a shared value, so that the next check creates it again. */
  forget(name: string): void {
    this.#created.delete(name)
  }

  /** Runs a step at the end of the run, last registered first. */
  atEnd(step: () => unknown): void {
    this.#cleanUp.push(step)
  }

  /** Restores what the run changed. */
  async close(): Promise<void> {
    for (const step of this.#cleanUp.splice(0).reverse()) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, this.#options.deadlineMs)
      await Promise.race([promise, Promise.resolve().then(step)]).catch(() => {})
      clearTimeout(timer)
    }
  }
}

/** What a check works with. */
export class Context {
  readonly options: Options
  readonly rest: RestClient
  readonly #checkId: string
  readonly #shared: Shared
  readonly #cleanUp: (() => unknown)[] = []

  constructor(options: Options, shared: Shared, checkId: string, signal: AbortSignal) {
    this.options = options
    this.rest = new RestClient(options.url, options.token, signal)
    this.#shared = shared
    this.#checkId = checkId
  }

  /** Runs a step at the end of the check, also if it failed. */
  after(step: () => unknown): void {
    this.#cleanUp.push(step)
  }

  /** Ends the check. */
  async close(): Promise<void> {
    for (const step of this.#cleanUp.splice(0).reverse()) await step()
  }

  /** Sends a handshake to the glasses socket; the check closes the socket at its end. */
  async shakeGlasses(
    query: Readonly<Record<string, string>> = {},
    options: HandshakeOptions = { headers: { authorization: `Bearer ${this.options.token}` } },
  ): Promise<Handshake> {
    const url = new URL(this.options.url)
    url.protocol = url.protocol.replace('http', 'ws')
    url.pathname = `${url.pathname.replace(/\/*$/, '')}/glasses-ws`
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const handshake = await Socket.shake(url.href, options)
    if ('socket' in handshake) {
      // The shared glasses lose their session to this socket.
      this.#shared.forget(GLASSES)
      this.after(() => handshake.socket.close())
    }
    return handshake
  }

  /** Opens the glasses socket. */
  async openGlasses(query?: Readonly<Record<string, string>>, options?: HandshakeOptions): Promise<Socket> {
    const handshake = await this.shakeGlasses(query, options)
    if ('socket' in handshake) return handshake.socket
    throw new Deviation(`The glasses socket was rejected with status ${handshake.status}`)
  }

  /** Connected simulated glasses, shared by the checks that need a session. */
  glasses(): Promise<Glasses> {
    return this.#shared.get(GLASSES, this.#checkId, async () => {
      const { url, token } = this.options
      const glasses = new Glasses({ url, token, model: MODEL, reconnect: false })
      await glasses.connect()
      const running = await this.#runningApps()
      this.#shared.atEnd(async () => {
        const stillRunning = await this.#runningApps()
        for (const packageName of running.filter((one) => !stillRunning.includes(one)))
          await glasses.api.startApp(packageName).catch(() => {})
        await glasses.disconnect()
      })
      return glasses
    })
  }

  /** The app of the kit, started. */
  app(): Promise<KitApp> {
    const { app: options } = this.options
    if (options === undefined) throw new Skipped('requires --app-package, --app-key and --app-url')
    return this.#shared.get(APP, this.#checkId, async () => {
      const glasses = await this.glasses()
      const app = await KitApp.listen(options)
      this.#shared.atEnd(() => app.close())
      this.#shared.atEnd(() => glasses.api.stopApp(options.packageName))
      const path = `/api/apps/${encodeURIComponent(options.packageName)}`
      await this.rest.post(`${path}/stop`)
      expectBody(startResponse, await this.rest.post(`${path}/start`))
      return app
    })
  }

  /** The socket of the kit's app, connected again if a check has closed it. */
  async appSocket(): Promise<Socket> {
    const app = await this.app()
    return app.socket?.isOpen ? app.socket : app.connect()
  }

  /** Restores what the run has changed so far, before a check after which the cloud accepts no requests. */
  endShared(): Promise<void> {
    return this.#shared.close()
  }

  async #runningApps(): Promise<string[]> {
    const { url, token, deadlineMs } = this.options
    const rest = new RestClient(url, token, AbortSignal.timeout(deadlineMs))
    const { body } = await rest.get('/api/apps')
    const apps = isRecord(body) && Array.isArray(body.data) ? body.data.filter(isRecord) : []
    return apps
      .filter((app) => app.is_running === true && app.packageName !== this.options.app?.packageName)
      .map((app) => String(app.packageName))
  }
}

const GLASSES = 'The connection of the glasses'
const APP = "The start of the kit's app"

/** @throws {Skipped} unless the kit's app declares the permission */
export async function requirePermission(context: Context, type: PermissionType): Promise<void> {
  const { packageName } = (await context.app()).options
  const answer = await context.rest.get(`/api/permissions/${encodeURIComponent(packageName)}`)
  const { permissions } = expectBody(Type.Object({ permissions: Type.Array(permission) }), answer)
  if (!grants(permissions, type)) throw new Skipped(`the kit's app does not declare ${type}`)
}
