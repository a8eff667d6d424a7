import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { ConsoleFiles } from './console-files.ts'

/** Files whose names have no hash, because browsers know or keep their addresses. */
const ROOT_FILES = [
  '/favicon.svg',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable.png',
  '/apple-touch-icon.png',
  '/manifest.webmanifest',
  '/sw.js',
]

const ICON = /\.(svg|png)$/

/** What the service worker may load; it gives its page a policy of its own. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'"

const shared = {
  method: 'GET',
  tags: ['operation'],
  style: 'bare',
  auth: none,
  media: {
    contentTypes: [
      'text/css',
      'text/javascript',
      'application/manifest+json',
      'image/svg+xml',
      'image/png',
      'font/woff2',
    ],
  },
  errors: ['NOT_FOUND'],
  limits: { perMinute: 'unlimited' },
} as const

/**
 * Files of the console: those whose name contains a hash of the content, which never change (CON-3), and those of the
 * installed console (CON-213).
 */
export const getConsoleFiles = ({ files }: { readonly files: ConsoleFiles }) => [
  endpoint({
    ...shared,
    url: '/assets/:file',
    summary: 'A file of the web console',
    schema: {
      params: Type.Object({ file: Type.String() }),
      response: { 200: Type.String({ format: 'binary' }) },
    },
    handler: async ({ params, request, reply }) => {
      const file = await files.find(`assets/${params.file}`, request.headers['accept-encoding'])
      if (file === undefined) throw fault('NOT_FOUND')
      if (file.encoding !== undefined) void reply.header('content-encoding', file.encoding)
      return reply
        .headers({
          'content-type': file.contentType,
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'accept-encoding',
        })
        .send(file.content)
    },
  }),
  endpoint({
    ...shared,
    url: ROOT_FILES,
    summary: 'Icons, manifest and service worker of the web console',
    schema: { response: { 200: Type.String({ format: 'binary' }) } },
    handler: async ({ request, reply }) => {
      const name = request.url.split('?', 1)[0]?.slice(1) ?? ''
      const file = await files.find(name)
      if (file === undefined) throw fault('NOT_FOUND')
      return reply
        .headers({
          'content-type': file.contentType,
          'cache-control': ICON.test(name) ? 'public, max-age=3600' : 'no-cache',
          ...(name === 'sw.js' && { 'content-security-policy': WORKER_POLICY }),
        })
        .send(file.content)
    },
  }),
]
