import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { RecognizerPool } from '@glasses-cloud/cloud/local-speech'
import { createLog } from '@glasses-cloud/cloud/log'
import { readManifest, type SpeechModel } from '@glasses-cloud/cloud/speech-models'
import {
  localRecognizer,
  missingPocketsphinx,
  type SpeechToText,
  startPocketsphinxServer,
  wyoming,
} from '@glasses-cloud/cloud/stt'
import { systemClock } from '@glasses-cloud/cloud/time'
import { childUse } from '../support/child-processes.ts'
import { UnusableInputError } from './sounds.ts'

/** Names Debian's recognizer instead of the folder of a model. */
const POCKETSPHINX = 'pocketsphinx'

/** A recognizer that can be measured. */
export interface Recognizer {
  readonly name: string
  /** Starts it: as a provider of the cloud, with its processes as children of this one. */
  start(): Promise<{ readonly provider: SpeechToText; close(): Promise<void> }>
}

/**
 * Finds a recognizer.
 * @param model folder of an installed model, or `pocketsphinx`
 * @param language language tag of what is spoken, or `auto`
 * @throws UnusableInputError if it is not there, or recognizes other languages
 */
export async function findRecognizer(model: string, language: string): Promise<Recognizer> {
  return model === POCKETSPHINX ? findPocketsphinx() : findModel(model, language)
}

async function findPocketsphinx(): Promise<Recognizer> {
  const missing = await missingPocketsphinx()
  if (missing !== undefined) throw new UnusableInputError(`pocketsphinx is not installed: ${missing}`)
  return {
    name: POCKETSPHINX,
    async start() {
      const server = await startPocketsphinxServer({ host: '127.0.0.1', port: 0 })
      const provider = wyoming({ url: new URL(`tcp://127.0.0.1:${server.port}`) })
      return { provider, close: () => server.close() }
    },
  }
}

async function findModel(folder: string, language: string): Promise<Recognizer> {
  const model = await readModel(folder)
  const pool = new RecognizerPool({
    models: { list: () => [model], onChange: () => () => {}, folderOf: async () => folder },
    clock: systemClock,
    // What the library wrote explains a failure.
    log: createLog('warn'),
    maxProcesses: 1,
  })
  const provider = localRecognizer(pool)
  if (!provider.supports(language))
    throw new UnusableInputError(
      `${model.id} recognizes ${model.languages.join(', ')}${model.detectsLanguage ? ', auto' : ''}; ` +
        `--language names another one (${language})`,
    )
  // The process starts with the first sound.
  return { name: model.id, start: async () => ({ provider, close: async () => pool.close() }) }
}

async function readModel(folder: string): Promise<SpeechModel> {
  const text = await readFile(join(folder, 'model.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UnusableInputError(
      `${folder} is not the folder of a model: model.json cannot be read (${error.code})`,
    )
  })
  const reading = readManifest(parseJson(text))
  if (!reading.ok)
    throw new UnusableInputError(`${folder} is not the folder of a model: ${reading.problems.join('; ')}`)
  const { files, ...manifest } = reading.manifest
  if (manifest.kind !== 'recognizer' && manifest.kind !== 'streaming-recognizer')
    throw new UnusableInputError(`${manifest.id} is no recognizer; its kind is ${manifest.kind}`)
  const installed: SpeechModel['files'][number][] = []
  for (const file of files) {
    const { bytes, sha256 } = await describeFile(join(folder, file.name))
    if (bytes !== (file.bytes ?? bytes) || sha256 !== (file.sha256 ?? sha256))
      throw new UnusableInputError(`${join(folder, file.name)} is not the file that model.json describes`)
    installed.push({ ...file, bytes, sha256 })
  }
  return { ...manifest, files: installed }
}

/** Returns undefined, which is no manifest, for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function describeFile(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  try {
    const { size } = await stat(path)
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    return { bytes: size, sha256: hash.digest('hex') }
  } catch (error) {
    throw new UnusableInputError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Interval at which memory is measured, in milliseconds: programs may run for one utterance only. */
const SAMPLE_MS = 200

/** What the recognizer processes, the child processes of this one, used of the machine. Linux only. */
export class RecognizerUse {
  #cpuMs = 0
  #peakBytes = 0
  readonly #isMeasurable = existsSync('/proc/self/stat')

  /** Processor time of user and system; undefined on other systems. */
  get cpuMs(): number | undefined {
    return this.#isMeasurable ? this.#cpuMs : undefined
  }

  /** Most resident memory at a time; undefined on other systems. */
  get peakBytes(): number | undefined {
    return this.#isMeasurable ? this.#peakBytes : undefined
  }

  /** Adds what the processes use until the work is done. */
  async measure<Result>(work: () => Promise<Result>): Promise<Result> {
    if (!this.#isMeasurable) return work()
    const before = this.#sample()
    const timer = setInterval(() => this.#sample(), SAMPLE_MS)
    try {
      return await work()
    } finally {
      clearInterval(timer)
      this.#cpuMs += this.#sample() - before
    }
  }

  /** @returns the processor time of all child processes so far */
  #sample(): number {
    const { cpuMs, endedCpuMs, peakResidentBytes } = childUse(process.pid)
    this.#peakBytes = Math.max(this.#peakBytes, peakResidentBytes)
    return cpuMs + endedCpuMs
  }
}
