import { createReadStream } from 'node:fs'
import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import type { ConsoleFiles } from './console-files.ts'

/** Requests a minute from one address; a page loads about ten files. */
const FILES_PER_MINUTE = 1_200

const shared = {
  method: 'GET',
  tags: ['operation'],
  style: 'bare',
  auth: none,
  media: { contentTypes: ['text/css', 'text/javascript', 'image/svg+xml', 'image/png', 'font/woff2'] },
  errors: ['NOT_FOUND'],
  limits: { perMinute: () => FILES_PER_MINUTE },
} as const

/** Files of the console: those whose name contains a hash of the content, which never change (CON-3), and the icon. */
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
    url: '/favicon.svg',
    summary: 'Icon of the web console',
    schema: { response: { 200: Type.String({ format: 'binary' }) } },
    handler: async ({ reply }) => {
      const file = await files.find('favicon.svg')
      if (file === undefined) throw fault('NOT_FOUND')
      return reply
        .headers({ 'content-type': file.contentType, 'cache-control': 'public, max-age=3600' })
        .send(createReadStream(file.url))
    },
  }),
]
