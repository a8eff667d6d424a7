import { Type } from 'typebox'
import type { Config } from '../config/index.ts'
import { none } from './auth/open-schemes.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { fault } from './fault.ts'
import { baseUrlOf } from './request-origin.ts'

interface SecurityTxtDeps {
  readonly security: Config['http']['security']
  readonly publicUrl: () => URL
  /** Epoch ms. */
  readonly now: () => number
}

const PATH = '/.well-known/security.txt'

const DAY_MS = 24 * 60 * 60_000

/** Time for which a copy of the file may be used. */
const VALID_DAYS = 180

/** Tells people who found a vulnerability whom to report it to, as RFC 9116 describes. */
export const getSecurityTxt = ({ security, publicUrl, now }: SecurityTxtDeps): Endpoint =>
  endpoint({
    method: 'GET',
    url: PATH,
    summary: 'Whom to report vulnerabilities to (RFC 9116)',
    tags: ['operation'],
    style: 'coded',
    auth: none,
    schema: { response: { 200: Type.String() } },
    media: { contentTypes: ['text/plain'] },
    errors: ['NOT_FOUND'],
    handler: async ({ reply }) => {
      const { contacts, policy } = security
      if (contacts.length === 0) throw fault('NOT_FOUND')
      const expires = new Date((Math.floor(now() / DAY_MS) + VALID_DAYS) * DAY_MS)
      const lines = [
        ...contacts.map((contact) => `Contact: ${contact.includes(':') ? contact : `mailto:${contact}`}`),
        `Expires: ${expires.toISOString()}`,
        ...(policy === undefined ? [] : [`Policy: ${policy.href}`]),
        `Canonical: ${baseUrlOf(publicUrl())}${PATH}`,
        'Preferred-Languages: en',
      ]
      return reply
        .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' })
        .send(`${lines.join('\n')}\n`)
    },
  })
