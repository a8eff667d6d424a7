import { dirname, join } from 'node:path'
import type { SpeechModel } from '../speech-models/index.ts'
import { UnusableModelError } from './unusable-model-error.ts'

/** Names that the library gives to the files of an architecture, by the roles of a manifest. */
const ARCHITECTURES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  vits: { model: 'model', tokens: 'tokens' },
  matcha: { model: 'acousticModel', vocoder: 'vocoder', tokens: 'tokens' },
  kokoro: { model: 'model', voices: 'voices', tokens: 'tokens' },
  kitten: { model: 'model', voices: 'voices', tokens: 'tokens' },
}

/** Threads of one voice: a sentence should be there before the previous one has been heard. */
const THREADS = 2

/**
 * The configuration of the library for a voice. Beside the files of its architecture, a voice may have those of the roles
 * `lexicon`, `data` (a folder of eSpeak NG), `rule-fst` and `rule-far` (how numbers and dates are read).
 * @param folder folder of the installed model
 * @throws UnusableModelError for an unknown architecture and a missing role
 */
export function voiceConfig(model: SpeechModel, folder: string): object {
  const { id, architecture, files } = model
  const roles = Object.hasOwn(ARCHITECTURES, architecture) ? ARCHITECTURES[architecture] : undefined
  if (!roles) throw new UnusableModelError(`${id} has the unknown architecture ${architecture}`)
  const namesOf = (role: string) => files.filter((file) => file.role === role).map(({ name }) => name)
  const required = Object.entries(roles).map(([role, name]) => {
    const [file] = namesOf(role)
    if (file === undefined) throw new UnusableModelError(`${id} has no file with the role ${role}`)
    return [name, join(folder, file)]
  })
  const list = (role: string, name: string) => {
    const paths = namesOf(role).map((file) => join(folder, file))
    return paths.length === 0 ? {} : { [name]: paths.join(',') }
  }
  const [data] = namesOf('data')
    .map((name) => dirname(name))
    .sort((a, b) => a.length - b.length)
  return {
    model: {
      [architecture]: {
        ...Object.fromEntries(required),
        ...list('lexicon', 'lexicon'),
        ...(data === undefined ? {} : { dataDir: join(folder, data) }),
      },
      numThreads: THREADS,
      provider: 'cpu',
      debug: 0,
    },
    ...list('rule-fst', 'ruleFsts'),
    ...list('rule-far', 'ruleFars'),
    maxNumSentences: 1,
  }
}
