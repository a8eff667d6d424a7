import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Config, findProgram, nodeFolder } from '../../config/index.ts'
import type { Clock } from '../../time/index.ts'
import type { Gallery } from '../gallery/index.ts'
import { CloudflareStreamingProvider } from './cloudflare/cloudflare-provider.ts'
import { ffmpegMissing } from './local/ffmpeg.ts'
import { LocalStreamingProvider } from './local/local-provider.ts'
import { Recordings } from './local/recordings.ts'
import type { RtmpTls } from './local/rtmp-ingest.ts'
import { isAliveElsewhere } from './local/stream-folder.ts'
import { MediaMtxStreamingProvider } from './mediamtx/mediamtx-provider.ts'
import { MemoryStreamingProvider } from './memory-provider.ts'
import type { ExternalProvider, StreamingProvider } from './provider.ts'
import type { ProviderRecordingStore } from './provider-recording-store.ts'
import type { StreamInputStore } from './stream-input-store.ts'
import { TrackedProvider } from './tracked-provider.ts'

/** The configured provider, or why there is none. */
export interface ConfiguredProvider {
  readonly provider?: StreamingProvider
  /** The provider behind `provider`, if that is on this machine. */
  readonly local?: LocalStreamingProvider
  /** Why the configured provider cannot be used, as a sentence; undefined if none is configured. */
  readonly problem?: string
}

export interface ProviderDeps {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly gallery: Gallery
  readonly inputs: StreamInputStore
  readonly recordings: ProviderRecordingStore
  /** Id of this process. */
  readonly holder: string
  /** Address at which other nodes reach this one. */
  readonly nodeUrl: () => string
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  /** Undefined with `TLS=off`. */
  readonly tls?: RtmpTls | undefined
}

/** Creates the configured streaming provider. */
export async function createStreamingProvider(deps: ProviderDeps): Promise<ConfiguredProvider> {
  const { streaming } = deps.config
  switch (streaming.provider) {
    case 'local':
      return openLocalProvider(deps)
    case 'memory':
      return { provider: new MemoryStreamingProvider(deps.clock) }
    case 'none':
      return {}
    case 'cloudflare':
    case 'mediamtx':
      return { provider: track(createExternalProvider(deps.config, deps.clock), deps) }
  }
}

/** Creates the configured provider outside this process, for the cloud and for `doctor`. */
export function createExternalProvider(
  { streaming, apps }: Config,
  clock: Clock,
): CloudflareStreamingProvider | MediaMtxStreamingProvider {
  const { cloudflare, mediamtx, record } = streaming
  if (cloudflare) return new CloudflareStreamingProvider({ settings: cloudflare, keepVideos: record, clock })
  if (!mediamtx) throw new Error(`STREAM_PROVIDER=${streaming.provider} is not outside this process`)
  const { allowPrivateNetworks } = apps
  return new MediaMtxStreamingProvider({ settings: mediamtx, allowPrivateNetworks, clock })
}

function track(
  provider: ExternalProvider,
  { clock, log, inputs, recordings, holder, nodeUrl }: ProviderDeps,
): TrackedProvider {
  return new TrackedProvider({ provider, store: inputs, recordings, holder, nodeUrl, clock, log })
}

async function openLocalProvider(deps: ProviderDeps): Promise<ConfiguredProvider> {
  const { config, clock, log, gallery, publicUrl } = deps
  const { streaming, data, http, apps } = config
  const program = streaming.ffmpeg
  if (findProgram(program) === undefined) return { problem: ffmpegMissing(program) }
  // Other machines do not see which processes of this one are alive, and would remove their files.
  const folder = nodeFolder(data, 'streams')
  try {
    const local = await LocalStreamingProvider.open({
      clock,
      log,
      program,
      host: http.host,
      port: streaming.rtmp.port,
      rtmpPublicUrl: streaming.rtmp.publicUrl,
      publicUrl,
      tls: deps.tls,
      // Glasses do not trust the authority of a home.
      isRtmpsOffered: config.tls.mode === 'files' || config.tls.mode === 'auto',
      folder,
      maxStreams: streaming.maxStreams,
      allowPrivateNetworks: apps.allowPrivateNetworks,
      allowCredentials: streaming.allowCredentials,
      recordings: streaming.record
        ? new Recordings({
            gallery,
            program,
            folder: join(folder, 'recordings'),
            diskReserveBytes: data.diskReserveBytes,
            clock,
            log,
            isAlive: isAliveElsewhere,
          })
        : undefined,
    })
    return { provider: track(local, deps), local }
  } catch (error) {
    return { problem: listenProblem(error as NodeJS.ErrnoException, streaming.rtmp.port) }
  }
}

function listenProblem({ code, message }: NodeJS.ErrnoException, port: number): string {
  if (code === 'EADDRINUSE') return `Port ${port} for RTMP is in use; set RTMP_PORT to a free one`
  if (code === 'EACCES') return `This account may not use port ${port}; set RTMP_PORT to a number above 1023`
  return `The streaming provider cannot start (${message})`
}
