import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { none } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { fault } from '../../../http/fault.ts'
import { PLAYBACK_PER_MINUTE, type PlaybackDeps, playbackInput, playbackPath } from './playback-input.ts'

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
export const getPlaybackFile = (deps: PlaybackDeps) =>
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
      response: { 200: Type.String({ format: 'binary' }) },
    },
    media: {
      contentTypes: ['application/vnd.apple.mpegurl', 'application/dash+xml', 'video/mp4', 'image/jpeg'],
    },
    limits: { perMinute: () => PLAYBACK_PER_MINUTE },
    errors: ['STREAM_NOT_FOUND', 'NOT_FOUND'],
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
      // Opened before the headers are sent, since segments leave the window at any time.
      const file = await open(join(input.folder, params.file)).catch(() => undefined)
      if (!file) throw fault('NOT_FOUND')
      try {
        const { size } = await file.stat()
        reply.headers({ 'content-type': kind.type, 'cache-control': kind.cache, 'content-length': size })
        return reply.send(file.createReadStream(size > 0 ? { start: 0, end: size - 1 } : {}))
      } catch (error) {
        await file.close()
        throw error
      }
    },
  })
