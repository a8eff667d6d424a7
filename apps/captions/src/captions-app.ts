import { AppServer, type AppSession } from '@mentra/sdk'
import { Captions } from './captions.ts'

/** Characters a line; lenses of this ecosystem show about so many. */
const WIDTH = 40

/** Lines on glasses that do not say how many they have. */
const DEFAULT_LINES = 5

/** After so long a silence, in milliseconds, the lens is cleared. */
const SILENCE_MS = 20_000

/** Shows what is said around the wearer, as it is said. */
export class CaptionsApp extends AppServer {
  protected override async onSession(session: AppSession): Promise<void> {
    const lines = session.capabilities?.display?.maxTextLines ?? DEFAULT_LINES
    const captions = new Captions({ width: WIDTH, lines })
    session.layouts.showReferenceCard('Captions', 'Ready. Say something.')
    session.events.onTranscription(({ text, isFinal }) => {
      captions.hear(text, isFinal)
      session.layouts.showTextWall(captions.text, { durationMs: SILENCE_MS })
      if (isFinal) log(`captioned ${text.trim().split(/\s+/).length} words`)
    })
    session.events.onDisconnected(() => log('lost the connection to the cloud'))
    session.events.onPermissionError(({ message }) => log(`may not listen: ${message}`))
    log('session started, listening')
  }

  protected override async onStop(sessionId: string, userId: string, reason: string): Promise<void> {
    await super.onStop(sessionId, userId, reason)
    log(`session stopped: ${reason}`)
  }
}

/** One line a happening, without names and without what was said. */
function log(line: string): void {
  console.log(`captions: ${line}`)
}
