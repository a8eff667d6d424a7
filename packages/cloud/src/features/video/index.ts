import { randomUUID } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import type { Logger } from 'pino'
import { type Config, isWildcardHost } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { BackgroundJob, Feature } from '../../feature.ts'
import { baseUrlOf } from '../../http/request-origin.ts'
import { PeriodicTask } from '../../jobs/index.ts'
import type { DeletionStep, ExportSection } from '../../personal-data.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import { toIsoString } from '../../time/index.ts'
import {
  type ConfiguredProvider,
  createExternalProvider,
  createStreamingProvider,
  type ProviderDeps,
} from './create-provider.ts'
import { LiveStreamStore } from './live-stream-store.ts'
import { LiveStreams } from './live-streams.ts'
import { outputEndpoints } from './output-endpoints.ts'
import { OutputPlaceStore } from './output-place-store.ts'
import { LocalOutputPlaces, SharedOutputPlaces } from './output-places.ts'
import { playbackEndpoints } from './playback/endpoints.ts'
import { PlaybackForwarder } from './playback/forward-playback.ts'
import { ForwardedRequests } from './playback/forwarded-requests.ts'
import type { StreamingProvider } from './provider.ts'
import { ProviderRecordingStore } from './provider-recording-store.ts'
import { StreamInputStore } from './stream-input-store.ts'
import { TrackedProvider } from './tracked-provider.ts'

export { createExternalProvider, type StreamingProvider }

const SWEEP_INPUTS_MS = 60_000
const SWEEP_PLACES_MS = 15_000

export interface StreamDeps extends Omit<ProviderDeps, 'inputs' | 'recordings' | 'holder' | 'nodeUrl'> {
  readonly db: Database
  /** Where the server listens; empty until it does. */
  readonly address: { readonly url: string }
  /** Replaces the configured provider. */
  readonly provider?: StreamingProvider | undefined
  readonly sessions: SessionDirectory
  /** `AUTH_SECRET`. */
  readonly secrets: readonly string[]
}

/** Managed streams at the streaming provider, their outputs under `/api/streams`, and their playback. */
export async function createVideo(
  deps: StreamDeps,
): Promise<Feature & { readonly streams: LiveStreams; readonly problem: string | undefined }> {
  const { config, db, address, sessions, secrets, clock, log } = deps
  const inputs = new StreamInputStore(db)
  const recordings = new ProviderRecordingStore(db)
  const holder = randomUUID()
  const configured: ConfiguredProvider = deps.provider
    ? { provider: deps.provider }
    : await createStreamingProvider({
        ...deps,
        inputs,
        recordings,
        holder,
        nodeUrl: () => nodeUrl(config, address.url),
      })
  const { provider, local, problem } = configured
  if (problem !== undefined) log.warn({ problem }, 'streams: managed streams are not available')
  const store = new LiveStreamStore(db)
  const shared = config.data.redis
    ? new SharedOutputPlaces({ store: new OutputPlaceStore(db), clock, log })
    : undefined
  const places = shared ?? new LocalOutputPlaces()
  const streams = new LiveStreams({ provider, problem, store, places, clock, log })
  const forwarder = new PlaybackForwarder({
    store: inputs,
    holder,
    clock,
    requests: new ForwardedRequests(secrets, () => clock.now()),
  })
  return {
    name: 'video',
    streams,
    problem,
    endpoints: [...outputEndpoints({ streams, sessions }), ...playbackEndpoints({ local, forwarder })],
    exportSections: [liveStreamExport(store), recordingsExport(recordings)],
    deletionSteps: [deleteStreams({ provider, local, inputs, recordings, log })],
    jobs: [
      ...(provider instanceof TrackedProvider ? [sweeping(provider, SWEEP_INPUTS_MS, deps)] : []),
      ...(shared ? [sweeping(shared, SWEEP_PLACES_MS, deps)] : []),
    ],
    async close() {
      await streams.close()
      await provider?.close?.()
    },
  }
}

/** Renews what this process holds, and removes what dead ones held. */
function sweeping(
  held: { sweep(): Promise<void> },
  everyMs: number,
  { clock, log }: StreamDeps,
): BackgroundJob {
  return new PeriodicTask({
    clock,
    everyMs,
    run: () => held.sweep(),
    failed: (err) => log.error({ err }, 'streams: inputs or places of outputs could not be renewed'),
  })
}

/** Exports the id of the user's live managed stream. */
function liveStreamExport(store: LiveStreamStore): ExportSection {
  return {
    name: 'liveStream',
    tables: ['live_streams'],
    async *facts({ id: userId }) {
      const stream = await store.findByUser(userId)
      if (stream === undefined) return
      const { streamId: key, startedAt } = stream
      yield { key, value: { startedAt: toIsoString(startedAt) }, updatedAt: startedAt }
    },
  }
}

/** Exports which recordings remain at the streaming provider. */
function recordingsExport(recordings: ProviderRecordingStore): ExportSection {
  return {
    name: 'streamRecordings',
    tables: ['provider_recordings'],
    async *facts({ id: userId }) {
      for (const { id: key, provider, url, recordedAt } of await recordings.listByUser(userId))
        yield { key, value: { provider, url }, updatedAt: recordedAt }
    },
  }
}

/** Deletes the user's inputs, and the recordings of their streams that remain outside the gallery. */
function deleteStreams({
  provider,
  local,
  inputs,
  recordings,
  log,
}: ConfiguredProvider & {
  readonly inputs: StreamInputStore
  readonly recordings: ProviderRecordingStore
  readonly log: Logger
}): DeletionStep {
  const tracked = provider instanceof TrackedProvider ? provider : undefined
  return {
    name: 'streams',
    phase: 'content',
    tables: ['stream_inputs', 'provider_recordings'],
    async run({ id: userId }) {
      await tracked?.releaseByUser(userId)
      await tracked?.deleteRecordingsByUser(userId)
      // What another provider was configured for cannot be deleted by this cloud.
      const inputIds = await inputs.removeByUser(userId)
      const recordingIds = await recordings.removeByUser(userId)
      if (inputIds.length > 0 || recordingIds.length > 0)
        log.error(
          { inputIds, recordingIds },
          'streams: data of a deleted user remain at a provider that is no longer configured; delete them manually',
        )
      await local?.removeRecordings(userId)
    },
  }
}

/**
 * Returns the address at which other nodes reach this one: `NODE_URL`, or the address it listens on. A node that listens
 * on all addresses has that of its first network interface.
 * @param listening URL that this machine reaches it at
 */
function nodeUrl({ http }: Config, listening: string): string {
  if (http.nodeUrl) return baseUrlOf(http.nodeUrl)
  if (!isWildcardHost(http.host)) return listening
  const external = Object.values(networkInterfaces())
    .flat()
    .find((address) => address !== undefined && !address.internal && address.family === 'IPv4')
  if (!external) return listening
  const url = new URL(listening)
  url.hostname = external.address
  return url.origin
}
