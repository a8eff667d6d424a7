import { readFileSync } from 'node:fs'
import { File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim'
import type { Samples } from '../../../mp3/index.ts'

/** Bytes of a WAV header as Flite writes it. */
const WAV_HEADER_BYTES = 44

/** A passage for a worker to synthesize. */
export interface Passage {
  /** ASCII. */
  readonly text: string
  readonly voice: string
  /** 1 is the normal speed of the voice. */
  readonly speed: number
}

interface FliteInstance extends WebAssembly.Instance {
  readonly exports: { readonly memory: WebAssembly.Memory; readonly _start: () => unknown }
}

/**
 * Flite, compiled to WebAssembly. Each passage runs in an instance of its own, with two files in memory and no access to
 * files, environment or network.
 */
export class FliteProgram {
  readonly #module: WebAssembly.Module

  /** @param url of `flite.wasm` */
  constructor(url: URL) {
    this.#module = new WebAssembly.Module(readFileSync(url))
  }

  /** Synthesizes a passage. @throws Error if Flite fails */
  synthesize({ text, voice, speed }: Passage): Samples {
    const speech = new File([])
    const folder = new Map([
      ['text', new File(Buffer.from(text, 'latin1'), { readonly: true })],
      ['speech', speech],
    ])
    const closed = () => new OpenFile(new File([], { readonly: true }))
    const args = ['flite', '-voice', voice, '--setf', `duration_stretch=${1 / speed}`, '-f', '/text']
    const wasi = new WASI(
      [...args, '-o', '/speech'],
      [],
      [closed(), closed(), closed(), new PreopenDirectory('/', folder)],
      // By default it prints what the program opens.
      { debug: false },
    )
    const imports = { wasi_snapshot_preview1: wasi.wasiImport }
    const exitCode = wasi.start(new WebAssembly.Instance(this.#module, imports) as FliteInstance)
    if (exitCode !== 0) throw new Error(`Flite ended with ${exitCode}`)
    return samplesOf(speech.data)
  }
}

function samplesOf({ buffer, byteOffset, byteLength }: Uint8Array): Samples {
  const wav = new DataView(buffer, byteOffset, byteLength)
  const samples = new Float32Array(Math.max(0, byteLength - WAV_HEADER_BYTES) >> 1)
  for (let i = 0; i < samples.length; i += 1)
    samples[i] = wav.getInt16(WAV_HEADER_BYTES + 2 * i, true) / 32_768
  return { samples, sampleRate: wav.getUint32(24, true) }
}
