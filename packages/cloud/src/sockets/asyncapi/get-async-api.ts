import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { asyncApiDocument } from './document.ts'

/** Documents by the server they describe; made when first asked for, so that a start does not wait for it. */
const documents = new WeakMap<object, string>()

/** The sockets, as AsyncAPI 3.0. Pages in browsers may read it too. */
export const getAsyncApi = endpoint({
  method: 'GET',
  url: '/asyncapi.json',
  summary: 'The sockets, as AsyncAPI 3.0',
  tags: ['operation'],
  style: 'bare',
  auth: none,
  schema: {
    response: { 200: Type.Object({ asyncapi: Type.String() }, { description: 'An AsyncAPI document' }) },
  },
  errors: [],
  handler: async ({ request: { server }, services, reply }) => {
    let text = documents.get(server)
    if (text === undefined) {
      text = JSON.stringify(asyncApiDocument({ version: services.about.version, url: services.publicUrl() }))
      documents.set(server, text)
    }
    return reply
      .headers({ 'content-type': 'application/json; charset=utf-8', 'access-control-allow-origin': '*' })
      .send(text)
  },
})
