import type { Config } from './config/index.ts'
import { createAccount } from './features/account/index.ts'
import { createAppMessages } from './features/app-messages/index.ts'
import { createCatalogue } from './features/catalogue/index.ts'
import { createGallery } from './features/gallery/index.ts'
import { createHardware } from './features/hardware/index.ts'
import { createIncidents } from './features/incidents/index.ts'
import { createOAuth } from './features/oauth/index.ts'
import { createPermissions } from './features/permissions/index.ts'
import { createPhone } from './features/phone/index.ts'
import { createPhotos } from './features/photos/index.ts'
import { createRecentAudio } from './features/recent-audio/index.ts'
import { createSdk } from './features/sdk/index.ts'
import { createSettings } from './features/settings/index.ts'
import { createSignIn } from './features/sign-in/index.ts'
import { createSimpleStorage } from './features/simple-storage/index.ts'
import { createStreams, type StreamingProvider } from './features/streams/index.ts'
import { createTools } from './features/tools/index.ts'
import { createTranscripts } from './features/transcripts/index.ts'
import { createTts } from './features/tts/index.ts'
import { createWebview } from './features/webview/index.ts'
import { organizationsExport } from './identity/index.ts'
import { type Infrastructure, type InfrastructureOverrides, openInfrastructure } from './infrastructure.ts'
import { type Serving, serve } from './serve.ts'
import { DEFAULT_TIMING, type SessionTiming } from './session/index.ts'
import { KeyedQueue, runningAppsExport, Sessions, sessionExport } from './session-host/index.ts'
import { AppAdmission, type SocketLimits } from './sockets/index.ts'

/** A running cloud. The rest of it is for tests. */
export interface Cloud extends Serving, Omit<Infrastructure, 'address' | 'stopping' | 'closeDatabase'> {
  readonly sessions: Sessions
  readonly features: Features
  /** Ends live sessions, sockets, requests and jobs, then closes the database. Idempotent. */
  close(): Promise<void>
}

type Features = Awaited<ReturnType<typeof createFeatures>>

/** Replaces parts of the cloud in tests. */
export interface CloudOverrides extends InfrastructureOverrides {
  readonly timing?: Partial<SessionTiming>
  readonly streaming?: StreamingProvider
  readonly limits?: Partial<SocketLimits>
}

/**
 * Creates a cloud and starts it; it serves requests when the promise resolves.
 * @throws Error with a message for the operator: database unreachable, port in use, data folder unusable
 */
export async function createCloud(config: Config, overrides: CloudOverrides = {}): Promise<Cloud> {
  const infrastructure = await openInfrastructure(config, overrides)
  try {
    const sessions = createSessions(infrastructure, overrides.timing, () => features)
    const features: Features = await createFeatures({ ...infrastructure, sessions }, overrides.streaming)
    const serving = await serve({
      ...infrastructure,
      sessions,
      features: Object.values(features),
      admission: new AppAdmission({ ...infrastructure, sessions }),
      limits: overrides.limits,
    })
    let closing: Promise<void> | undefined
    return {
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
    await infrastructure.closeDatabase()
    throw error
  }
}

/** Creates the host of the live sessions, which uses the features only once they exist and the cloud serves. */
function createSessions(
  infrastructure: Infrastructure,
  timing: Partial<SessionTiming> | undefined,
  features: () => Features,
): Sessions {
  const { config, metrics, publicUrl } = infrastructure
  const events = metrics.counter('session_events_total', 'What happens in sessions', ['event'])
  const sessions = new Sessions({
    ...infrastructure,
    systemPackage: config.apps.dashboard,
    keepsRecentAudio: config.apps.audioPackages.length > 0,
    writes: new KeyedQueue(),
    appSocketUrl: () => socketUrl(publicUrl(), '/app-ws'),
    timing: { ...DEFAULT_TIMING, appStartTimeoutMs: config.apps.startTimeoutMs, ...timing },
    count: (event) => events.inc({ event }),
    get apps() {
      return features().catalogue.appDirectory
    },
    get appServers() {
      return features().catalogue.appServers
    },
    get appActivity() {
      return features().catalogue.installs
    },
    get settings() {
      return features().settings.store
    },
    get photos() {
      return features().photos.relay
    },
    get streams() {
      return features().streams.streams
    },
    get appMessages() {
      return features().appMessages.appMessages
    },
  })
  metrics.gauge('user_sessions', 'Live user sessions', () => sessions.size)
  return sessions
}

/** Creates the features in order; the account is last, because it exports and deletes the data of all of them. */
async function createFeatures(
  base: Infrastructure & { readonly sessions: Sessions },
  streaming: StreamingProvider | undefined,
) {
  const { sessions } = base
  const catalogue = createCatalogue(base)
  const deps = { ...base, catalogue: catalogue.catalogue, apps: catalogue.apps, installs: catalogue.installs }
  const gallery = createGallery(deps)
  const oauth = createOAuth(deps)
  const features = {
    signIn: createSignIn(deps),
    catalogue,
    permissions: createPermissions(deps),
    settings: createSettings(deps),
    simpleStorage: createSimpleStorage(deps),
    gallery,
    photos: createPhotos({ ...deps, gallery: gallery.gallery }),
    streams: createStreams({ ...deps, provider: streaming }),
    appMessages: createAppMessages(deps),
    tts: await createTts(deps),
    recentAudio: createRecentAudio(deps),
    transcripts: createTranscripts(deps),
    tools: createTools(deps),
    oauth,
    webview: createWebview({ ...deps, webTokens: oauth.webTokens }),
    sdk: createSdk(deps),
    phone: createPhone({ ...deps, liveSessions: () => sessions.size }),
    hardware: createHardware(deps),
    incidents: createIncidents(deps),
  }
  const kernelData = {
    exportSections: [
      organizationsExport(base.organizations),
      runningAppsExport(base.running),
      sessionExport(base.userSessions),
    ],
  }
  const account = createAccount({ ...deps, contributors: [kernelData, ...Object.values(features)] })
  return { account, ...features }
}

/** Returns the WebSocket URL of a path below a base URL. */
function socketUrl(base: URL, path: string): string {
  const url = new URL(base)
  url.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:'
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${path}`
  return url.href
}
