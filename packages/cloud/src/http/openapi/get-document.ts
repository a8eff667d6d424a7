import { Type } from 'typebox'
import { none } from '../auth/none.ts'
import { endpoint } from '../endpoint.ts'
import type { DescriptionDeps } from './deps.ts'
import { openApiDocument } from './document.ts'

/** The document of each server, created on the first request to keep the start fast. */
const documents = new WeakMap<object, string>()

/** Serves the OpenAPI 3.1 document, to any origin. */
export const getDocument = ({ version, publicUrl }: DescriptionDeps) =>
  endpoint({
    method: 'GET',
    url: '/openapi.json',
    summary: 'The OpenAPI 3.1 document',
    tags: ['operation'],
    style: 'bare',
    auth: none,
    anyOrigin: true,
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
      return reply.header('content-type', 'application/json; charset=utf-8').send(text)
    },
  })
