import type { TestContext } from 'node:test'
import { type ApiAnswer, type ApiCall, FakeApiServer } from './fake-api-server.ts'

interface FakePath {
  readonly source?: string
  readonly forward?: readonly { readonly dest: string }[]
  online?: boolean
}

/** The control API of MediaMTX 1.21, as its OpenAPI document describes it. */
export class FakeMediaMtx {
  readonly paths = new Map<string, FakePath>()
  #server: FakeApiServer | undefined

  get server(): FakeApiServer {
    if (!this.#server) throw new Error('the server was not started')
    return this.#server
  }

  static async start(t: TestContext): Promise<FakeMediaMtx> {
    const fake = new FakeMediaMtx()
    fake.#server = await FakeApiServer.start(t, (call) => fake.#handle(call))
    return fake
  }

  /** The glasses publish to the path that an input takes its video from. */
  goLive(inputId: string): void {
    const input = this.paths.get(inputId)
    const ingest = this.paths.get(String(input?.source?.split('/').at(-1)))
    if (!input || !ingest) throw new Error(`there is no input ${inputId}`)
    input.online = true
    ingest.online = true
  }

  #handle({ method, path, body }: ApiCall): ApiAnswer {
    const url = new URL(path, 'http://mediamtx')
    const [, , ...segments] = url.pathname.split('/')
    const name = decodeURIComponent(segments.at(-1) ?? '')
    const known = this.paths.get(name)
    switch (`${method} ${segments.slice(0, -1).join('/')}`) {
      case 'POST config/paths/add':
        if (known) return failure(400, 'path already exists')
        this.paths.set(name, body as FakePath)
        return OK
      case 'PATCH config/paths/patch':
        if (!known) return failure(404, 'path configuration not found')
        this.paths.set(name, { ...known, ...(body as FakePath) })
        return OK
      case 'GET config/paths/get':
        return known
          ? { status: 200, body: { name, ...known } }
          : failure(404, 'path configuration not found')
      case 'DELETE config/paths/delete':
        return this.paths.delete(name) ? OK : failure(404, 'path configuration not found')
      case 'GET paths/get':
        return known?.online
          ? { status: 200, body: { name, online: true, ready: true } }
          : failure(404, 'path not found')
      case 'GET paths':
        return { status: 200, body: { itemCount: 0, pageCount: 0, items: [] } }
      case 'GET paths/forward-dests':
        return this.#destinations(String(url.searchParams.get('path')))
      default:
        return failure(404, 'not found')
    }
  }

  #destinations(name: string): ApiAnswer {
    const path = this.paths.get(name)
    if (!path?.online) return failure(404, 'path not found')
    const items = (path.forward ?? []).map((conf, pos) => {
      const isBad = conf.dest.startsWith('rtmp://bad')
      return {
        id: `${pos}`,
        pos,
        conf,
        type: 'rtmp',
        state: isBad ? 'error' : 'forwarding',
        lastError: isBad ? 'refused' : '',
      }
    })
    return { status: 200, body: { itemCount: items.length, pageCount: 1, items } }
  }
}

const OK: ApiAnswer = { status: 200, body: { status: 'ok' } }

function failure(status: number, error: string): ApiAnswer {
  return { status, body: { status: 'error', error } }
}
