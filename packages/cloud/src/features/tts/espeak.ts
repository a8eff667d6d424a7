import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SpeechProviderError, type TextToSpeech } from './text-to-speech.ts'

/** The programs that speak and encode; Debian has them in packages of the same names. */
export interface EspeakPrograms {
  readonly espeak: string
  readonly lame: string
}

const debian: EspeakPrograms = { espeak: 'espeak-ng', lame: 'lame' }

/** Words a minute at a speed of 1. */
const usualPace = 175

/** A language tag with an optional variant, `en-gb` or `de+f3`: no path, no option. */
const espeakVoice = /^[a-z]{2,3}(-[a-z0-9]{1,8}){0,3}(\+[a-z0-9]{1,20})?$/

type Program = ChildProcessByStdio<Writable, Readable, Readable>

/**
 * Speech made on this machine by `espeak-ng` and encoded by `lame`; nothing leaves it. Voices are its language tags;
 * a request for the voice of another provider is spoken in the usual one.
 */
export function espeak(options: {
  readonly voice: string | undefined
  readonly programs?: EspeakPrograms
}): TextToSpeech {
  const { programs = debian } = options
  const usual = voiceNamed(options.voice) ?? 'en'
  return {
    name: 'espeak',
    voice: usual,
    model: undefined,
    async synthesize({ text, voice, settings: { speed = 1 } }, signal) {
      signal.throwIfAborted()
      const pace = Math.round(usualPace * speed)
      const speaking = start(
        programs.espeak,
        ['-v', voiceNamed(voice) ?? usual, '-s', `${pace}`, '-b', '1', '--stdin', '--stdout'],
        signal,
      )
      let encoding: Program
      try {
        encoding = start(programs.lame, ['--silent', '-t', '-', '-'], signal)
      } catch (error) {
        kill(speaking)
        throw error
      }
      const ends = Promise.all([endOf(speaking, programs.espeak), endOf(encoding, programs.lame)])
      // What goes wrong between them shows in how they end, which is looked at when the sound is over.
      ends.catch(() => {})
      pipeline(speaking.stdout, encoding.stdin).catch(() => {})
      speaking.stdin.on('error', () => {})
      speaking.stdin.end(text)
      return soundOf(encoding.stdout, ends, () => {
        kill(speaking)
        kill(encoding)
      })
    },
    async problem() {
      if (options.voice !== undefined && voiceNamed(options.voice) === undefined)
        return `TTS_VOICE ${options.voice} is no voice of espeak-ng; set it to a language tag like en-gb, or leave it out`
      const missing = await Promise.all(
        Object.values(programs).map(async (program) => ((await runs(program)) ? [] : [program])),
      )
      return missing.flat().length === 0 ? undefined : missingPrograms(missing.flat())
    },
  }
}

/** The voice as espeak-ng is told; nothing if the name is none of its kind. */
function voiceNamed(name: string | undefined): string | undefined {
  const voice = name?.toLowerCase()
  return voice !== undefined && espeakVoice.test(voice) ? voice : undefined
}

function missingPrograms(names: readonly string[]): string {
  return `${names.join(' and ')} cannot be started; install them (apt-get install espeak-ng lame)`
}

/**
 * Starts a program without a shell. Aborting kills it.
 * @throws SpeechProviderError where the machine has no room for its pipes
 */
function start(program: string, args: readonly string[], signal: AbortSignal): Program {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  killWhenAborted(child, signal)
  // What goes wrong is told by `endOf`; an error that nobody hears would end the process.
  child.on('error', () => {})
  // Against its type a child has no pipes where no file can be opened any more.
  if (child.stdin === undefined) throw new SpeechProviderError(`${program} cannot be started now`)
  return child
}

/**
 * Kills a program, if it runs. Of one that could not be started Node does not know the process id, and `kill`, the
 * `signal` of `spawn` as well, goes to whatever number it has in its place: any process, or all of them.
 */
function kill(child: ChildProcess): void {
  if (child.pid !== undefined) child.kill('SIGKILL')
}

function killWhenAborted(child: ChildProcess, signal: AbortSignal): void {
  const stop = () => kill(child)
  signal.addEventListener('abort', stop, { once: true })
  child.once('close', () => signal.removeEventListener('abort', stop))
}

/** The sound until both programs have ended well; whatever ends it early, neither stays behind. */
async function* soundOf(
  sound: AsyncIterable<Uint8Array>,
  ends: Promise<unknown>,
  letGo: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* sound
    await ends
  } catch (cause) {
    letGo()
    await ends
    throw cause
  } finally {
    letGo()
  }
}

/** Resolves when a program has ended well. */
async function endOf(program: Program, name: string): Promise<void> {
  program.stderr.resume()
  const [code, signal] = await once(program, 'close').catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ENOENT' || cause.code === 'EACCES'
      ? new SpeechProviderError(missingPrograms([name]), { cause })
      : cause
  })
  if (code !== 0) throw new SpeechProviderError(`${name} ended with ${code ?? signal}`)
}

async function runs(program: string): Promise<boolean> {
  const child = spawn(program, ['--version'], { stdio: 'ignore' })
  killWhenAborted(child, AbortSignal.timeout(5_000))
  return once(child, 'close').then(
    ([code]) => code === 0,
    () => false,
  )
}
