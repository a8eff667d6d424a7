import pino from 'pino'
import { decodeBatch } from '../../bus/batch.ts'
import { type Bus, FRAME_KINDS, MessageBus, RedisTransport } from '../../bus/index.ts'
import { type AppDefinition, DEFAULT_TIMING } from '../../session/index.ts'
import { isolatedAppMessaging } from '../../session/testing/session-rig.ts'
import {
  type AppDirectory,
  AppStartTraces,
  ClusterDirectory,
  handOverSessions,
  KeyedQueue,
  SessionAnnouncements,
  type SessionDirectory,
  SessionOwnership,
  Sessions,
  type SessionUser,
} from '../../session-host/index.ts'
import { serveApp } from '../../sockets/app-socket.ts'
import { serveGlasses } from '../../sockets/glasses-socket.ts'
import { JsonPings } from '../../sockets/heartbeat.ts'
import {
  AppAdmission,
  LocalGateway,
  openRelays,
  type PeerEvents,
  SocketBudgets,
} from '../../sockets/index.ts'
import { defaultLimits } from '../../sockets/limits.ts'
import { decodeRelayFrame } from '../../sockets/relay/relay-frame.ts'
import { WsGlassesPeer, WsPeer } from '../../sockets/ws-peer.ts'
import { NO_TRACING } from '../../tracing/index.ts'
import type { WebhookResponse } from '../../webhooks/index.ts'
import { LiveNodes } from '../live-nodes.ts'
import { NodeLease } from '../node-lease.ts'
import { nodeIdOf } from '../shared-leases.ts'
import type { Ledger } from './ledger.ts'
import type { SimApps } from './sim-apps.ts'
import type { SimDatabase } from './sim-database.ts'
import { SimProcess } from './sim-process.ts'
import type { SimPubSubClient, SimRedis } from './sim-redis.ts'
import { SimSocket, type SocketClient, type SocketNode } from './sim-socket.ts'
import type { World } from './world.ts'

const log = pino({ level: 'silent' })
const nothing = () => {}
const metrics = { dropped: nothing, rejected: nothing, undecodable: nothing }

/** Shorter than the defaults, so that schedules are short. */
const TIMING = {
  ...DEFAULT_TIMING,
  glassesGraceMs: 5_000,
  appStartTimeoutMs: 3_000,
  appReconnectGraceMs: 4_000,
  stopWebhookTimeoutMs: 1_500,
  restartBackoffMs: [0, 500, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000],
}

/** What the nodes of a schedule share. */
interface Surroundings {
  readonly world: World
  readonly ledger: Ledger
  readonly redis: SimRedis
  readonly database: SimDatabase
  readonly apps: SimApps
  readonly users: readonly SessionUser[]
  readonly definitions: ReadonlyMap<string, AppDefinition>
  /** Whether the schedule has faults. */
  hasFaults(): boolean
  /** Whether the node, and what it needs, has worked without interruption for so long. */
  isHealthySince(node: SocketNode, ms: number): boolean
}

/** A node of the cloud: the code of a real one, on a modelled process, database, Redis and sockets. */
export class SimNode implements SocketNode {
  readonly id: string
  readonly process: SimProcess
  readonly sessions: Sessions
  readonly directory: SessionDirectory
  readonly lease: NodeLease
  readonly #around: Surroundings
  readonly #bus: Bus
  readonly #relays: ReturnType<typeof openRelays>
  readonly #nodes: LiveNodes
  readonly #subscriber: SimPubSubClient
  readonly #sockets = new Set<SimSocket>()
  readonly #serveGlasses: (ws: SimSocket, user: SessionUser) => void
  readonly #serveApp: (ws: SimSocket) => void
  #isUp = false
  #isDraining = false

  constructor(id: string, around: Surroundings, isCluster: boolean) {
    const { world, ledger, redis, database, users, definitions } = around
    const process = new SimProcess(world)
    const { clock } = process
    this.id = id
    this.process = process
    this.#around = around
    const publisher = redis.connect(process)
    this.#subscriber = redis.connect(process)
    const transport = new RedisTransport(
      { redis: { urls: [], isCluster }, prefix: '', clock, log },
      publisher,
      this.#subscriber,
    )
    const bus = new MessageBus(transport, {
      clock,
      nodeId: id,
      defer: (run) => void world.after(0, () => process.whenAwake(run)),
      failed: (error) => ledger.fail(`a listener of the bus failed: ${(error as Error).stack}`),
    })
    const shared = redis.leasesOf(process)
    const store = database.leasesOf(process)
    const lease = new NodeLease({
      nodeId: id,
      clock,
      shared,
      store,
      log,
      info: () => ({ name: id, version: '', secretId: '', uptimeMs: 0, sessions: 0, isDraining: false }),
    })
    const nodes = new LiveNodes({ clock, shared, store, bus })
    const userSessions = database.sessionsOf(process)
    const running = database.runningOf(process)
    const ownership = new SessionOwnership({ store: userSessions, lease, others: nodes, clock })
    const find = async (packageName: string) => definitions.get(packageName)
    const apps: AppDirectory = {
      findByPackage: find,
      findFor: async (_, names) => names.flatMap((name) => definitions.get(name) ?? []),
      namesOf: async () => [],
      isVisible: async (name) => definitions.has(name),
      acceptFirstUse: async () => {},
      markReachable: async () => {},
    }
    const sessions = new Sessions({
      tracing: NO_TRACING,
      starts: new AppStartTraces(),
      clock,
      random: world.random.next,
      timing: TIMING,
      log,
      now: clock.now,
      count: nothing,
      ownership,
      userSessions,
      running,
      apps,
      appServers: {
        webhookTarget: async ({ publicUrl }) => ({ publicUrl, signingKeys: [] }),
        recordServerHealth: async () => {},
      },
      appActivity: { touchLastActive: async () => {} },
      appRecorder: { record: nothing, started: nothing },
      settings: {
        userSettings: async () => ({}),
        mergeUserSettings: async () => {},
        appSettings: async () => ({}),
      },
      webhooks: {
        post: (_target, _path, body, { timeoutMs }) => this.#post(body as WebhookBody, timeoutMs),
      },
      photos: { target: () => ({ webhookUrl: '', authToken: '' }), fail: nothing },
      streams: { problem: undefined, forUser: () => undefined },
      speech: { forSession: () => undefined },
      appMessages: isolatedAppMessaging,
      writes: new KeyedQueue(),
      publicUrl: () => new URL('http://cloud.test'),
      appSocketUrl: () => 'wss://cloud.test/app-ws',
      signal: new AbortController().signal,
      announcements: new SessionAnnouncements(bus),
      systemPackage: 'system.dashboard',
      offersRecentAudio: false,
    })
    const local = new LocalGateway({
      sessions,
      users: {
        findById: async (userId) => users.find(({ id }) => id === userId) as never,
        findByEmail: async () => undefined,
      },
      running,
      userSessions,
    })
    const budgets = new SocketBudgets(clock, defaultLimits)
    const jsonPings = new JsonPings(clock)
    const events: PeerEvents = { audioDropped: nothing, tooSlow: nothing, mayWrite: () => lease.isValid() }
    const limits = defaultLimits
    const relays = openRelays({ bus, clock, sessions, ownership, local, limits, budgets, events, nodeIdOf })
    const { gateway } = relays
    const admission = new AppAdmission({
      gateway,
      apiKeys: { verify: async () => ({ keyId: 'key' }) as never, findOwner: async () => undefined },
      sdks: { of: async () => 'current' },
    })
    this.#bus = bus
    this.#relays = relays
    this.#nodes = nodes
    this.lease = lease
    this.sessions = sessions
    this.directory = new ClusterDirectory({ sessions, ownership, bus, nodeIdOf })
    this.#serveGlasses = (ws, user) => {
      const peer = new WsGlassesPeer(ws, limits, events, 'flat', 'flat')
      serveGlasses(ws, peer, user, {
        clock,
        limits,
        metrics,
        budgets,
        jsonPings,
        attach: (of, by) => gateway.attachGlasses(of, by),
        failed: nothing,
      })
    }
    this.#serveApp = (ws) => {
      const peer = new WsPeer(ws, limits, events, 'flat', 'flat')
      serveApp(
        ws,
        peer,
        {},
        {
          clock,
          limits,
          metrics,
          budgets,
          admit: (presented) => admission.admit(presented, peer, 'address'),
          admitted: () => ({ rejected: nothing }),
          failed: nothing,
          releaseSlot: nothing,
        },
      )
    }
    void this.#start()
  }

  /** Whether the balancer may choose it. It does not notice at once that a node is frozen. */
  get isAccepting(): boolean {
    return this.#isUp && !this.#isDraining && !this.process.isDead
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** The epoch in which the node hosts the session of a user. */
  hostedEpoch(userId: string): number | undefined {
    return this.sessions.hostedFor([userId])[0]?.epoch
  }

  acceptGlasses(client: SocketClient, user: SessionUser): SimSocket {
    const ws = this.#accept(client, user.id)
    this.process.whenAwake(() => this.#serveGlasses(ws, user))
    return ws
  }

  acceptApp(client: SocketClient, userId: string, packageName: string): SimSocket {
    const ws = this.#accept(client, userId, packageName)
    this.process.whenAwake(() => this.#serveApp(ws))
    return ws
  }

  /** Hands its sessions over and ends, as a node does that receives SIGTERM. */
  async drain(spreadMs: number): Promise<void> {
    const { clock } = this.process
    this.#isDraining = true
    const random = this.#around.world.random.next
    await Promise.all([
      handOverSessions(this.sessions, clock, random, spreadMs),
      this.#relays.drain(random, spreadMs),
    ])
    await this.sessions.close()
    for (const ws of this.#sockets) ws.close(1012)
    this.#nodes.stop()
    await this.lease.stop()
    await this.#bus.close()
    this.process.die()
  }

  async #start(): Promise<void> {
    await this.lease.start()
    this.#nodes.start()
    this.#isUp = true
  }

  #accept(client: SocketClient, userId: string, packageName?: string): SimSocket {
    const ws = new SimSocket(this.process, client)
    this.#sockets.add(ws)
    ws.on('close', () => this.#sockets.delete(ws))
    let epoch = 0
    ws.onSent = (data) => {
      const relayed = this.#relayed(data)
      const { ledger } = this.#around
      const what = `${this.id} sends to ${packageName ?? `the glasses of ${userId}`}`
      if (relayed) {
        ledger.assert(relayed.epoch >= epoch, `${what} a frame of epoch ${relayed.epoch} after ${epoch}`)
        epoch = relayed.epoch
        const { userSessionId } = client
        if (userSessionId !== undefined) ledger.acted(userSessionId, relayed.epoch, what, relayed.publishedAt)
        return
      }
      const [hosted] = this.sessions.hostedFor([userId])
      if (hosted) ledger.acted(hosted.session.userSessionId, hosted.epoch, what)
    }
    return ws
  }

  /** Returns the epoch of a frame that another node sent and this one passes on. */
  #relayed(data: string | Uint8Array): { readonly epoch: number; readonly publishedAt: number } | undefined {
    const { arriving } = this.#subscriber
    if (typeof data === 'string' || !arriving || data.buffer !== arriving.payload.buffer) return undefined
    let epoch: number | undefined
    decodeBatch(
      arriving.payload,
      () => true,
      (kind, frame) => {
        const isSame =
          data.byteOffset > frame.byteOffset && data.byteOffset <= frame.byteOffset + frame.byteLength
        if (kind === FRAME_KINDS.relay && isSame) epoch = decodeRelayFrame(frame).epoch
      },
    )
    return epoch === undefined ? undefined : { epoch, publishedAt: arriving.publishedAt }
  }

  /** Calls an app server. */
  #post({ type, sessionId, userId: email }: WebhookBody, timeoutMs: number): Promise<WebhookResponse> {
    const { world, ledger, apps, users, hasFaults, isHealthySince } = this.#around
    const userId = users.find((user) => user.email === email)?.id ?? ''
    const [userSessionId = '', packageName = ''] = sessionId.split(/-(.*)/)
    const hosted = this.sessions.byUserSessionId(userSessionId)
    if (hosted) ledger.acted(userSessionId, hosted.epoch, `${this.id} calls ${packageName}`)
    if (type === 'session_request') {
      world.note(`${this.id} asks ${packageName} for a session of ${userId} in epoch ${hosted?.epoch}`)
      const count = ledger.sessionRequested(userId, packageName, sessionId)
      ledger.assert(count <= 1 || hasFaults(), `${packageName} is started ${count} times without faults`)
      const run = apps.find(sessionId)
      ledger.assert(
        !run?.isConnectedSince(7_000) || !isHealthySince(this, 7_000),
        `${packageName} is started a second time while it is connected`,
      )
    }
    return new Promise((resolve) => {
      const settle = (response: WebhookResponse) => this.process.whenAwake(() => resolve(response))
      this.process.clock.after(timeoutMs, () =>
        resolve({ ok: false, code: 'TIMEOUT', message: 'TIMEOUT', retryable: true }),
      )
      apps.answer(userId, packageName, sessionId, type, settle)
    })
  }
}

interface WebhookBody {
  readonly type: string
  readonly sessionId: string
  readonly userId: string
}
