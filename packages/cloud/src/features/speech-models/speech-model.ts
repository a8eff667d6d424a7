import {
  createValidator,
  findViolations,
  formatViolation,
  SPEECH_MODEL_KINDS,
  type SpeechModelKind,
} from '@glasses-cloud/contract'
import { type Static, Type } from 'typebox'

/** Name of the manifest in the folder of an installed model. */
export const MANIFEST_FILE = 'model.json'

/** Bytes of all files of a model. */
export const MAX_MODEL_BYTES = 8 * 1024 ** 3

/** Pattern of the id of a model. */
export const MODEL_ID_PATTERN = '^[a-z0-9][a-z0-9.-]{0,63}$'

/** Segments of letters, digits, `.`, `_` and `-` that do not start with a dot: neither `..` nor an absolute path. */
const FILE_NAME_PATTERN = '^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$'

const line = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\x00-\\x1f\\x7f]*$' })

const webUrl = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2_000 })

const modelFile = Type.Object(
  {
    name: Type.String({ maxLength: 200, pattern: FILE_NAME_PATTERN }),
    role: Type.String({ pattern: '^[a-z][a-z-]{0,31}$' }),
    url: Type.Optional(webUrl),
    bytes: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_MODEL_BYTES })),
    sha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  },
  { additionalProperties: false },
)

const modelManifest = Type.Object(
  {
    id: Type.String({ pattern: MODEL_ID_PATTERN }),
    name: line(200),
    kind: Type.Enum([...SPEECH_MODEL_KINDS]),
    architecture: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$' }),
    languages: Type.Array(Type.String({ pattern: '^[a-z]{2,3}$' }), { minItems: 1, maxItems: 200 }),
    detectsLanguage: Type.Boolean(),
    memoryBytes: Type.Integer({ minimum: 0, maximum: 1024 ** 4 }),
    downloadBytes: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_MODEL_BYTES })),
    license: Type.Object({ name: line(200), url: webUrl }, { additionalProperties: false }),
    source: webUrl,
    checked: Type.Optional(line(2_000)),
    files: Type.Array(modelFile, { minItems: 1, maxItems: 1_000 }),
  },
  { additionalProperties: false },
)

const validator = createValidator(modelManifest)

/**
 * A model that can be installed. Sizes and hashes of files that the publisher does not state are absent; `downloadBytes` is
 * the sum in round numbers where exact sizes are missing, `checked` what is known about the facts of the manifest.
 */
export type ModelManifest = Static<typeof modelManifest>

/** A file of a model. */
export type ModelFile = ModelManifest['files'][number]

/** A file of an installed model. */
export interface InstalledFile extends ModelFile {
  readonly bytes: number
  readonly sha256: string
}

/** A speech model: what it does, and the files that it consists of, with their sizes and hashes. */
export interface SpeechModel extends Omit<ModelManifest, 'files' | 'downloadBytes' | 'checked'> {
  readonly files: readonly InstalledFile[]
}

/** The roles of the files that each architecture needs, by kind. */
const ROLES: Readonly<Record<SpeechModelKind, Readonly<Record<string, readonly string[]>>>> = {
  'streaming-recognizer': {
    transducer: ['encoder', 'decoder', 'joiner', 'tokens'],
    'zipformer2-ctc': ['model', 'tokens'],
    'nemo-ctc': ['model', 'tokens'],
    't-one-ctc': ['model', 'tokens'],
    paraformer: ['encoder', 'decoder', 'tokens'],
  },
  recognizer: {
    transducer: ['encoder', 'decoder', 'joiner', 'tokens'],
    'nemo-ctc': ['model', 'tokens'],
    'zipformer-ctc': ['model', 'tokens'],
    whisper: ['encoder', 'decoder', 'tokens'],
    moonshine: ['preprocessor', 'encoder', 'uncached-decoder', 'cached-decoder', 'tokens'],
    'sense-voice': ['model', 'tokens'],
    paraformer: ['model', 'tokens'],
  },
  voice: {
    vits: ['model', 'tokens'],
    matcha: ['model', 'tokens', 'vocoder'],
    kokoro: ['model', 'tokens', 'voices'],
    kitten: ['model', 'tokens', 'voices'],
  },
  'keyword-spotter': { transducer: ['encoder', 'decoder', 'joiner', 'tokens'] },
  punctuation: { 'ct-transformer': ['model'], 'cnn-bilstm': ['model', 'bpe'] },
  speaker: { embedding: ['model'] },
}

/** The result of reading a manifest: the manifest, or sentences that say what is wrong with it. */
export type ManifestReading =
  | { readonly ok: true; readonly manifest: ModelManifest }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Reads the manifest of a model. */
export function readManifest(value: unknown): ManifestReading {
  if (!validator.Check(value)) {
    const problems = findViolations(validator.AllErrors(value, 5)).map((violation) =>
      formatViolation(violation, 'The manifest'),
    )
    return { ok: false, problems: problems.length > 0 ? problems : ['The manifest is invalid'] }
  }
  const problems = [...problemsOf(value)]
  return problems.length > 0 ? { ok: false, problems } : { ok: true, manifest: value }
}

function* problemsOf({ kind, architecture, files }: ModelManifest): Generator<string> {
  const roles = ROLES[kind][architecture]
  if (roles === undefined) {
    yield `architecture must be one of ${Object.keys(ROLES[kind]).join(', ')} for the kind ${kind} (got "${architecture}")`
    return
  }
  for (const role of roles)
    if (!files.some((file) => file.role === role))
      yield `files must contain one with the role ${role}, which ${architecture} needs`
  const names = new Set<string>()
  for (const { name } of files) {
    if (name === MANIFEST_FILE) yield `A file must not have the name ${MANIFEST_FILE}`
    if (names.has(name)) yield `The file ${name} is listed twice`
    names.add(name)
  }
  for (const name of names)
    for (const folder of foldersOf(name))
      if (names.has(folder)) yield `${folder} is the name of a file and of the folder of ${name}`
  if (sumOf(files.map(({ bytes }) => bytes ?? 0)) > MAX_MODEL_BYTES)
    yield `The files must not have more than ${MAX_MODEL_BYTES} bytes`
}

function foldersOf(name: string): string[] {
  const parts = name.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** Returns the bytes of all files of a model, in round numbers if sizes are missing; undefined if nothing is known. */
export function sizeOf({
  files,
  downloadBytes,
}: {
  readonly files: readonly Pick<ModelFile, 'bytes'>[]
  readonly downloadBytes?: number | undefined
}): number | undefined {
  const sizes = files.map(({ bytes }) => bytes)
  return sizes.every((bytes) => bytes !== undefined) ? sumOf(sizes) : downloadBytes
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}
