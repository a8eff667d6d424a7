import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { childEnvironment } from '../../config/index.ts'
import { encodeEvent, WyomingDecoder, type WyomingEvent } from './wyoming-events.ts'

const PROGRAM = 'pocketsphinx_continuous'
const MODEL_FOLDER = '/usr/share/pocketsphinx/model/en-us/en-us'
/** A minute of audio: more than the cloud sends as one utterance. */
const MAX_UTTERANCE_BYTES = 60 * 32_000
/** Recognitions at a time: each uses a processor core. */
const MAX_CONCURRENT = 2

const INFO = {
  asr: [
    {
      name: 'pocketsphinx',
      attribution: { name: 'CMU Sphinx', url: 'https://cmusphinx.github.io' },
      installed: true,
      models: [
        {
          name: 'en-us',
          languages: ['en'],
          attribution: { name: 'CMU Sphinx', url: 'https://cmusphinx.github.io' },
          installed: true,
        },
      ],
    },
  ],
}

/** A running recognizer. */
export interface PocketsphinxServer {
  readonly port: number
  close(): Promise<void>
}

/** Returns what is missing to recognize speech on this machine, as instructions; undefined if nothing is. */
export async function missingPocketsphinx(): Promise<string | undefined> {
  const child = spawn(PROGRAM, ['-help'], { env: childEnvironment(), stdio: 'ignore' })
  const isInstalled = await once(child, 'close').then(
    () => true,
    () => false,
  )
  if (isInstalled && existsSync(MODEL_FOLDER)) return undefined
  return 'install a local recognizer: apt-get install pocketsphinx pocketsphinx-en-us'
}

/**
 * Starts a small Wyoming server that recognizes English with the program `pocketsphinx_continuous`. Its accuracy suffices
 * to try local captions without a download; for everyday use, run a server with a better model.
 * @throws Error if the program is missing or the port is in use
 */
export async function startPocketsphinxServer(options: {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
}): Promise<PocketsphinxServer> {
  const missing = await missingPocketsphinx()
  if (missing !== undefined) throw new Error(`${PROGRAM} cannot be started; ${missing}`)
  const folder = await mkdtemp(join(tmpdir(), 'pocketsphinx-'))
  const recognizer = new Recognizer(folder)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serveConnection(socket, recognizer)
  })
  const close = async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    recognizer.close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    server.listen(options.port, options.host)
    await once(server, 'listening')
  } catch (error) {
    await close()
    throw error
  }
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : options.port, close }
}

function serveConnection(socket: Socket, recognizer: Recognizer): void {
  const decoder = new WyomingDecoder()
  let chunks: Buffer[] = []
  let bytes = 0
  const send = (event: Buffer) => {
    if (!socket.destroyed) socket.write(event)
  }
  const handle = ({ type, payload }: WyomingEvent) => {
    if (type === 'describe') send(encodeEvent('info', INFO))
    else if (type === 'audio-chunk') {
      bytes += payload.byteLength
      if (bytes > MAX_UTTERANCE_BYTES) socket.destroy()
      // A copy, because the payload is a part of a larger buffer.
      else chunks.push(Buffer.from(payload))
    } else if (type === 'audio-stop') {
      const pcm = Buffer.concat(chunks)
      chunks = []
      bytes = 0
      recognizer.recognize(pcm).then(
        (recognized) => send(encodeEvent('transcript', { text: recognized, language: 'en' })),
        () => socket.destroy(),
      )
    }
  }
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    try {
      for (const event of decoder.decode(chunk)) handle(event)
    } catch {
      socket.destroy()
    }
  })
}

/** Recognizes utterances, a few at a time; the others wait in order. */
class Recognizer {
  readonly #folder: string
  readonly #waiting: (() => void)[] = []
  readonly #closing = new AbortController()
  #running = 0
  #count = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  async recognize(pcm: Buffer): Promise<string> {
    if (this.#running >= MAX_CONCURRENT) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#closing.signal.throwIfAborted()
    this.#running += 1
    this.#count += 1
    const path = join(this.#folder, `${this.#count}.raw`)
    try {
      await writeFile(path, pcm)
      return await this.#run(path)
    } finally {
      this.#running -= 1
      this.#waiting.shift()?.()
      await rm(path, { force: true })
    }
  }

  close(): void {
    this.#closing.abort()
    for (const proceed of this.#waiting.splice(0)) proceed()
  }

  async #run(path: string): Promise<string> {
    const child = spawn(PROGRAM, ['-infile', path, '-logfn', '/dev/null'], {
      env: childEnvironment(),
      stdio: ['ignore', 'pipe', 'ignore'],
      signal: this.#closing.signal,
    })
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    if (code !== 0) throw new Error(`${PROGRAM} ended with ${code}`)
    return output.split(/\s+/).filter(Boolean).join(' ')
  }
}
