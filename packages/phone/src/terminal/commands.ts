import { LC3_FRAME_SIZES_BYTES } from '@glasses-cloud/contract'
import { readWav } from '../audio/wav.ts'
import type { CameraBehavior } from '../simulated/camera/photo-request.ts'
import type { Glasses } from '../simulated/glasses.ts'

export interface CommandContext {
  readonly glasses: Glasses
  readonly print: (line: string) => void
  /** Milliseconds between two recognized words. */
  readonly wordMs: number
}

interface Command {
  readonly usage: string
  readonly help: string
  /** @param args the text after the command name */
  readonly run: (context: CommandContext, args: string) => void | Promise<void>
}

const CAMERA_BEHAVIORS: Record<string, CameraBehavior> = {
  on: { kind: 'direct' },
  phone: { kind: 'phone' },
  fail: { kind: 'fail', errorCode: 'CAMERA_BUSY', errorMessage: 'The camera is busy' },
  off: { kind: 'ignore' },
}

/** Invalid arguments; the usage of the command is printed. */
class UsageError extends Error {}

/** The commands by name. */
const commands: Record<string, Command> = {
  say: {
    usage: 'say TEXT',
    help: 'speak a sentence; the phone recognizes it',
    run: async ({ glasses, print, wordMs }, args) => {
      const { resultsSkipped } = await glasses.speak(requireArgument(args), { wordMs })
      if (resultsSkipped > 0) print('Not sent: no app is subscribed to transcriptions')
    },
  },
  audio: {
    usage: 'audio FILE.wav',
    help: 'play a WAV file into the microphone',
    run: async ({ glasses, print }, args) => {
      const { framesSent, framesSkipped } = await glasses.playAudio(await readWav(requireArgument(args)))
      print(`Sent ${framesSent} frames, skipped ${framesSkipped} that the cloud did not require`)
    },
  },
  sound: {
    usage: 'sound pcm|lc3 [20|40|60]',
    help: 'set the audio format; LC3 with frames of 20, 40 or 60 bytes',
    run: async ({ glasses }, args) => {
      const [name = '', size = '20', ...more] = args.split(/\s+/)
      const frameSizeBytes = LC3_FRAME_SIZES_BYTES.find((bytes) => String(bytes) === size)
      if (frameSizeBytes === undefined || more.length > 0) throw new UsageError()
      const format = parseChoice(name, ['pcm', 'lc3'])
      await glasses.configureAudio(format === 'pcm' ? { format } : { format, frameSizeBytes })
    },
  },
  button: {
    usage: 'button [ID] [short|long]',
    help: 'press a button',
    run: ({ glasses }, args) => {
      const words = args.split(/\s+/).filter(Boolean)
      const length = words.find((word) => word === 'short' || word === 'long') ?? 'short'
      glasses.pressButton(words.find((word) => word !== length) ?? 'camera', length)
    },
  },
  head: {
    usage: 'head up|down',
    help: 'move the head up or down',
    run: ({ glasses }, args) => glasses.moveHead(parseChoice(args, ['up', 'down'])),
  },
  touch: {
    usage: 'touch GESTURE',
    help: 'touch the temple: single_tap, forward_swipe and so on',
    run: ({ glasses }, args) => glasses.touch(requireArgument(args)),
  },
  vad: {
    usage: 'vad on|off',
    help: 'report that speech starts or stops',
    run: ({ glasses }, args) => glasses.sendVad(parseChoice(args, ['on', 'off']) === 'on'),
  },
  battery: {
    usage: 'battery PERCENT',
    help: 'report the battery of the glasses',
    run: ({ glasses }, args) => {
      const level = Number(requireArgument(args))
      if (!Number.isInteger(level) || level < 0 || level > 100) throw new UsageError()
      glasses.reportBattery(level)
    },
  },
  photo: {
    usage: 'photo [on|phone|fail|off]',
    help: 'take a photo for the gallery, or handle photo requests: upload directly, through the phone, fail, or ignore',
    run: async ({ glasses }, args) => {
      if (args === '') await glasses.takePhoto()
      else
        glasses.camera = CAMERA_BEHAVIORS[parseChoice(args, Object.keys(CAMERA_BEHAVIORS))] ?? glasses.camera
    },
  },
  speaker: {
    usage: 'speaker on|fail|off',
    help: 'handle audio of apps: play, fail, or ignore',
    run: ({ glasses }, args) => {
      const error = 'The speaker does not work'
      const kind = parseBehavior(args, 'play')
      glasses.audioPlayer.behavior = kind === 'fail' ? { kind, error } : { kind }
    },
  },
  led: {
    usage: 'led on|fail|off',
    help: 'handle LED commands of apps: apply, fail, or ignore',
    run: ({ glasses }, args) => {
      const error = 'device_not_supported'
      const kind = parseBehavior(args, 'apply')
      glasses.led.behavior = kind === 'fail' ? { kind, error } : { kind }
    },
  },
  wifi: {
    usage: 'wifi NETWORK|off',
    help: 'join a Wi-Fi network, or leave it',
    run: ({ glasses }, args) =>
      requireArgument(args) === 'off' ? glasses.leaveWifi() : glasses.joinWifi(args),
  },
  place: {
    usage: 'place LATITUDE LONGITUDE',
    help: 'set and report the position',
    run: ({ glasses }, args) => {
      const [lat = Number.NaN, lng = Number.NaN, ...more] = requireArgument(args)
        .split(/[\s,]+/)
        .map(Number)
      if (more.length > 0 || !(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) throw new UsageError()
      glasses.position = { lat, lng }
      glasses.reportPosition(lat, lng)
    },
  },
  wear: {
    usage: 'wear MODEL|nothing',
    help: 'connect glasses of another model, or disconnect them',
    run: ({ glasses }, args) =>
      requireArgument(args) === 'nothing' ? glasses.takeOff() : glasses.putOn(args),
  },
  apps: {
    usage: 'apps',
    help: 'list the apps',
    run: async ({ glasses, print }) => {
      for (const app of await glasses.api.listApps()) {
        const state = app.running ? 'running' : app.installed ? 'installed' : 'available'
        print(`${state.padEnd(9)}  ${app.packageName}  ${app.name}`)
      }
    },
  },
  install: {
    usage: 'install PACKAGE',
    help: 'install an app',
    run: async ({ glasses }, args) => {
      await glasses.api.install(requireArgument(args))
    },
  },
  start: {
    usage: 'start PACKAGE',
    help: 'start an app',
    run: async ({ glasses }, args) => {
      await glasses.api.startApp(requireArgument(args))
    },
  },
  stop: {
    usage: 'stop PACKAGE',
    help: 'stop an app',
    run: async ({ glasses }, args) => {
      await glasses.api.stopApp(requireArgument(args))
    },
  },
  wait: {
    usage: 'wait TEXT',
    help: 'wait until the display shows a text',
    run: async ({ glasses }, args) => {
      await glasses.waitForDisplay(requireArgument(args), { timeoutMs: 30_000 })
    },
  },
  lose: {
    usage: 'lose',
    help: 'drop the connection; the glasses reconnect',
    run: ({ glasses }) => glasses.loseConnection(),
  },
  help: { usage: 'help', help: 'list the commands', run: ({ print }) => print(helpText()) },
  quit: { usage: 'quit', help: 'disconnect and exit', run: () => {} },
}

/**
 * Runs a typed line and prints its errors.
 * @returns `false` after `quit`
 */
export async function runCommand(line: string, context: CommandContext): Promise<boolean> {
  const [, name = '', args = ''] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(line) ?? []
  if (name === '') return true
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    context.print(`Unknown command "${name}". Type help for a list.`)
    return true
  }
  try {
    await command.run(context, args)
  } catch (error) {
    if (error instanceof UsageError) context.print(`Usage: ${command.usage}`)
    else context.print(error instanceof Error ? error.message : String(error))
  }
  return name !== 'quit'
}

function helpText(): string {
  const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length))
  return Object.values(commands)
    .map(({ usage, help }) => `${usage.padEnd(width)}  ${help}`)
    .join('\n')
}

function requireArgument(args: string): string {
  if (args === '') throw new UsageError()
  return args
}

/** Maps `on`, `fail` and `off` to the behavior kinds `action`, `fail` and `ignore`. */
function parseBehavior<const Action extends string>(
  args: string,
  action: Action,
): Action | 'fail' | 'ignore' {
  const word = parseChoice(args, ['on', 'fail', 'off'])
  return word === 'on' ? action : word === 'off' ? 'ignore' : word
}

function parseChoice<const Choice extends string>(args: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((candidate) => candidate === args)
  if (choice === undefined) throw new UsageError()
  return choice
}
