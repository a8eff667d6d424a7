import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '@glasses-cloud/cloud/config'
import { SENTENCES } from './sentences.ts'
import type { Sounds } from './sound.ts'
import { readSound } from './sound-file.ts'
import { UnusableInputError } from './unusable-input-error.ts'

const run = promisify(execFile)

interface Voice {
  /** Also the name of its Debian package. */
  readonly program: 'flite' | 'espeak-ng'
  readonly name: string
  /** Whether its sound must be converted. */
  readonly needsFfmpeg: boolean
  readonly argumentsFor: (sentence: string, path: string) => readonly string[]
}

/** Voices of flite that are made of recordings of a person, and the synthetic one of espeak-ng. */
const VOICES: readonly Voice[] = [
  ...['slt', 'rms', 'awb'].map(
    (name): Voice => ({
      program: 'flite',
      name,
      needsFfmpeg: false,
      argumentsFor: (sentence, path) => ['-voice', name, '-t', sentence, '-o', path],
    }),
  ),
  {
    program: 'espeak-ng',
    name: 'en-us',
    needsFfmpeg: true,
    argumentsFor: (sentence, path) => ['-v', 'en-us', '-w', path, sentence],
  },
]

/**
 * Returns the English sentences of `sentences.ts`, spoken by voices that Debian has, so that everybody can measure the same.
 * @throws UnusableInputError if none is installed
 */
export function spokenSentences(): Sounds {
  const missing = VOICES.map(({ program, name, needsFfmpeg }) => {
    const [needed] = [program, ...(needsFfmpeg ? ['ffmpeg'] : [])].filter((each) => !findProgram(each))
    return needed && `The voice ${name} of ${program} is left out: apt-get install ${needed}`
  })
  const sounds = VOICES.filter((_, index) => missing[index] === undefined).flatMap((voice) =>
    SENTENCES.map((sentence, index) => ({
      name: `${voice.program}-${voice.name}-${index + 1}`,
      kind: `${voice.program} ${voice.name}`,
      label: sentence,
      read: () => speak(voice, sentence),
    })),
  )
  if (sounds.length === 0)
    throw new UnusableInputError('There is no voice: name sounds with --audio, or apt-get install flite')
  return { sounds, remarks: missing.filter((remark) => remark !== undefined) }
}

async function speak({ program, argumentsFor }: Voice, sentence: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'spoken-'))
  const path = join(folder, 'sentence.wav')
  try {
    await run(program, argumentsFor(sentence, path))
    return await readSound(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
