import {
  type AppToCloud,
  type CloudToApp,
  grants,
  type NewOutput,
  outputNamePattern,
  type RestreamOutput,
} from '@glasses-cloud/contract'
import type { AppSession } from '../../apps/app-session.ts'
import type { Peer } from '../../peer.ts'
import type { AppHandlers, GlassesHandlers, SessionContext, SessionFeature } from '../feature.ts'
import { phoneClient } from '../phone-apps.ts'
import type { Encoding, GlassesStatus } from './glasses-stream.ts'
import { ManagedStream } from './managed-stream.ts'
import { type OutputUrl, parseOutputUrl, parsePhoneUrl } from './output-url.ts'
import type { AddOutputOutcome, OutputRejectionCode, OutputRequest, RemoveOutputOutcome } from './outputs.ts'
import type { SessionStreaming } from './port.ts'
import { RtmpStream } from './rtmp-stream.ts'
import { StreamNotifier } from './stream-notifier.ts'
import { type StreamClient, type StreamRejection, streamRejection } from './stream-rejection.ts'

type ManagedRequest = Extract<AppToCloud, { type: 'managed_stream_request' }>

/** The outputs of a stream, or why an app is not shown them. */
export type OutputsOutcome =
  | { readonly ok: true; readonly outputs: readonly RestreamOutput[] }
  | { readonly ok: false; readonly code: 'STREAM_NOT_FOUND' | 'NOT_A_VIEWER' }

const qualities: Readonly<Record<string, { width: number; height: number }>> = {
  '720p': { width: 1_280, height: 720 },
  '1080p': { width: 1_920, height: 1_080 },
}

const beyondLimits: Readonly<Record<OutputRejectionCode, string>> = {
  MAX_OUTPUTS_REACHED: 'restreamDestinations would give the stream more than 10 outputs',
  MAX_APP_OUTPUTS_REACHED: 'restreamDestinations would give the app more than 10 outputs',
  DUPLICATE_URL: 'restreamDestinations has an address that is an output of the stream already',
}

const outputName = new RegExp(outputNamePattern)

/**
 * The streams of the glasses' camera. There is one at a time: a managed stream that apps share, or an RTMP stream of
 * one app. A new RTMP stream takes the place of what there is; a managed one waits for its turn (app socket
 * protocol, 2.5).
 */
export class Streams implements SessionFeature {
  readonly #context: SessionContext
  readonly #notices: StreamNotifier
  #managed: ManagedStream | undefined
  #rtmp: RtmpStream | undefined
  static readonly appHandlers: AppHandlers<Streams> = {
    managed_stream_request: (feature, message, from) => feature.#requestManaged(message, from),
    managed_stream_stop: (feature, _, { packageName }) => feature.#stopManaged(packageName),
    rtmp_stream_request: (feature, { rtmpUrl, ...encoding }, from) =>
      feature.#requestRtmp(from, encoding, parseOutputUrl(rtmpUrl), 'rtmpUrl must be rtmp:// or rtmps://'),
    rtmp_stream_stop: (feature, { streamId }, { packageName }) =>
      feature.#stopRtmp(packageName, streamId ?? undefined),
    stream_status_check: (feature, _, from) => feature.#check(from),
  }
  static readonly glassesHandlers: GlassesHandlers<Streams> = {
    rtmp_stream_status: (feature, message) => feature.#reportStatus(message),
    stream_status: (feature, message) => feature.#reportStatus(message),
    stream_request: (feature, { streamUrl, rtmpUrl, ...encoding }) =>
      feature.#requestRtmp(
        phoneClient,
        encoding,
        parsePhoneUrl(streamUrl ?? rtmpUrl ?? ''),
        'streamUrl must be rtmp://, rtmps://, srt:// with a port, or https://',
      ),
    stream_stop: (feature, { streamId }) => feature.#stopRtmp(phoneClient.packageName, streamId ?? undefined),
    managed_stream_request: (feature, message) => feature.#requestManaged(message, phoneClient),
    managed_stream_stop: (feature) => feature.#stopManaged(phoneClient.packageName),
    keep_alive_ack: (feature, { streamId, ackId }) => {
      feature.#managed?.acknowledge(streamId, ackId)
      feature.#rtmp?.acknowledge(streamId, ackId)
    },
  }

  constructor(context: SessionContext) {
    this.#context = context
    this.#notices = new StreamNotifier(context)
  }

  /** Adds an output to a managed stream (decision M4). */
  addOutput(
    streamId: string,
    packageName: string,
    { url, name }: NewOutput,
    done: (outcome: AddOutputOutcome) => void,
  ): void {
    const wish = readWish(url, name)
    if (!wish) return done({ ok: false, code: 'INVALID_URL' })
    const stream = this.#viewed(streamId, packageName)
    if (typeof stream === 'string') return done({ ok: false, code: stream })
    stream.outputs.add(packageName, wish, done)
  }

  /** Removes an output from a managed stream; who added it may, viewer or not. */
  removeOutput(
    streamId: string,
    packageName: string,
    outputId: string,
    done: (outcome: RemoveOutputOutcome) => void,
  ): void {
    if (this.#managed?.streamId !== streamId) return done({ ok: false, code: 'STREAM_NOT_FOUND' })
    this.#managed.outputs.remove(packageName, outputId, done)
  }

  /** The outputs of a managed stream, for an app that views it. */
  outputs(streamId: string, packageName: string, done: (outcome: OutputsOutcome) => void): void {
    const stream = this.#viewed(streamId, packageName)
    if (typeof stream === 'string') return done({ ok: false, code: stream })
    stream.outputs.list((outputs) => {
      // The stream may have ended while the provider was asked.
      const still = this.#viewed(streamId, packageName)
      done(typeof still === 'string' ? { ok: false, code: still } : { ok: true, outputs })
    })
  }

  onGlassesConnected(): void {
    this.#notices.phoneConnected()
  }

  onAppConnected(session: AppSession, peer: Peer): void {
    this.#notices.appConnected(session, peer)
  }

  /** What an app streams ends with it. */
  onAppReset(packageName: string): void {
    this.#leave(packageName)
    if (this.#rtmp?.packageName === packageName) this.#endRtmp()
    this.#notices.forget(packageName)
  }

  /** The app's permissions changed. */
  permissionsChanged({ packageName, app }: AppSession): void {
    if (grants(app?.permissions ?? [], 'CAMERA')) return
    this.#leave(packageName)
    if (this.#rtmp?.packageName === packageName) this.#endRtmp('The app may not use the camera any more')
  }

  onSessionEnded(): void {
    this.#endManaged('The session ended')
    this.#endRtmp('The session ended')
  }

  #reportStatus(status: GlassesStatus): void {
    this.#managed?.report(status)
    this.#rtmp?.report(status)
  }

  #requestManaged(message: ManagedRequest, client: StreamClient): void {
    const { packageName } = client
    const refuse = (refusal: StreamRejection) => this.#refuseManaged(packageName, refusal)
    const refusal = streamRejection(this.#context, client)
    if (refusal) return refuse(refusal)
    const { streaming } = this.#context.ports
    if (!streaming)
      return refuse({ code: 'NO_STREAMING_PROVIDER', message: 'No streaming provider is configured' })
    if (this.#rtmp)
      return refuse({ code: 'STREAM_CONFLICT', message: 'The glasses are streaming to an app already' })
    const wishes = readDestinations(message.restreamDestinations ?? [])
    if (!wishes)
      return refuse({
        code: 'INVALID_URL',
        message: 'restreamDestinations has an entry that is no rtmp address, or a bad name',
      })

    const stream = this.#managed ?? this.#newManaged(encodingOf(message), streaming)
    const overLimit = stream.outputs.addAll(packageName, wishes)
    if (overLimit) return refuse({ code: overLimit, message: beyondLimits[overLimit] })
    if (!this.#managed) {
      this.#managed = stream
      stream.begin()
    }
    stream.join(packageName)
  }

  #newManaged(encoding: Encoding, streaming: SessionStreaming): ManagedStream {
    return new ManagedStream(this.#context, {
      streamId: this.#newStreamId(),
      encoding,
      streaming,
      notices: this.#notices,
      over: () => {
        this.#managed = undefined
      },
    })
  }

  #stopManaged(packageName: string): void {
    if (this.#managed?.has(packageName)) return this.#leave(packageName)
    // The app SDK believes it streams until it hears this.
    const timestamp = this.#context.timestamp()
    this.#notices.notify(packageName, { type: 'managed_stream_status', status: 'stopped', timestamp })
  }

  /** @param wanted what the address must be, as a sentence, for where it is none */
  #requestRtmp(
    client: StreamClient,
    { video, audio, stream }: Encoding,
    url: OutputUrl | undefined,
    wanted: string,
  ): void {
    const { packageName } = client
    const refuse = ({ code, message }: StreamRejection) =>
      this.#notices.notify(packageName, {
        type: 'rtmp_stream_status',
        status: 'error',
        code,
        errorDetails: message,
        appId: packageName,
        timestamp: this.#context.timestamp(),
      })
    const refusal = streamRejection(this.#context, client)
    if (refusal) return refuse(refusal)
    if (!url) return refuse({ code: 'INVALID_URL', message: wanted })

    this.#endManaged('Another app streams from the glasses now')
    this.#endRtmp(this.#rtmp?.packageName === packageName ? undefined : 'Another app streams now')
    this.#rtmp = new RtmpStream(this.#context, {
      streamId: this.#newStreamId(),
      packageName,
      url,
      encoding: { video, audio, stream },
      notices: this.#notices,
      over: () => {
        this.#rtmp = undefined
      },
    })
  }

  #stopRtmp(packageName: string, streamId: string | undefined): void {
    const rtmp = this.#rtmp
    if (rtmp?.packageName === packageName && (!streamId || rtmp.streamId === streamId)) return this.#endRtmp()
    this.#notices.notify(packageName, {
      type: 'rtmp_stream_status',
      ...(streamId ? { streamId } : {}),
      status: 'stopped',
      appId: packageName,
      timestamp: this.#context.timestamp(),
    })
  }

  /** Answered at once and exactly once: the app SDK takes answers in the order of its questions. */
  #check({ packageName, app, peer }: AppSession): void {
    // Who may not use the camera is not told what it does.
    const maySee = grants(app?.permissions ?? [], 'CAMERA')
    const streamInfo = maySee ? (this.#managed?.info ?? this.#rtmp?.info(packageName)) : undefined
    peer?.send({
      type: 'stream_status_check_response',
      hasActiveStream: streamInfo !== undefined,
      ...(streamInfo ? { streamInfo } : {}),
      timestamp: this.#context.timestamp(),
    } satisfies CloudToApp)
  }

  #leave(packageName: string): void {
    this.#managed?.leave(packageName)
    this.#endIfEmpty()
  }

  #endIfEmpty(): void {
    if (this.#managed?.isEmpty) this.#endManaged()
  }

  #endManaged(message?: string): void {
    const stream = this.#managed
    this.#managed = undefined
    stream?.end('stopped', message === undefined ? {} : { message })
  }

  #endRtmp(errorDetails?: string): void {
    this.#rtmp?.end('stopped', errorDetails)
    this.#rtmp = undefined
  }

  #refuseManaged(packageName: string, refusal: StreamRejection): void {
    const timestamp = this.#context.timestamp()
    this.#notices.notify(packageName, {
      type: 'managed_stream_status',
      status: 'error',
      ...refusal,
      timestamp,
    })
  }

  /** The managed stream of that id, if the app views it. */
  #viewed(streamId: string, packageName: string): ManagedStream | 'STREAM_NOT_FOUND' | 'NOT_A_VIEWER' {
    if (this.#managed?.streamId !== streamId) return 'STREAM_NOT_FOUND'
    return this.#managed.has(packageName) ? this.#managed : 'NOT_A_VIEWER'
  }

  /** Short enough for Bluetooth (glasses socket protocol, 2.5). */
  #newStreamId(): string {
    const { clock, random } = this.#context
    const chance = Math.floor(random() * 36 ** 4)
    return `s${clock.now().toString(36).slice(-6)}${chance.toString(36).padStart(4, '0')}`
  }
}

function encodingOf({ quality, video, audio, stream }: ManagedRequest): Encoding {
  return { video: { ...qualities[quality ?? ''], ...video }, audio, stream }
}

/** @returns undefined if one of them is none */
function readDestinations(
  destinations: NonNullable<ManagedRequest['restreamDestinations']>,
): OutputRequest[] | undefined {
  const wishes = destinations.map(({ url, name }) => readWish(url, name ?? undefined))
  return wishes.every((wish) => wish !== undefined) ? wishes : undefined
}

/**
 * Reads what an app wants as an output. Without a name it is called by its host.
 * @returns undefined if the address or the name is none
 */
function readWish(url: string, name: string | undefined): OutputRequest | undefined {
  const parsed = parseOutputUrl(url)
  if (!parsed || (name !== undefined && !outputName.test(name))) return undefined
  return { url: parsed, name: name ?? parsed.host.slice(0, 100) }
}
