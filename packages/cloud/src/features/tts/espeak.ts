import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { findLanguage } from '@glasses-cloud/contract'
import { childEnvironment } from '../../config/index.ts'
import { SpeechProviderError, type TextToSpeech } from './text-to-speech.ts'

/** The programs that synthesize and encode; their Debian packages have the same names. */
export interface EspeakPrograms {
  readonly espeak: string
  readonly lame: string
}

const DEBIAN_PROGRAMS: EspeakPrograms = { espeak: 'espeak-ng', lame: 'lame' }

/** Words per minute at speed 1. */
const DEFAULT_WORDS_PER_MINUTE = 175

/** A language tag with an optional variant, `en-gb` or `de+f3`: no path, no option. */
const VOICE_PATTERN = /^([a-z]{2,3}(?:[-_][a-z0-9]{1,8}){0,3})(\+[a-z0-9]{1,20})?$/

type Program = ChildProcessByStdio<Writable, Readable, Readable>

/**
 * Synthesizes on this machine with `espeak-ng` and `lame`; no text is sent to other machines. Voices are language tags;
 * for voices of other providers the default voice is used.
 */
export function espeak(options: {
  readonly voice: string | undefined
  readonly programs?: EspeakPrograms
}): TextToSpeech {
  const { programs = DEBIAN_PROGRAMS } = options
  const defaultVoice = parseVoice(options.voice) ?? 'en'
  let names: Promise<readonly string[]> | undefined
  /** Returns the name of the voice that is nearest to a language tag. */
  const nearestVoice = async (voice: string) => {
    names ??= listVoices(programs.espeak).catch(() => [])
    const known = await names
    if (known.length === 0) names = undefined
    const [, tag = voice, variant = ''] = VOICE_PATTERN.exec(voice) ?? []
    return (known.includes(tag) ? tag : (findLanguage(tag, known) ?? tag)) + variant
  }
  return {
    name: 'espeak',
    voice: defaultVoice,
    model: undefined,
    async synthesize({ text, voice, settings: { speed = 1 } }, signal) {
      signal.throwIfAborted()
      const wordsPerMinute = Math.round(DEFAULT_WORDS_PER_MINUTE * speed)
      const name = await nearestVoice(parseVoice(voice) ?? defaultVoice)
      signal.throwIfAborted()
      const synthesis = start(
        programs.espeak,
        ['-v', name, '-s', `${wordsPerMinute}`, '-b', '1', '--stdin', '--stdout'],
        signal,
      )
      let encoder: Program
      try {
        encoder = start(programs.lame, ['--silent', '-t', '-', '-'], signal)
      } catch (error) {
        kill(synthesis)
        throw error
      }
      const exits = Promise.all([exitOf(synthesis, programs.espeak), exitOf(encoder, programs.lame)])
      // Errors of the pipe between them are reported by their exit codes, which are checked after the audio.
      exits.catch(() => {})
      pipeline(synthesis.stdout, encoder.stdin).catch(() => {})
      synthesis.stdin.on('error', () => {})
      synthesis.stdin.end(text)
      return audioOf(encoder.stdout, exits, () => {
        kill(synthesis)
        kill(encoder)
      })
    },
    async problem() {
      if (options.voice !== undefined && parseVoice(options.voice) === undefined)
        return `TTS_VOICE ${options.voice} is no voice of espeak-ng; set it to a language tag like en-gb, or leave it out`
      const missing = await Promise.all(
        Object.values(programs).map(async (program) => ((await runs(program)) ? [] : [program])),
      )
      return missing.flat().length === 0 ? undefined : missingPrograms(missing.flat())
    },
  }
}

/** Returns the voice name of espeak-ng; undefined if the name is not a language tag. */
function parseVoice(name: string | undefined): string | undefined {
  const voice = name?.toLowerCase()
  return voice !== undefined && VOICE_PATTERN.test(voice) ? voice : undefined
}

function missingPrograms(names: readonly string[]): string {
  return `${names.join(' and ')} cannot be started; install them (apt-get install espeak-ng lame)`
}

/**
 * Starts a program without a shell. Aborting kills it.
 * @throws SpeechProviderError if its pipes cannot be opened
 */
function start(program: string, args: readonly string[], signal: AbortSignal): Program {
  const child = spawn(program, args, { env: childEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] })
  killWhenAborted(child, signal)
  // `exitOf` reports errors; without a listener an error would end the process.
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
async function* audioOf(
  audio: AsyncIterable<Uint8Array>,
  exits: Promise<unknown>,
  stop: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* audio
    await exits
  } catch (cause) {
    stop()
    await exits
    throw cause
  } finally {
    stop()
  }
}

/** Resolves when a program has exited with code 0. @throws SpeechProviderError otherwise */
async function exitOf(program: Program, name: string): Promise<void> {
  program.stderr.resume()
  const [code, signal] = await once(program, 'close').catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ENOENT' || cause.code === 'EACCES'
      ? new SpeechProviderError(missingPrograms([name]), { cause })
      : cause
  })
  if (code !== 0) throw new SpeechProviderError(`${name} ended with ${code ?? signal}`)
}

/** Returns the names of the voices, other names included; none if the program does not list them. */
async function listVoices(program: string): Promise<readonly string[]> {
  const { stdout, stderr } = start(program, ['--voices'], AbortSignal.timeout(5_000))
  stderr.resume()
  const [, ...lines] = (await textOf(stdout)).split('\n')
  // Pty Language Age/Gender VoiceName File (other name priority)…
  return lines.flatMap((line) => [
    ...(/^\s*\d+\s+(\S+)/.exec(line)?.slice(1) ?? []),
    ...[...line.matchAll(/\((\S+) \d+\)/g)].flatMap(([, name]) => name ?? []),
  ])
}

async function runs(program: string): Promise<boolean> {
  const child = spawn(program, ['--version'], { env: childEnvironment(), stdio: 'ignore' })
  killWhenAborted(child, AbortSignal.timeout(5_000))
  return once(child, 'close').then(
    ([code]) => code === 0,
    () => false,
  )
}
