import type { SettingGroup } from './setting-group.ts'

export const STREAMING_SETTINGS = {
  title: 'Streaming',
  intro: 'See [streaming](streaming.md) for a comparison of the providers.',
  settings: {
    STREAM_PROVIDER: {
      fallback: '`local`',
      description:
        'provider of managed streams: `local` on this machine, with ffmpeg; `cloudflare`; `mediamtx`; `none`; `memory` simulates one without transmitting video, for development',
    },
    STREAM_MAX: {
      fallback: '`20`',
      description: 'concurrent managed streams of one process, with up to ten outputs each',
    },
    RTMP_PORT: {
      fallback: '`1935`',
      description: '`local`: port on `HOST` to which glasses publish; `0` selects a free one',
    },
    RTMP_PUBLIC_URL: {
      fallback:
        '`rtmp://`, the host of `PUBLIC_URL` and `RTMP_PORT`; `rtmps://` with `TLS` `files` and `auto`',
      description: '`local`: where glasses reach that port',
    },
    FFMPEG_PATH: {
      fallback: '`ffmpeg`',
      description: '`local`: the ffmpeg program, as a name in the search path or a path',
    },
    RECORD_STREAMS: {
      fallback: '`false`',
      description:
        '`local`: whether an MP4 file of each managed stream is added to the gallery of its user; `cloudflare`: whether its video remains at Cloudflare',
    },
    ALLOW_OUTPUT_CREDENTIALS: {
      fallback: '`false`',
      description:
        '`true` accepts outputs with `user:password@` for the provider `local`. Other accounts of this machine see them among the arguments of ffmpeg',
    },
    CLOUDFLARE_ACCOUNT_ID: {
      fallback: 'none',
      description: 'id of the Cloudflare account; required by `cloudflare`',
    },
    CLOUDFLARE_API_TOKEN: {
      fallback: 'none',
      description: 'API token with the permission Stream:Edit; required by `cloudflare`',
      isSecret: true,
    },
    CLOUDFLARE_API_URL: {
      fallback: '`https://api.cloudflare.com/client/v4`',
      description: 'base URL of the Cloudflare API',
    },
    MEDIAMTX_API_URL: {
      fallback: '`http://127.0.0.1:9997`',
      description: 'control API of MediaMTX, with `user:password@` if it requires that',
    },
    MEDIAMTX_RTMP_URL: {
      fallback: '`rtmp://127.0.0.1:1935`',
      description: 'where glasses, and MediaMTX itself, reach its RTMP server',
    },
    MEDIAMTX_HLS_URL: {
      fallback: '`http://127.0.0.1:8888`',
      description: 'where viewers reach its HLS server',
    },
    MEDIAMTX_WEBRTC_URL: {
      fallback: 'none',
      description: 'where viewers reach its WebRTC server, such as `http://127.0.0.1:8889`',
    },
  },
} as const satisfies SettingGroup
