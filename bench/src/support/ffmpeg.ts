import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs ffmpeg to its end. @throws Error if it fails */
export async function ffmpeg(args: readonly string[]): Promise<void> {
  const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { stdio: 'inherit' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`)
}
