import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { asyncApiDocument } from './document.ts'

/** The document of each server, created on the first request to keep the start fast. */
const documents = new WeakMap<object, string>()

/** Serves the AsyncAPI 3.0 document of the sockets, to any origin. */
export const getAsyncApi = ({
  version,
  publicUrl,
}: {
  readonly version: string
  readonly publicUrl: () => URL
}) =>
  endpoint({
    method: 'GET',
    url: '/asyncapi.json',
    summary: 'The AsyncAPI 3.0 document of the sockets',
    tags: ['operation'],
    style: 'bare',
    auth: none,
    anyOrigin: true,
    schema: {
      response: { 200: Type.Object({ asyncapi: Type.String() }, { description: 'An AsyncAPI document' }) },
    },
    errors: [],
    handler: async ({ request: { server }, reply }) => {
      let text = documents.get(server)
      if (text === undefined) {
        text = JSON.stringify(asyncApiDocument({ version, url: publicUrl() }))
        documents.set(server, text)
      }
      return reply.header('content-type', 'application/json; charset=utf-8').send(text)
    },
  })
