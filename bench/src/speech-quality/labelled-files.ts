import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import type { Sound, Sounds } from './sound.ts'
import { readSound } from './sound-file.ts'
import { UnusableInputError } from './unusable-input-error.ts'

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
