import { lc3FrameSizes } from '@glasses-cloud/contract'
import { readWav } from '../audio/wav.ts'
import type { CameraBehavior } from '../camera/photo-request.ts'
import type { Glasses } from '../glasses.ts'
import type { Phone } from '../phone.ts'

/** What a command works with. */
export interface CommandContext {
  readonly glasses: Glasses
  readonly phone: Phone
  readonly print: (line: string) => void
  /** Milliseconds between two spoken words. */
  readonly wordMs: number
}

/** One thing the wearer can do. */
interface Command {
  readonly usage: string
  readonly help: string
  /** @param rest what was typed after the command's name */
  readonly run: (wearer: CommandContext, rest: string) => void | Promise<void>
}

const CAMERA_BEHAVIORS: Record<string, CameraBehavior> = {
  on: { kind: 'direct' },
  phone: { kind: 'phone' },
  fail: { kind: 'fail', errorCode: 'CAMERA_BUSY', errorMessage: 'The camera is busy' },
  off: { kind: 'ignore' },
}

/** Whatever is typed wrongly is answered with this sentence. */
class UsageError extends Error {}

/** Everything that can be typed, by name. */
const commands: Record<string, Command> = {
  say: {
    usage: 'say TEXT',
    help: 'speak; the phone recognises it',
    run: async ({ glasses, print, wordMs }, rest) => {
      if (!glasses.microphoneOn) print('(the microphone is off: no app listens)')
      await glasses.speak(requireArgument(rest), { wordMs })
    },
  },
  audio: {
    usage: 'audio FILE.wav',
    help: 'play sound into the microphone',
    run: async ({ glasses, print }, rest) => {
      const { framesSent, framesSkipped } = await glasses.playAudio(await readWav(requireArgument(rest)))
      print(`sent ${framesSent} frames, ${framesSkipped} with the microphone off`)
    },
  },
  sound: {
    usage: 'sound pcm|lc3 [20|40|60]',
    help: 'send sound in another format; LC3 in frames of so many bytes',
    run: async ({ glasses }, rest) => {
      const [name = '', size = '20', ...more] = rest.split(/\s+/)
      const frameSizeBytes = lc3FrameSizes.find((bytes) => String(bytes) === size)
      if (frameSizeBytes === undefined || more.length > 0) throw new UsageError()
      const format = parseChoice(name, ['pcm', 'lc3'])
      await glasses.configureAudio(format === 'pcm' ? { format } : { format, frameSizeBytes })
    },
  },
  button: {
    usage: 'button [ID] [short|long]',
    help: 'press a button',
    run: ({ glasses }, rest) => {
      const words = rest.split(/\s+/).filter(Boolean)
      const length = words.find((word) => word === 'short' || word === 'long') ?? 'short'
      glasses.pressButton(words.find((word) => word !== length) ?? 'camera', length)
    },
  },
  head: {
    usage: 'head up|down',
    help: 'lift or lower the head',
    run: ({ glasses }, rest) => glasses.moveHead(parseChoice(rest, ['up', 'down'])),
  },
  touch: {
    usage: 'touch GESTURE',
    help: 'single_tap, forward_swipe and so on',
    run: ({ glasses }, rest) => glasses.touch(requireArgument(rest)),
  },
  vad: {
    usage: 'vad on|off',
    help: 'speech starts or stops',
    run: ({ glasses }, rest) => glasses.sendVad(parseChoice(rest, ['on', 'off']) === 'on'),
  },
  battery: {
    usage: 'battery PERCENT',
    help: 'battery of the glasses',
    run: ({ glasses }, rest) => {
      const level = Number(requireArgument(rest))
      if (!Number.isInteger(level) || level < 0 || level > 100) throw new UsageError()
      glasses.reportBattery(level)
    },
  },
  photo: {
    usage: 'photo on|phone|fail|off',
    help: 'answer photo requests directly, by way of the phone, with a failure, not at all',
    run: ({ glasses }, rest) => {
      glasses.camera = CAMERA_BEHAVIORS[parseChoice(rest, Object.keys(CAMERA_BEHAVIORS))] ?? glasses.camera
    },
  },
  speaker: {
    usage: 'speaker on|fail|off',
    help: 'play the sounds of apps, fail at it, or do not answer',
    run: ({ glasses }, rest) => {
      const error = 'The speaker is broken'
      const kind = parseBehavior(rest, 'play')
      glasses.audioPlayer.behavior = kind === 'fail' ? { kind, error } : { kind }
    },
  },
  led: {
    usage: 'led on|fail|off',
    help: 'have a light that apps switch, have none, or do not answer',
    run: ({ glasses }, rest) => {
      const error = 'device_not_supported'
      const kind = parseBehavior(rest, 'shine')
      glasses.led.behavior = kind === 'fail' ? { kind, error } : { kind }
    },
  },
  wifi: {
    usage: 'wifi NETWORK|off',
    help: 'have the glasses join a Wi-Fi network, or leave it',
    run: ({ glasses }, rest) =>
      requireArgument(rest) === 'off' ? glasses.leaveWifi() : glasses.joinWifi(rest),
  },
  place: {
    usage: 'place LATITUDE LONGITUDE',
    help: 'be somewhere; apps that ask are told',
    run: ({ glasses }, rest) => {
      const [lat = Number.NaN, lng = Number.NaN, ...more] = requireArgument(rest)
        .split(/[\s,]+/)
        .map(Number)
      if (more.length > 0 || !(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) throw new UsageError()
      glasses.position = { lat, lng }
      glasses.reportPosition(lat, lng)
    },
  },
  wear: {
    usage: 'wear MODEL|nothing',
    help: 'put on other glasses, or take them off',
    run: ({ glasses }, rest) =>
      requireArgument(rest) === 'nothing' ? glasses.takeOff() : glasses.putOn(rest),
  },
  apps: {
    usage: 'apps',
    help: 'list the apps',
    run: async ({ phone, print }) => {
      for (const app of await phone.listApps()) {
        const state = app.running ? 'running' : app.installed ? 'installed' : 'available'
        print(`${state.padEnd(9)}  ${app.packageName}  ${app.name}`)
      }
    },
  },
  install: {
    usage: 'install PACKAGE',
    help: 'install an app',
    run: async ({ phone }, rest) => {
      await phone.install(requireArgument(rest))
    },
  },
  start: {
    usage: 'start PACKAGE',
    help: 'start an app',
    run: async ({ phone }, rest) => {
      await phone.startApp(requireArgument(rest))
    },
  },
  stop: {
    usage: 'stop PACKAGE',
    help: 'stop an app',
    run: async ({ phone }, rest) => {
      await phone.stopApp(requireArgument(rest))
    },
  },
  wait: {
    usage: 'wait TEXT',
    help: 'wait until the lens shows a text',
    run: async ({ glasses }, rest) => {
      await glasses.waitForDisplay(requireArgument(rest), { timeoutMs: 30_000 })
    },
  },
  lose: {
    usage: 'lose',
    help: 'lose the connection without a goodbye',
    run: ({ glasses }) => glasses.loseConnection(),
  },
  help: { usage: 'help', help: 'this list', run: ({ print }) => print(helpText()) },
  quit: { usage: 'quit', help: 'leave', run: () => {} },
}

/**
 * Does what a typed line says. Nothing that goes wrong ends the program: it is told instead.
 * @returns whether to go on
 */
export async function runCommand(line: string, wearer: CommandContext): Promise<boolean> {
  const [, name = '', rest = ''] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(line) ?? []
  if (name === '') return true
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    wearer.print(`There is no "${name}"; try help`)
    return true
  }
  try {
    await command.run(wearer, rest)
  } catch (error) {
    if (error instanceof UsageError) wearer.print(`Usage: ${command.usage}`)
    else wearer.print(error instanceof Error ? error.message : String(error))
  }
  return name !== 'quit'
}

function helpText(): string {
  const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length))
  return Object.values(commands)
    .map(({ usage, help }) => `${usage.padEnd(width)}  ${help}`)
    .join('\n')
}

function requireArgument(rest: string): string {
  if (rest === '') throw new UsageError()
  return rest
}

/** What follows from `on`, `fail` and `off` for something that does `action` when it works. */
function parseBehavior<const Action extends string>(
  rest: string,
  action: Action,
): Action | 'fail' | 'ignore' {
  const word = parseChoice(rest, ['on', 'fail', 'off'])
  return word === 'on' ? action : word === 'off' ? 'ignore' : word
}

function parseChoice<const Choice extends string>(rest: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === rest)
  if (choice === undefined) throw new UsageError()
  return choice
}
