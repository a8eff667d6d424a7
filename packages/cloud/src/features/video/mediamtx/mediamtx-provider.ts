import { randomBytes, randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { StreamingConfig } from '../../../config/index.ts'
import { baseUrlOf } from '../../../http/request-origin.ts'
import {
  type LiveInput,
  type OutputReport,
  parseOutputUrl,
  type StreamingResult,
} from '../../../session/index.ts'
import type { Clock } from '../../../time/index.ts'
import { isForbiddenIp } from '../../../webhooks/index.ts'
import type { ExternalProvider } from '../provider.ts'
import { ProviderApi } from '../provider-api.ts'

const path = Type.Object({
  // Older servers call it ready.
  online: Type.Optional(Type.Boolean()),
  ready: Type.Optional(Type.Boolean()),
})
const destinations = Type.Object({
  items: Type.Array(
    Type.Object({
      conf: Type.Optional(Type.Object({ dest: Type.String() })),
      dest: Type.Optional(Type.String()),
      state: Type.String(),
      lastError: Type.Optional(Type.String()),
    }),
  ),
})
const configuration = Type.Object({
  source: Type.Optional(Type.String()),
  forward: Type.Optional(Type.Array(Type.Object({ dest: Type.String() }))),
})

/** Begins the names of paths that this cloud created. */
const PREFIX = 'glasses'

export interface MediaMtxOptions {
  readonly settings: NonNullable<StreamingConfig['mediamtx']>
  readonly allowPrivateNetworks: boolean
  readonly clock: Clock
}

/**
 * Streams through a MediaMTX server. An input is two paths: glasses publish to the first, whose name is secret; viewers read
 * the second, which takes its video from the first, so that they cannot publish.
 */
export class MediaMtxStreamingProvider implements ExternalProvider {
  readonly name = 'mediamtx'
  readonly #options: MediaMtxOptions
  readonly #api: ProviderApi
  /** The outputs of each input, in the order of the server. */
  readonly #outputs = new Map<string, Map<string, string>>()
  /** The last change of each input's outputs: the server replaces them as a whole. */
  readonly #changes = new Map<string, Promise<unknown>>()

  constructor(options: MediaMtxOptions) {
    this.#options = options
    const { apiUrl } = options.settings
    const { username, password } = apiUrl
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    this.#api = new ProviderApi({
      baseUrl: `${apiUrl.origin}${apiUrl.pathname.replace(/\/+$/, '')}/v3`,
      headers: username ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {},
      clock: options.clock,
      errorOf: (body) => {
        const reason = (body as { error?: unknown } | undefined)?.error
        return typeof reason === 'string' ? reason.slice(0, 200) : undefined
      },
    })
  }

  async createInput({ name }: { readonly name: string }): Promise<StreamingResult<LiveInput>> {
    const { rtmpUrl, hlsUrl, webrtcUrl } = this.#options.settings
    const secret = `${PREFIX}-in-${randomBytes(18).toString('hex')}`
    const inputId = viewPath(name)
    const ingestUrl = `${baseUrlOf(rtmpUrl)}/${secret}`
    // The second path names the first, so that both can be found by the name of the input.
    const view = await this.#configure(inputId, { source: ingestUrl })
    if (!view.ok) return view
    const ingest = await this.#configure(secret, { source: 'publisher', overridePublisher: true })
    if (!ingest.ok) return ingest
    this.#outputs.set(inputId, new Map())
    const playlist = `${baseUrlOf(hlsUrl)}/${inputId}/index.m3u8`
    return {
      ok: true,
      value: {
        inputId,
        ingestUrl,
        playback: {
          hlsUrl: playlist,
          // MediaMTX has no DASH, and apps on the SDK wait for both URLs.
          dashUrl: playlist,
          ...(webrtcUrl ? { webrtcUrl: `${baseUrlOf(webrtcUrl)}/${inputId}/whep` } : {}),
          previewUrl: `${baseUrlOf(hlsUrl)}/${inputId}/`,
        },
      },
    }
  }

  async deleteInput(inputId: string): Promise<StreamingResult> {
    const secret = await this.#ingestPath(inputId)
    if (!secret.ok) return secret
    if (secret.value !== undefined) {
      const deleted = await this.#delete(secret.value)
      if (!deleted.ok) return deleted
    }
    const deleted = await this.#delete(inputId)
    if (deleted.ok) this.#outputs.delete(inputId)
    return deleted
  }

  async isReady(inputId: string): Promise<StreamingResult<boolean>> {
    if (!this.#outputs.has(inputId)) return NO_INPUT
    const response = await this.#api.request({
      method: 'GET',
      path: `/paths/get/${encodeURIComponent(inputId)}`,
      accept: [404],
    })
    if (!response.ok) return response
    if (response.value === undefined) return { ok: true, value: false }
    if (!Value.Check(path, response.value)) return UNKNOWN_FORM
    return { ok: true, value: (response.value.online ?? response.value.ready) === true }
  }

  async addOutput(inputId: string, url: string): Promise<StreamingResult<string>> {
    if (!(await this.#isAllowed(url))) return NO_PUBLIC_TARGET
    const outputId = randomUUID()
    const changed = await this.#change(inputId, (outputs) => outputs.set(outputId, url))
    return changed.ok ? { ok: true, value: outputId } : changed
  }

  removeOutput(inputId: string, outputId: string): Promise<StreamingResult> {
    if (!this.#outputs.get(inputId)?.has(outputId)) return Promise.resolve({ ok: true, value: undefined })
    return this.#change(inputId, (outputs) => outputs.delete(outputId))
  }

  async listOutputs(inputId: string): Promise<StreamingResult<readonly OutputReport[]>> {
    const outputs = this.#outputs.get(inputId)
    if (!outputs) return NO_INPUT
    const secret = await this.#ingestPath(inputId)
    if (!secret.ok) return secret
    if (secret.value === undefined) return NO_INPUT
    // The path is not known to the server while the glasses do not publish.
    const response = await this.#api.request({
      method: 'GET',
      path: `/paths/forward-dests/list?itemsPerPage=100&path=${encodeURIComponent(secret.value)}`,
      accept: [404],
    })
    if (!response.ok) return response
    if (response.value !== undefined && !Value.Check(destinations, response.value)) return UNKNOWN_FORM
    const items = response.value?.items ?? []
    return {
      ok: true,
      value: [...outputs].map(([outputId, url]) => {
        const item = items.find(({ conf, dest }) => (conf?.dest ?? dest) === url)
        return { outputId, ...parseState(item) }
      }),
    }
  }

  async findInputs(name: string): Promise<StreamingResult<readonly string[]>> {
    const found = await this.#ingestPath(viewPath(name))
    if (!found.ok) return found
    return { ok: true, value: found.value === undefined ? [] : [viewPath(name)] }
  }

  async problem(): Promise<string | undefined> {
    const response = await this.#api.request({ method: 'GET', path: '/paths/list?itemsPerPage=1' })
    return response.ok ? undefined : `MediaMTX does not work at MEDIAMTX_API_URL. ${response.message}`
  }

  /** Returns the path that glasses publish to, from the configuration of the one that viewers read. */
  async #ingestPath(inputId: string): Promise<StreamingResult<string | undefined>> {
    const response = await this.#api.request({
      method: 'GET',
      path: `/config/paths/get/${encodeURIComponent(inputId)}`,
      accept: [404],
    })
    if (!response.ok || response.value === undefined) return response as StreamingResult<undefined>
    if (!Value.Check(configuration, response.value)) return UNKNOWN_FORM
    return { ok: true, value: response.value.source?.split('/').at(-1) }
  }

  /** Applies a change of the outputs after those that are in progress. */
  async #change(inputId: string, apply: (outputs: Map<string, string>) => unknown): Promise<StreamingResult> {
    const previous = this.#changes.get(inputId) ?? Promise.resolve()
    const change = previous.then(() => this.#replaceOutputs(inputId, apply))
    const settled = change.catch(() => {})
    this.#changes.set(inputId, settled)
    try {
      return await change
    } finally {
      if (this.#changes.get(inputId) === settled) this.#changes.delete(inputId)
    }
  }

  async #replaceOutputs(
    inputId: string,
    apply: (outputs: Map<string, string>) => unknown,
  ): Promise<StreamingResult> {
    const current = this.#outputs.get(inputId)
    if (!current) return NO_INPUT
    const secret = await this.#ingestPath(inputId)
    if (!secret.ok) return secret
    if (secret.value === undefined) return NO_INPUT
    const outputs = new Map(current)
    apply(outputs)
    const response = await this.#api.request({
      method: 'PATCH',
      path: `/config/paths/patch/${encodeURIComponent(secret.value)}`,
      body: { forward: [...outputs.values()].map((dest) => ({ dest })) },
    })
    if (!response.ok) return response
    this.#outputs.set(inputId, outputs)
    return { ok: true, value: undefined }
  }

  async #configure(name: string, body: object): Promise<StreamingResult> {
    const response = await this.#api.request({ method: 'POST', path: `/config/paths/add/${name}`, body })
    return response.ok ? { ok: true, value: undefined } : response
  }

  async #delete(name: string): Promise<StreamingResult> {
    const request = { method: 'DELETE', path: `/config/paths/delete/${encodeURIComponent(name)}` } as const
    const response = await this.#api.request({ ...request, accept: [404] })
    return response.ok ? { ok: true, value: undefined } : response
  }

  /**
   * Whether MediaMTX may connect to a target. It resolves the name again, so a name that changes its address meanwhile is
   * not detected; run MediaMTX where it reaches no private network if that matters.
   */
  async #isAllowed(url: string): Promise<boolean> {
    if (this.#options.allowPrivateNetworks) return true
    const host = parseOutputUrl(url)?.host.replace(/^\[|\]$/g, '') ?? ''
    const addresses = await lookup(host, { all: true }).catch(() => [])
    return addresses.length > 0 && !addresses.some(({ address }) => isForbiddenIp(address))
  }
}

const NO_PUBLIC_TARGET = {
  ok: false,
  message: 'The target is in a private network',
  urlProblem: 'url must lead to a public address: this cloud does not stream into private networks',
} as const

const NO_INPUT = { ok: false, message: 'There is no such input' } as const

const UNKNOWN_FORM = { ok: false, message: 'The provider answered in an unknown form' } as const

const viewPath = (name: string) => `${PREFIX}-${name}`

function parseState(
  item: { readonly state: string; readonly lastError?: string | undefined } | undefined,
): Pick<OutputReport, 'status' | 'error'> {
  switch (item?.state) {
    case 'forwarding':
      return { status: 'active', error: null }
    case 'error':
      return { status: 'error', error: item.lastError || 'The target does not accept the stream' }
    default:
      return { status: 'connecting', error: null }
  }
}
