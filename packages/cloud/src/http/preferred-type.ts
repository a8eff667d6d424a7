import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/**
 * Returns whether the client prefers a web page to JSON, as browsers do that open an address. Others accept any type, or
 * name none, and get JSON.
 */
export function prefersPage({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html'
}

/** Adds a header to those on which the response depends. */
export function addVary(reply: FastifyReply, name: string): void {
  const existing = reply.getHeader('vary')
  void reply.header('vary', existing === undefined ? name : `${String(existing)}, ${name}`)
}
