import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { voiceMissing } from '@glasses-cloud/cloud/test/spoken'
import {
  ENGLISH,
  type TinyModelFolder,
  toneSpeech,
  writeTinyModel,
} from '@glasses-cloud/cloud/test/tiny-speech-models'
import { measure } from './measure.ts'
import { findRecognizer } from './recognizers.ts'
import { findLabelledFiles, spokenSentences } from './sounds.ts'
import { wavOf } from './wav.ts'
import { wordErrorRate } from './word-errors.ts'

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))

let parent = ''
let streaming: TinyModelFolder
let offline: TinyModelFolder

before(async () => {
  parent = await mkdtemp(join(tmpdir(), 'speech-quality-'))
  streaming = await writeTinyModel('streamingEnglish', parent)
  offline = await writeTinyModel('offlineEnglish', parent)
})
after(() => rm(parent, { recursive: true, force: true }))

/** Writes sounds of tone words, each with a label. @returns their folder */
async function writeSounds(sounds: readonly (readonly [spoken: string, label: string])[]): Promise<string> {
  const folder = await mkdtemp(join(parent, 'sounds-'))
  for (const [index, [spoken, label]] of sounds.entries()) {
    const { pcm } = toneSpeech(spoken.split(' '), { language: ENGLISH, leadMs: 200, tailMs: 200 })
    await writeFile(join(folder, `${index}.wav`), wavOf(pcm))
    await writeFile(join(folder, `${index}.txt`), label)
  }
  return folder
}

/** Runs the command. */
async function run(args: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { output, errors, code }
}

/** The cells of the table in an output, by column. */
function readTable(output: string): Record<string, string>[] {
  const rows = output
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '))
  const [columns = [], , ...cells] = rows
  return cells.map((row) => Object.fromEntries(row.map((cell, index) => [columns[index], cell])))
}

const measureModel = async (model: TinyModelFolder, folder: string) => {
  const [measurement] = await measure({
    recognizers: [await findRecognizer(model.folder, 'en-US')],
    ...(await findLabelledFiles(folder)),
    language: 'en-US',
    pace: 0,
  })
  assert.ok(measurement)
  return measurement
}

describe('Speech quality', () => {
  test('the command compares two models that make no error on their own speech', async () => {
    const folder = await writeSounds([
      ['alpha bravo charlie', 'Alpha, Bravo, Charlie!'],
      ['bravo charlie', 'bravo charlie'],
    ])
    const models = ['--model', streaming.folder, '--model', offline.folder]
    const { output, errors, code } = await run([...models, '--audio', folder, '--verbose'])
    assert.equal(code, 0, errors)
    assert.match(output, /load average [\d.]+ before and [\d.]+ after the run, audio at 1 × its pace/)
    assert.match(output, /^tiny-streaming-en: 0\.wav: 0\.0 %; .*; first text \d+ ms; final text \d+ ms$/m)
    const rows = readTable(output)
    assert.deepEqual(
      rows.map((row) => row.Model),
      ['tiny-streaming-en', 'tiny-offline-en'],
    )
    for (const row of rows) {
      assert.deepEqual(
        [row.Sound, row.Files, row.Words, row['Word error rate']],
        [basename(folder), '2', '5', '0.0 %'],
      )
      for (const column of ['First text, p50 / p95', 'Final text, p50 / p95']) {
        const [median = Number.NaN, late = Number.NaN] = (row[column]?.match(/\d+/g) ?? []).map(Number)
        assert.ok(median >= 0 && median <= late && late < 60_000, row[column])
      }
      if (process.platform !== 'linux') continue
      assert.ok(Number(row['Real-time factor']) < 20, row['Real-time factor'])
      assert.ok(Number.parseInt(row.Memory ?? '', 10) >= 30, row.Memory)
    }
  })

  test('counts the known errors of labels that differ from the speech', async () => {
    const folder = await writeSounds([
      ['alpha bravo charlie', 'alpha alpha charlie'],
      ['alpha bravo charlie', 'alpha charlie'],
      ['alpha charlie', 'alpha bravo bravo charlie'],
    ])
    for (const model of [streaming, offline]) {
      const { errors, files, audioMs, finalMs } = await measureModel(model, folder)
      assert.deepEqual(errors, { words: 9, substitutions: 1, insertions: 1, deletions: 2 })
      assert.deepEqual([files, finalMs], [3, []])
      assert.ok(Math.abs(audioMs - (2 * 1_440 + 1_040)) < 1, `${audioMs}`)
    }
  })

  test('a folder that is not a recognizer for the language is an error', async () => {
    const copy = async (
      change: (manifest: Record<string, unknown>, folder: string) => Promise<void> | void,
    ) => {
      const { folder } = await writeTinyModel('streamingEnglish', await mkdtemp(join(parent, 'model-')))
      const file = join(folder, 'model.json')
      const manifest = JSON.parse(await readFile(file, 'utf8'))
      await change(manifest, folder)
      await writeFile(file, JSON.stringify(manifest))
      return folder
    }
    const empty = join(parent, 'empty')
    await mkdir(empty)
    const encoder = String(streaming.model.files[0]?.name)
    for (const [folder, language, message] of [
      [
        join(parent, 'nowhere'),
        'en',
        /nowhere is not the folder of a model: model\.json cannot be read \(ENOENT\)/,
      ],
      [empty, 'en', /empty is not the folder of a model/],
      [await copy((manifest) => void delete manifest.languages), 'en', /languages/],
      [
        await copy((manifest) => void Object.assign(manifest, { kind: 'keyword-spotter' })),
        'en',
        /no recognizer/,
      ],
      [await copy((_, folder) => truncate(join(folder, encoder), 10)), 'en', /is not the file that/],
      [await copy((_, folder) => rm(join(folder, encoder))), 'en', /cannot be read \(ENOENT\)/],
      [streaming.folder, 'de-DE', /tiny-streaming-en recognizes en; --language names another one \(de-DE\)/],
      [streaming.folder, 'auto', /--language names another one \(auto\)/],
    ] as const)
      await assert.rejects(findRecognizer(folder, language), { name: 'UnusableInputError', message })
  })

  test('a model that the library cannot load is an error', async () => {
    const { folder, model } = await writeTinyModel('streamingEnglish', await mkdtemp(join(parent, 'model-')))
    const files = model.files.map(({ name, role }) => ({ name, role }))
    await writeFile(join(folder, 'model.json'), JSON.stringify({ ...model, files }))
    await truncate(join(folder, String(files[0]?.name)), 100)
    await assert.rejects(
      measureModel({ folder, model }, await writeSounds([['alpha', 'alpha']])),
      /^Error: tiny-streaming-en failed with 0\.wav: local: tiny-streaming-en: its process ended with SIGABRT$/,
    )
  })

  test('the command ends with 1 and a sentence, and explains its arguments', async () => {
    const sounds = await writeSounds([['alpha', 'alpha']])
    await rm(join(sounds, '0.txt'))
    const unlabelled = await run(['--model', streaming.folder, '--audio', sounds])
    assert.deepEqual(unlabelled, {
      output: '',
      errors: `${sounds} contains no sound with a label\n`,
      code: 1,
    })
    const invalid = await run(['--model', streaming.folder, '--pace', 'fast'])
    assert.deepEqual([invalid.output, invalid.code], ['', 1])
    assert.match(
      invalid.errors,
      /^--pace must be a number from 0 to 1000 \(got "fast"\)\nUsage: npm run speech-quality/,
    )
  })

  test('Debian’s recognizer understands a voice that is made of recordings', {
    skip: voiceMissing,
  }, async () => {
    const { sounds } = spokenSentences()
    const [measurement] = await measure({
      recognizers: [await findRecognizer('pocketsphinx', 'en-US')],
      sounds: sounds.filter(({ kind }) => kind === 'flite slt').slice(0, 3),
      language: 'en-US',
      pace: 0,
    })
    assert.ok(measurement)
    assert.ok(
      measurement.errors.words > 20 && wordErrorRate(measurement.errors) < 0.5,
      JSON.stringify(measurement),
    )
    if (process.platform !== 'linux') return
    assert.ok((measurement.cpuMs ?? 0) > 0, 'the processor time of programs that have ended counts')
    assert.ok((measurement.peakBytes ?? 0) > 20_000_000)
  })
})
