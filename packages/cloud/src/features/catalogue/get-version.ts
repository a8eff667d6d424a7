import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { CatalogueEndpointDeps } from './deps.ts'
import { appPath } from './schemas.ts'

/**
 * Returns version, protocols and providers of the cloud (decision C12); phones request it to verify a server address.
 */
export const getVersion = ({ about }: CatalogueEndpointDeps) =>
  endpoint({
    method: 'GET',
    url: appPath('/version'),
    summary: 'Version of the cloud',
    tags: ['apps'],
    style: 'envelope',
    auth: none,
    schema: {
      response: {
        200: Type.Object({
          version: Type.String(),
          protocols: Type.Array(Type.String(), { description: 'Dialects of socket messages' }),
          providers: Type.Record(Type.String(), Type.String(), {
            description: 'Names of the configured providers by kind',
          }),
        }),
      },
    },
    errors: [],
    handler: async () => ({
      version: about.version,
      protocols: [...about.protocols],
      providers: { ...about.providers },
    }),
  })
