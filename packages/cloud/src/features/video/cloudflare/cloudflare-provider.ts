import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { StreamingConfig } from '../../../config/index.ts'
import { baseUrlOf } from '../../../http/request-origin.ts'
import type { LiveInput, OutputReport, StreamingResult } from '../../../session/index.ts'
import type { Clock } from '../../../time/index.ts'
import type { ExternalProvider, InputRecording } from '../provider.ts'
import { ProviderApi } from '../provider-api.ts'

/** The parts of responses that are used; anything else in them may change. */
const liveInput = Type.Object({
  uid: Type.String({ minLength: 1 }),
  rtmps: Type.Object({ url: Type.String(), streamKey: Type.String({ minLength: 1 }) }),
  webRTCPlayback: Type.Optional(Type.Object({ url: Type.String() })),
})
const videos = Type.Array(
  Type.Object({
    uid: Type.String(),
    status: Type.Optional(Type.Object({ state: Type.Optional(Type.String()) })),
    playback: Type.Optional(Type.Object({ hls: Type.Optional(Type.String()) })),
  }),
)
const createdOutput = Type.Object({ uid: Type.String({ minLength: 1 }) })
const outputs = Type.Array(Type.Object({ uid: Type.String(), status: Type.Optional(Type.Unknown()) }))
const inputList = Type.Object({
  liveInputs: Type.Array(
    Type.Object({
      uid: Type.String(),
      meta: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })),
    }),
  ),
})

/** Seconds after which a recorded video is complete when a feed does not return. */
const RECORDING_TIMEOUT_SECONDS = 10

export interface CloudflareOptions {
  readonly settings: NonNullable<StreamingConfig['cloudflare']>
  /** Whether the videos of a stream remain at Cloudflare after its end. */
  readonly keepVideos: boolean
  readonly clock: Clock
}

/** Streams through Cloudflare Stream: live inputs, and their outputs. */
export class CloudflareStreamingProvider implements ExternalProvider {
  readonly name = 'cloudflare'
  readonly #api: ProviderApi
  readonly #keepVideos: boolean

  constructor({ settings, keepVideos, clock }: CloudflareOptions) {
    const { apiUrl, accountId, apiToken } = settings
    this.#keepVideos = keepVideos
    this.#api = new ProviderApi({
      baseUrl: `${baseUrlOf(apiUrl)}/accounts/${encodeURIComponent(accountId)}/stream`,
      headers: { authorization: `Bearer ${apiToken}` },
      clock,
      errorOf: firstError,
    })
  }

  async createInput({ name }: { readonly name: string }): Promise<StreamingResult<LiveInput>> {
    const created = await this.#call(liveInput, {
      method: 'POST',
      path: '/live_inputs',
      // HLS and DASH are available only while Cloudflare records.
      body: {
        meta: { name },
        recording: { mode: 'automatic', requireSignedURLs: false, timeoutSeconds: RECORDING_TIMEOUT_SECONDS },
      },
    })
    if (!created.ok) return created
    const { uid, rtmps, webRTCPlayback } = created.value
    const webrtcUrl = webRTCPlayback?.url
    const playbackUrl = `${(webrtcUrl && URL.parse(webrtcUrl)?.origin) || 'https://videodelivery.net'}/${uid}`
    return {
      ok: true,
      value: {
        inputId: uid,
        ingestUrl: `${rtmps.url.replace(/\/*$/, '/')}${rtmps.streamKey}`,
        playback: {
          hlsUrl: `${playbackUrl}/manifest/video.m3u8`,
          dashUrl: `${playbackUrl}/manifest/video.mpd`,
          ...(webrtcUrl ? { webrtcUrl } : {}),
          previewUrl: `${playbackUrl}/iframe`,
          thumbnailUrl: `${playbackUrl}/thumbnails/thumbnail.jpg`,
        },
      },
    }
  }

  async deleteInput(inputId: string): Promise<StreamingResult> {
    if (!this.#keepVideos) {
      const listed = await this.#listVideos(inputId)
      if (!listed.ok) return listed
      for (const { uid } of listed.value) {
        const deleted = await this.deleteRecording(uid)
        if (!deleted.ok) return deleted
      }
    }
    return this.#delete(inputPath(inputId))
  }

  /** Returns the videos that `deleteInput` keeps. */
  async recordings(inputId: string): Promise<StreamingResult<readonly InputRecording[]>> {
    if (!this.#keepVideos) return { ok: true, value: [] }
    const listed = await this.#listVideos(inputId)
    if (!listed.ok) return listed
    return {
      ok: true,
      value: listed.value.map(({ uid, playback }) => ({ id: uid, url: playback?.hls ?? null })),
    }
  }

  deleteRecording(recordingId: string): Promise<StreamingResult> {
    return this.#delete(`/${encodeURIComponent(recordingId)}`)
  }

  async isReady(inputId: string): Promise<StreamingResult<boolean>> {
    const listed = await this.#call(videos, { method: 'GET', path: `${inputPath(inputId)}/videos` })
    if (!listed.ok) return listed
    return { ok: true, value: listed.value.some(({ status }) => status?.state === 'live-inprogress') }
  }

  async addOutput(inputId: string, url: string): Promise<StreamingResult<string>> {
    const added = await this.#call(createdOutput, {
      method: 'POST',
      path: `${inputPath(inputId)}/outputs`,
      body: { ...splitKey(url), enabled: true },
    })
    return added.ok ? { ok: true, value: added.value.uid } : added
  }

  removeOutput(inputId: string, outputId: string): Promise<StreamingResult> {
    return this.#delete(`${inputPath(inputId)}/outputs/${encodeURIComponent(outputId)}`)
  }

  async listOutputs(inputId: string): Promise<StreamingResult<readonly OutputReport[]>> {
    const listed = await this.#call(outputs, { method: 'GET', path: `${inputPath(inputId)}/outputs` })
    if (!listed.ok) return listed
    return {
      ok: true,
      value: listed.value.map(({ uid, status }) => ({ outputId: uid, ...parseStatus(status) })),
    }
  }

  async findInputs(name: string): Promise<StreamingResult<readonly string[]>> {
    const listed = await this.#call(inputList, { method: 'GET', path: '/live_inputs' })
    if (!listed.ok) return listed
    const found = listed.value.liveInputs.filter(({ meta }) => meta?.name === name)
    return { ok: true, value: found.map(({ uid }) => uid) }
  }

  async problem(): Promise<string | undefined> {
    const listed = await this.#call(inputList, { method: 'GET', path: '/live_inputs' })
    if (listed.ok) return undefined
    return `Cloudflare Stream does not work with CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_API_TOKEN. ${listed.message}`
  }

  /** The videos of an input; none if it does not exist. */
  async #listVideos(
    inputId: string,
  ): Promise<
    StreamingResult<readonly { readonly uid: string; readonly playback?: { readonly hls?: string } }[]>
  > {
    const path = `${inputPath(inputId)}/videos`
    const response = await this.#api.request({ method: 'GET', path, accept: [404] })
    if (response.ok && response.value === undefined) return { ok: true, value: [] }
    return check(videos, response)
  }

  /** Deletes what may not exist any more. */
  async #delete(path: string): Promise<StreamingResult> {
    const response = await this.#api.request({ method: 'DELETE', path, accept: [404] })
    return response.ok ? { ok: true, value: undefined } : response
  }

  async #call<Schema extends Parameters<typeof check>[0]>(
    schema: Schema,
    request: Parameters<ProviderApi['request']>[0],
  ) {
    return check(schema, await this.#api.request(request))
  }
}

const inputPath = (inputId: string) => `/live_inputs/${encodeURIComponent(inputId)}`

/** Takes the `result` out of a response and checks its form. */
function check<Schema extends Parameters<typeof Value.Check>[1]>(
  schema: Schema,
  response: StreamingResult<unknown>,
): StreamingResult<ReturnType<typeof Value.Parse<Schema>>> {
  if (!response.ok) return response
  const { result } = (response.value ?? {}) as { result?: unknown }
  if (Value.Check(schema, result))
    return { ok: true, value: result as ReturnType<typeof Value.Parse<Schema>> }
  return { ok: false, message: 'The provider answered in an unknown form' }
}

function firstError(body: unknown): string | undefined {
  const [error] = (body as { errors?: { message?: unknown }[] } | undefined)?.errors ?? []
  return typeof error?.message === 'string' ? error.message.slice(0, 200) : undefined
}

/** Splits the URL of an output at its last segment, which Cloudflare takes as the stream key. */
function splitKey(url: string): { readonly url: string; readonly streamKey: string } {
  const [path = '', query] = url.split(/(?=\?)/, 2)
  const end = path.lastIndexOf('/')
  return { url: path.slice(0, end), streamKey: `${path.slice(end + 1)}${query ?? ''}` }
}

/** Cloudflare reports a state as a string, or as an object with the current one. */
function parseStatus(status: unknown): Pick<OutputReport, 'status' | 'error'> {
  const current = (status as { current?: unknown } | null)?.current ?? status
  const state = typeof current === 'string' ? current : (current as { state?: unknown } | null)?.state
  const reason = (current as { reason?: unknown } | null)?.reason
  switch (state) {
    case 'connected':
      return { status: 'active', error: null }
    case 'error':
      return {
        status: 'error',
        error: typeof reason === 'string' ? reason : 'The target does not accept the stream',
      }
    case 'connecting':
    case 'reconnecting':
    case 'reconnected':
      return { status: 'connecting', error: null }
    default:
      return { status: 'unknown', error: null }
  }
}
