import type { Config } from './config/index.ts'
import { createFeatures, type FeatureOverrides, type Features } from './features.ts'
import { hostSessions } from './host-sessions.ts'
import { type Infrastructure, type InfrastructureOverrides, openInfrastructure } from './infrastructure.ts'
import { type Serving, serve } from './serve.ts'
import type { SessionTiming } from './session/index.ts'
import { createSessionFeatures, LateSessionDirectory, type ProviderOverrides } from './session-features.ts'
import type { Sessions } from './session-host/index.ts'
import type { SocketLimits } from './sockets/index.ts'

/** A running cloud. The rest of it is for tests. */
export interface Cloud extends Serving, Omit<Infrastructure, 'address' | 'stopping' | 'closeDatabase'> {
  readonly sessions: Sessions
  readonly features: Features
  /** What does not work although it is configured, for the start line. */
  readonly limitation: string | undefined
  /** Ends live sessions, sockets, requests and jobs, then closes the database. Idempotent. */
  close(): Promise<void>
}

/** Replaces parts of the cloud in tests. */
export interface CloudOverrides extends InfrastructureOverrides, ProviderOverrides, FeatureOverrides {
  readonly timing?: Partial<SessionTiming>
  readonly limits?: Partial<SocketLimits>
}

/**
 * Creates a cloud and starts it; it serves requests when the promise resolves.
 * @throws Error with a message for the operator: database unreachable, port in use, data folder unusable
 */
export async function createCloud(config: Config, overrides: CloudOverrides = {}): Promise<Cloud> {
  const infrastructure = await openInfrastructure(config, overrides)
  try {
    const lateSessions = new LateSessionDirectory()
    const sessionFeatures = await createSessionFeatures(infrastructure, lateSessions, overrides)
    const host = hostSessions(infrastructure, sessionFeatures, overrides.timing)
    lateSessions.connect(host.directory)
    const features = await createFeatures(infrastructure, sessionFeatures, host, overrides)
    const serving = await serve(infrastructure, host, features, overrides.limits)
    const { problem } = features.video
    let closing: Promise<void> | undefined
    return {
      limitation: problem === undefined ? undefined : `without managed streams: ${problem}`,
      ...infrastructure,
      ...serving,
      sessions: host.sessions,
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
