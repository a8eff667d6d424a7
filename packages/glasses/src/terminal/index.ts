import { createInterface } from 'node:readline'
import { sanitize } from '../display/text.ts'
import { Glasses } from '../glasses.ts'
import { Phone } from '../phone.ts'
import { runCommand } from './commands.ts'
import { RedrawnScreen } from './redrawn-screen.ts'
import { PlainScreen, type Screen } from './screen.ts'

/** Simulated glasses in a terminal. */
export interface SimulateOptions {
  /** The cloud, for instance `http://127.0.0.1:8080`. */
  readonly url: string
  /** A core token of the wearer. */
  readonly token: string
  /** Whose glasses these are; shown, nothing else. */
  readonly email?: string
  /** `Simulated Glasses` by default. */
  readonly model?: string
  readonly dialect?: 'flat' | 'envelope'
  /** Milliseconds between two spoken words; 120 by default. */
  readonly wordMs?: number
  /** Commands, a line each. */
  readonly input: NodeJS.ReadableStream
  /** Redrawn where it is a terminal, written line by line elsewhere. */
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/**
 * Connects, draws the lens and obeys the lines of `input` until `quit`, its end, or a close by the cloud that is final.
 * @throws when the cloud cannot be reached or refuses
 */
export async function simulate(options: SimulateOptions): Promise<void> {
  const { url, token, model, dialect, input, output, wordMs = 120 } = options
  const glasses = new Glasses({ url, token, ...(model && { model }), ...(dialect && { dialect }) })
  const phone = new Phone({ url, token })
  // Whoever forgot to start the cloud should not look at nothing until the time is up.
  const tellTrouble = (error: Error) =>
    output.write(`${url} does not answer (${sanitize(error.message || String(error))}); still trying\n`)
  glasses.once('error', tellTrouble)
  await glasses.connect()
  glasses.off('error', tellTrouble)

  const lines = createInterface({ input, output, terminal: output.isTTY === true, prompt: '> ' })
  const screen: Screen = output.isTTY
    ? new RedrawnScreen(output, glasses.display, () => lines.prompt(true))
    : new PlainScreen((text) => output.write(text))
  const wearer = options.email ?? 'the wearer'
  screen.print(`The glasses of ${wearer} are connected to ${url}. Type help for what you can do.`)
  showEvents(glasses, screen, () => lines.close())
  // Whoever presses Ctrl+C wants out, in a terminal as anywhere.
  lines.on('SIGINT', () => lines.close())
  try {
    for await (const line of lines) {
      if (!(await runCommand(line, { glasses, phone, print: screen.print.bind(screen), wordMs }))) break
    }
  } finally {
    // Nobody watches any more: the screen ends with the last line typed.
    glasses.removeAllListeners()
    lines.close()
    await glasses.disconnect()
  }
}

/** Shows what happens to the glasses; `onEnd` is called when they will not come back by themselves. */
function showEvents(glasses: Glasses, screen: Screen, onEnd: () => void): void {
  const running = new Set<string>()
  const showState = () => {
    const apps = [...running].sort().join(', ') || 'none'
    const connection = glasses.isConnected ? 'connected' : 'not connected'
    screen.showState(`${connection} · microphone ${glasses.microphoneOn ? 'on' : 'off'} · apps: ${apps}`)
  }
  glasses.on('lens', (lens) => screen.showDisplay(lens))
  glasses.on('microphone', showState)
  glasses.on('ack', showState)
  glasses.on('appStateChange', ({ activeApps }) => {
    running.clear()
    for (const packageName of activeApps ?? []) running.add(sanitize(packageName))
    showState()
  })
  glasses.on('photo', (outcome) =>
    screen.print(outcome.ok ? 'took a photo' : `could not take a photo: ${sanitize(outcome.errorMessage)}`),
  )
  glasses.on('sound', ({ seconds, error = '' }) =>
    screen.print(
      seconds === undefined
        ? `could not play a sound: ${sanitize(error)}`
        : `played a sound of ${seconds.toFixed(1)} s`,
    ),
  )
  glasses.on('light', ({ action, color }) =>
    screen.print(`the light goes ${action === 'on' ? sanitize(color) : 'off'}`),
  )
  glasses.on('wifiSetup', ({ reason }) =>
    screen.print(`an app asks for Wi-Fi: ${sanitize(String(reason ?? 'no reason given'))}`),
  )
  glasses.on('reconnecting', ({ delayMs }) =>
    screen.print(`trying again in ${(delayMs / 1_000).toFixed(1)} s`),
  )
  glasses.on('close', ({ reason, code, willReconnect }) => {
    screen.print(`connection lost: ${sanitize(reason) || 'no reason given'} (${code})`)
    showState()
    if (!willReconnect) onEnd()
  })
  showState()
}
