import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { startBalancer } from './balancer.ts'

describe('Balancer', () => {
  const servers: Server[] = []
  after(() => {
    for (const server of servers) server.close().closeAllConnections()
  })

  /** Starts a node that answers with its name. @param isLate whether it does not answer checks of its readiness */
  async function startNode(name: string, { isLate }: { readonly isLate: boolean }): Promise<string> {
    const server = createServer(({ url }, response) => {
      if (url !== '/readyz' || !isLate) response.end(name)
    })
    servers.push(server.listen(0, '127.0.0.1'))
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async function answers(urls: readonly string[]): Promise<string[]> {
    const balancer = await startBalancer(urls)
    try {
      const requests = Array.from({ length: 4 }, async () => {
        const response = await fetch(balancer.url, { headers: { connection: 'close' } })
        return response.text()
      })
      return await Promise.all(requests)
    } finally {
      await balancer.close()
    }
  }

  test('a connection goes to a node that is ready', async () => {
    const late = await startNode('late', { isLate: true })
    const ready = await startNode('ready', { isLate: false })
    assert.deepEqual(await answers([late, ready]), ['ready', 'ready', 'ready', 'ready'])
  })

  test('nodes that all answer checks late are used', async () => {
    const urls = [await startNode('a', { isLate: true }), await startNode('b', { isLate: true })]
    assert.deepEqual((await answers(urls)).sort(), ['a', 'a', 'b', 'b'])
  })
})
