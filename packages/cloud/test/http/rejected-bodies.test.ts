import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { describe, test } from 'node:test'
import { startCloud } from '../support/test-cloud.ts'
import { withTimeout } from '../support/wait-for.ts'

const MIB = 1024 * 1024

describe('requests whose body is rejected while it arrives', () => {
  test('HTTP-57: the next request of the connection is answered', async (t) => {
    const cloud = await startCloud(t)
    const token = await cloud.token('ada@example.org')
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    t.after(() => agent.destroy())
    const body = Buffer.concat([
      Buffer.from('--b\r\ncontent-disposition: form-data; name="video"; filename="v.mp4"\r\n\r\nnot a video'),
      Buffer.alloc(4 * MIB),
      Buffer.from('\r\n--b--\r\n'),
    ])
    const send = async (method: string, path: string, content?: Buffer) => {
      const request = httpRequest(`${cloud.url}${path}`, {
        method,
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          ...(content && {
            'content-type': 'multipart/form-data; boundary=b',
            'content-length': content.length,
          }),
        },
      })
      request.end(content)
      const [response] = await withTimeout(
        10_000,
        once(request, 'response'),
        `no response to ${method} ${path}`,
      )
      response.resume()
      await once(response, 'end')
      return { status: response.statusCode, port: request.socket?.localPort }
    }
    const rejected = await send('POST', '/api/videos/upload', body)
    assert.equal(rejected.status, 415)
    const next = await send('GET', '/api/gallery')
    assert.deepEqual(next, { status: 200, port: rejected.port })
  })
})
