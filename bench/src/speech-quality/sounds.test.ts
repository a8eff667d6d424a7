import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { findProgram } from '@glasses-cloud/cloud/config'
import { silence, tone } from '@glasses-cloud/phone'
import { ffmpeg } from '../support/child-processes.ts'
import { findLabelledFiles, readSound } from './sounds.ts'
import { wavOf } from './wav.ts'

const noFfmpeg = findProgram('ffmpeg') === undefined && 'ffmpeg is not installed (apt-get install ffmpeg)'

/** Writes files into a temporary folder. */
async function writeFiles(t: TestContext, files: Record<string, string | Buffer>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'labelled-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

async function labelsIn(path: string): Promise<string[]> {
  const { sounds } = await findLabelledFiles(path)
  for (const { kind } of sounds) assert.equal(kind, basename(path))
  return sounds.map(({ name, label }) => `${name}: ${label.trim()}`)
}

const WAV = wavOf(tone(40))

describe('Labelled files', () => {
  test('reads labels of text files beside sounds, in folders below too', async (t) => {
    const folder = await writeFiles(t, {
      'a.wav': WAV,
      'a.txt': 'One two.\n',
      'deep/er/b.MP3': '',
      'deep/er/b.txt': 'three',
      'c.wav': WAV,
      'README.txt': 'a text without a sound',
    })
    assert.deepEqual(await labelsIn(folder), ['a.wav: One two.', `${join('deep', 'er', 'b.MP3')}: three`])
    const { remarks } = await findLabelledFiles(folder)
    assert.deepEqual(remarks, [`${folder}: sounds without a label, which are left out: 1 of 3`])
  })

  test('reads folders of LibriSpeech', async (t) => {
    const folder = await writeFiles(t, {
      '84/121/84-121-0000.flac': '',
      '84/121/84-121-0001.flac': '',
      '84/121/84-121.trans.txt': '84-121-0000 GO DO YOU HEAR\n84-121-0001 BUT\n',
    })
    const name = (number: number) => join('84', '121', `84-121-000${number}.flac`)
    assert.deepEqual(await labelsIn(folder), [`${name(0)}: GO DO YOU HEAR`, `${name(1)}: BUT`])
  })

  test('reads tables of Common Voice', async (t) => {
    const folder = await writeFiles(t, {
      'test.tsv': 'client_id\tpath\tsentence\tup_votes\nx\tone.mp3\tHe said "no".\t2\nx\ttwo.mp3\tYes\t1\n',
      'clips/one.mp3': '',
      'two.mp3': '',
    })
    const table = join(folder, 'test.tsv')
    assert.deepEqual(await labelsIn(table), ['one.mp3: He said "no".', 'two.mp3: Yes'])
  })

  test('rejects a folder without labelled sounds, and labels without their sounds', async (t) => {
    const folder = await writeFiles(t, {
      'none/a.wav': WAV,
      'libri/1.trans.txt': '1-0001 A WORD\n',
      'missing.tsv': 'path\tsentence\nlost.mp3\tYes\n',
      'columns.tsv': 'path\ttext\n',
      'empty.tsv': 'path\tsentence\n',
      'sound.wav': WAV,
    })
    for (const [name, message] of [
      ['none', /contains no sound with a label/],
      ['libri', /1\.trans\.txt has a label for 1-0001, which is not beside it/],
      ['missing.tsv', /names lost\.mp3, which is neither beside it nor in clips/],
      ['columns.tsv', /must have the columns path and sentence/],
      ['empty.tsv', /contains no sound with a label/],
      ['sound.wav', /is neither a folder nor a TSV file/],
      ['nowhere', /nowhere cannot be read \(ENOENT\)/],
    ] as const)
      await assert.rejects(findLabelledFiles(join(folder, name)), { name: 'UnusableInputError', message })
  })

  test('WAV at 16 kHz needs no program, and other sounds name what they need', async (t) => {
    const pcm = tone(200)
    const folder = await writeFiles(t, { 'a.wav': wavOf(pcm), 'b.wav': wavOf(pcm, 8_000), 'c.flac': 'x' })
    const { PATH } = process.env
    t.after(() => {
      process.env.PATH = PATH
    })
    process.env.PATH = folder
    assert.deepEqual(await readSound(join(folder, 'a.wav')), pcm)
    await assert.rejects(readSound(join(folder, 'b.wav')), {
      name: 'UnusableInputError',
      message: /b\.wav: .* the file is 16-bit PCM, 1 channel, 8000 Hz/,
    })
    await assert.rejects(readSound(join(folder, 'c.flac')), {
      name: 'UnusableInputError',
      message: /c\.flac is not a WAV file; install ffmpeg/,
    })
  })

  test('ffmpeg reads other formats and rates', { skip: noFfmpeg }, async (t) => {
    const folder = await writeFiles(t, {
      'a.wav': wavOf(tone(1_000), 8_000),
      'empty.wav': wavOf(silence(0)),
      'broken.flac': 'no sound',
    })
    assert.equal(
      (await readSound(join(folder, 'a.wav'))).byteLength,
      64_000,
      'twice as long at half the rate',
    )
    await ffmpeg(['-i', join(folder, 'a.wav'), '-ac', '2', join(folder, 'b.flac')])
    assert.equal((await readSound(join(folder, 'b.flac'))).byteLength, 64_000)
    await assert.rejects(readSound(join(folder, 'empty.wav')), /empty\.wav contains no sound/)
    await assert.rejects(readSound(join(folder, 'broken.flac')), {
      name: 'UnusableInputError',
      message: /ffmpeg cannot read .*broken\.flac: /,
    })
  })
})
