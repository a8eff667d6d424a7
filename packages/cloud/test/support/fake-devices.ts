import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './media.ts'
import type { Scope } from './scope.ts'

/** What a browser takes for its microphone and camera. */
export interface FakeDevices {
  /** Arguments of the browser. */
  readonly args: string[]
  /** What the microphone hears, again and again, as a file. */
  readonly soundFile: string
}

/**
 * Makes a sound file and a film for the microphone and the camera of a browser, which asks for no permission.
 * @param pcm what the microphone hears, 16-bit mono PCM at 16 kHz
 * @param color what the camera sees, in the words of ffmpeg
 */
export async function makeFakeDevices(scope: Scope, pcm: Uint8Array, color: string): Promise<FakeDevices> {
  const folder = await mkdtemp(join(tmpdir(), 'fake-devices-'))
  scope.after(() => rm(folder, { recursive: true, force: true }))
  const [raw, soundFile, film] = ['sound.raw', 'sound.wav', 'film.y4m'].map((name) => join(folder, name))
  assert.ok(raw && soundFile && film)
  await writeFile(raw, pcm)
  await makeFile(['-f', 's16le', '-ar', '16000', '-ac', '1', '-i', raw, '-ar', '48000', soundFile])
  await makeFile([
    '-f',
    'lavfi',
    '-i',
    `color=${color}:size=320x240:rate=5:duration=1`,
    '-pix_fmt',
    'yuv420p',
    film,
  ])
  const args = [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-audio-capture=${soundFile}`,
    `--use-file-for-fake-video-capture=${film}`,
  ]
  return { args, soundFile }
}

async function makeFile(args: readonly string[]): Promise<void> {
  const { code, stderr } = await run('ffmpeg', ['-v', 'error', '-y', ...args])
  assert.equal(code, 0, stderr)
}
