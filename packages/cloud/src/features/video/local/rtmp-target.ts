import type { TunnelTarget } from './rtmp-tunnel.ts'

/** The parts of the URL of an output, as RTMP clients send them. */
export interface RtmpTarget extends TunnelTarget {
  readonly app: string
  /** Usually the stream key. Secret. */
  readonly playpath: string
  readonly tcUrl: string
  /** `user:password@` for servers that authenticate publishers, or empty. Secret. */
  readonly credentials: string
}

/** Splits a URL that `parseOutputUrl` accepted as ffmpeg does: of three or more segments the first two are the app. */
export function parseRtmpTarget(url: string): RtmpTarget {
  const { protocol, hostname, port, username, password, pathname, search } = new URL(url)
  const secure = protocol === 'rtmps:'
  const segments = pathname.split('/').slice(1)
  const appSegments = segments.length >= 3 ? 2 : 1
  const app = segments.slice(0, appSegments).join('/')
  const number = port ? Number(port) : secure ? 443 : 1935
  return {
    host: hostname,
    port: number,
    secure,
    app,
    playpath: segments.slice(appSegments).join('/') + search,
    tcUrl: `${protocol}//${hostname}:${number}/${app}`,
    credentials: username || password ? `${username}:${password}@` : '',
  }
}
