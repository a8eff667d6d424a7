import { basePathOf } from './http/request-origin.ts'
import type { Infrastructure } from './infrastructure.ts'
import { nodeIdOf } from './nodes/index.ts'
import { DEFAULT_TIMING, type SessionTiming } from './session/index.ts'
import type { SessionFeatures } from './session-features.ts'
import {
  AppStartTraces,
  ClusterDirectory,
  KeyedQueue,
  SessionAnnouncements,
  type SessionDirectory,
  SessionOwnership,
  Sessions,
  SessionUpdates,
} from './session-host/index.ts'

/** The live sessions, as the rest of the cloud uses them. */
export interface SessionHost {
  /** The sessions of this node. */
  readonly sessions: Sessions
  /** The sessions of all nodes. */
  readonly directory: SessionDirectory
  /** The owners of the sessions in a cluster; undefined: this is the only node. */
  readonly ownership: SessionOwnership | undefined
  readonly announcements: SessionAnnouncements
}

/** Events that alerts observe, counted from 0. */
const FAILURES = [
  'session_failed',
  'app_start_failed',
  'app_given_up',
  'app_frames_dropped',
  'audio_undecodable',
  'speech_audio_dropped',
  'speech_unavailable',
  'photo_failed',
  'managed_stream_failed',
]

/** Creates the host of the live sessions. */
export function hostSessions(
  infrastructure: Infrastructure,
  features: SessionFeatures,
  timing: Partial<SessionTiming> | undefined,
): SessionHost {
  const { bus, changes, clock, cluster, config, log, metrics, now, publicUrl } = infrastructure
  const { running, signal, tracing, userSessions, users, webhooks } = infrastructure
  const ownership = cluster
    ? new SessionOwnership({ store: userSessions, lease: cluster.lease, others: cluster.nodes, clock })
    : undefined
  const announcements = new SessionAnnouncements(bus)
  const apps = features.catalogue.appDirectory
  const events = metrics.counter(
    'session_events_total',
    'What happens in sessions',
    ['event'],
    FAILURES.map((event) => ({ event })),
  )
  const sessions = new Sessions({
    clock,
    random: Math.random,
    now,
    log,
    timing: { ...DEFAULT_TIMING, appStartTimeoutMs: config.apps.startTimeoutMs, ...timing },
    systemPackage: config.apps.dashboard,
    offersRecentAudio: config.apps.audioPackages.length > 0,
    publicUrl,
    appSocketUrl: () => config.http.appSocketUrl?.href ?? socketUrl(publicUrl(), '/app-ws'),
    userSessions,
    running,
    ownership,
    announcements,
    writes: new KeyedQueue(),
    webhooks,
    signal,
    tracing,
    starts: new AppStartTraces(tracing),
    apps,
    appServers: features.catalogue.appServers,
    appActivity: features.catalogue.activity,
    settings: features.settings.store,
    photos: features.photos.relay,
    streams: features.video.streams,
    speech: features.stt.speech,
    appRecorder: features.appLog.recorder,
    appMessages: features.appMessages.appMessages,
    count: (event) => events.inc({ event }),
  })
  new SessionUpdates({ clock, changes, sessions, users, apps, log })
  metrics.gauge('user_sessions', 'Live user sessions', () => sessions.size)
  if (cluster) cluster.status.sessions = () => sessions.size
  const directory = ownership ? new ClusterDirectory({ sessions, ownership, bus, nodeIdOf }) : sessions
  return { sessions, directory, ownership, announcements }
}

/** Returns the WebSocket URL of a path below a base URL. */
function socketUrl(base: URL, path: string): string {
  const url = new URL(base)
  url.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:'
  url.pathname = `${basePathOf(base)}${path}`
  return url.href
}
