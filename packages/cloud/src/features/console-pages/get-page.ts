import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { ConsoleFiles } from './console-files.ts'

/** Paths of the console's pages. The console itself decides what they show. `/apps` belongs to the phone API. */
const PAGES = [
  '/',
  '/sign-in',
  '/sign-in/*',
  '/sign-up',
  '/reset-password',
  '/verify-email',
  '/device',
  '/welcome',
  '/store',
  '/store/*',
  '/glasses',
  '/glasses/*',
  '/gallery',
  '/account',
  '/account/*',
  '/developer',
  '/developer/*',
  '/organizations',
  '/organizations/*',
  '/join',
  '/admin',
  '/admin/*',
]

/** Sent while the console has not been built. */
const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Glasses Cloud</title></head>
  <body>
    <h1>Glasses Cloud is running</h1>
    <p>The console has not been built. Run <code>npm run build</code> and reload this page.</p>
    <p><a href="/docs">API documentation</a></p>
  </body>
</html>
`

/**
 * Allows only what comes from this origin (CON-2). Images and media may also be made by the page itself, such as a
 * picture of the camera. Styles of components, and the script that loads a page again, carry the nonce.
 */
const contentSecurityPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The page of the web console, at each of its paths. */
export const getConsolePage = ({ files }: { readonly files: ConsoleFiles }) =>
  endpoint({
    method: 'GET',
    url: PAGES,
    summary: 'The web console',
    tags: ['operation'],
    style: 'bare',
    auth: none,
    schema: { response: { 200: Type.String() } },
    media: { contentTypes: ['text/html'] },
    errors: [],
    limits: { perMinute: 'unlimited' },
    handler: async ({ reply }) => sendPage(reply, files),
  })

interface GlassesPage {
  readonly url: string
  readonly summary: string
  /** File of the build. */
  readonly name: string
}

/** A page outside the console, which needs no sign-in and loads fast on a phone. */
const glassesPage =
  ({ url, summary, name }: GlassesPage) =>
  ({ files }: { readonly files: ConsoleFiles }) =>
    endpoint({
      method: 'GET',
      url,
      summary,
      tags: ['operation'],
      style: 'coded',
      auth: none,
      schema: { response: { 200: Type.String() } },
      media: { contentTypes: ['text/html'] },
      errors: [],
      limits: { perMinute: 'unlimited' },
      handler: async ({ reply }) => sendPage(reply, files, name),
    })

/** The page that the Even app opens. */
export const getEvenPage = glassesPage({
  url: '/glasses/even',
  summary: 'The page that wears Even G2, for the Even app',
  name: 'glasses/even.html',
})

/** The page that tests whether a phone reaches the cloud. */
export const getReachPage = glassesPage({
  url: '/glasses/reach',
  summary: 'The page that a phone opens to show that it reaches the cloud',
  name: 'glasses/reach.html',
})

/**
 * Sends the page of the console, which shows what belongs to the address.
 * @param name another page of the build
 */
export async function sendPage(
  reply: FastifyReply,
  files: ConsoleFiles,
  name?: string,
): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64')
  const page = await files.page(nonce, name).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return NOT_BUILT
    throw error
  })
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(nonce),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'bluetooth=(self)',
    })
    .send(page)
}
