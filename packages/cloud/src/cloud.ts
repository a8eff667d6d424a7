import type { Config } from './config/index.ts'
import { runChecks } from './doctor/index.ts'
import { createAdministration } from './features/administration/index.ts'
import { createAppLog } from './features/app-log/index.ts'
import { createAppMessages } from './features/app-messages/index.ts'
import { createAuth } from './features/auth/index.ts'
import { createCatalogue } from './features/catalogue/index.ts'
import { createConsolePages } from './features/console-pages/index.ts'
import { createDeveloper } from './features/developer/index.ts'
import { createGallery } from './features/gallery/index.ts'
import { createHardware } from './features/hardware/index.ts'
import { createIncidents } from './features/incidents/index.ts'
import { createLiveSession } from './features/live-session/index.ts'
import { createOrganizations } from './features/organizations/index.ts'
import { createPermissions } from './features/permissions/index.ts'
import { createPersonalData } from './features/personal-data/index.ts'
import { createPhone } from './features/phone/index.ts'
import { createPhotos } from './features/photos/index.ts'
import { createProfile } from './features/profile/index.ts'
import { createRecentAudio } from './features/recent-audio/index.ts'
import { createSampleApp } from './features/sample-app/index.ts'
import { createSdk } from './features/sdk/index.ts'
import { createSettings } from './features/settings/index.ts'
import { createSimpleStorage } from './features/simple-storage/index.ts'
import { createStt, type SpeechToText } from './features/stt/index.ts'
import { createTools } from './features/tools/index.ts'
import { createTranscripts } from './features/transcripts/index.ts'
import { createTts } from './features/tts/index.ts'
import { createVideo, type StreamingProvider } from './features/video/index.ts'
import { createWebTokens } from './features/web-tokens/index.ts'
import { createWebview } from './features/webview/index.ts'
import { organizationsExport, personalTokensExport } from './identity/index.ts'
import { type Infrastructure, type InfrastructureOverrides, openInfrastructure } from './infrastructure.ts'
import { nodeIdOf } from './nodes/index.ts'
import { type Serving, serve } from './serve.ts'
import { DEFAULT_TIMING, type SessionTiming } from './session/index.ts'
import {
  ClusterDirectory,
  KeyedQueue,
  runningAppsExport,
  SessionAnnouncements,
  type SessionDirectory,
  SessionOwnership,
  Sessions,
  SessionUpdates,
  sessionExport,
} from './session-host/index.ts'
import { SdkGenerations, type SocketLimits } from './sockets/index.ts'

/** A running cloud. The rest of it is for tests. */
export interface Cloud extends Serving, Omit<Infrastructure, 'address' | 'stopping' | 'closeDatabase'> {
  readonly sessions: Sessions
  readonly features: Features
  /** What does not work although it is configured, for the start line. */
  readonly limitation: string | undefined
  /** Ends live sessions, sockets, requests and jobs, then closes the database. Idempotent. */
  close(): Promise<void>
}

type Features = Awaited<ReturnType<typeof createFeatures>>

/** Replaces parts of the cloud in tests. */
export interface CloudOverrides extends InfrastructureOverrides {
  readonly timing?: Partial<SessionTiming>
  readonly streaming?: StreamingProvider
  readonly speech?: readonly SpeechToText[]
  readonly limits?: Partial<SocketLimits>
}

/**
 * Creates a cloud and starts it; it serves requests when the promise resolves.
 * @throws Error with a message for the operator: database unreachable, port in use, data folder unusable
 */
export async function createCloud(config: Config, overrides: CloudOverrides = {}): Promise<Cloud> {
  const infrastructure = await openInfrastructure(config, overrides)
  try {
    const ownership = createOwnership(infrastructure)
    const announcements = new SessionAnnouncements(infrastructure.bus)
    const sessions = createSessions(
      { ...infrastructure, announcements },
      ownership,
      overrides.timing,
      () => features,
    )
    const directory = ownership
      ? new ClusterDirectory({ sessions, ownership, bus: infrastructure.bus, nodeIdOf })
      : sessions
    const features: Features = await createFeatures(
      { ...infrastructure, sessions: directory, announcements, liveSessions: () => sessions.size },
      overrides,
    )
    const sdks = new SdkGenerations({
      apps: features.catalogue.appDirectory,
      appServers: features.catalogue.appServers,
      webhooks: infrastructure.webhooks,
      monotonicNow: () => infrastructure.clock.monotonicNow(),
    })
    const serving = await serve({
      ...infrastructure,
      sessions,
      directory,
      ownership,
      features: Object.values(features),
      appRecorder: features.appLog.recorder,
      sdks,
      streamOwner: (streamId) => features.video.streams.localOwnerOf(streamId),
      limits: overrides.limits,
    })
    const { problem } = features.video
    let closing: Promise<void> | undefined
    return {
      limitation: problem === undefined ? undefined : `without managed streams: ${problem}`,
      ...infrastructure,
      ...serving,
      sessions,
      features,
      close: () => {
        closing ??= serving.close()
        return closing
      },
    }
  } catch (error) {
    await infrastructure.cluster?.close()
    await infrastructure.bus.close()
    await infrastructure.closeDatabase()
    throw error
  }
}

/** Creates the ownership of sessions in a cluster. */
function createOwnership({ cluster, userSessions, clock }: Infrastructure): SessionOwnership | undefined {
  if (!cluster) return undefined
  const { lease, nodes } = cluster
  return new SessionOwnership({ store: userSessions, lease, others: nodes, clock })
}

/** Creates the host of the live sessions, which uses the features only once they exist and the cloud serves. */
function createSessions(
  infrastructure: Infrastructure & { readonly announcements: SessionAnnouncements },
  ownership: SessionOwnership | undefined,
  timing: Partial<SessionTiming> | undefined,
  features: () => Features,
): Sessions {
  const { config, metrics, publicUrl } = infrastructure
  const events = metrics.counter('session_events_total', 'What happens in sessions', ['event'])
  const sessions = new Sessions({
    ...infrastructure,
    ownership,
    random: Math.random,
    systemPackage: config.apps.dashboard,
    keepsRecentAudio: config.apps.audioPackages.length > 0,
    writes: new KeyedQueue(),
    appSocketUrl: () => config.http.appSocketUrl?.href ?? socketUrl(publicUrl(), '/app-ws'),
    timing: { ...DEFAULT_TIMING, appStartTimeoutMs: config.apps.startTimeoutMs, ...timing },
    count: (event) => events.inc({ event }),
    get apps() {
      return features().catalogue.appDirectory
    },
    get appServers() {
      return features().catalogue.appServers
    },
    get appActivity() {
      return features().catalogue.activity
    },
    get settings() {
      return features().settings.store
    },
    get photos() {
      return features().photos.relay
    },
    get streams() {
      return features().video.streams
    },
    get speech() {
      return features().stt.speech
    },
    get appRecorder() {
      return features().appLog.recorder
    },
    get appMessages() {
      return features().appMessages.appMessages
    },
  })
  new SessionUpdates({
    ...infrastructure,
    sessions,
    get apps() {
      return features().catalogue.appDirectory
    },
  })
  metrics.gauge('user_sessions', 'Live user sessions', () => sessions.size)
  return sessions
}

/** Creates the features in order; personal data is last, because it exports and deletes the data of all of them. */
async function createFeatures(
  base: Infrastructure & {
    readonly sessions: SessionDirectory
    readonly announcements: SessionAnnouncements
    readonly liveSessions: () => number
  },
  { streaming, speech }: Pick<CloudOverrides, 'streaming' | 'speech'>,
) {
  const catalogue = createCatalogue(base)
  const deps = { ...base, catalogue: catalogue.catalogue, apps: catalogue.apps, installs: catalogue.installs }
  const gallery = createGallery(deps)
  const webTokens = createWebTokens(deps)
  const auth = createAuth(deps)
  const developer = createDeveloper(deps)
  const features = {
    auth,
    profile: createProfile(deps),
    catalogue,
    organizations: createOrganizations({ ...deps, mailer: auth.mailer }),
    developer,
    appLog: createAppLog(deps),
    liveSession: createLiveSession(deps),
    permissions: createPermissions({ ...deps, publishing: developer.publishing }),
    settings: createSettings(deps),
    simpleStorage: createSimpleStorage(deps),
    gallery,
    photos: createPhotos({ ...deps, gallery: gallery.gallery }),
    video: await createVideo({ ...deps, gallery: gallery.gallery, provider: streaming }),
    appMessages: createAppMessages(deps),
    tts: await createTts(deps),
    stt: createStt({ ...deps, providers: speech }),
    recentAudio: createRecentAudio(deps),
    transcripts: createTranscripts(deps),
    tools: createTools(deps),
    webTokens,
    webview: createWebview({ ...deps, webTokens: webTokens.webTokens }),
    sdk: createSdk(deps),
    sampleApp: createSampleApp(deps),
    phone: createPhone({ ...deps, healthChecks: catalogue.healthChecks }),
    hardware: createHardware(deps),
    incidents: createIncidents(deps),
    consolePages: createConsolePages(),
  }
  const kernelData = {
    exportSections: [
      organizationsExport(base.organizations),
      personalTokensExport(base.personalTokens),
      runningAppsExport(base.running),
      sessionExport(base.userSessions),
    ],
  }
  const personalData = createPersonalData({ ...deps, contributors: [kernelData, ...Object.values(features)] })
  const checks = () => runChecks(base.config, { isRunning: true })
  const administration = createAdministration({
    ...deps,
    deletions: personalData.deletions,
    reviews: developer.reviews,
    incidentFiles: features.incidents.incidents,
    checks,
  })
  return { personalData, administration, ...features }
}

/** Returns the WebSocket URL of a path below a base URL. */
function socketUrl(base: URL, path: string): string {
  const url = new URL(base)
  url.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:'
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${path}`
  return url.href
}
