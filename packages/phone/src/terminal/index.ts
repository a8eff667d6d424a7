import { createInterface } from 'node:readline'
import { cleanText } from '../pages/clean-text.ts'
import { Glasses } from '../simulated/glasses.ts'
import { runCommand } from './commands.ts'
import { PlainScreen, RedrawnScreen, type Screen } from './redrawn-screen.ts'

/** Options of the terminal program. */
export interface SimulateOptions {
  /** URL of the cloud, for instance `http://127.0.0.1:8080`. */
  readonly url: string
  /** A core token of the user. */
  readonly token: string
  /** E-mail address of the user; for display only. */
  readonly email?: string
  /** `Simulated Glasses` by default. */
  readonly model?: string
  readonly dialect?: 'flat' | 'envelope'
  /** What stream requests publish: `testsrc` for a test picture, or a media file. Without it, no video is sent. */
  readonly publish?: string
  /** Milliseconds between two recognized words; 120 by default. */
  readonly wordMs?: number
  /** Commands, one per line. */
  readonly input: NodeJS.ReadableStream
  /** Redrawn in place if it is a terminal, otherwise appended line by line. */
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/**
 * Runs simulated glasses in a terminal: connects, draws the display and runs the commands of `input`, until `quit`, the
 * end of the input, or a close that is final.
 * @throws {Error} if the cloud is unreachable or rejects the connection
 */
export async function simulate(options: SimulateOptions): Promise<void> {
  const { url, token, model, dialect, publish, input, output, wordMs = 120 } = options
  const glasses = new Glasses({
    url,
    token,
    ...(model && { model }),
    ...(dialect && { dialect }),
    ...(publish && {
      streaming: {
        kind: 'publish',
        source: publish === 'testsrc' ? { kind: 'testsrc' } : { kind: 'file', path: publish },
      },
    }),
  })
  // Without this line the program would be silent until the deadline if the cloud is not running.
  const reportError = (error: Error) =>
    output.write(`Cannot reach ${url} (${cleanText(error.message || String(error))}); retrying …\n`)
  glasses.once('error', reportError)
  await glasses.connect()
  glasses.off('error', reportError)

  const lines = createInterface({ input, output, terminal: output.isTTY === true, prompt: '> ' })
  const screen: Screen = output.isTTY
    ? new RedrawnScreen(output, glasses.display, () => lines.prompt(true))
    : new PlainScreen((text) => output.write(text))
  const owner = options.email === undefined ? 'Glasses' : `Glasses of ${options.email}`
  screen.print(`${owner} connected to ${url}. Type help for a list of commands.`)
  showEvents(glasses, screen, () => lines.close())
  // In raw mode Ctrl+C arrives as input and does not raise the signal.
  lines.on('SIGINT', () => lines.close())
  try {
    for await (const line of lines) {
      if (!(await runCommand(line, { glasses, print: screen.print.bind(screen), wordMs }))) break
    }
  } finally {
    // Without listeners nothing is drawn over the shell prompt while the glasses disconnect.
    glasses.removeAllListeners()
    lines.close()
    await glasses.disconnect()
  }
}

/** Shows the events of the glasses. Calls `onEnd` after a close that is final. */
function showEvents(glasses: Glasses, screen: Screen, onEnd: () => void): void {
  const running = new Set<string>()
  const showState = () => {
    const apps = [...running].sort().join(', ') || 'none'
    const connection = glasses.isConnected ? 'connected' : 'disconnected'
    screen.showState(`${connection} · microphone ${glasses.microphoneOn ? 'on' : 'off'} · apps: ${apps}`)
  }
  glasses.on('displayChange', (display) => screen.showDisplay(display))
  glasses.on('microphone', showState)
  glasses.on('ack', showState)
  glasses.on('appStateChange', ({ activeApps }) => {
    running.clear()
    for (const packageName of activeApps ?? []) running.add(cleanText(packageName))
    showState()
  })
  glasses.on('photo', (outcome) =>
    screen.print(outcome.ok ? 'Photo taken' : `Photo failed: ${cleanText(outcome.errorMessage)}`),
  )
  glasses.on('audioPlayed', ({ durationSeconds, error = '' }) =>
    screen.print(
      durationSeconds === undefined
        ? `Audio failed: ${cleanText(error)}`
        : `Audio played (${durationSeconds.toFixed(1)} s)`,
    ),
  )
  glasses.on('ledCommand', ({ action, color }) =>
    screen.print(`LED ${action === 'on' ? cleanText(color) : 'off'}`),
  )
  glasses.on('wifiSetupRequest', ({ reason }) =>
    screen.print(`An app requests Wi-Fi: ${cleanText(String(reason ?? 'no reason given'))}`),
  )
  glasses.on('reconnecting', ({ delayMs }) =>
    screen.print(`Reconnecting in ${(delayMs / 1_000).toFixed(1)} s`),
  )
  glasses.on('close', ({ reason, code, willReconnect }) => {
    screen.print(`Connection closed: ${cleanText(reason) || 'no reason given'} (${code})`)
    showState()
    if (!willReconnect) onEnd()
  })
  showState()
}
