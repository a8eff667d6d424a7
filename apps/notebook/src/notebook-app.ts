import { AppServer, type AppSession } from '@mentra/sdk'

/** Keeps what the wearer says after "note", and shows it. Notes outlive the session: the cloud stores them. */
export class NotebookApp extends AppServer {
  protected override async onSession(session: AppSession): Promise<void> {
    const { events, settings, simpleStorage } = session
    events.onTranscription(({ text, isFinal }) => {
      if (isFinal) void obey(session, text)
    })
    for (const key of ['order', 'lines']) {
      settings.onValueChange(key, (value) => {
        log(`${key} is now ${value}`)
        void show(session)
      })
    }
    settings.onMentraosChange('brightness', (value: unknown) => log(`the lens has brightness ${value}`))
    log(`session started with ${await simpleStorage.size()} notes, ${settings.get('order', '')} first`)
    await show(session)
  }
}

async function obey(session: AppSession, said: string): Promise<void> {
  const { simpleStorage } = session
  const note = /^note\W+(.+)$/i.exec(said.trim())?.[1]
  if (note !== undefined) {
    await simpleStorage.set(new Date().toISOString(), note)
    // The SDK would wait some seconds for more to store; a note is kept from the moment it is shown.
    await simpleStorage.flush()
    log(`noted, ${await simpleStorage.size()} notes`)
  } else if (/^forget everything\b/i.test(said)) {
    log(`forgot everything: ${await simpleStorage.clear()}`)
  } else if (/^forget that\b/i.test(said)) {
    const last = (await simpleStorage.keys()).sort().at(-1)
    if (last !== undefined) log(`forgot a note: ${await simpleStorage.delete(last)}`)
  } else return
  await show(session)
}

async function show({ simpleStorage, settings, layouts }: AppSession): Promise<void> {
  const entries = Object.entries(await simpleStorage.getAllData()).sort(([a], [b]) => (a < b ? -1 : 1))
  if (settings.get('order', 'newest') === 'newest') entries.reverse()
  const notes = entries.slice(0, settings.get('lines', 3)).map(([, note]) => note)
  layouts.showTextWall(notes.join('\n') || 'Say "note" and what to remember')
}

/** One line a happening, without what was noted. */
function log(line: string): void {
  console.log(`notebook: ${line}`)
}
