import { AppServer, type AppSession } from '@mentra/sdk'
import { verifyWebhooks } from 'verify-webhooks'

/** Saves the speech after the word "note" in simple storage and shows the notes. They persist across sessions. */
class NotebookApp extends AppServer {
  protected override async onSession(session: AppSession): Promise<void> {
    const { events, settings, simpleStorage } = session
    events.onTranscription(({ text, isFinal }) => {
      if (isFinal) void handleSpeech(session, text)
    })
    for (const key of ['order', 'lines']) {
      settings.onValueChange(key, (value) => {
        log(`${key} is now ${value}`)
        void show(session)
      })
    }
    settings.onMentraosChange('brightness', (value: unknown) => log(`brightness is now ${value}`))
    log(`session started with ${await simpleStorage.size()} notes, ${settings.get('order', '')} first`)
    await show(session)
  }
}

async function handleSpeech(session: AppSession, text: string): Promise<void> {
  const { simpleStorage } = session
  const note = /^note[^\p{L}\p{N}]+(.+)$/iu.exec(text.trim())?.[1]
  if (note !== undefined) {
    await simpleStorage.set(new Date().toISOString(), note)
    // The SDK batches writes for some seconds; flush, so that a visible note is a stored note.
    await simpleStorage.flush()
    log(`saved, ${await simpleStorage.size()} notes`)
  } else if (/^forget everything\b/i.test(text)) {
    log(`deleted all notes: ${await simpleStorage.clear()}`)
  } else if (/^forget that\b/i.test(text)) {
    const last = (await simpleStorage.keys()).sort().at(-1)
    if (last !== undefined) log(`deleted a note: ${await simpleStorage.delete(last)}`)
  } else return
  await show(session)
}

async function show({ simpleStorage, settings, layouts }: AppSession): Promise<void> {
  const entries = Object.entries(await simpleStorage.getAllData()).sort(([a], [b]) => (a < b ? -1 : 1))
  if (settings.get('order', 'newest') === 'newest') entries.reverse()
  const notes = entries.slice(0, settings.get('lines', 3)).map(([, note]) => note)
  layouts.showTextWall(notes.join('\n') || 'Say "note" and a text')
}

/** Logs one line. Never contains the notes. */
function log(line: string): void {
  console.log(`notebook: ${line}`)
}

const { API_KEY, PACKAGE_NAME = 'dev.example.notebook', PORT = '7013' } = process.env

const port = Number(PORT)
if (!API_KEY) {
  console.error('notebook: set API_KEY to the key that "cli app register" printed')
  process.exit(1)
}
if (!Number.isInteger(port) || port < 1 || port > 65_535) {
  console.error(`notebook: PORT must be a port number from 1 to 65535 (got "${PORT}")`)
  process.exit(1)
}

const server = new NotebookApp({ packageName: PACKAGE_NAME, apiKey: API_KEY, port })
verifyWebhooks(server, API_KEY)
// The server listens immediately; the promise also waits for the SDK's version check, which may take seconds.
await server.start()
