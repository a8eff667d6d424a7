import {
  type AddOutputBody,
  addOutputBody,
  type CloudToApp,
  grants,
  restreamOutput,
} from '@glasses-cloud/contract'
import { type Static, Type } from 'typebox'
import type { AppSession } from '../../apps/app-session.ts'
import { command, LONG_DEADLINE_MS, promiseOf } from '../../command.ts'
import { LazyMap } from '../../lazy-collections.ts'
import type { Peer } from '../../peer.ts'
import type { AppHandlers, GlassesHandlers, SessionContext, SessionPart } from '../part.ts'
import { phoneClient } from '../phone-apps.ts'
import type { Encoding, GlassesStatus } from './glasses-stream.ts'
import { ManagedStream } from './managed-stream.ts'
import { type OutputUrl, parseOutputUrl, parsePhoneUrl } from './output-url.ts'
import {
  type AddOutputOutcome,
  addOutputOutcome,
  type OutputRejectionCode,
  type OutputRequest,
  type RemoveOutputOutcome,
  removeOutputOutcome,
} from './outputs.ts'
import type { SessionStreaming } from './port.ts'
import { RtmpStream } from './rtmp-stream.ts'
import {
  encodingOf,
  type ManagedStreamRequest,
  parseDestinations,
  parseOutputRequest,
  type StreamClient,
  StreamNotifier,
  type StreamRejection,
  streamRejection,
} from './stream-requests.ts'

const outputsOutcome = Type.Union([
  Type.Object({ ok: Type.Literal(true), outputs: Type.Array(restreamOutput) }),
  Type.Object({ ok: Type.Literal(false), code: Type.Enum(['STREAM_NOT_FOUND', 'NOT_A_VIEWER']) }),
])

/** The outputs of a stream, or why the app may not list them. */
export type OutputsOutcome = Static<typeof outputsOutcome>

const destinationRejections: Readonly<Record<OutputRejectionCode | 'INTERNAL_ERROR', string>> = {
  MAX_OUTPUTS_REACHED: 'restreamDestinations: the stream would have more than 10 outputs',
  MAX_APP_OUTPUTS_REACHED: 'restreamDestinations: the app would have more than 10 outputs',
  DUPLICATE_URL: 'restreamDestinations contains a URL that is an output of the stream already',
  INTERNAL_ERROR: 'restreamDestinations: the number of outputs of the app could not be checked',
}

/** A managed stream request that may be granted. */
interface ManagedPlan {
  readonly streaming: SessionStreaming
  readonly outputs: readonly OutputRequest[]
}

const STREAM_URL_REQUIREMENT = 'streamUrl must be rtmp://, rtmps://, srt:// with a port, or https://'

/**
 * The stream of the glasses' camera: at most one at a time, either a managed stream that apps share or an RTMP stream of
 * one app. A new RTMP stream replaces the current stream; a managed stream is rejected while an RTMP stream runs
 * (app-socket.md §2.5, STR-32).
 */
export class VideoStreams implements SessionPart {
  static readonly appHandlers: AppHandlers<VideoStreams> = {
    managed_stream_request: (part, message, from) => part.#requestManaged(message, from),
    managed_stream_stop: (part, _, { packageName }) => part.#stopManaged(packageName),
    rtmp_stream_request: (part, { rtmpUrl, ...encoding }, from) => {
      part.#notifier.rename(from.packageName, false)
      part.#requestRtmp(from, encoding, parseOutputUrl(rtmpUrl), 'rtmpUrl must be rtmp:// or rtmps://')
    },
    stream_request: (part, { streamUrl, ...encoding }, from) => {
      part.#notifier.rename(from.packageName, true)
      part.#requestRtmp(from, encoding, parsePhoneUrl(streamUrl), STREAM_URL_REQUIREMENT)
    },
    stream_stop: (part, { streamId }, { packageName }) => {
      part.#notifier.rename(packageName, true)
      part.#stopRtmp(packageName, streamId ?? undefined)
    },
    rtmp_stream_stop: (part, { streamId }, { packageName }) =>
      part.#stopRtmp(packageName, streamId ?? undefined),
    stream_status_check: (part, _, from) => part.#check(from),
  }
  static readonly glassesHandlers: GlassesHandlers<VideoStreams> = {
    rtmp_stream_status: (part, message) => part.#reportStatus(message),
    stream_status: (part, message) => part.#reportStatus(message),
    stream_request: (part, { streamUrl, rtmpUrl, ...encoding }) =>
      part.#requestRtmp(
        phoneClient,
        encoding,
        parsePhoneUrl(streamUrl ?? rtmpUrl ?? ''),
        STREAM_URL_REQUIREMENT,
      ),
    stream_stop: (part, { streamId }) => part.#stopRtmp(phoneClient.packageName, streamId ?? undefined),
    managed_stream_request: (part, message) => part.#requestManaged(message, phoneClient),
    managed_stream_stop: (part) => part.#stopManaged(phoneClient.packageName),
    keep_alive_ack: (part, { streamId, ackId }) => {
      part.#managed?.acknowledge(streamId, ackId)
      part.#rtmp?.acknowledge(streamId, ackId)
    },
  }

  static readonly commands = {
    /** Adds a restream output to a managed stream for an app that views it; resolves once the provider accepted it. */
    addOutput: command(
      [Type.String(), Type.String(), addOutputBody],
      addOutputOutcome,
      (streams: VideoStreams, streamId, packageName, output) =>
        promiseOf<AddOutputOutcome>((done) => streams.addOutput(streamId, packageName, output, done)),
      { deadlineMs: LONG_DEADLINE_MS },
    ),
    removeOutput: command(
      [Type.String(), Type.String(), Type.String()],
      removeOutputOutcome,
      (streams: VideoStreams, streamId, packageName, outputId) =>
        promiseOf<RemoveOutputOutcome>((done) => streams.removeOutput(streamId, packageName, outputId, done)),
      { deadlineMs: LONG_DEADLINE_MS },
    ),
    outputs: command(
      [Type.String(), Type.String()],
      outputsOutcome,
      (streams: VideoStreams, streamId, packageName) =>
        promiseOf<OutputsOutcome>((done) => streams.outputs(streamId, packageName, done)),
      { deadlineMs: LONG_DEADLINE_MS },
    ),
  }

  readonly #context: SessionContext
  readonly #notifier: StreamNotifier
  #managed: ManagedStream | undefined
  #rtmp: RtmpStream | undefined
  /**
   * By package name: apps whose managed stream request waits for the places of its outputs. The value is their requests
   * after it.
   */
  readonly #waiting = new LazyMap<string, (() => void)[]>()

  constructor(context: SessionContext) {
    this.#context = context
    this.#notifier = new StreamNotifier(context)
  }

  /** Adds an output to a managed stream (decision M4). */
  addOutput(
    streamId: string,
    packageName: string,
    { url, name }: AddOutputBody,
    done: (outcome: AddOutputOutcome) => void,
  ): void {
    const request = parseOutputRequest(url, name)
    if (!request) return done({ ok: false, code: 'INVALID_URL' })
    const stream = this.#viewedStream(streamId, packageName)
    if (typeof stream === 'string') return done({ ok: false, code: stream })
    const { streaming } = this.#context.ports
    if (!streaming) return done({ ok: false, code: 'STREAM_NOT_FOUND' })
    if (stream.outputs.isFullFor(1)) return done({ ok: false, code: 'MAX_OUTPUTS_REACHED' })
    streaming.reserveOutputs(packageName, 1, (reservation) => {
      if (!reservation.ok) return done(reservation)
      const [release = () => {}] = reservation.releases
      // The stream may have ended, or the app left it, meanwhile.
      const current = this.#viewedStream(streamId, packageName)
      if (typeof current !== 'string') return current.outputs.add(packageName, request, release, done)
      release()
      done({ ok: false, code: current })
    })
  }

  /** Removes an output from a managed stream, for the app that added it, whether or not it views the stream. */
  removeOutput(
    streamId: string,
    packageName: string,
    outputId: string,
    done: (outcome: RemoveOutputOutcome) => void,
  ): void {
    if (this.#managed?.streamId !== streamId) return done({ ok: false, code: 'STREAM_NOT_FOUND' })
    this.#managed.outputs.remove(packageName, outputId, done)
  }

  /** Lists the outputs of a managed stream for an app that views it. */
  outputs(streamId: string, packageName: string, done: (outcome: OutputsOutcome) => void): void {
    const stream = this.#viewedStream(streamId, packageName)
    if (typeof stream === 'string') return done({ ok: false, code: stream })
    stream.outputs.list((outputs) => {
      // The stream may have ended during the request to the provider.
      const current = this.#viewedStream(streamId, packageName)
      done(typeof current === 'string' ? { ok: false, code: current } : { ok: true, outputs })
    })
  }

  onGlassesConnected(): void {
    this.#managed?.reconnected()
    this.#rtmp?.reconnected()
    this.#notifier.phoneConnected()
  }

  onAppConnected(session: AppSession, peer: Peer): void {
    this.#notifier.appConnected(session, peer)
  }

  onAppReset(packageName: string): void {
    this.#waiting.delete(packageName)
    this.#leave(packageName)
    if (this.#rtmp?.packageName === packageName) this.#endRtmp()
    this.#notifier.reset(packageName)
  }

  /** Ends the app's streams if it lost the permission `CAMERA` (STR-15). */
  onAppUpdated({ packageName, definition }: AppSession): void {
    if (grants(definition?.permissions ?? [], 'CAMERA')) return
    this.#leave(packageName)
    if (this.#rtmp?.packageName === packageName) this.#endRtmp('The app no longer has the permission CAMERA')
  }

  onSessionEnded(): void {
    this.#waiting.clear()
    this.#endManaged('The session ended')
    this.#endRtmp('The session ended')
  }

  #reportStatus(status: GlassesStatus): void {
    this.#managed?.report(status)
    this.#rtmp?.report(status)
  }

  #requestManaged(message: ManagedStreamRequest, client: StreamClient): void {
    const { packageName } = client
    const earlier = this.#waiting.get(packageName)
    if (earlier) return void earlier.push(() => this.#requestManaged(message, client))
    const plan = this.#planManaged(message, client)
    if ('code' in plan) return this.#rejectManaged(packageName, plan)
    const { streaming, outputs } = plan
    const stream = this.#managed ?? this.#createManaged(encodingOf(message), streaming)
    const count = stream.outputs.countNew(packageName, outputs)
    if (count === 0) return this.#joinManaged(message, client, [])
    if (stream.outputs.isFullFor(count)) return this.#rejectOutputs(packageName, 'MAX_OUTPUTS_REACHED')
    const later: (() => void)[] = []
    this.#waiting.set(packageName, later)
    streaming.reserveOutputs(packageName, count, (reservation) => {
      // The app may have stopped the stream or ended meanwhile.
      if (this.#waiting.get(packageName) !== later)
        return releaseAll(reservation.ok ? reservation.releases : [])
      this.#waiting.delete(packageName)
      if (reservation.ok) this.#joinManaged(message, client, reservation.releases)
      else this.#rejectOutputs(packageName, reservation.code)
      for (const request of later) request()
    })
  }

  /** Adds the outputs of a request in reserved places, and the app as a viewer of the stream, which starts if necessary. */
  #joinManaged(message: ManagedStreamRequest, client: StreamClient, releases: readonly (() => void)[]): void {
    const { packageName } = client
    // Everything may have changed while the places were reserved.
    const plan = this.#planManaged(message, client)
    if ('code' in plan) {
      releaseAll(releases)
      return this.#rejectManaged(packageName, plan)
    }
    const stream = this.#managed ?? this.#createManaged(encodingOf(message), plan.streaming)
    const code = stream.outputs.addAll(packageName, plan.outputs, releases)
    if (code) return this.#rejectOutputs(packageName, code)
    if (!this.#managed) {
      this.#managed = stream
      stream.start()
    }
    stream.join(packageName)
  }

  #planManaged(message: ManagedStreamRequest, client: StreamClient): ManagedPlan | StreamRejection {
    const rejection = streamRejection(this.#context, client)
    if (rejection) return rejection
    const { streaming, streamingProblem = 'No streaming provider is configured' } = this.#context.ports
    if (!streaming) return { code: 'NO_STREAMING_PROVIDER', message: streamingProblem }
    if (this.#rtmp) return { code: 'STREAM_CONFLICT', message: 'An RTMP stream is running' }
    const outputs = parseDestinations(message.restreamDestinations ?? [])
    if (outputs) return { streaming, outputs }
    return {
      code: 'INVALID_URL',
      message: 'restreamDestinations: each entry must have an rtmp:// or rtmps:// url and a valid name',
    }
  }

  #createManaged(encoding: Encoding, streaming: SessionStreaming): ManagedStream {
    return new ManagedStream(this.#context, {
      streamId: this.#newStreamId(),
      encoding,
      streaming,
      notifier: this.#notifier,
      onEnd: () => {
        this.#managed = undefined
      },
    })
  }

  #stopManaged(packageName: string): void {
    this.#waiting.delete(packageName)
    if (this.#managed?.hasViewer(packageName)) return this.#leave(packageName)
    // The app SDK assumes that it is streaming until it receives this (STR-13).
    const timestamp = this.#context.timestamp()
    this.#notifier.notify(packageName, { type: 'managed_stream_status', status: 'stopped', timestamp })
  }

  /** @param urlRequirement the message for an invalid URL */
  #requestRtmp(
    client: StreamClient,
    { video, audio, stream }: Encoding,
    url: OutputUrl | undefined,
    urlRequirement: string,
  ): void {
    const { packageName } = client
    const reject = ({ code, message }: StreamRejection) =>
      this.#notifier.notify(packageName, {
        type: 'rtmp_stream_status',
        status: 'error',
        code,
        errorDetails: message,
        appId: packageName,
        timestamp: this.#context.timestamp(),
      })
    const rejection = streamRejection(this.#context, client)
    if (rejection) return reject(rejection)
    if (!url) return reject({ code: 'INVALID_URL', message: urlRequirement })

    this.#endManaged('Replaced by an RTMP stream')
    this.#endRtmp(this.#rtmp?.packageName === packageName ? undefined : 'Replaced by a stream of another app')
    this.#rtmp = new RtmpStream(this.#context, {
      streamId: this.#newStreamId(),
      packageName,
      url,
      encoding: { video, audio, stream },
      notifier: this.#notifier,
      onEnd: () => {
        this.#rtmp = undefined
      },
    })
  }

  #stopRtmp(packageName: string, streamId: string | undefined): void {
    const rtmp = this.#rtmp
    if (rtmp?.packageName === packageName && (!streamId || rtmp.streamId === streamId)) return this.#endRtmp()
    this.#notifier.notify(packageName, {
      type: 'rtmp_stream_status',
      ...(streamId ? { streamId } : {}),
      status: 'stopped',
      appId: packageName,
      timestamp: this.#context.timestamp(),
    })
  }

  /** Responds synchronously and exactly once: the app SDK matches responses to requests by their order. */
  #check({ packageName, definition, peer }: AppSession): void {
    const hasPermission = grants(definition?.permissions ?? [], 'CAMERA')
    const streamInfo = hasPermission ? (this.#managed?.info ?? this.#rtmp?.info(packageName)) : undefined
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

  #rejectOutputs(packageName: string, code: keyof typeof destinationRejections): void {
    this.#rejectManaged(packageName, { code, message: destinationRejections[code] })
  }

  #rejectManaged(packageName: string, rejection: StreamRejection): void {
    const timestamp = this.#context.timestamp()
    this.#notifier.notify(packageName, {
      type: 'managed_stream_status',
      status: 'error',
      ...rejection,
      timestamp,
    })
  }

  /** The managed stream with that id if the app views it, or an error code. */
  #viewedStream(streamId: string, packageName: string): ManagedStream | 'STREAM_NOT_FOUND' | 'NOT_A_VIEWER' {
    if (this.#managed?.streamId !== streamId) return 'STREAM_NOT_FOUND'
    return this.#managed.hasViewer(packageName) ? this.#managed : 'NOT_A_VIEWER'
  }

  /** Short, because it is sent over Bluetooth (glasses-socket.md §2.5). */
  #newStreamId(): string {
    const { clock, random } = this.#context
    const suffix = Math.floor(random() * 36 ** 4)
    return `s${clock.now().toString(36).slice(-6)}${suffix.toString(36).padStart(4, '0')}`
  }
}

function releaseAll(releases: readonly (() => void)[]): void {
  for (const release of releases) release()
}
