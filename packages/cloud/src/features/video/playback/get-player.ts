import { Type } from 'typebox'
import { none } from '../../../http/auth/index.ts'
import { endpoint } from '../../../http/endpoint.ts'
import { type PlaybackDeps, playbackInput, playbackPath } from './playback-input.ts'

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>Live stream</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="../player/player.css">
  </head>
  <body>
    <video id="video" controls autoplay muted playsinline></video>
    <p id="status" role="status">Connecting …</p>
    <script src="../player/hls.js"></script>
    <script src="../player/player.js"></script>
  </body>
</html>
`

/** Everything comes from this server; hls.js plays from object URLs. */
const CONTENT_SECURITY_POLICY = [
  ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", 'img-src data:'],
  ["media-src 'self' blob:", "worker-src 'self' blob:", "base-uri 'none'", "form-action 'none'"],
]
  .flat()
  .join('; ')

/** A page that plays a live stream; whoever has its URL can watch. */
export const getPlayer = (deps: PlaybackDeps) =>
  endpoint({
    method: 'GET',
    url: '/streams/:inputId/:token',
    summary: 'Watch a live stream in a browser',
    tags: ['streams'],
    style: 'coded',
    auth: none,
    schema: { params: playbackPath, response: { 200: Type.String() } },
    media: { contentTypes: ['text/html'] },
    errors: ['STREAM_NOT_FOUND'],
    handler: async ({ params, request, reply }) => {
      if (!playbackInput(deps, params)) return deps.forwarder.forward(params.inputId, request, reply)
      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          // May be embedded, which is what a preview is for.
          'content-security-policy': CONTENT_SECURITY_POLICY,
        })
        .send(PAGE)
    },
  })
