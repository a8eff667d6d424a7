import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { formatMeasurements, formatResult, measure } from './measure.ts'
import { findRecognizer } from './recognizers.ts'
import { findLabelledFiles, type Sounds, spokenSentences } from './sounds.ts'

// `npm run speech-quality -- --model FOLDER --audio FOLDER`: word error rate, latency and cost of speech models.

const USAGE =
  'Usage: npm run speech-quality -- --model FOLDER|pocketsphinx... [--audio FOLDER|FILE.tsv]... [--language en-US]\n' +
  '                                 [--pace 1] [--limit N] [--verbose]\n' +
  '  --model    folder of an installed model, with model.json, or Debian’s recognizer; several are compared\n' +
  '  --audio    sounds with labels: name.txt beside name.wav, *.trans.txt, or the TSV file of Common Voice;\n' +
  '             without it: sentences spoken by the voices of flite and espeak-ng\n' +
  '  --language what is spoken, or auto\n' +
  '  --pace     seconds of audio that are sent in a second; 0: as fast as possible, without latencies\n' +
  '  --limit    sounds of each folder or voice\n' +
  '  --verbose  print each sound'

/** @throws Error for unknown options and invalid values */
function parseArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      model: { type: 'string', multiple: true, default: [] },
      audio: { type: 'string', multiple: true, default: [] },
      language: { type: 'string', default: 'en-US' },
      pace: { type: 'string', default: '1' },
      limit: { type: 'string' },
      verbose: { type: 'boolean', default: false },
    },
  })
  if (values.model.length === 0) throw new Error('Name the folder of a model: --model FOLDER')
  const pace = Number(values.pace)
  if (values.pace.trim() === '' || !(pace >= 0 && pace <= 1_000))
    throw new Error(`--pace must be a number from 0 to 1000 (got "${values.pace}")`)
  const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit)
  if (values.limit !== undefined && !(Number.isInteger(limit) && limit > 0))
    throw new Error(`--limit must be a positive integer (got "${values.limit}")`)
  if (!/^(?:auto|[a-z]{2,3}(?:-[A-Za-z0-9]{1,8})*)$/.test(values.language))
    throw new Error(`--language must be a language tag such as en-US, or auto (got "${values.language}")`)
  return { ...values, pace, limit }
}

async function findSounds(folders: readonly string[], limit: number): Promise<Sounds> {
  const found = folders.length === 0 ? [spokenSentences()] : await Promise.all(folders.map(findLabelledFiles))
  const kinds = Map.groupBy(
    found.flatMap(({ sounds }) => sounds),
    ({ kind }) => kind,
  )
  return {
    sounds: [...kinds.values()].flatMap((sounds) => sounds.slice(0, limit)),
    remarks: found.flatMap(({ remarks }) => remarks),
  }
}

/** Other programs on the machine make times longer, so its load is part of the result. */
function formatLoad(): string {
  return (loadavg()[0] ?? 0).toFixed(1)
}

async function run({ model, audio, language, pace, limit, verbose }: ReturnType<typeof parseArguments>) {
  const recognizers = await Promise.all(model.map((each) => findRecognizer(each, language)))
  const { sounds, remarks } = await findSounds(audio, limit)
  for (const remark of remarks) console.error(remark)
  console.error(`Models: ${recognizers.length}. Sounds: ${sounds.length}.`)
  const loadBefore = formatLoad()
  const measurements = await measure({
    recognizers,
    sounds,
    language,
    pace,
    onResult: (result) => verbose && console.log(formatResult(result)),
  })
  const [{ model: processor = 'unknown processor' } = {}, ...others] = cpus()
  const machine = [
    `${others.length + 1} × ${processor.trim()}`,
    `load average ${loadBefore} before and ${formatLoad()} after the run`,
    pace === 0 ? 'audio as fast as possible' : `audio at ${pace} × its pace`,
  ]
  console.log(`${verbose ? '\n' : ''}${machine.join(', ')}\n\n${formatMeasurements(measurements)}`)
}

let options: ReturnType<typeof parseArguments> | undefined
try {
  options = parseArguments(process.argv.slice(2))
  await run(options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  if (options === undefined) console.error(USAGE)
  process.exitCode = 1
}
