// An app on the version of the app SDK in SDK_ROOT, run in a child process. Prints what its SDK reports.

import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

const { SDK_ROOT = '', KIND, PACKAGE_NAME = '', API_KEY = '', PORT } = process.env
// SDK 3 imports an adapter that needs the runtime Bun when it is loaded.
Object.assign(globalThis, { Bun: { file: () => ({}) } })
const sdk: Sdk = await import(pathToFileURL(`${SDK_ROOT}/node_modules/@mentra/sdk/dist/index.js`).href)
const config = { packageName: PACKAGE_NAME, apiKey: API_KEY, port: Number(PORT), cookieSecret: API_KEY }

type Handler = (event: { text?: string; isFinal?: boolean; message?: string; pressType?: string }) => void
type Listen = (handler: Handler) => unknown

/** What the app uses of the session of `AppServer`. */
interface Session {
  readonly layouts: { showTextWall(text: string): void }
  readonly events: { onTranscription: Listen; onButtonPress: Listen; onError: Listen }
  readonly camera: { requestPhoto(): Promise<{ readonly size: number }> }
  readonly audio: { speak(text: string): Promise<unknown> }
}

/** What the app uses of the session of `MiniAppServer`. */
interface MiniSession {
  readonly display: { showTextWall(text: string): void }
  readonly transcription: { on: Listen }
  readonly device: { onButtonPress: Listen }
  readonly camera: { takePhoto(): Promise<{ readonly url: string }> }
  readonly speaker: { speak(text: string): Promise<unknown> }
  onError: Listen
}

/** What the app uses of both kinds of server. */
interface Server {
  start(): Promise<void>
  fetch?(request: Request): Promise<Response>
}

interface Sdk {
  readonly AppServer: new (config: object) => Server
  readonly MiniAppServer: new (
    config: object,
  ) => Server & { onSession(start: (session: MiniSession) => void): void }
}

/**
 * Shows what it hears; takes a photo when the button is pressed, or shows why there is none; speaks when it is pressed
 * for long.
 */
function behave(
  show: (text: string) => void,
  on: { readonly speech: Listen; readonly button: Listen; readonly error: Listen },
  takePhoto: () => Promise<{ readonly size: number }>,
  speak: (text: string) => Promise<unknown>,
): void {
  on.error(({ message }) => console.log('ERROR', message))
  on.speech(({ text, isFinal }) => isFinal && show(`heard ${text}`))
  on.button(({ pressType }) => {
    if (pressType === 'long') return void speak('good evening').catch((error) => console.log('ERROR', error))
    takePhoto().then(
      ({ size }) => show(`photo of ${size > 0 ? 'some' : 'no'} bytes`),
      (error) => show(`no photo: ${error instanceof Error ? error.message : error}`),
    )
  })
  show('ready')
}

function createApp(): Server {
  if (KIND === 'mini') {
    const app = new sdk.MiniAppServer(config)
    app.onSession((session) =>
      behave(
        (text) => session.display.showTextWall(text),
        {
          speech: (handler) => session.transcription.on(handler),
          button: (handler) => session.device.onButtonPress(handler),
          error: (handler) => session.onError(handler),
        },
        async () => {
          const response = await fetch((await session.camera.takePhoto()).url)
          return { size: response.ok ? (await response.arrayBuffer()).byteLength : 0 }
        },
        (text) => session.speaker.speak(text),
      ),
    )
    return app
  }
  return new (class extends sdk.AppServer {
    async onSession(session: Session) {
      behave(
        (text) => session.layouts.showTextWall(text),
        {
          speech: (handler) => session.events.onTranscription(handler),
          button: (handler) => session.events.onButtonPress(handler),
          error: (handler) => session.events.onError(handler),
        },
        () => session.camera.requestPhoto(),
        (text) => session.audio.speak(text),
      )
    }
  })(config)
}

const app = createApp()
await app.start()
// SDK 3 leaves it to the developer to serve the app.
const serve = app.fetch?.bind(app)
if (serve)
  createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
    const headers = request.headers as Record<string, string>
    const url = `http://127.0.0.1:${PORT}${request.url}`
    const answer: Response = await serve(
      new Request(url, { method: request.method ?? 'GET', headers, ...body }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  }).listen(Number(PORT), '127.0.0.1')
