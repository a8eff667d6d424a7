import type { Clock } from '../clock.ts'

/** Resolution by requested size. */
const PIXELS_BY_SIZE: Readonly<Record<string, readonly [width: number, height: number]>> = {
  small: [320, 240],
  medium: [640, 480],
  large: [1280, 720],
  full: [1920, 1080],
}

/** JPEG quality, in percent, by requested compression. */
const QUALITY_BY_COMPRESSION: Readonly<Record<string, number>> = { none: 90, medium: 70, heavy: 40 }

/** What a requested size and compression mean; unknown sizes are `medium`, unknown compressions are `none`. */
export function pictureFormat(size: string, compress: string) {
  const [width, height] = PIXELS_BY_SIZE[size] ?? [640, 480]
  return { width, height, quality: QUALITY_BY_COMPRESSION[compress] ?? 90 }
}

/** What a photo request asks of the picture; unknown values are possible. */
export interface PictureRequest {
  /** Number of the photo since the glasses were created, from 0. */
  readonly index: number
  readonly size: string
  readonly compress: string
}

/** A photo taken by the camera. */
export interface Picture {
  readonly jpeg: Uint8Array<ArrayBuffer>
  readonly width: number
  readonly height: number
}

/** Takes a photo. @throws {Error} if the camera cannot be used */
export type TakePicture = (request: PictureRequest) => Promise<Picture>

export interface PlaySoundOptions {
  /** Identifies the playback. */
  readonly requestId: string
  /** 0 to 1. */
  readonly volume: number
  /** Ends the playback. */
  readonly signal: AbortSignal
  readonly clock: Clock
}

/**
 * Plays the sound at a URL to its end. Returns its duration in seconds.
 * @throws {Error} if it cannot be fetched or played, or was ended by the signal
 */
export type PlaySound = (url: string, options: PlaySoundOptions) => Promise<number>

export interface SpeakOptions {
  /** Language tag; undefined: that of the phone. */
  readonly language: string | undefined
  /** 0 to 1. */
  readonly volume: number
  /** Ends the speech. */
  readonly signal: AbortSignal
}

/**
 * Speaks a text to its end, with a voice of the phone.
 * @throws {Error} if the phone has no voice, or the speech was ended by the signal
 */
export type Speak = (text: string, options: SpeakOptions) => Promise<void>

/** A WebSocket of the platform. */
export interface PlatformSocket {
  readonly isOpen: boolean
  sendText(text: string): void
  /** Resolves when the frame has been handed to the network. */
  sendBinary(frame: Uint8Array): Promise<void>
  close(code: number, reason: string): void
  /** Drops the connection, without a closing handshake where the platform allows it. */
  terminate(): void
}

/** Where a socket connects to. */
export interface SocketTarget {
  readonly url: string
  /** Ignored in browsers, which cannot set them. */
  readonly headers: Readonly<Record<string, string>>
  readonly protocols: string[]
}

/** Why a connection ended. */
export interface SocketEnd {
  readonly code: number
  readonly reason: string
  /** HTTP status of a rejected handshake; unknown in browsers. */
  readonly status?: number
}

/** Receives the events of a socket. `close` is called exactly once. */
export interface SocketHandlers {
  open(): void
  /** A received frame as text; binary frames are decoded as text too, as phones do. */
  frame(text: string): void
  error(error: Error): void
  close(end: SocketEnd): void
}

/** Opens a socket. */
export type OpenSocket = (target: SocketTarget, handlers: SocketHandlers) => PlatformSocket

/** What simulated glasses film: the test picture of ffmpeg, or a media file, which is repeated. */
export type VideoSource = { readonly kind: 'testsrc' } | { readonly kind: 'file'; readonly path: string }

/** Encoder settings that the cloud requests; missing ones have defaults. */
export interface VideoEncoding {
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly frameRate?: number | undefined
  /** Bits per second. */
  readonly bitrate?: number | undefined
  /** Bits per second. */
  readonly audioBitrate?: number | undefined
}

export interface VideoPublisherOptions {
  /** The ffmpeg program. */
  readonly program?: string
  readonly source: VideoSource
  /** `rtmp://` or `rtmps://`, including the stream key. */
  readonly url: string
  readonly encoding: VideoEncoding
  readonly clock: Clock
  /** Called with each status, in the words of real glasses (glasses-socket.md §2.5). */
  onStatus(status: string, details?: object): void
  /** Called once when the stream has ended without a call of `stop`. */
  onEnd(): void
}

/** Publishes a video until it is stopped. */
export interface VideoPublisher {
  start(): void
  /** Disconnects as when the network is lost; the glasses then reconnect. */
  interrupt(): void
  /** Resolves when nothing is published any more. */
  stop(): Promise<void>
}

/** The reason in a JSON error response, as a suffix for an error message. */
export async function errorDetail(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined)
  if (typeof body !== 'object' || body === null) return ''
  const { message, error } = body as { readonly message?: unknown; readonly error?: unknown }
  const reason = message ?? error
  return typeof reason === 'string' ? `: ${reason.slice(0, 200)}` : ''
}
