import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SpeechProviderError, type TextToSpeech } from './text-to-speech.ts'

/** The programs that synthesize and encode; their Debian packages have the same names. */
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
 * Synthesizes on this machine with `espeak-ng` and `lame`; no text is sent to other machines. Voices are language tags;
 * for voices of other providers the default voice is used.
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
      // Errors of the pipe between them are reported by their exit codes, which are checked after the audio.
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

/** Returns the voice name of espeak-ng; undefined if the name is not a language tag. */
function voiceNamed(name: string | undefined): string | undefined {
  const voice = name?.toLowerCase()
  return voice !== undefined && espeakVoice.test(voice) ? voice : undefined
}

function missingPrograms(names: readonly string[]): string {
  return `${names.join(' and ')} cannot be started; install them (apt-get install espeak-ng lame)`
}

/**
 * Starts a program without a shell. Aborting kills it.
 * @throws SpeechProviderError if its pipes cannot be opened
 */
function start(program: string, args: readonly string[], signal: AbortSignal): Program {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  killWhenAborted(child, signal)
  // `endOf` reports errors; without a listener an error would end the process.
  child.on('error', () => {})
  // Contrary to its type, a child has no pipes if no more files can be opened.
  if (child.stdin === undefined) throw new SpeechProviderError(`${program} cannot be started now`)
  return child
}

/**
 * Kills a program if it was started. Otherwise Node has no process id for it, and `kill` (like the `signal` of `spawn`)
 * could signal other processes.
 */
function kill(child: ChildProcess): void {
  if (child.pid !== undefined) child.kill('SIGKILL')
}

function killWhenAborted(child: ChildProcess, signal: AbortSignal): void {
  const stop = () => kill(child)
  signal.addEventListener('abort', stop, { once: true })
  child.once('close', () => signal.removeEventListener('abort', stop))
}

/** Yields the audio and checks the exit codes; kills both programs if reading ends early. */
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

/** Resolves when a program has exited with code 0. @throws SpeechProviderError otherwise */
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
