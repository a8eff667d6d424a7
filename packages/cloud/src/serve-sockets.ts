import type { Server } from 'node:http'
import type { Features } from './features.ts'
import type { SessionHost } from './host-sessions.ts'
import { createAddressReader } from './http/request-origin.ts'
import type { Infrastructure } from './infrastructure.ts'
import { nodeIdOf } from './nodes/index.ts'
import {
  AppAdmission,
  attachSockets,
  defaultLimits,
  LocalGateway,
  openRelays,
  type PeerEvents,
  type Relays,
  SdkGenerations,
  SocketBudgets,
  type SocketLimits,
  SocketMetrics,
} from './sockets/index.ts'

/** The sockets of this node. */
export interface SocketServing {
  /** Those that are attached to sessions on other nodes; undefined if this is the only node. */
  readonly relays: Relays | undefined
  /** Closes all sockets with a code that makes their clients reconnect. */
  close(): Promise<void>
}

/** Accepts the sockets of glasses and apps on the server, and attaches them to sessions. */
export function serveSockets(
  server: Server,
  infrastructure: Infrastructure,
  { sessions, ownership }: SessionHost,
  { appLog, catalogue }: Features,
  overrides?: Partial<SocketLimits>,
): SocketServing {
  const { apiKeys, apiKeyStore, appTokens, authenticator, bus, changes, clock } = infrastructure
  const { access, cluster, config, credentialUses, log, readiness, running, secrets, tls, users } =
    infrastructure
  const { userSessions, webhooks } = infrastructure
  const limits = { ...defaultLimits, ...overrides }
  const metrics = new SocketMetrics(infrastructure.metrics)
  const peerEvents: PeerEvents = {
    audioDropped: (frames) => metrics.dropped('audio', frames),
    tooSlow: () => metrics.slowReader(),
    ...(cluster && { mayWrite: () => cluster.lease.isValid() }),
  }
  const budgets = new SocketBudgets(clock, limits)
  const local = new LocalGateway({ sessions, users, running, userSessions })
  const relays =
    ownership &&
    openRelays({
      bus,
      clock,
      sessions,
      ownership,
      local,
      limits,
      budgets,
      events: peerEvents,
      tracing: infrastructure.tracing,
      nodeIdOf,
    })
  if (relays)
    infrastructure.metrics.gauge(
      'relayed_sockets',
      'Sockets of this node that are attached to sessions on other nodes',
      () => relays.size,
    )
  const gateway = relays?.gateway ?? local
  const sdks = new SdkGenerations({
    apps: catalogue.appDirectory,
    appServers: catalogue.appServers,
    webhooks,
    monotonicNow: () => clock.monotonicNow(),
  })
  const close = attachSockets(server, {
    clock,
    log,
    limits,
    metrics,
    budgets,
    secrets,
    appTokens,
    authenticator,
    gateway,
    access,
    admission: new AppAdmission({ apiKeys, gateway, sdks }),
    appRecorder: appLog.recorder,
    changes,
    apiKeyStore,
    credentialUses,
    peerEvents,
    clientAddress: createAddressReader(config.http.trustProxy),
    isAccepting: () => readiness.isReady,
    waiting: () => tls?.waiting?.trim(),
  })
  return { relays, close }
}
