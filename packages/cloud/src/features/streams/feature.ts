import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { Feature } from '../../feature.ts'
import type { Clock } from '../../session/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import { addOutput } from './add-output.ts'
import { createStreamingProvider } from './create-provider.ts'
import { listOutputs } from './list-outputs.ts'
import { LiveStreams } from './live-streams.ts'
import type { StreamingProvider } from './provider.ts'
import { removeOutput } from './remove-output.ts'

/** Collaborators of the streams. */
export interface StreamDeps {
  readonly config: Pick<Config, 'streaming'>
  /** Replaces the configured provider. */
  readonly provider?: StreamingProvider | undefined
  readonly sessions: SessionDirectory
  readonly clock: Clock
  readonly log: Logger
}

/** Managed streams at the streaming provider, and their outputs under `/api/streams`. */
export function createStreams({
  config,
  provider,
  sessions,
  clock,
  log,
}: StreamDeps): Feature & { readonly streams: LiveStreams } {
  const streams = new LiveStreams({
    provider: provider ?? createStreamingProvider(config.streaming, clock),
    clock,
    log,
  })
  const endpointDeps = { streams, sessions }
  return {
    name: 'streams',
    streams,
    endpoints: [addOutput(endpointDeps), removeOutput(endpointDeps), listOutputs(endpointDeps)],
    close: () => streams.close(),
  }
}
