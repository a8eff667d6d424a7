import { join } from 'node:path'
import { ENGLISH, toneSpeech, writeTinyModel } from '@glasses-cloud/cloud/test/tiny-speech-models'
import { Glasses } from '@glasses-cloud/phone'
import { type BareRoot, checked, type RunOptions } from './bare-root.ts'

const CAPTIONS = 'dev.glasses-cloud.captions'
const WORDS = ['charlie', 'alpha', 'bravo']

/**
 * Installs a speech model with the command line of the release, speaks at simulated glasses as LC3, and waits until the words are on
 * their lens.
 * @param folder a folder of the root that the user of the program can enter
 */
export async function assertRecognition(
  root: Pick<BareRoot, 'folder' | 'check'>,
  program: readonly string[],
  options: RunOptions,
  port: number,
  folder: string,
): Promise<void> {
  const parent = join(root.folder, folder, 'models')
  const { model } = await writeTinyModel('streamingEnglish', parent)
  checked('chmod', ['-R', 'a+rX', parent])
  root.check([...program, 'models', 'add', join(folder, 'models', model.id)], options)
  const token = root.check([...program, 'token', 'ada@example.org'], options).trim()
  const glasses = new Glasses({
    url: `http://127.0.0.1:${port}`,
    token,
    audioFormat: { format: 'lc3', frameSizeBytes: 40 },
  })
  try {
    await glasses.connect()
    await glasses.api.install(CAPTIONS)
    await glasses.api.startApp(CAPTIONS)
    await glasses.waitForMicrophone('pcm', { timeoutMs: 40_000 })
    const sound = { language: ENGLISH, leadMs: 300, tailMs: 1_500, amplitude: 0.5 }
    await glasses.playAudio(toneSpeech(WORDS, sound).pcm)
    await glasses.waitForDisplay(new RegExp(WORDS.join(' ')), { timeoutMs: 40_000 })
  } finally {
    await glasses.disconnect()
  }
}
