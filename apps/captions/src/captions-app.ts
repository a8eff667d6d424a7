import { AppServer, type AppSession } from '@mentra/sdk'
import { Captions } from './captions.ts'

/** Typical line length of the supported glasses, in characters. */
const LINE_CHARACTERS = 40

/** Lines on glasses that do not report their number of lines. */
const DEFAULT_LINES = 5

/** The display is cleared after this time without speech. */
const CLEAR_AFTER_MS = 20_000

/** Shows the transcription of speech while it is spoken. */
export class CaptionsApp extends AppServer {
  protected override async onSession(session: AppSession): Promise<void> {
    const lines = session.capabilities?.display?.maxTextLines ?? DEFAULT_LINES
    const captions = new Captions({ width: LINE_CHARACTERS, lines })
    session.layouts.showReferenceCard('Captions', 'Ready. Say something.')
    session.events.onTranscription(({ text, isFinal }) => {
      captions.add(text, isFinal)
      session.layouts.showTextWall(captions.text, { durationMs: CLEAR_AFTER_MS })
      if (isFinal) log(`captioned ${text.trim().split(/\s+/).length} words`)
    })
    session.events.onDisconnected(() => log('lost the connection to the cloud'))
    session.events.onPermissionError(({ message }) => log(`permission denied: ${message}`))
    log('session started')
  }

  protected override async onStop(sessionId: string, userId: string, reason: string): Promise<void> {
    await super.onStop(sessionId, userId, reason)
    log(`session stopped: ${reason}`)
  }
}

/** Logs one line. Never contains names or transcripts. */
function log(line: string): void {
  console.log(`captions: ${line}`)
}
