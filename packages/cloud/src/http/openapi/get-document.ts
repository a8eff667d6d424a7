import { Type } from 'typebox'
import { none } from '../auth/none.ts'
import { endpoint } from '../endpoint.ts'
import type { DescriptionDeps } from './deps.ts'
import { openApiDocument } from './document.ts'

/** Documents by the server they describe; made when first asked for, so that a start does not wait for it. */
const documents = new WeakMap<object, string>()

/** The interface, as OpenAPI 3.1. Pages in browsers may read it too. */
export const getDocument = ({ version, publicUrl }: DescriptionDeps) =>
  endpoint({
    method: 'GET',
    url: '/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    tags: ['operation'],
    style: 'bare',
    auth: none,
    schema: {
      response: { 200: Type.Object({ openapi: Type.String() }, { description: 'An OpenAPI document' }) },
    },
    errors: [],
    handler: async ({ request: { server }, reply }) => {
      let text = documents.get(server)
      if (text === undefined) {
        text = JSON.stringify(openApiDocument(server.endpoints, { version, url: publicUrl() }))
        documents.set(server, text)
      }
      return reply
        .headers({ 'content-type': 'application/json; charset=utf-8', 'access-control-allow-origin': '*' })
        .send(text)
    },
  })
