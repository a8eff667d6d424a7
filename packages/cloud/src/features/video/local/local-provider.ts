import type { Logger } from 'pino'
import { findProgram } from '../../../config/index.ts'
import { baseUrlOf } from '../../../http/request-origin.ts'
import type { LiveInput, OutputReport, StreamingResult } from '../../../session/index.ts'
import type { Clock } from '../../../time/index.ts'
import type { ExternalProvider } from '../provider.ts'
import { ffmpegMissing } from './ffmpeg.ts'
import { LocalInput } from './local-input.ts'
import { DASH_MANIFEST, HLS_PLAYLIST } from './packager.ts'
import type { Recordings } from './recordings.ts'
import { INGEST_APP, RtmpIngest, type RtmpTls } from './rtmp-ingest.ts'
import { openStreamFolder, removeStreamFolder } from './stream-folder.ts'

export interface LocalProviderOptions {
  readonly clock: Clock
  readonly log: Logger
  /** The ffmpeg program. */
  readonly program: string
  /** Address to listen on for RTMP. */
  readonly host: string
  readonly port: number
  /** Where glasses reach the ingest; undefined: the host of `publicUrl`. */
  readonly rtmpPublicUrl: URL | undefined
  /** Accepts RTMPS on the same port; undefined: RTMP only. */
  readonly tls?: RtmpTls | undefined
  /** Whether glasses get addresses of RTMPS: they must trust the certificate. */
  readonly isRtmpsOffered?: boolean
  /** Base URL of the cloud for clients. */
  readonly publicUrl: () => URL
  /** Where the files of streams are written, on the disk of this machine. */
  readonly folder: string
  readonly maxStreams: number
  readonly allowPrivateNetworks: boolean
  /** Whether outputs may contain `user:password@`. */
  readonly allowCredentials: boolean
  /** Records streams; undefined: they are not recorded. */
  readonly recordings?: Recordings | undefined
}

/** Path of the playback pages and files. */
const PLAYBACK_PATH = '/streams'

/** Receives, packages and forwards streams on this machine, with ffmpeg. */
export class LocalStreamingProvider implements ExternalProvider {
  readonly name = 'local'
  readonly isInProcess = true
  readonly #options: LocalProviderOptions
  readonly #ingest: RtmpIngest
  readonly #folder: string
  readonly #inputs = new Map<string, LocalInput>()
  readonly #watchers = new Map<string, () => void>()
  /** Inputs that are being created. */
  #creating = 0

  private constructor(options: LocalProviderOptions, ingest: RtmpIngest, folder: string) {
    this.#options = options
    this.#ingest = ingest
    this.#folder = folder
  }

  /** @throws the error of `listen`, such as EADDRINUSE, or of the file system */
  static async open(options: LocalProviderOptions): Promise<LocalStreamingProvider> {
    const ingest = await RtmpIngest.listen(options.host, options.port, options.tls)
    try {
      await options.recordings?.open()
      const folder = await openStreamFolder(options.folder)
      return new LocalStreamingProvider(options, ingest, folder)
    } catch (error) {
      await ingest.close()
      throw error
    }
  }

  /** The port of the ingest. */
  get port(): number {
    return this.#ingest.port
  }

  /** Finds an input by the id in its playback URLs. Callers check the token. */
  input(inputId: string): LocalInput | undefined {
    return this.#inputs.get(inputId)
  }

  /** Inputs of this machine do not outlive their process. */
  async findInputs(): Promise<StreamingResult<readonly string[]>> {
    return { ok: true, value: [] }
  }

  async problem(): Promise<string | undefined> {
    const { program } = this.#options
    return findProgram(program) === undefined ? ffmpegMissing(program) : undefined
  }

  async createInput({ userId }: { readonly userId: string }): Promise<StreamingResult<LiveInput>> {
    const { maxStreams, recordings } = this.#options
    if (this.#inputs.size + this.#creating >= maxStreams)
      return { ok: false, message: `There are ${maxStreams} streams already (STREAM_MAX)` }
    this.#creating += 1
    try {
      const input = await LocalInput.create({
        ...this.#options,
        folder: this.#folder,
        createRecorder: recordings && ((inputId, feed) => recordings.recorder(userId, inputId, feed)),
        outputsChanged: (inputId) => this.#watchers.get(inputId)?.(),
      })
      this.#inputs.set(input.inputId, input)
      this.#ingest.register(input.streamKey, (publisher) => input.accept(publisher))
      return { ok: true, value: this.#describe(input) }
    } finally {
      this.#creating -= 1
    }
  }

  async deleteInput(inputId: string): Promise<StreamingResult> {
    const input = this.#inputs.get(inputId)
    if (input) {
      this.#ingest.unregister(input.streamKey)
      await input.close()
      this.#inputs.delete(inputId)
    }
    return { ok: true, value: undefined }
  }

  async isReady(inputId: string): Promise<StreamingResult<boolean>> {
    const input = this.#inputs.get(inputId)
    return input ? { ok: true, value: await input.isReady() } : NO_INPUT
  }

  async addOutput(inputId: string, url: string): Promise<StreamingResult<string>> {
    const input = this.#inputs.get(inputId)
    if (!input) return NO_INPUT
    const { username, password } = new URL(url)
    if ((username || password) && !this.#options.allowCredentials) return NO_CREDENTIALS
    return { ok: true, value: input.addOutput(url) }
  }

  async removeOutput(inputId: string, outputId: string): Promise<StreamingResult> {
    await this.#inputs.get(inputId)?.removeOutput(outputId)
    return { ok: true, value: undefined }
  }

  async listOutputs(inputId: string): Promise<StreamingResult<readonly OutputReport[]>> {
    const input = this.#inputs.get(inputId)
    return input ? { ok: true, value: input.outputs() } : NO_INPUT
  }

  watchOutputs(inputId: string, changed: () => void): () => void {
    this.#watchers.set(inputId, changed)
    return () => {
      if (this.#watchers.get(inputId) === changed) this.#watchers.delete(inputId)
    }
  }

  /** Removes what is left of a deleted user's recordings. */
  async removeRecordings(userId: string): Promise<void> {
    await this.#options.recordings?.removeByUser(userId)
  }

  /** Ends all streams and stops to listen. */
  async close(): Promise<void> {
    await this.#ingest.close()
    await Promise.all([...this.#inputs.keys()].map((inputId) => this.deleteInput(inputId)))
    await this.#options.recordings?.close()
    await removeStreamFolder(this.#folder)
  }

  #describe({ inputId, streamKey, token }: LocalInput): LiveInput {
    const { publicUrl, rtmpPublicUrl, isRtmpsOffered } = this.#options
    const base = publicUrl()
    const scheme = isRtmpsOffered ? 'rtmps' : 'rtmp'
    const ingest = rtmpPublicUrl?.href.replace(/\/+$/, '') ?? `${scheme}://${base.hostname}:${this.port}`
    const playbackUrl = `${baseUrlOf(base)}${PLAYBACK_PATH}/${inputId}/${token}`
    return {
      inputId,
      ingestUrl: `${ingest}/${INGEST_APP}/${streamKey}`,
      playback: {
        hlsUrl: `${playbackUrl}/${HLS_PLAYLIST}`,
        dashUrl: `${playbackUrl}/${DASH_MANIFEST}`,
        previewUrl: playbackUrl,
        thumbnailUrl: `${playbackUrl}/thumbnail.jpg`,
      },
    }
  }
}

const NO_CREDENTIALS = {
  ok: false,
  message: 'Outputs with user:password@ are not allowed (ALLOW_OUTPUT_CREDENTIALS)',
  urlProblem:
    'url must not contain user:password@, which other accounts of the machine would see; the operator of the cloud can allow it with ALLOW_OUTPUT_CREDENTIALS',
} as const

const NO_INPUT = { ok: false, message: 'There is no such input' } as const
