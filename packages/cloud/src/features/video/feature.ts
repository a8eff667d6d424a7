import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/index.ts'
import type { BackgroundJob, Feature } from '../../feature.ts'
import { PeriodicTask } from '../../jobs/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import { addOutput } from './add-output.ts'
import { type ConfiguredProvider, createStreamingProvider, type ProviderDeps } from './create-provider.ts'
import { listOutputs } from './list-outputs.ts'
import { LiveStreamStore } from './live-stream-store.ts'
import { LiveStreams } from './live-streams.ts'
import { nodeUrl } from './node-url.ts'
import { OutputPlaceStore } from './output-place-store.ts'
import { LocalOutputPlaces, SharedOutputPlaces } from './output-places.ts'
import { liveStreamExport } from './personal-data.ts'
import { PlaybackForwarder } from './playback/forward-playback.ts'
import { playbackEndpoints } from './playback/index.ts'
import type { StreamingProvider } from './provider.ts'
import { removeOutput } from './remove-output.ts'
import { StreamInputStore } from './stream-input-store.ts'
import { TrackedProvider } from './tracked-provider.ts'

/** Interval in which inputs are renewed, and those of dead processes are released. */
const SWEEP_MS = 60_000

/** Interval in which the places of outputs are renewed. */
const RENEW_PLACES_MS = 15_000

/** Collaborators of the streams. */
export interface StreamDeps extends Omit<ProviderDeps, 'inputs' | 'holder' | 'nodeUrl'> {
  readonly db: Database
  /** Where the server listens; empty until it does. */
  readonly address: { readonly url: string }
  /** Replaces the configured provider. */
  readonly provider?: StreamingProvider | undefined
  readonly sessions: SessionDirectory
}

/** Managed streams at the streaming provider, their outputs under `/api/streams`, and their playback. */
export async function createVideo(
  deps: StreamDeps,
): Promise<Feature & { readonly streams: LiveStreams; readonly problem: string | undefined }> {
  const { config, db, address, sessions, clock, log } = deps
  const inputs = new StreamInputStore(db)
  const holder = randomUUID()
  const configured: ConfiguredProvider = deps.provider
    ? { provider: deps.provider }
    : await createStreamingProvider({ ...deps, inputs, holder, nodeUrl: () => nodeUrl(config, address.url) })
  const { provider, local, problem } = configured
  if (problem !== undefined) log.error({ problem }, 'streams: managed streams are not available')
  const store = new LiveStreamStore(db)
  const shared = config.data.redis
    ? new SharedOutputPlaces({ store: new OutputPlaceStore(db), clock, log })
    : undefined
  const places = shared ?? new LocalOutputPlaces()
  const streams = new LiveStreams({ provider, problem, store, places, clock, log })
  const endpointDeps = { streams, sessions }
  const forwarder = new PlaybackForwarder({ store: inputs, holder, clock })
  return {
    name: 'video',
    streams,
    problem,
    endpoints: [
      addOutput(endpointDeps),
      removeOutput(endpointDeps),
      listOutputs(endpointDeps),
      ...playbackEndpoints({ local, forwarder }),
    ],
    exportSections: [liveStreamExport(store)],
    jobs: [
      ...(provider instanceof TrackedProvider ? [sweepJob(provider, deps)] : []),
      ...(shared ? [placesJob(shared, deps)] : []),
    ],
    async close() {
      await streams.close()
      await provider?.close?.()
    },
  }
}

function sweepJob(provider: TrackedProvider, { clock, log }: StreamDeps): BackgroundJob {
  return new PeriodicTask({
    clock,
    everyMs: SWEEP_MS,
    run: () => provider.sweep(),
    failed: (err) => log.error({ err }, 'streams: orphaned inputs could not be released'),
  })
}

function placesJob(places: SharedOutputPlaces, { clock, log }: StreamDeps): BackgroundJob {
  return new PeriodicTask({
    clock,
    everyMs: RENEW_PLACES_MS,
    run: () => places.sweep(),
    failed: (err) => log.error({ err }, 'streams: the places of outputs could not be renewed'),
  })
}
