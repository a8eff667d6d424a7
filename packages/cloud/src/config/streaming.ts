import type { EnvReader } from './env.ts'
import type { SettingName } from './settings/index.ts'

/** The streaming provider of managed streams. */
export interface StreamingConfig {
  readonly provider: 'local' | 'cloudflare' | 'mediamtx' | 'none' | 'memory'
  /** The ffmpeg program of the provider `local`: a name in the search path, or a path. */
  readonly ffmpeg: string
  /** Concurrent managed streams of this process. */
  readonly maxStreams: number
  /** Whether managed streams are recorded into the gallery of their user; provider `local` only. */
  readonly record: boolean
  /** Whether outputs may contain `user:password@`, which other accounts see among the arguments of ffmpeg. */
  readonly allowCredentials: boolean
  readonly rtmp: {
    /** Where the provider `local` listens; 0 selects a free port. */
    readonly port: number
    /** Where glasses reach that port; undefined: the host of `http.publicUrl`. */
    readonly publicUrl: URL | undefined
  }
  /** Set if `provider` is `cloudflare`. */
  readonly cloudflare:
    | { readonly accountId: string; readonly apiToken: string; readonly apiUrl: URL }
    | undefined
  /** Set if `provider` is `mediamtx`. */
  readonly mediamtx:
    | {
        readonly apiUrl: URL
        readonly rtmpUrl: URL
        readonly hlsUrl: URL
        /** Undefined: no WebRTC playback. */
        readonly webrtcUrl: URL | undefined
      }
    | undefined
}

export function readStreaming(read: EnvReader): StreamingConfig {
  const provider = read.oneOf(
    'STREAM_PROVIDER',
    ['local', 'cloudflare', 'mediamtx', 'none', 'memory'],
    'local',
  )
  return {
    provider,
    ffmpeg: read.text('FFMPEG_PATH', 'ffmpeg'),
    maxStreams: read.integer('STREAM_MAX', 20, { min: 1, max: 1_000 }),
    record: read.flag('RECORD_STREAMS', false),
    allowCredentials: read.flag('ALLOW_OUTPUT_CREDENTIALS', false),
    rtmp: {
      port: read.integer('RTMP_PORT', 1_935, { min: 0, max: 65_535 }),
      publicUrl: read.url('RTMP_PUBLIC_URL', ['rtmp', 'rtmps'], 'rtmp://cloud.example.org:1935'),
    },
    cloudflare: readCloudflare(read, provider === 'cloudflare'),
    mediamtx: readMediaMtx(read, provider === 'mediamtx'),
  }
}

function readCloudflare(read: EnvReader, isSelected: boolean): StreamingConfig['cloudflare'] {
  const required = (name: SettingName, what: string) =>
    isSelected ? read.required(name, `${what} for STREAM_PROVIDER=cloudflare`) : read.text(name, '')
  const settings = {
    accountId: required('CLOUDFLARE_ACCOUNT_ID', 'set to the id of the account'),
    apiToken: required('CLOUDFLARE_API_TOKEN', 'set to a token with the permission Stream:Edit'),
    apiUrl: readUrl(read, 'CLOUDFLARE_API_URL', ['http', 'https'], 'https://api.cloudflare.com/client/v4'),
  }
  return isSelected ? settings : undefined
}

function readMediaMtx(read: EnvReader, isSelected: boolean): StreamingConfig['mediamtx'] {
  const settings = {
    apiUrl:
      read.apiBase('MEDIAMTX_API_URL', '/v3', 'http://127.0.0.1:9997') ?? new URL('http://127.0.0.1:9997'),
    rtmpUrl: readUrl(read, 'MEDIAMTX_RTMP_URL', ['rtmp', 'rtmps'], 'rtmp://127.0.0.1:1935'),
    hlsUrl: readUrl(read, 'MEDIAMTX_HLS_URL', ['http', 'https'], 'http://127.0.0.1:8888'),
    webrtcUrl: read.url('MEDIAMTX_WEBRTC_URL', ['http', 'https'], 'http://127.0.0.1:8889'),
  }
  return isSelected ? settings : undefined
}

function readUrl(read: EnvReader, name: SettingName, schemes: readonly string[], fallback: string): URL {
  return read.url(name, schemes, fallback) ?? new URL(fallback)
}
