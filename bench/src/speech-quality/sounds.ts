import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { findProgram } from '@glasses-cloud/cloud/config'
import { readWav, SAMPLE_RATE } from '@glasses-cloud/phone'

/** A sound whose words are known. */
export interface Sound {
  readonly name: string
  /** What is measured together, in one row of the table: a folder, a voice. */
  readonly kind: string
  /** What is spoken. */
  readonly label: string
  /**
   * Returns 16-bit mono PCM at 16 kHz.
   * @throws UnusableInputError
   */
  read(): Promise<Buffer>
}

/** Sounds that were found. */
export interface Sounds {
  readonly sounds: readonly Sound[]
  /** Sentences about what is left out. */
  readonly remarks: readonly string[]
}

/** Something that was given to the command cannot be measured; the message is a sentence that says what and why. */
export class UnusableInputError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnusableInputError'
  }
}

const SOUND_EXTENSIONS = ['.aac', '.flac', '.m4a', '.mp3', '.ogg', '.opus', '.wav', '.webm']
/** Labels of a folder of LibriSpeech: a line has the name of a sound without its extension, and the words. */
const TRANSCRIPTS = /\.trans\.txt$/i
/** Folder of the sounds of Common Voice, beside its TSV files. */
const CLIPS = 'clips'

/**
 * Finds sounds with labels. In a folder and those below it the label of `name.wav` is `name.txt`, or its line in a
 * `*.trans.txt`, as LibriSpeech has it; a TSV file has the columns `path` and `sentence`, as Common Voice has it.
 * @param path the folder, or the TSV file
 * @throws UnusableInputError if there is none, or a label without its sound
 */
export async function findLabelledFiles(path: string): Promise<Sounds> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnusableInputError(`${path} cannot be read (${error.code})`)
  })
  if (!found.isDirectory() && extname(path).toLowerCase() !== '.tsv')
    throw new UnusableInputError(`${path} is neither a folder nor a TSV file`)
  const result = found.isDirectory() ? await findInFolder(path) : await findInTable(path)
  if (result.sounds.length === 0) throw new UnusableInputError(`${path} contains no sound with a label`)
  return result
}

async function findInFolder(folder: string): Promise<Sounds> {
  const names = (await readdir(folder, { recursive: true })).sort()
  const soundNames = new Map(names.filter(isSound).map((name) => [withoutExtension(name), name]))
  const labels = new Map<string, string>()
  for (const name of names) {
    if (TRANSCRIPTS.test(name)) {
      for (const [id, label] of transcriptsOf(await readFile(join(folder, name), 'utf8'))) {
        const sound = join(dirname(name), id)
        if (!soundNames.has(sound))
          throw new UnusableInputError(`${join(folder, name)} has a label for ${id}, which is not beside it`)
        labels.set(sound, label)
      }
    } else if (extname(name).toLowerCase() === '.txt' && soundNames.has(withoutExtension(name)))
      labels.set(withoutExtension(name), await readFile(join(folder, name), 'utf8'))
  }
  const sounds = [...soundNames].flatMap(([key, name]) => {
    const label = labels.get(key)
    return label === undefined ? [] : [createSound(folder, join(folder, name), name, label)]
  })
  const unlabelled = soundNames.size - sounds.length
  const remark = `${folder}: sounds without a label, which are left out: ${unlabelled} of ${soundNames.size}`
  return { sounds, remarks: unlabelled > 0 ? [remark] : [] }
}

function* transcriptsOf(text: string): Generator<[id: string, label: string]> {
  for (const line of text.split('\n')) {
    const [id, label = ''] = line.trim().split(/\s+(.*)/)
    if (id) yield [id, label]
  }
}

async function findInTable(table: string): Promise<Sounds> {
  const [header = '', ...lines] = (await readFile(table, 'utf8')).split(/\r?\n/)
  const columns = header.split('\t')
  const [pathColumn, labelColumn] = [columns.indexOf('path'), columns.indexOf('sentence')]
  if (pathColumn === -1 || labelColumn === -1)
    throw new UnusableInputError(`${table} must have the columns path and sentence in its first line`)
  const folder = dirname(table)
  const files = new Map<string, string>()
  for (const place of ['', CLIPS])
    for (const name of await readdir(join(folder, place)).catch(() => []))
      files.set(name, join(folder, place, name))
  const sounds = lines.filter(Boolean).map((line) => {
    const cells = line.split('\t')
    const name = cells[pathColumn] ?? ''
    const path = files.get(name)
    if (path === undefined)
      throw new UnusableInputError(`${table} names ${name}, which is neither beside it nor in ${CLIPS}`)
    return createSound(table, path, name, cells[labelColumn] ?? '')
  })
  return { sounds, remarks: [] }
}

function createSound(source: string, path: string, name: string, label: string): Sound {
  return { name, kind: basename(resolve(source)), label, read: () => readSound(path) }
}

function isSound(name: string): boolean {
  return SOUND_EXTENSIONS.includes(extname(name).toLowerCase())
}

function withoutExtension(name: string): string {
  return name.slice(0, name.length - extname(name).length)
}

/**
 * Reads a sound file: WAV with 16 bit, 16 kHz and one channel, or, if the program ffmpeg is installed, any that it reads.
 * @returns 16-bit mono PCM at 16 kHz
 * @throws UnusableInputError
 */
export async function readSound(path: string): Promise<Buffer> {
  const pcm = await readPcm(path)
  if (pcm.byteLength === 0) throw new UnusableInputError(`${path} contains no sound`)
  return pcm
}

async function readPcm(path: string): Promise<Buffer> {
  const isWav = extname(path).toLowerCase() === '.wav'
  if (findProgram('ffmpeg') === undefined) {
    if (!isWav)
      throw new UnusableInputError(`${path} is not a WAV file; install ffmpeg (apt-get install ffmpeg)`)
    return readWav(path).catch((error: Error) => {
      throw new UnusableInputError(error.message)
    })
  }
  const pcm = isWav ? await readWav(path).catch(() => undefined) : undefined
  return pcm ?? decode(path)
}

async function decode(path: string): Promise<Buffer> {
  const format = ['-f', 's16le', '-ar', String(SAMPLE_RATE), '-ac', '1', 'pipe:1']
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', '-i', `file:${path}`, '-vn', ...format], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [pcm, problem, [code]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  if (code === 0) return pcm
  const reason = problem.trim().split('\n').at(-1)
  throw new UnusableInputError(`ffmpeg cannot read ${path}: ${reason}`)
}

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

/** What people say in rooms where captions help, in words that every English recognizer should know. */
const SENTENCES: readonly string[] = [
  'Could you please say that again a little slower?',
  'The meeting starts at half past nine in the large room.',
  'I will send you the address after lunch.',
  'My sister lives near the river with her two children.',
  'Turn left at the next corner and walk to the station.',
  'We should talk about the price before we sign anything.',
  'The doctor said that you can go home tomorrow morning.',
  'There is fresh bread on the table and coffee in the kitchen.',
  'Nobody told me that the train was late again.',
  'Please write your name and the date on the first page.',
  'The weather will be cold and windy until Friday.',
  'How many people are coming to the party on Saturday?',
  'I left my keys in the pocket of the black jacket.',
  'The old bridge was closed because of the heavy rain.',
  'She has been learning to play the piano for three years.',
  'Can we move the appointment to next Tuesday afternoon?',
  'The teacher asked the students to open their books.',
  'Do not forget to lock the door when you leave.',
  'They found the missing dog behind the school.',
  'Thank you very much for all your help today.',
]
