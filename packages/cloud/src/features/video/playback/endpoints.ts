import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { SINGLE_LINE_PATTERN } from '@glasses-cloud/contract'
import { Type } from 'typebox'
import { none } from '../../../http/auth/index.ts'
import { PARTIAL_CONTENT, RANGE_HEADERS, sendContent } from '../../../http/content.ts'
import { type Endpoint, endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import { isEqualSecret } from '../../../identity/index.ts'
import type { LocalInput } from '../local/local-input.ts'
import type { LocalStreamingProvider } from '../local/local-provider.ts'
import { readPlaylist } from '../local/packager.ts'
import type { PlaybackForwarder } from './forward-playback.ts'
import { PLAYER_PAGE, PLAYER_SCRIPT, PLAYER_STYLE } from './player-files.ts'

export interface PlaybackDeps {
  /** Undefined if another provider is configured. */
  readonly local: LocalStreamingProvider | undefined
  readonly forwarder: PlaybackForwarder
}

/** The player page, and the playlists, segments and thumbnail behind it. */
export const playbackEndpoints = (deps: PlaybackDeps): Endpoint[] => [
  getPlayerAsset,
  getPlayer(deps),
  getPlaybackFile(deps),
]

/** Requests a minute of one address: a player sends about three a second. */
const PLAYBACK_PER_MINUTE = 6_000

const playbackPath = Type.Object({
  inputId: Type.String({
    maxLength: 64,
    pattern: SINGLE_LINE_PATTERN,
    description: 'The input at the streaming provider',
  }),
  token: Type.String({
    maxLength: 64,
    pattern: SINGLE_LINE_PATTERN,
    description: 'Part of the playback URLs of a stream',
  }),
})

const JAVASCRIPT = 'text/javascript; charset=utf-8'

/** Files of the player page; nothing is loaded from other servers. */
const ASSETS: Readonly<Record<string, { readonly type: string; open(): string | Readable }>> = {
  'hls.js': {
    type: JAVASCRIPT,
    open: () => createReadStream(fileURLToPath(import.meta.resolve('hls.js/dist/hls.min.js'))),
  },
  'player.js': { type: JAVASCRIPT, open: () => PLAYER_SCRIPT },
  'player.css': { type: 'text/css; charset=utf-8', open: () => PLAYER_STYLE },
}

const getPlayerAsset = endpoint({
  method: 'GET',
  url: '/streams/player/:asset',
  summary: 'A file of the player page',
  tags: ['streams'],
  style: 'coded',
  auth: none,
  schema: {
    params: Type.Object({ asset: Type.String() }),
    response: { 200: Type.String({ format: 'binary' }) },
  },
  media: { contentTypes: ['text/javascript', 'text/css'] },
  errors: ['NOT_FOUND'],
  handler: async ({ params, reply }) => {
    const asset = Object.hasOwn(ASSETS, params.asset) ? ASSETS[params.asset] : undefined
    if (asset === undefined) throw fault('NOT_FOUND')
    return reply
      .headers({ 'content-type': asset.type, 'cache-control': 'public, max-age=3600' })
      .send(asset.open())
  },
})

/** Everything comes from this server; hls.js plays from object URLs. */
const CONTENT_SECURITY_POLICY = [
  ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", 'img-src data:'],
  ["media-src 'self' blob:", "worker-src 'self' blob:", "base-uri 'none'", "form-action 'none'"],
]
  .flat()
  .join('; ')

/** A page that plays a live stream; whoever has its URL can watch. */
const getPlayer = (deps: PlaybackDeps) =>
  endpoint({
    method: 'GET',
    url: '/streams/:inputId/:token',
    summary: 'Watch a live stream in a browser',
    tags: ['streams'],
    style: 'coded',
    auth: none,
    schema: { params: playbackPath, response: { 200: Type.String() } },
    media: { contentTypes: ['text/html'] },
    limits: { isCounted: (request) => deps.forwarder.isCounted(request) },
    errors: ['STREAM_NOT_FOUND'],
    handler: async ({ params, request, reply }) => {
      if (!playbackInput(deps, params)) return deps.forwarder.forward(params.inputId, request, reply)
      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          // May be embedded, which is what a preview is for.
          'content-security-policy': CONTENT_SECURITY_POLICY,
        })
        .send(PLAYER_PAGE)
    },
  })

const PLAYLIST_CACHE = 'no-cache'

/** Content type and caching by the name of a file. Segments never change; playlists change all the time. */
const FILES: readonly { readonly name: RegExp; readonly type: string; readonly cache: string }[] = [
  {
    name: /^(master|media_\d{1,2})\.m3u8$/,
    type: 'application/vnd.apple.mpegurl',
    cache: PLAYLIST_CACHE,
  },
  { name: /^manifest\.mpd$/, type: 'application/dash+xml', cache: PLAYLIST_CACHE },
  {
    name: /^\d{1,6}-(init-)?\d{1,2}(-\d{5,10})?\.m4s$/,
    type: 'video/mp4',
    cache: 'public, max-age=3600, immutable',
  },
]

const THUMBNAIL = 'thumbnail.jpg'

/** Serves the playlists, segments and thumbnail of a live stream, to any origin. The token in the path is the credential. */
const getPlaybackFile = (deps: PlaybackDeps) =>
  endpoint({
    method: 'GET',
    url: '/streams/:inputId/:token/:file',
    summary: 'Get a playlist, a segment or the thumbnail of a live stream',
    tags: ['streams'],
    style: 'coded',
    auth: none,
    anyOrigin: true,
    schema: {
      params: Type.Object({ ...playbackPath.properties, file: Type.String({ maxLength: 64 }) }),
      headers: Type.Object(RANGE_HEADERS),
      response: { 200: Type.String({ format: 'binary' }), ...PARTIAL_CONTENT },
    },
    media: {
      contentTypes: ['application/vnd.apple.mpegurl', 'application/dash+xml', 'video/mp4', 'image/jpeg'],
    },
    limits: {
      perMinute: () => PLAYBACK_PER_MINUTE,
      isCounted: (request) => deps.forwarder.isCounted(request),
    },
    errors: ['STREAM_NOT_FOUND', 'NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
    handler: async ({ params, request, reply }) => {
      const input = playbackInput(deps, params)
      if (!input) return deps.forwarder.forward(params.inputId, request, reply)
      if (params.file === THUMBNAIL) {
        const { thumbnail } = input
        if (!thumbnail) throw fault('NOT_FOUND')
        return reply
          .headers({ 'content-type': 'image/jpeg', 'cache-control': 'public, max-age=5' })
          .send(thumbnail)
      }
      const kind = FILES.find(({ name }) => name.test(params.file))
      if (!kind) throw fault('NOT_FOUND')
      if (kind.cache === PLAYLIST_CACHE) {
        const playlist = await readPlaylist(input.folder, params.file)
        if (playlist === undefined) throw fault('NOT_FOUND')
        const bytes = Buffer.from(playlist)
        reply.headers({ 'content-type': kind.type, 'cache-control': kind.cache })
        return sendContent(request, reply, {
          size: bytes.length,
          open: async (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
        })
      }
      // Opened before the headers are sent, since segments leave the window at any time.
      const file = await open(join(input.folder, params.file)).catch(() => undefined)
      if (!file) throw fault('NOT_FOUND')
      try {
        const { size } = await file.stat()
        reply.headers({ 'content-type': kind.type, 'cache-control': kind.cache })
        return await sendContent(request, reply, {
          size,
          // A segment may grow meanwhile.
          open: async (range) =>
            file.createReadStream(range ?? (size > 0 ? { start: 0, end: size - 1 } : {})),
        })
      } catch (error) {
        await file.close()
        throw error
      }
    },
  })

/**
 * Returns the input of a playback URL.
 * @returns undefined if this node does not have it
 * @throws Fault `STREAM_NOT_FOUND` if it has, but the token is wrong
 */
function playbackInput(
  { local }: PlaybackDeps,
  { inputId, token }: { readonly inputId: string; readonly token: string },
): LocalInput | undefined {
  const input = local?.input(inputId)
  if (input && !isEqualSecret(token, input.token)) throw fault('STREAM_NOT_FOUND')
  return input
}
