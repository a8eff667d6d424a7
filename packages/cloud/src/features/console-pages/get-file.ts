import { createReadStream } from 'node:fs'
import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { ConsoleFiles } from './console-files.ts'

/** Requests a minute from one address; a page loads about ten files. */
const FILES_PER_MINUTE = 1_200

/** Files whose names have no hash, because browsers know or keep their addresses. */
const ROOT_FILES = [
  '/favicon.svg',
  '/icon-192.png',
  '/icon-512.png',
  '/icon-maskable.png',
  '/apple-touch-icon.png',
  '/manifest.webmanifest',
  '/sw.js',
  '/offline.html',
  '/offline.css',
  '/offline.js',
]

const ICON = /\.(svg|png)$/

/** What the service worker and the offline page may load. */
const POLICIES: Readonly<Record<string, string>> = {
  'sw.js': "default-src 'none'; connect-src 'self'",
  'offline.html':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

const shared = {
  method: 'GET',
  tags: ['operation'],
  style: 'bare',
  auth: none,
  media: {
    contentTypes: [
      'text/css',
      'text/html',
      'text/javascript',
      'application/manifest+json',
      'image/svg+xml',
      'image/png',
      'font/woff2',
    ],
  },
  errors: ['NOT_FOUND'],
  limits: { perMinute: () => FILES_PER_MINUTE },
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
        .send(createReadStream(file.url))
    },
  }),
  endpoint({
    ...shared,
    url: ROOT_FILES,
    summary: 'Icons, manifest, service worker and offline page of the web console',
    schema: { response: { 200: Type.String({ format: 'binary' }) } },
    handler: async ({ request, reply }) => {
      const name = request.url.split('?', 1)[0]?.slice(1) ?? ''
      const file = await files.find(name)
      if (file === undefined) throw fault('NOT_FOUND')
      const policy = POLICIES[name]
      return reply
        .headers({
          'content-type': file.contentType,
          'cache-control': ICON.test(name) ? 'public, max-age=3600' : 'no-cache',
          ...(policy !== undefined && { 'content-security-policy': policy }),
        })
        .send(createReadStream(file.url))
    },
  }),
]
