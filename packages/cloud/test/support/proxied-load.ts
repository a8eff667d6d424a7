import { setTimeout as delay } from 'node:timers/promises'
import { sendThrough } from './proxied-request.ts'

/** Time between two requests of a client, so that a test does not fill the processor. */
const PAUSE_MS = 150

/** A request that was not answered with 200. */
export interface FailedRequest {
  readonly method: string
  /** 0 if the connection was closed instead. */
  readonly status: number
}

/** A client that writes and reads through a proxy until it is stopped. */
export interface ProxiedLoad {
  /** The writes that were acknowledged. */
  readonly written: readonly string[]
  readonly failed: readonly FailedRequest[]
  stop(): Promise<void>
}

/** Writes a setting and reads the settings of a user in turn, each request on a connection of its own. */
export function startLoad(url: string, token: string): ProxiedLoad {
  const path = `${url}/api/client/user/settings`
  const written: string[] = []
  const failed: FailedRequest[] = []
  let isStopped = false
  const send = async (method: string, body?: object) => {
    const sent = sendThrough(path, { method, token, ...(body && { body }) })
    const status = await sent.then(
      (response) => response.status,
      () => 0,
    )
    if (status !== 200) failed.push({ method, status })
    return status === 200
  }
  const run = async () => {
    for (let index = 0; !isStopped; index += 1) {
      const key = `key-${index}`
      if (await send('POST', { settings: { [key]: key } })) written.push(key)
      await send('GET')
      await delay(PAUSE_MS)
    }
  }
  const running = run()
  return {
    written,
    failed,
    async stop() {
      isStopped = true
      await running
    },
  }
}

/** Returns the settings of a user. */
export async function readSettings(url: string, token: string): Promise<Record<string, unknown>> {
  const { text } = await sendThrough(`${url}/api/client/user/settings`, { token })
  return (JSON.parse(text) as { data: { settings: Record<string, unknown> } }).data.settings
}
