import { Type } from 'typebox'
import { none } from '../http/auth/index.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { fault } from '../http/fault.ts'
import {
  AUTHORITY_FILE,
  AUTHORITY_TYPE,
  authorityFile,
  authorityFingerprint,
} from './local/authority-page.ts'

interface AuthorityDeps {
  /** The certificate of the cloud's own authority in PEM; undefined if it has none. */
  readonly authority: string | undefined
  /** The port of plain HTTP; 0: none. */
  readonly plainPort: number
}

const common = { method: 'GET', tags: ['operation'], style: 'coded', auth: none } as const

/** The cloud's own authority (`TLS=local`), which people install on their devices. */
export const authorityEndpoints = ({ authority, plainPort }: AuthorityDeps): Endpoint[] => [
  endpoint({
    ...common,
    url: '/api/tls/authority',
    summary: "Describe the cloud's own authority (TLS=local)",
    schema: {
      response: {
        200: Type.Object({
          fingerprint: Type.Optional(
            Type.String({ description: 'SHA-256 in hex, with colons; missing: there is no authority' }),
          ),
          plainPort: Type.Integer({ description: 'Port of plain HTTP, where `/tls` offers it; 0: none' }),
        }),
      },
    },
    errors: [],
    handler: async () => ({
      ...(authority !== undefined && { fingerprint: authorityFingerprint(authority) }),
      plainPort,
    }),
  }),
  endpoint({
    ...common,
    url: AUTHORITY_FILE,
    summary: "Get the certificate of the cloud's own authority (TLS=local)",
    schema: { response: { 200: Type.String() } },
    media: { contentTypes: [AUTHORITY_TYPE] },
    errors: ['NOT_FOUND'],
    handler: async ({ reply }) => {
      if (authority === undefined) throw fault('NOT_FOUND')
      return reply
        .headers({
          'content-type': AUTHORITY_TYPE,
          'content-disposition': 'attachment; filename="glasses-cloud.crt"',
        })
        .send(authorityFile(authority))
    },
  }),
]
