import { type ApiAnswer, type ApiCall, FakeApiServer } from './fake-api-server.ts'

export const CLOUDFLARE_TOKEN = 'cloudflare-token'
export const CLOUDFLARE_ACCOUNT = 'account1'

interface FakeOutput {
  readonly uid: string
  readonly url: string
  readonly streamKey: string
  readonly enabled: boolean
  status: unknown
}

interface FakeInput {
  readonly uid: string
  readonly meta: unknown
  readonly recording: unknown
  readonly outputs: Map<string, FakeOutput>
  /** Ids and states of its videos. */
  readonly videos: Map<string, string>
}

/** The live inputs API of Cloudflare Stream, as its documentation describes it. */
export class FakeCloudflare {
  readonly inputs = new Map<string, FakeInput>()
  readonly videos = new Set<string>()
  #count = 0
  #server: FakeApiServer | undefined

  get server(): FakeApiServer {
    if (!this.#server) throw new Error('the server was not started')
    return this.#server
  }

  static async start(t: Parameters<typeof FakeApiServer.start>[0]): Promise<FakeCloudflare> {
    const fake = new FakeCloudflare()
    fake.#server = await FakeApiServer.start(t, (call) => fake.#handle(call))
    return fake
  }

  /** The glasses stream: a video becomes live, and outputs connect, except to hosts that begin with `bad`. */
  goLive(uid: string): void {
    const input = this.inputs.get(uid)
    if (!input) throw new Error(`there is no input ${uid}`)
    const video = this.#id('video')
    input.videos.set(video, 'live-inprogress')
    this.videos.add(video)
    for (const output of input.outputs.values()) {
      const isBad = /^rtmps?:\/\/bad/.test(output.url)
      output.status = { current: isBad ? { state: 'error', reason: 'refused' } : { state: 'connected' } }
    }
  }

  #handle({ method, path, body, authorization }: ApiCall): ApiAnswer {
    if (authorization !== `Bearer ${CLOUDFLARE_TOKEN}`) return failure(401, 10000, 'Authentication error')
    const prefix = `/client/v4/accounts/${CLOUDFLARE_ACCOUNT}/stream/`
    if (!path.startsWith(prefix)) return failure(404, 7003, 'Could not route')
    const [kind, uid, child, childId] = path.slice(prefix.length).split('/')
    if (kind !== 'live_inputs') return this.#deleteVideo(method, String(kind))
    if (uid === undefined)
      return method === 'POST'
        ? this.#create(body)
        : success({ liveInputs: [...this.inputs.values()].map(({ uid: id, meta }) => ({ uid: id, meta })) })
    const input = this.inputs.get(uid)
    if (!input) return failure(404, 10003, 'Not Found')
    if (child === undefined) return this.#deleteInput(method, input)
    if (child === 'videos')
      return success(
        [...input.videos].map(([id, state]) => ({
          uid: id,
          status: { state },
          playback: { hls: `https://customer-abc.cloudflarestream.com/${id}/manifest/video.m3u8` },
        })),
      )
    return this.#outputs(method, input, childId, body)
  }

  #create(body: unknown): ApiAnswer {
    const { meta, recording } = body as { meta: unknown; recording: unknown }
    const uid = this.#id('input')
    this.inputs.set(uid, { uid, meta, recording, outputs: new Map(), videos: new Map() })
    return success({
      uid,
      meta,
      rtmps: { url: 'rtmps://live.cloudflare.com:443/live/', streamKey: `secret-key-of-${uid}` },
      webRTCPlayback: { url: `https://customer-abc.cloudflarestream.com/${uid}/webRTC/play` },
      status: null,
    })
  }

  #deleteInput(method: string, { uid }: FakeInput): ApiAnswer {
    if (method === 'DELETE') this.inputs.delete(uid)
    return success(undefined)
  }

  #deleteVideo(method: string, video: string): ApiAnswer {
    if (method !== 'DELETE' || !this.videos.delete(video)) return failure(404, 10003, 'Not Found')
    return { status: 200 }
  }

  #outputs(method: string, input: FakeInput, uid: string | undefined, body: unknown): ApiAnswer {
    if (method === 'POST') {
      const output = {
        uid: this.#id('output'),
        ...(body as Pick<FakeOutput, 'url' | 'streamKey' | 'enabled'>),
      }
      input.outputs.set(output.uid, { ...output, status: { current: { state: 'connecting' } } })
      return success(output)
    }
    if (method === 'GET') return success([...input.outputs.values()])
    return input.outputs.delete(String(uid)) ? success(undefined) : failure(404, 10003, 'Not Found')
  }

  #id(kind: string): string {
    this.#count += 1
    return `${kind}${this.#count}`
  }
}

function success(result: unknown): ApiAnswer {
  return { status: 200, body: { success: true, errors: [], messages: [], result } }
}

function failure(status: number, code: number, message: string): ApiAnswer {
  return { status, body: { success: false, errors: [{ code, message }], messages: [], result: null } }
}
